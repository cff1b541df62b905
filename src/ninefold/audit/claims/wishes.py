"""Games that come out as wished, because both players help: found by asking the judge."""

from itertools import count, permutations
from typing import NamedTuple

from ninefold.audit.figures import Moves
from ninefold.core.game import Game
from ninefold.core.moves import Declare, Move, SpecialMove
from ninefold.core.position import Position

MAX_STEPS = 20_000


class Wish(NamedTuple):
    """A game that comes out as wished, or None; ``settled`` if there is none at all.

    ``looked`` is how many positions were looked at last.
    """

    moves: Moves | None
    settled: bool
    looked: int


def game_with_set(game: Game, wanted: tuple[int, ...]) -> Wish:
    """A game that this set decides, not always the shortest.

    At first one player takes nothing but numbers of the set and the other one nothing of it; if no
    game of this kind is found, every move is tried.
    """
    for order in permutations(wanted) if game.rules.in_order else [wanted]:
        for seat in (1, 2):
            moves = _help(game, order, seat)
            if moves is not None:
                return Wish(moves, True, 0)
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


def _try_all(game: Game, wanted: tuple[int, ...]) -> Wish:
    """The shortest game that the set decides, if there are not too many positions."""
    start = game.start()
    queue: list[tuple[Position, Moves]] = [(start, ())]
    seen = {(start.turn, *start.key)}
    for position, moves in queue:
        for move in position.legal:
            after = position.play(move)
            if after.outcome is not None:
                if wanted in after.outcome.sets:
                    return Wish((*moves, move), True, len(queue))
            elif (key := (after.turn, *after.key)) not in seen:
                if len(seen) >= MAX_STEPS:
                    return Wish(None, False, len(queue))
                seen.add(key)
                queue.append((after, (*moves, move)))
    return Wish(None, True, len(queue))


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
    return [move for move in legal if isinstance(move, SpecialMove)]
