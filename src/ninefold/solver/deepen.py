"""More about a position of a large game: every move is searched, not only the best one."""

from time import monotonic

from ninefold.core.position import Position
from ninefold.solver import solver_for
from ninefold.solver.advice import Advice, score_of_value, value_from


def deepen(position: Position, advice: Advice, seconds: float) -> Advice:
    """The advice with whatever else can be proved in so many seconds, a share for each move."""
    known = {item.move: item for item in advice.moves}
    unknown = [move for move, item in known.items() if item.result == "unknown"]
    if advice.solver is not None or not unknown:
        return advice
    solver, end = solver_for(position.game), monotonic() + seconds
    for at, move in enumerate(unknown):
        now = monotonic()
        until = now + (end - now) / (len(unknown) - at)
        with solver.limited(lambda _, until=until: monotonic() > until):  # type: ignore[misc]
            known[move] = solver.move_value(position, move)
    moves = tuple(known.values())
    found = {move: known[move] for move in unknown if known[move].result != "unknown"}
    scores = {**advice.scores, **{move: score_of_value(item) for move, item in found.items()}}
    return Advice(value_from(moves, advice.value), moves, scores)
