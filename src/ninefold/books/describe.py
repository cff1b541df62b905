"""Rules in words, for books without a text of their own: a summary and a text.

A sentence about a single rule is in its row of ``language``; here are the sentences that several
rules shape together.
"""

from itertools import pairwise

from ninefold.books.families import FAMILIES, MEASURES, count, shown_order
from ninefold.books.language import RULES
from ninefold.core.game import Game
from ninefold.core.patterns import Pattern
from ninefold.core.rules import Rules

# Up to this many listed sets are all shown.
MAX_SHOWN = 12


def pool_of(game: Game) -> str:
    """The numbers of the pool, shortened if they are a range."""
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
        winner = _criterion(game, 0) if rules.ending else _otherwise(game)
        return f"When no number is left, {winner}."
    return "Take numbers until none is left; nobody wins."


def text_of(game: Game) -> str:
    """The rules in a few paragraphs."""
    return "\n\n".join(filter(None, (_turns(game), _wins(game), _ending(game))))


def _turns(game: Game) -> str:
    """What a turn is, and the sentences of the rules that are not at their defaults."""
    rules, defaults = game.rules, Rules._field_defaults
    takes = "one free number"
    if rules.picks_per_turn > 1:
        takes = f"{count(rules.picks_per_turn, 'free number')}, one after the other"
        takes = f"up to {takes}" if rules.passing else takes
    first = f"Two players share the numbers {pool_of(game)}. On your turn you take {takes}."
    sentences = [first, "Each number can be taken once."]
    for field in RULES:
        if field.sentence and getattr(rules, field.attribute) != defaults[field.attribute]:
            said = field.sentence
            sentences.append(said(rules) if callable(said) else said)
    sentences += [_stuck(rules)] if game.picks.can_stick else []
    return " ".join(sentences)


def _stuck(rules: Rules) -> str:
    if rules.stuck == "skip":
        return "If you may take no number, you are skipped; if neither may, the game ends."
    return "If you may take no number on your turn, the game ends."


def _wins(game: Game) -> str:
    rules = game.rules
    losing = ", or ".join(map(_goal, rules.losses))
    lost = f"You lose as soon as you hold {losing}." if losing else ""
    if not rules.wins:
        return lost or "No set of numbers wins: only the end of the game decides."
    ways = ", or ".join(f"{_goal(pattern)}{_aside(game, pattern)}" for pattern in rules.wins)
    if rules.declare:
        parts = [f"You win by declaring {ways}. Wins are not detected for you."]
    else:
        parts = [f"You {'lose' if rules.misere else 'win'} as soon as you hold {ways}."]
    if rules.in_order:
        parts.append(_order(game))
    elif any(len(numbers) > 1 for numbers in game.sets):
        parts.append("The order in which you took them does not matter.")
    return " ".join(filter(None, [*parts, lost]))


def _order(game: Game) -> str:
    """What the order means: a progression may also go down."""
    families = {pattern.family for pattern in game.rules.wins}
    parts = ["They count in the order in which you took them"]
    if families & {"arithmetic", "geometric", "consecutive"}:
        parts.append("going down counts as well as going up")
    if "sum-triple" in families:
        parts.append("the last must be the sum of the first two, or the first minus the second")
    return "; ".join(parts) + "."


def _ending(game: Game) -> str:
    rules = game.rules
    when = "When no more numbers can be taken" if rules.hand_limit else "When every number is taken"
    when = "When the game ends" if rules.passing or game.picks.can_stick else when
    if rules.wins:
        when += " and nobody has lost" if rules.misere else " and nobody has won"
    last = deciding(game)
    links = [_criterion(game, at) for at in range(len(rules.ending))]
    links = [*links, _otherwise(game)] if last is None else links[: last + 1]
    ties = [MEASURES[link.measure].tie or "nobody took a number" for link in rules.ending]
    rest = [f"If {tie}, {link}." for tie, link in zip(ties, links[1:], strict=False)]
    return " ".join([f"{when}, {links[0]}.", *rest])


def _otherwise(game: Game) -> str:
    if game.rules.otherwise == "draw":
        return "the game is drawn"
    who = "with the hand that" if game.rules.pie else "who"  # a swap takes the role along
    began = "began" if game.rules.otherwise == "first" else "did not begin"
    return f"the player {who} {began} wins"


def deciding(game: Game) -> int | None:
    """The link of the ending that never ties, so that later links never count."""
    if game.rules.passing:
        return None  # perhaps nobody holds a number
    runs = False
    for at, link in enumerate(game.rules.ending):
        # Of two runs of the same length, the one that starts higher has the higher sum.
        if not MEASURES[link.measure].tie or (runs and link.measure == "run-sum"):
            return at
        runs = runs or link.measure == "longest-run"
    return None


def _criterion(game: Game, at: int) -> str:
    rules, link = game.rules, game.rules.ending[at]
    winner = MEASURES[link.measure].winner(link)
    # A player may reach the end without a number.
    nothing = (
        rules.passing or rules.invalid == "lose-turn" or rules.picks_per_turn >= len(game.pool)
    )
    if link[:2] in (("lowest", "higher"), ("highest", "lower")) and nothing:
        return f"{winner}, and a player without numbers loses"
    beyond = link.measure == "distance" and not link.exceeding
    return f"{winner}, and a sum above it loses" if beyond else winner


def _goal(pattern: Pattern) -> str:
    return FAMILIES[pattern.family].goal(dict(pattern.parameters))


def _aside(game: Game, pattern: Pattern) -> str:
    """How to recognise the pattern, with an example from this pool; a short list is shown whole."""
    if pattern.family == "sets":
        sets = dict(pattern.parameters)["sets"]
        assert isinstance(sets, tuple), "the reader of rule books makes sure of it"
        # Where order counts, they are shown as they are written.
        listed = {numbers if game.rules.in_order else tuple(sorted(numbers)) for numbers in sets}
        if len(listed) <= MAX_SHOWN:
            return f" ({'; '.join(' '.join(map(str, numbers)) for numbers in sorted(listed))})"
    if pattern.is_shared:
        return ""
    if pattern.is_whole_hand:
        return " (all your numbers count, so one more can spoil it)"
    found = next((numbers for numbers in game.sets if pattern in game.patterns[numbers]), None)
    example = "but this pool has none"
    if found:
        example = "such as " + " ".join(map(str, shown_order(pattern, found)))
    aside = ", ".join(filter(None, (FAMILIES[pattern.family].aside, example)))
    return f" ({aside})"
