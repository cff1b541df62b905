"""Rules put into words, for books that do not say it themselves: a summary and a text.

Everything there is to say about a family of winning sets, or about a measure of the ending, stands
here in one entry: what a generated text calls it, what an editor shows for it, what ``ninefold
new`` asks about it. A new family or measure needs its entry, and a test says so.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from ninefold.books.words import fill
from ninefold.core.game import Game
from ninefold.core.patterns import Pattern

_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_OTHERWISE = {
    "draw": "the game is drawn",
    "first": "the player who began wins",
    "second": "the player who did not begin wins",
}
# A swap takes the role along with the hand.
_OTHERWISE_PIE = {
    "draw": "the game is drawn",
    "first": "the player with the hand that began wins",
    "second": "the player with the hand that did not begin wins",
}
# A short list of sets is shown whole.
MAX_SHOWN = 12
_BOTH_WAYS = ("arithmetic", "geometric", "consecutive")
_ONCE = "Each number can be taken once."
_NOBODY = "nobody took a number"


class Asked(NamedTuple):
    """A parameter of a family: what it is, and what is proposed; nothing, if it may be left out."""

    meaning: str
    proposal: Any = None
    asks: str = ""  # how a designer is asked for it, where that is more than its meaning


class FamilyText(NamedTuple):
    """A family in words: what it is, what a player has to hold, and how to recognise it."""

    meaning: str
    goal: Callable[[Mapping[str, Any]], str]
    aside: str
    parameters: Mapping[str, Asked]


class MeasureText(NamedTuple):
    """A measure in words: what it is, who wins by it, and whether it leaves nothing undecided.

    Who wins may name the fields of the link, such as ``{prefer}``; ``equal`` is when nobody does.
    """

    meaning: str
    higher: str
    lower: str
    decides: bool = False
    equal: str = "that is equal"


def _length(meaning: str, proposal: int) -> dict[str, Asked]:
    return {"length": Asked(meaning, proposal)}


def _aggregated(what: str, proposal: int) -> dict[str, Asked]:
    return {
        "count": Asked(
            "the number of numbers; without it, any number of them",
            3,
            "how many numbers, or any (any number of them), or all (the whole hand)",
        ),
        "whole-hand": Asked("whether all numbers of a player count, at the moment of a pick"),
        "equals": Asked(
            f"the {what} they must have", proposal, f"their {what}, or for instance multiple of 5"
        ),
        "multiple-of": Asked(f"what the {what} must be a multiple of, instead of equals"),
    }


def _aggregate(what: str, of: Mapping[str, Any]) -> str:
    wanted = f"a {what} of {of['equals']}" if "equals" in of else ""
    wanted = wanted or f"a {what} that is a multiple of {of['multiple-of']}"
    if of.get("whole-hand"):
        return f"numbers that all together have {wanted}"
    return f"{count(of['count']) if 'count' in of else 'any numbers'} with {wanted}"


def _kind(of: Mapping[str, Any]) -> str:
    if of["kind"] == "multiple":
        return f"{count(of['count'])} that are multiples of {of['of']}"
    return count(of["count"]).replace(" ", f" {of['kind']} ")


FAMILIES: Mapping[str, FamilyText] = {
    "arithmetic": FamilyText(
        "numbers in arithmetic progression, such as 2 4 6",
        lambda of: f"{count(of['length'])} in arithmetic progression",
        "equal steps",
        _length("the number of terms", 3),
    ),
    "geometric": FamilyText(
        "numbers in geometric progression, such as 2 4 8 or 4 6 9",
        lambda of: f"{count(of['length'])} in geometric progression",
        "equal factors, which may be fractions",
        _length("the number of terms", 3),
    ),
    "consecutive": FamilyText(
        "neighbours in the pool, such as 4 5 6",
        lambda of: f"{count(of['length'])} that are neighbours in the pool",
        "",
        _length("the number of neighbours", 3),
    ),
    "sum-triple": FamilyText(
        "three numbers, one the sum of the other two, such as 2 3 5",
        lambda _: "three numbers, one the sum of the other two",
        "",
        {},
    ),
    "sum": FamilyText(
        "numbers with a given sum, such as 1 5 9 for 15",
        lambda of: _aggregate("sum", of),
        "",
        _aggregated("sum", 15),
    ),
    "product": FamilyText(
        "numbers with a given product, such as 2 3 4 for 24",
        lambda of: _aggregate("product", of),
        "",
        _aggregated("product", 24),
    ),
    "kind": FamilyText(
        "numbers of one kind, such as 2 4 6 (even)",
        _kind,
        "",
        {
            "kind": Asked(
                "even, odd, prime, square or multiple",
                "even",
                "even, odd, prime, square, or for instance multiple of 3",
            ),
            "of": Asked("what they are multiples of, for the kind multiple"),
            "count": Asked("the number of numbers", 3),
        },
    ),
    "chain": FamilyText(
        "numbers each of which divides the next, such as 2 4 8",
        lambda of: f"{count(of['length'])}, each of which divides the next",
        "",
        _length("the number of numbers", 3),
    ),
    "sets": FamilyText(
        "sets that the book lists one by one",
        lambda of: "a set of the list" if len(of["sets"]) > 1 else "the one set of the list",
        "",
        {"sets": Asked("the sets, each a list of numbers", [[1, 5, 9], [2, 4, 6]])},
    ),
}

MEASURES: Mapping[str, MeasureText] = {
    "count": MeasureText(
        "how many numbers a player holds",
        "whoever holds more numbers wins",
        "whoever holds fewer numbers wins",
    ),
    "distance": MeasureText(
        "how far the sum of a player's numbers is from a target",
        "the sum farther from {target} wins",
        "the sum nearer to {target} wins",
    ),
    "highest": MeasureText(
        "the highest number a player holds",
        "whoever holds the highest number wins",
        "the player whose highest number is lower wins",
        decides=True,
        equal=_NOBODY,
    ),
    "lowest": MeasureText(
        "the lowest number a player holds",
        "the player whose lowest number is higher wins",
        "whoever holds the lowest number wins",
        decides=True,
        equal=_NOBODY,
    ),
    "run-sum": MeasureText(
        "the sum of a player's longest run of neighbours",
        "the longest run with the higher sum wins",
        "the longest run with the lower sum wins",
    ),
    "first-complete": MeasureText(
        "who completed a set first (for a game in which wins must be declared)",
        "whoever completed a set first wins",
        "whoever completed a set first loses",
        equal="nobody completed one",
    ),
    "hand-sum": MeasureText(
        "the sum of a player's numbers", "the higher sum wins", "the lower sum wins"
    ),
    "last-pick": MeasureText(
        "who took the last number (higher: that player wins)",
        "whoever took the last number wins",
        "whoever took the last number loses",
        decides=True,
        equal=_NOBODY,
    ),
    "longest-run": MeasureText(
        "the length of a player's longest run of neighbours in the pool",
        "the longer run of neighbours wins",
        "the player whose longest run of neighbours is shorter wins",
    ),
    "run-start": MeasureText(
        "the first number of a player's longest run of neighbours",
        "the longest run that starts with the higher number wins",
        "the longest run that starts with the lower number wins",
        decides=True,  # two players never hold the same number
        equal=_NOBODY,
    ),
}


def count(number: int) -> str:
    """So many numbers, in words."""
    return counted(number, "number")


def counted(number: int, noun: str) -> str:
    """So many of something, in words."""
    word = _COUNTS[number] if 0 <= number < len(_COUNTS) else str(number)
    return f"{word} {noun}" + "s" * (number != 1)


def title_of(book_id: str) -> str:
    """A title made from an id: my-game becomes My Game."""
    return " ".join(word[:1].upper() + word[1:] for word in book_id.replace("_", "-").split("-"))


def pool_of(game: Game) -> str:
    """The numbers of the pool, shortened where they form a pattern."""
    pool = game.pool
    steps = {b - a for a, b in pairwise(pool)}
    if len(pool) > 3 and len(steps) == 1:
        if steps == {1}:
            return f"{pool[0]} to {pool[-1]}"
        return f"{pool[0]}, {pool[1]}, {pool[2]} and so on to {pool[-1]}"
    return " ".join(map(str, pool))


def summary_of(game: Game) -> str:
    """One line about the game."""
    rules, goals = game.rules, " or ".join(map(_goal, game.rules.wins))
    if goals and rules.misere:
        return f"Do not be the first to hold {goals}."
    if goals:
        return f"{'Hold and declare' if rules.declare else 'Hold'} {goals}."
    if rules.ending or rules.otherwise != "draw":
        told = _criterion(game, 0) if rules.ending else _otherwise(game)
        return f"{told[0].upper()}{told[1:]} when no number is left."
    return "Take numbers until none is left; nobody wins."


def text_of(game: Game) -> str:
    """The rules in a few paragraphs."""
    return "\n\n".join(filter(None, (_turns(game), _wins(game), _ending(game))))


def _turns(game: Game) -> str:
    rules = game.rules
    takes = "one free number"
    if rules.picks_per_turn > 1:
        takes = f"{count(rules.picks_per_turn).replace(' ', ' free ')}, one after the other"
        takes = f"up to {takes}" if rules.passing else takes
    parts = [
        f"Two players share the numbers {pool_of(game)}. On your turn you take {takes}.",
        _ONCE,
    ]
    if rules.opening:
        one_of = "one of " * (len(rules.opening) > 1)
        parts.append(f"The very first must be {one_of}{' '.join(map(str, rules.opening))}.")
    if rules.pie:
        parts.append("The second player may answer the first turn by changing hands.")
    if rules.passing and rules.picks_per_turn > 1:
        parts.append(
            "You may pass instead, or pass the rest of your turn; two turns in a row without a "
            "number end the game."
        )
    elif rules.passing:
        parts.append("You may pass instead; when both players pass in a row, the game ends.")
    if rules.hand_limit:
        parts.append(
            f"Nobody holds more than {count(rules.hand_limit)}; "
            "a player with so many is skipped from then on."
        )
    if rules.invalid == "lose-turn":
        parts.append("Choosing a number that is not free loses the turn.")
    return " ".join(parts)


def _wins(game: Game) -> str:
    rules = game.rules
    if not rules.wins:
        return "No set of numbers wins: only the end of the game decides."
    ways = [f"{_goal(pattern)}{_aside(game, pattern)}" for pattern in rules.wins]
    verb = "lose" if rules.misere else "win"
    parts = [f"You {verb} as soon as you hold {', or '.join(ways)}."]
    if rules.declare:
        parts = [f"You win by declaring {', or '.join(ways)}. Nothing is seen for you."]
    if rules.in_order:
        parts.append(_order(game))
    elif any(len(numbers) > 1 for numbers in game.sets):
        parts.append("The order in which you took them does not matter.")
    return " ".join(parts)


def _order(game: Game) -> str:
    """What the order means: for a progression, both directions are one."""
    families = {pattern.family for pattern in game.rules.wins}
    told = ["They count in the order in which you took them"]
    if families & {*_BOTH_WAYS}:
        told.append("going down counts like going up")
    if "sum-triple" in families:
        told.append("the last must be the sum of the first two, or the first less the second")
    return "; ".join(told) + "."


def _ending(game: Game) -> str:
    rules = game.rules
    when = "When no more numbers can be taken" if rules.hand_limit else "When every number is taken"
    when = "When the game ends" if rules.passing else when
    if rules.wins:
        when += " and nobody has lost" if rules.misere else " and nobody has won"
    last = deciding(game)
    links = [_criterion(game, at) for at in range(len(rules.ending))]
    links = [*links, _otherwise(game)] if last is None else links[: last + 1]
    equal = [MEASURES[link.measure].equal for link in rules.ending]
    if len(links) > 2 and last is None and equal[-1] == equal[-2]:
        equal[-1] += ", too"
    rest = [f"If {same}, {link}." for same, link in zip(equal, links[1:], strict=False)]
    return " ".join([f"{when}, {links[0]}.", *rest])


def _otherwise(game: Game) -> str:
    return (_OTHERWISE_PIE if game.rules.pie else _OTHERWISE)[game.rules.otherwise]


def decides(game: Game) -> bool:
    """Whether the ending is sure to name a winner, as far as its measures alone tell."""
    return game.rules.otherwise != "draw" or deciding(game) is not None


def deciding(game: Game) -> int | None:
    """Which link of the ending leaves nothing undecided, so that those behind it say nothing."""
    if game.rules.passing:
        return None  # nobody need hold a number
    runs = False
    for at, link in enumerate(game.rules.ending):
        # Of two runs of one length, the one that starts higher has the higher sum.
        if MEASURES[link.measure].decides or (runs and link.measure == "run-sum"):
            return at
        runs = runs or link.measure == "longest-run"
    return None


def _criterion(game: Game, at: int) -> str:
    link = game.rules.ending[at]
    text = MEASURES[link.measure]
    told = fill(text.higher if link.prefer == "higher" else text.lower, link._asdict())
    beyond = link.measure == "distance" and not link.exceeding
    if link[:2] in (("lowest", "higher"), ("highest", "lower")) and _may_hold_nothing(game):
        return f"{told}, and a player without numbers loses"
    return f"{told}, and a sum above it loses" if beyond else told


def _may_hold_nothing(game: Game) -> bool:
    """Whether a player can come to the end without a number."""
    rules = game.rules
    return rules.passing or rules.invalid == "lose-turn" or rules.picks_per_turn >= len(game.pool)


def label_of(pattern: Pattern) -> str:
    """What the book calls a pattern: its place in the table ``wins``."""
    return pattern.label


def _goal(pattern: Pattern) -> str:
    return FAMILIES[pattern.family].goal(dict(pattern.parameters))


def _aside(game: Game, pattern: Pattern) -> str:
    """How to recognise the pattern, with an example from this pool; a short list is shown whole."""
    from ninefold.books.why import shown_order

    if pattern.family == "sets" and len(listed := _listed(game, pattern)) <= MAX_SHOWN:
        return f" ({'; '.join(' '.join(map(str, numbers)) for numbers in listed)})"
    found = next((numbers for numbers in game.sets if pattern in game.patterns[numbers]), None)
    if pattern.is_whole_hand:
        return " (all your numbers count, so that one more can spoil it)"
    example = "but this pool has none"
    if found:
        example = "such as " + " ".join(map(str, shown_order(pattern, found)))
    aside = ", ".join(filter(None, (FAMILIES[pattern.family].aside, example)))
    return f" ({aside})"


def _listed(game: Game, pattern: Pattern) -> list[tuple[int, ...]]:
    """The sets of a list: as they are written where order counts, else in ascending order."""
    listed = dict(pattern.parameters)["sets"]
    assert isinstance(listed, tuple), "the reader of rule books has seen to it"
    found = listed if game.rules.in_order else (tuple(sorted(numbers)) for numbers in listed)
    return sorted(dict.fromkeys(found))
