"""Games that come out as wished, because both players help: found by asking the judge."""

from itertools import count, permutations

from ninefold.audit.figures import Moves
from ninefold.core.game import Game
from ninefold.core.moves import Declare, Move, NoPick
from ninefold.core.position import Position

MAX_STEPS = 20_000


def game_with_set(game: Game, wanted: tuple[int, ...]) -> Moves | None:
    """A game, as short as possible, that this set decides; None if none was found.

    One player takes nothing but numbers of the set, the other one nothing of it.
    """
    for order in permutations(wanted) if game.rules.in_order else [wanted]:
        for seat in (1, 2):
            moves = _help(game, order, seat)
            if moves is not None:
                return moves
    return None


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
    """What helps: the next number of the set, or any other that decides nothing."""
    legal = position.legal
    wish = Declare(tuple(sorted(order)))
    if wish in legal:
        return [wish]
    if position.turn == seat:
        rest = [number for number in order if number in position.available]
        return [move for move in rest[:1] if move in legal] or _quiet(legal)
    others = [move for move in legal if isinstance(move, int) and move not in order]
    return [*others, *_quiet(legal)]


def _quiet(legal: list[Move]) -> list[Move]:
    return [move for move in legal if isinstance(move, NoPick)]
