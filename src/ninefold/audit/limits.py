"""Two games side by side: the shortest game that goes another way."""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from ninefold.audit.figures import Moves
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.solver.breadth_first import BreadthFirst, TooLarge, position_key

MAX_PAIRS = 60_000


class Difference(NamedTuple):
    """The shortest moves after which two games differ, and in what: ``choices`` or ``outcome``.

    ``what`` is ``nothing`` if they never do, and ``unknown`` if that would take too long to tell.
    """

    moves: Moves
    what: str


Pair: TypeAlias = tuple[Position, Position]


class _Differ(Exception):
    """The games differ here, or after the moves that are its second argument."""


def difference(one: Game, two: Game) -> Difference:
    """Where two games go different ways for the first time."""
    start, key = (one.start(), two.start()), lambda pair: tuple(map(position_key, pair))
    walk = BreadthFirst(start, _same_moves, key, MAX_PAIRS)
    try:
        for _ in walk:
            pass
    except _Differ as differ:
        what, *moves = differ.args
        return Difference((*walk.path(len(walk.children)), *moves), what)
    except TooLarge:
        return Difference((), "unknown")
    return Difference((), "nothing")


def _same_moves(pair: Pair) -> Iterator[tuple[Move, Pair]]:
    """Every move of two positions and where it leads in both; raises _Differ."""
    here, there = (position.children for position in pair)
    if [move for move, _ in here] != [move for move, _ in there]:
        raise _Differ("choices")
    for (move, one), (_, two) in zip(here, there, strict=True):
        if one.outcome != two.outcome:
            raise _Differ("outcome", move)
        if one.outcome is None:
            yield move, (one, two)
