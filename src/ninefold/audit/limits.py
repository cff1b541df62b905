"""Two games side by side: the shortest game that goes another way."""

from collections import deque

from ninefold.audit.figures import Moves
from ninefold.core.game import Game
from ninefold.core.position import Position

MAX_PAIRS = 60_000


def difference(one: Game, two: Game) -> tuple[Moves, str] | tuple[()] | None:
    """The shortest moves after which two games differ, and in what: ``choices`` or ``outcome``.

    Empty if they never do; None if none was found among so many positions.
    """
    start = one.start(), two.start()
    queue: deque[tuple[Position, Position, Moves]] = deque([(*start, ())])
    seen = {_key(*start)}
    while queue:
        here, there, moves = queue.popleft()
        if here.legal != there.legal:
            return moves, "choices"
        for move in here.legal:
            left, right = here.play(move), there.play(move)
            after = (*moves, move)
            if left.outcome != right.outcome:
                return after, "outcome"
            key = _key(left, right)
            if left.outcome is None and key not in seen:
                if len(seen) >= MAX_PAIRS:
                    return None
                seen.add(key)
                queue.append((left, right, after))
    return ()


def _key(one: Position, two: Position) -> tuple[object, ...]:
    return (one.turn, *one.key, two.turn, *two.key)
