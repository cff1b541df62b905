"""Two games side by side: the shortest game that goes another way."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ninefold.audit.figures import Moves
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.solver.breadth_first import BreadthFirst, TooLarge, position_key

if TYPE_CHECKING:
    from ninefold.audit.figures.position_layers import PositionLayers
    from ninefold.audit.subject import Subject

MAX_PAIRS = 60_000


class Difference(NamedTuple):
    """The shortest moves after which two games differ, and in what: ``choices`` or ``outcome``.

    ``what`` is ``nothing`` if they never do, and ``unknown`` if that would take too long to tell.
    """

    moves: Moves
    what: str


# Without these, there are the same numbers to choose from as long as neither game is over.
_SAME_CHOICES = ("misere", "otherwise", "picks_per_turn")


def limit_shown(subject: "Subject", without: "Subject", field: str) -> Difference:
    """Where the game without a limit goes another way for the first time."""
    if field in _SAME_CHOICES and not subject.game.rules.declare:
        for moves in _shortest_games(subject.reachable, without.reachable):
            here, there = subject.show(moves).position, without.show(moves).position
            if here.outcome != there.outcome:
                return Difference(moves, "outcome")
    return difference(subject.game, without.game)


def _shortest_games(*both: "PositionLayers | None") -> list[Moves]:
    """The shortest games of two games, if all their positions are known."""
    found: list[Moves] = []
    for reachable in both:
        if reachable is None:
            return []
        ends = reachable.ends
        shortest = [end for end in ends if end[0] == ends[0][0]]
        found += [reachable.game_to(reachable.layers, *end) for end in shortest]
    least = min(map(len, found))
    return [moves for moves in found if len(moves) == least]


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
