"""Games in which both players help to reach a wanted end: found by asking the judge."""

from itertools import count, permutations

from ninefold.audit.figures import Moves
from ninefold.core.game import Game
from ninefold.core.moves import Declare, Move, SpecialMove
from ninefold.core.position import Position
from ninefold.solver.breadth_first import BreadthFirst, legal_steps, position_key

MAX_STEPS = 20_000


def game_with_set(game: Game, wanted: tuple[int, ...]) -> tuple[Moves | None, int]:
    """A game that this set decides, not always the shortest; None if there is none.

    At first one player takes only numbers of the set and the other one none of them. If no such
    game is found, every move is tried; the count is that of the unfinished positions. Raises
    TooLarge.
    """
    for order in permutations(wanted) if game.rules.in_order else [wanted]:
        for seat in (1, 2):
            moves = _help(game, order, seat)
            if moves is not None:
                return moves, 0
    # Two declarations can end the game in the same position, but by different sets.
    walk = BreadthFirst(
        game.start(),
        legal_steps,
        lambda position: (position_key(position), position.outcome),
        MAX_STEPS,
    )
    unfinished = 0
    for at in walk:
        outcome = walk.nodes[at].outcome
        if outcome is None:
            unfinished += 1
        elif wanted in outcome.sets:
            return walk.path(at), unfinished
    return None, unfinished


def _help(game: Game, order: tuple[int, ...], seat: int) -> Moves | None:
    steps = count()

    def go_on(position: Position, moves: Moves) -> Moves | None:
        if position.outcome is not None:
            return moves if tuple(sorted(order)) in position.outcome.sets else None
        if next(steps) > MAX_STEPS or len(moves) > 4 * len(order) + 4:
            return None
        for move in _choices(position, order, seat):
            found = go_on(position.play(move), (*moves, move))
            if found is not None:
                return found
        return None

    return go_on(game.start(), ())


def _choices(position: Position, order: tuple[int, ...], seat: int) -> list[Move]:
    """The moves that help: the next number of the set, or any other that decides nothing."""
    legal = position.legal
    wish = Declare(tuple(sorted(order)))
    if wish in legal:
        return [wish]
    quiet: list[Move] = [move for move in legal if isinstance(move, SpecialMove)]
    if position.turn == seat:
        rest = [number for number in order if number in position.available]
        return [move for move in rest[:1] if move in legal] or quiet
    return [*(move for move in legal if isinstance(move, int) and move not in order), *quiet]
