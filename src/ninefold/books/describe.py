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
_ONCE = "Each number can be taken once."


class Asked(NamedTuple):
    """A parameter of a family: what it is, and what is proposed; nothing, if it may be left out."""

    meaning: str
    proposal: Any = None


class FamilyText(NamedTuple):
    """A family in words: what it is, what a player has to hold, and how to recognise it."""

    meaning: str
    goal: Callable[[Mapping[str, Any]], str]
    aside: str
    parameters: Mapping[str, Asked]


class MeasureText(NamedTuple):
    """A measure in words: what it is, who wins by it, and whether it leaves nothing undecided.

    Who wins may name the fields of the link, such as ``{prefer}``.
    """

    meaning: str
    higher: str
    lower: str
    decides: bool = False


def _length(meaning: str, proposal: int) -> dict[str, Asked]:
    return {"length": Asked(meaning, proposal)}


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
    "total": FamilyText(
        "so many numbers with a given total, such as 1 5 9 for 15",
        lambda of: f"{count(of['count'])} with a total of {of['total']}",
        "",
        {
            "count": Asked("the number of numbers to add up", 3),
            "total": Asked("the total they must have", 15),
        },
    ),
}

MEASURES: Mapping[str, MeasureText] = {
    "first-complete": MeasureText(
        "who completed a set first (for a game in which wins must be declared)",
        "whoever completed a set first wins",
        "whoever completed a set first loses",
    ),
    "hand-sum": MeasureText(
        "the sum of a player's numbers", "the higher sum wins", "the lower sum wins"
    ),
    "last-pick": MeasureText(
        "who took the last number (higher: that player wins)",
        "whoever took the last number wins",
        "whoever took the last number loses",
        decides=True,
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
    ),
}


def count(number: int) -> str:
    """So many numbers, in words."""
    word = _COUNTS[number] if 0 <= number < len(_COUNTS) else str(number)
    return f"{word} number" + "s" * (number != 1)


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
    if rules.ending:
        told = _criterion(game, 0)
        return f"{told[0].upper()}{told[1:]} when no number is left."
    return "Take numbers until none is left; nobody wins."


def text_of(game: Game) -> str:
    """The rules in a few paragraphs."""
    return "\n\n".join(filter(None, (_turns(game), _wins(game), _ending(game))))


def _turns(game: Game) -> str:
    rules = game.rules
    parts = [
        f"Two players share the numbers {pool_of(game)}. On your turn you take one free number.",
        _ONCE,
    ]
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
        parts.append("They count in the order in which you took them.")
    elif any(len(numbers) > 1 for numbers in game.sets):
        parts.append("The order in which you took them does not matter.")
    return " ".join(parts)


def _ending(game: Game) -> str:
    rules = game.rules
    when = "When no more numbers can be taken" if rules.hand_limit else "When every number is taken"
    when += " and nobody has won" if rules.wins and not rules.misere else ""
    when += " and nobody has lost" if rules.wins and rules.misere else ""
    if not rules.ending:
        return f"{when}, the game is drawn."
    links = [_criterion(game, at) for at in range(len(rules.ending))]
    parts = [f"{when}, {links[0]}.", *(f"If that is equal, {link}." for link in links[1:])]
    if not decides(game):
        parts.append(
            "If that is equal, too, the game is drawn."
            if len(parts) > 1
            else "If that is equal, the game is drawn."
        )
    return " ".join(parts)


def decides(game: Game) -> bool:
    """Whether the ending is sure to name a winner, as far as its measures alone tell."""
    return any(MEASURES[link.measure].decides for link in game.rules.ending)


def _criterion(game: Game, at: int) -> str:
    link = game.rules.ending[at]
    text = MEASURES[link.measure]
    return fill(text.higher if link.prefer == "higher" else text.lower, link._asdict())


def label_of(pattern: Pattern) -> str:
    """What the book calls a pattern: its place in the table ``wins``."""
    return pattern.family


def _goal(pattern: Pattern) -> str:
    return FAMILIES[pattern.family].goal(dict(pattern.parameters))


def _aside(game: Game, pattern: Pattern) -> str:
    """How to recognise the pattern, with an example from this pool."""
    found = next((numbers for numbers in game.sets if pattern in game.patterns[numbers]), None)
    example = "such as " + " ".join(map(str, found)) if found else "but this pool has none"
    aside = ", ".join(filter(None, (FAMILIES[pattern.family].aside, example)))
    return f" ({aside})"
