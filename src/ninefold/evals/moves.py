"""Single positions in which something is at stake, with every move that keeps it."""

from itertools import islice
from random import Random

from ninefold.core.errors import NinefoldError
from ninefold.core.moves import LOST, Move
from ninefold.core.position import Position
from ninefold.evals.items import PATIENCE, Item, random_positions
from ninefold.llm_text import Relabelling
from ninefold.solver import is_small, solver_for
from ninefold.solver.scores import sign_of


def move_items(
    relabelling: Relabelling, count: int, seed: int = 0, *, legal: bool = False
) -> list[Item]:
    """Different positions of random play in which legal moves differ in result.

    The right answers are the moves that keep the result. There are fewer than ``count`` items if
    random play finds no more such positions. ``legal`` lists the legal answers in the prompt.
    Raises NinefoldError if the game is too large to solve.
    """
    game = relabelling.original
    if not is_small(game):
        reason = f"{game.name} is too large to know the best move of every position."
        raise NinefoldError("too-large", reason, "Use fewer numbers, for example pool=1-9.")
    found: dict[object, Item] = {}
    positions = random_positions(game, Random(f"moves {seed}"))
    for reached in islice(positions, PATIENCE * count):
        if len(found) == count:
            break
        kept = kept_by_moves(reached.position)
        if len({*kept.values()}) > 1 and reached.position.key not in found:
            options = {relabelling.format_answer(move): share for move, share in kept.items()}
            found[reached.position.key] = Item(
                f"move-{len(found) + 1}",
                "move",
                relabelling.prompt(reached.position, history=reached.moves, legal=legal),
                tuple(options),
                tuple(answer for answer, share in options.items() if share == 1),
                reached.notation,
                tuple(options.values()),
            )
    return [*found.values()]


def kept_by_moves(position: Position) -> dict[Move, float]:
    """The share of what is at stake that each move keeps; 1 for all if nothing is."""
    scores = solver_for(position.game).move_scores(position)
    signs = {move: sign_of(score) for move, score in scores.items() if move is not LOST}
    best, worst = max(signs.values()), min(signs.values())
    if best == worst:
        return dict.fromkeys(signs, 1.0)
    return {move: (sign - worst) / (best - worst) for move, sign in signs.items()}


def stake_of(position: Position, move: Move) -> tuple[float, float]:
    """What a move keeps and what could be kept, above the worst move: win 1, draw 1/2, loss 0."""
    scores = solver_for(position.game).move_scores(position)
    signs = [sign_of(score) for other, score in scores.items() if other is not LOST]
    best, worst = max(signs), min(signs)
    # To give the turn away can be worse than every other move.
    kept = max(sign_of(scores[move]) - worst, 0)
    return kept / 2, (best - worst) / 2
