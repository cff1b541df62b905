"""Two games side by side: the shortest game that goes another way."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ninefold.audit.figures import Moves
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.solver.breadth_first import BreadthFirst, TooLarge, position_key

if TYPE_CHECKING:
    pass

MAX_PAIRS = 60_000


class Difference(NamedTuple):
    """The shortest moves after which two games differ, and in what: ``choices`` or ``outcome``.

    ``what`` is ``nothing`` if they never do, and ``unknown`` if that would take too long to tell.
    """

    moves: Moves
    what: str


Pair: TypeAlias = tuple[Position, Position]


class _OutcomesDiffer(Exception):
    """The games end differently after the move that is its argument."""


def difference(one: Game, two: Game) -> Difference:
    """Where two games go different ways for the first time."""
    start, key = (one.start(), two.start()), lambda pair: tuple(map(position_key, pair))
    walk = BreadthFirst(start, _same_moves, key, MAX_PAIRS)
    here = 0
    try:
        for here in walk:
            left, right = walk.nodes[here]
            if left.legal != right.legal:
                return Difference(walk.path(here), "choices")
    except _OutcomesDiffer as differ:
        return Difference((*walk.path(here), *differ.args), "outcome")
    except TooLarge:
        return Difference((), "unknown")
    return Difference((), "nothing")


def _same_moves(pair: Pair) -> Iterator[tuple[Move, Pair]]:
    """Every move of two positions that have the same ones."""
    here, there = pair
    for move in here.legal:
        after = here.play(move), there.play(move)
        if after[0].outcome != after[1].outcome:
            raise _OutcomesDiffer(move)
        if after[0].outcome is None:
            yield move, after
