"""Would a player ever rather give the turn away?"""

from ninefold.audit.figures import Moves
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS
from ninefold.core.position import Position
from ninefold.solver import Solver
from ninefold.solver.scores import sign_of


def passing_helps(game: Game, solver: Solver) -> tuple[Moves | None, int]:
    """The shortest way to a position where a lost turn beats every move, and how many were tried.

    Where the book has no such move, the turn is lost for once.
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
    legal = position.legal
    away = [move for move in legal if move in (LOST, PASS)] or [LOST]
    best = max(solver.move_score(position, move) for move in legal if move not in away)
    return max(sign_of(solver.move_score(position, move)) for move in away) > sign_of(best)
