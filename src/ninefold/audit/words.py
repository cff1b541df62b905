"""Numbers, sets, rules and results in words."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ninefold.audit.figures import OTHER, PATTERN, Chances, Decider
from ninefold.audit.figures.sample import wilson
from ninefold.audit.finding import BestPlay
from ninefold.core.game import Game
from ninefold.core.moves import (
    LOST,
    PASS,
    SWAP,
    Declare,
    Move,
    SpecialMove,
    format_move,
    parse_move,
)
from ninefold.core.outcome import Outcome
from ninefold.core.patterns import Value
from ninefold.core.position import Position

SEATS = {1: "the first player", 2: "the second player"}


def numbers(items: Iterable[object]) -> str:
    """A list of numbers: 2 4 6."""
    return " ".join(map(str, items))


def listed(items: Sequence[object], word: str = "and") -> str:
    """A list in a sentence: 3, 4 and 5."""
    *most, last = map(str, items)
    return f"{', '.join(most)} {word} {last}" if most else last


_NAMES = {LOST: "losing the turn", PASS: "passing", SWAP: "swapping"}
_DEEDS = {LOST: "lose the turn", PASS: "pass", SWAP: "swap"}


def move_words(move: Move) -> str:
    """A move as something one can begin with: 3, or losing the turn."""
    return _NAMES[move] if isinstance(move, SpecialMove) else format_move(move)


def deed_words(turn: int, move: Move) -> str:
    """Who does what: Player 1 takes 3."""
    if isinstance(move, SpecialMove):
        verbs = {LOST: "loses the turn", PASS: "passes", SWAP: "swaps the hands"}
        return f"Player {turn} {verbs[move]}"
    if isinstance(move, Declare):
        return f"Player {turn} declares {numbers(move.numbers)}"
    return f"Player {turn} takes {move}"


def name_of(written: str) -> str:
    """The same for a move in the one notation."""
    return move_words(parse_move(written))


def would_open(written: Sequence[str]) -> str:
    """What a player would do who begins with one of these: open with 3 or 4, or lose the turn."""
    moves = [parse_move(item) for item in written]
    numbers_ = [move for move in moves if not isinstance(move, SpecialMove)]
    deeds = [_DEEDS[move] for move in moves if isinstance(move, SpecialMove)]
    if not numbers_:
        return listed(deeds, "or")
    opening = f"open with {listed([*map(format_move, numbers_)], 'or')}"
    return ", or ".join([opening, *deeds])


def plural(count: int, noun: str) -> str:
    """A count with its noun: 1 move, 1,341 moves."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def pool_name(pool: tuple[int, ...]) -> str:
    """A pool in short: 1-9, or its numbers."""
    steps = {high - low for low, high in pairwise(pool)}
    if len(pool) > 2 and steps == {1}:
        return f"{pool[0]} to {pool[-1]}"
    if len(pool) > 12:
        return f"{numbers(pool[:4])} ... {pool[-1]}"
    return numbers(pool)


def pattern_name(game: Game, at: int) -> str:
    """A pattern as the book names it: arithmetic (length 3), or evens (kind even, count 3)."""
    pattern = game.rules.wins[at]
    values = [_parameter(key, value) for key, value in pattern.parameters]
    if pattern.name and pattern.family not in ("kind", "sets"):
        values.insert(0, pattern.family)
    return f"{pattern.label} ({', '.join(values)})" if values else pattern.label


def _parameter(key: str, value: Value) -> str:
    if isinstance(value, tuple):
        return f"{plural(len(value), 'set')} listed" if key == "sets" else f"{len(value)} listed"
    return key if value is True else f"{key} {value}"


def link_name(game: Game, at: int) -> str:
    """A link of the ending: last-pick (lower wins)."""
    link = game.rules.ending[at]
    defaults, values = link._field_defaults, link._asdict()
    more = [_field(key, values[key]) for key in defaults if values[key] != defaults[key]]
    return f"{link.measure} ({', '.join([f'{link.prefer} wins', *more])})"


def decider_name(game: Game, decider: Decider) -> str:
    """A rule that decides games, as the report names it."""
    if decider.kind == OTHER:
        return f"otherwise {decider.name}"
    return (pattern_name if decider.kind == PATTERN else link_name)(game, decider.at)


def _field(key: str, value: object) -> str:
    return "not exceeding it" if key == "exceeding" else f"{key} {value}"


def outcome_words(position: Position) -> str:
    """How a game stands: Player 1 wins with 2 4 6 (arithmetic)."""
    outcome = position.outcome
    if outcome is None:
        return "nobody has won yet"
    if outcome.winner is None:
        return "the game is drawn"
    winner = f"Player {outcome.winner} wins"
    if outcome.reason in ("first", "second"):
        return f"{winner}, as nothing else decides"
    if not outcome.sets:
        return f"{winner} by {outcome.reason}"
    held = numbers(outcome.sets[0])
    holder = 3 - outcome.winner if _loses_by_set(position, outcome) else outcome.winner
    name = position.game.pattern(outcome.sets[0], position.hands[holder - 1]).label
    if holder != outcome.winner:
        return f"{winner}, because Player {holder} holds {held} ({name})"
    return f"{winner} with {held} ({name})"


def _loses_by_set(position: Position, outcome: Outcome) -> bool:
    return outcome.winner is not None and outcome.sets[0] not in position.sets_of(outcome.winner)


def only_moves(one: Position, two: Position) -> list[Move]:
    """The moves that are possible in the first of two positions, but not in the second."""
    there = two.legal
    return [move for move in one.legal if move not in there]


def choices_words(one: Position, two: Position, names: tuple[str, str]) -> str:
    """Which moves are possible in only one of two positions, with the words for each of them."""
    only = zip((only_moves(one, two), only_moves(two, one)), names, strict=True)
    return " and ".join(
        f"{listed([*map(move_words, found)])} {'is' if len(found) == 1 else 'are'} "
        f"possible only {name}"
        for found, name in only
        if found
    )


def percent(share: float, trials: int = 0) -> str:
    """A share in percent; an estimate comes with its interval."""
    if not trials:
        return f"{rounded(100 * share)}%"
    low, high = (rounded(100 * edge) for edge in wilson(share, trials))
    return f"about {rounded(100 * share)}% (estimate, 95% interval {low} to {high})"


def rounded(value: float, digits: int = 1) -> str:
    """A number with so many digits; a half is rounded up, however it came out of the sums."""
    return f"{value + 1e-9:.{digits}f}"


def length(chances: Chances) -> str:
    """How long games take on average."""
    if chances.plies is None:
        return "some games never end"
    return f"{'about ' if chances.trials else ''}{rounded(chances.plies, 2)} moves on average"


def result_words(result: str, plies: int | None, endless: bool | None = False) -> str:
    """Who wins under best play, from the first player's result; a draw may be an endless game."""
    who = {"win": "the first player wins", "loss": "the second player wins"}
    if result in who:
        return who[result] + ("" if plies is None else f" in {plural(plies, 'move')}")
    draws = {False: "a draw", True: "the game never ends", None: "a draw or an endless game"}
    return draws[endless] if result == "draw" else "not settled"


def decided_by(best: BestPlay, misere: bool) -> str:
    """What decides if the winner wins as soon as possible and the loser delays it."""
    found = [rule for rule in best.rules if rule.quickest]
    sets = [rule.name for rule in found if rule.kind == PATTERN]
    others = [rule.name for rule in found if rule.kind != PATTERN]
    parts = []
    if sets:
        owner = "a set of the loser" if misere else "a set"
        parts.append(f"by {owner}, {listed(sets, 'or')}")
    if others:
        parts.append(f"on the tie-break, {listed(others, 'or')}")
    return ", or ".join(parts)


def span(least: int, most: int) -> str:
    """How many moves: 5 moves, or 5 to 9 moves."""
    return plural(most, "move") if least == most else f"{least} to {plural(most, 'move')}"


def sentence(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def after_words(moves: Iterable[Move]) -> str:
    """When something happens: after 5 3 2, or at the start."""
    line = " ".join(map(format_move, moves))
    return f"after {line}" if line else "at the start"
