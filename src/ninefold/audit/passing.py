"""Would a player ever rather give the turn away?"""

from ninefold.audit.figures import Moves
from ninefold.core.game import Game
from ninefold.core.moves import LOST
from ninefold.core.position import Position
from ninefold.solver import Solver


def passing_helps(game: Game, solver: Solver) -> tuple[Moves | None, int]:
    """The shortest way to a position where a lost turn beats every move, and how many were tried.

    The lost turn counts as one for once, also where the book has no such move.
    """
    start = game.start()
    queue: list[tuple[Position, Moves]] = [(start, ())]
    seen = {(start.turn, *start.key)}
    for position, moves in queue:
        if not position.asking and _is_best(position, solver):
            return moves, len(queue)
        for move in position.legal:
            after = position.play(move)
            key = (after.turn, *after.key)
            if after.outcome is None and key not in seen:
                seen.add(key)
                queue.append((after, (*moves, move)))
    return None, len(queue)


def _is_best(position: Position, solver: Solver) -> bool:
    picks = [move for move in position.legal if move is not LOST]
    best = max(solver.move_score(position, move) for move in picks)
    return _sign(solver.move_score(position, LOST)) > _sign(best)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
