"""Openings: the first moves of a pair of games, which nobody is scored for."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from ninefold.arena.nodes import move_scores, values_of
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move, SpecialMove, format_move
from ninefold.core.position import Position
from ninefold.solver import is_small

OPENINGS: Final = ("none", "all", "balanced")
MOST_OPENINGS = 10_000
# More positions than this are not looked at.
MOST_SEEN = 20_000


def find_openings(game: Game, kind: str, length: int, most: int) -> tuple[str, ...]:
    """The openings of this kind and length, at most so many (0: all); raises NinefoldError."""
    if kind == "none":
        return ("",)
    lines = _lines(game, length)
    if kind == "balanced":
        lines = _balanced(game, lines)
    if not lines:
        reason = f"{game.name} has no {kind} openings of {length} moves."
        raise NinefoldError("no-openings", reason, "Choose other openings, or another length.")
    if not most and len(lines) > MOST_OPENINGS:
        reason = f"{game.name} has more than {MOST_OPENINGS:,} openings of {length} moves."
        raise NinefoldError("too-many-openings", reason, "Set most-openings, or fewer moves.")
    return tuple(" ".join(map(format_move, line)) for line, _ in _spread(lines, most))


Line: TypeAlias = tuple[tuple[Move, ...], Position]


def _lines(game: Game, length: int) -> list[Line]:
    """One line to each unfinished position after so many moves; nobody passes or swaps.

    Raises NinefoldError as soon as there are too many.
    """
    lines: list[Line] = [((), game.start())]
    for _ in range(length):
        longer: dict[object, Line] = {}
        for line, position in lines:
            for move, after in _quiet(position):
                longer.setdefault((after.turn, after.key), ((*line, move), after))
            if len(longer) > MOST_SEEN:
                reason = f"{game.name} has too many openings of {length} moves."
                raise NinefoldError("too-many-openings", reason, "Use fewer opening moves.")
        lines = [*longer.values()]
    return lines


def _quiet(position: Position) -> Iterator[tuple[Move, Position]]:
    """The moves after which the game goes on; a question is answered with no."""
    for move in position.legal:
        if isinstance(move, SpecialMove) and not position.asking:
            continue
        after = position.play(move)
        if after.outcome is None:
            yield move, after


def _balanced(game: Game, lines: list[Line]) -> list[Line]:
    """Those that leave something at stake: drawn ones, or else those that take longest to win."""
    if not is_small(game):
        reason = f"{game.name} is too large to solve, so its balanced openings are unknown."
        raise NinefoldError("too-large", reason, 'Use openings = "all" or "none".')
    drawn, decided = list[Line](), list[tuple[int, int]]()
    for at, line in enumerate(lines):
        values = values_of(line[1].legal, move_scores(line[1]))
        if values.before is None or values.worst == values.before:
            continue  # whatever is played, the result is the same
        if values.before == 0:
            drawn.append(line)
        else:
            decided.append((-(values.depth or 0), at))
    if drawn:
        return drawn
    deepest = min((depth for depth, _ in decided), default=0)
    return [lines[at] for depth, at in decided if depth == deepest]


def _spread(lines: list[Line], most: int) -> list[Line]:
    """At most so many of them, evenly spread."""
    if not most or len(lines) <= most:
        return lines
    return [lines[at * len(lines) // most] for at in range(most)]
