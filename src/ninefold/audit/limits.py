"""The limits of a game, and two games side by side: the shortest game that goes another way."""

from collections.abc import Iterator
from random import Random
from typing import TypeAlias

from ninefold.audit.figures import Moves
from ninefold.audit.figures.sample import MOST_PLIES
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.core.rules import Rules
from ninefold.solver.breadth_first import BreadthFirst, TooLarge, position_key

MAX_PAIRS = 60_000
RANDOM_GAMES = 20
Pair: TypeAlias = tuple[Position, Position]


def limits(rules: Rules) -> list[str]:
    """The fields in which these rules differ from the defaults."""
    plain = Rules._field_defaults
    fields = [field for field in Rules._fields if field not in ("pool", "wins", "ending")]
    return [field for field in fields if getattr(rules, field) != plain[field]]


class _Differ(Exception):
    """The games differ here, or after the moves that are its second argument."""


def difference(one: Game, two: Game) -> tuple[Moves, str]:
    """After which moves two games differ first, and in what: choices, outcome, nothing, unknown."""
    start, key = (one.start(), two.start()), lambda pair: tuple(map(position_key, pair))
    walk = BreadthFirst(start, _same_moves, key, MAX_PAIRS)
    try:
        for _ in walk:
            pass
    except _Differ as differ:
        what, *moves = differ.args
        return (*walk.path(len(walk.children)), *moves), what
    except TooLarge:
        return (), "unknown"
    return (), "nothing"


def difference_by_chance(one: Game, two: Game, seed: int) -> tuple[Moves, str]:
    """The same from a few random games; what they do not show is unknown."""
    random = Random(seed)
    for _ in range(RANDOM_GAMES):
        pair, moves = (one.start(), two.start()), list[Move]()
        try:
            while len(moves) < MOST_PLIES and (after := [*_same_moves(pair)]):
                move, pair = random.choice(after)
                moves.append(move)
        except _Differ as differ:
            what, *last = differ.args
            return (*moves, *last), what
    return (), "unknown"


def _same_moves(pair: Pair) -> Iterator[tuple[Move, Pair]]:
    """Every move of two positions and where it leads in both; raises _Differ."""
    here, there = (position.children() for position in pair)
    if [move for move, _ in here] != [move for move, _ in there]:
        raise _Differ("choices")
    for (move, one), (_, two) in zip(here, there, strict=True):
        if one.outcome != two.outcome:
            raise _Differ("outcome", move)
        if one.outcome is None:
            yield move, (one, two)
