"""Games in which both players help to reach a wanted end: found by asking the judge."""

from itertools import count, permutations
from typing import NamedTuple

from ninefold.audit.figures import Moves
from ninefold.core.game import Game
from ninefold.core.moves import Declare, Move, SpecialMove
from ninefold.core.position import Position
from ninefold.solver.breadth_first import BreadthFirst, TooLarge, legal_steps, position_key

MAX_STEPS = 20_000


class HelpfulGame(NamedTuple):
    """A game with the wanted end, or None; ``settled`` if it is certain that there is none.

    ``positions`` is how many unfinished positions were tried.
    """

    moves: Moves | None
    settled: bool
    positions: int


def game_with_set(game: Game, wanted: tuple[int, ...]) -> HelpfulGame:
    """A game that this set decides, not always the shortest.

    At first one player takes only numbers of the set and the other one none of them. If no such
    game is found, every move is tried.
    """
    for order in permutations(wanted) if game.rules.in_order else [wanted]:
        for seat in (1, 2):
            moves = _help(game, order, seat)
            if moves is not None:
                return HelpfulGame(moves, True, 0)
    return _try_all(game, tuple(sorted(wanted)))


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


def _try_all(game: Game, wanted: tuple[int, ...]) -> HelpfulGame:
    """The shortest game that the set decides, if there are not too many positions."""
    # Two declarations can end the game in the same position, but by different sets.
    walk = BreadthFirst(
        game.start(),
        legal_steps,
        lambda position: (position_key(position), position.outcome),
        MAX_STEPS,
    )
    unfinished = 0
    try:
        for at in walk:
            outcome = walk.nodes[at].outcome
            unfinished += outcome is None
            if outcome is not None and wanted in outcome.sets:
                return HelpfulGame(walk.path(at), True, unfinished)
    except TooLarge:
        return HelpfulGame(None, False, unfinished)
    return HelpfulGame(None, True, unfinished)


def _choices(position: Position, order: tuple[int, ...], seat: int) -> list[Move]:
    """The moves that help: the next number of the set, or any other that decides nothing."""
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
    return [move for move in legal if isinstance(move, SpecialMove)]
