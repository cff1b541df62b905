"""Two games side by side: the shortest game that goes another way."""

from collections import deque
from typing import NamedTuple

from ninefold.audit.figures import Moves
from ninefold.core.game import Game
from ninefold.core.position import Position

MAX_PAIRS = 60_000


class Difference(NamedTuple):
    """The shortest moves after which two games differ, and in what: ``choices`` or ``outcome``.

    ``what`` is ``nothing`` if they never do, and ``unknown`` if that would take too long to tell.
    """

    moves: Moves
    what: str


def difference(one: Game, two: Game) -> Difference:
    """Where two games go different ways for the first time."""
    start = one.start(), two.start()
    queue: deque[tuple[Position, Position, Moves]] = deque([(*start, ())])
    seen = {_key(*start)}
    while queue:
        here, there, moves = queue.popleft()
        if here.legal != there.legal:
            return Difference(moves, "choices")
        for move in here.legal:
            left, right = here.play(move), there.play(move)
            after = (*moves, move)
            if left.outcome != right.outcome:
                return Difference(after, "outcome")
            key = _key(left, right)
            if left.outcome is None and key not in seen:
                if len(seen) >= MAX_PAIRS:
                    return Difference((), "unknown")
                seen.add(key)
                queue.append((left, right, after))
    return Difference((), "nothing")


def _key(one: Position, two: Position) -> tuple[object, ...]:
    return (one.turn, *one.key, two.turn, *two.key)
