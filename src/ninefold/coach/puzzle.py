"""Puzzles: positions in which exactly one number wins, rated by how hard it is to find.

The rating is the lowest level of computer player that is sure to find the number: 1 completes a
set, 2 also stops the opponent's, 3 makes a double threat, 4 prepares one, 5 plans further ahead. So
a puzzle is the harder the deeper its win is, unless it is plain that all other numbers are wrong.
"""

from collections import deque
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Hand, Position
from ninefold.players import LEVELS, LevelPlayer
from ninefold.solver import most_numbers, solver_for

# Finding every puzzle means looking at every position, one by one. With so many numbers this takes
# two to four seconds, and each further number takes three times as long.
MOST_NUMBERS = 11
MOST_WITH_ORDER_OR_DECLARING = 9


class Puzzle(NamedTuple):
    """A position, the moves that lead to it, and the one number that wins, in so many plies.

    ``decoys`` counts the other moves that look at least as good to the level below the rating.
    """

    position: Position
    moves: tuple[Move, ...]
    first: int
    answer: int
    plies: int
    rating: int
    decoys: int

    @property
    def identity(self) -> str:
        """The same for equal positions of equal rules, whoever is to move and however reached."""
        position = self.position
        hands = [position.hands[seat - 1] for seat in (position.turn, 3 - position.turn)]
        parts = [position.game.fingerprint, *(_written(position.game, hand) for hand in hands)]
        if position.first_complete is not None:
            parts.append("own" if position.first_complete == position.turn else "other")
        parts += map(str, position.remembered)
        return ":".join(parts)


def puzzle_at(position: Position, moves: tuple[Move, ...] = (), first: int = 1) -> Puzzle | None:
    """The puzzle this position is, if it is one; the game must be small enough to be known."""
    if position.outcome is not None or position.asking or len(position.picks) < 2:
        return None
    solver = solver_for(position.game)
    if solver.score(position) <= 0:
        return None
    winning = [move for move in position.legal if solver.move_score(position, move) > 0]
    if len(winning) > 1 or not isinstance(winning[0], int):
        return None
    rating, decoys = _rate(position, winning[0])
    plies = solver.value(position).plies or 0
    return Puzzle(position, moves, first, winning[0], plies, rating, decoys)


@cache
def puzzles(game: Game) -> tuple[Puzzle, ...]:
    """Every puzzle of a game, each once, the easiest first; raises NinefoldError.

    Positions that differ only in what no rule can see are one puzzle.
    """
    _check_listable(game)
    start = game.start()
    todo: deque[tuple[Position, tuple[Move, ...]]] = deque([(start, ())])
    met, found = {start.key}, []
    while todo:
        position, moves = todo.popleft()
        puzzle = puzzle_at(position, moves)
        if puzzle is not None:
            found.append(puzzle)
        for move in position.legal:
            after = position.play(move)
            if after.key not in met:
                met.add(after.key)
                todo.append((after, (*moves, move)))
    return tuple(sorted(found, key=difficulty))


def choose(options: Iterable[Puzzle], count: int, seed: int) -> list[Puzzle]:
    """So many of these puzzles by chance, of each rating about as many, the easiest first."""
    from random import Random

    piles: dict[int, list[Puzzle]] = {}
    for puzzle in options:
        piles.setdefault(puzzle.rating, []).append(puzzle)
    chance = Random(seed)
    chosen: list[Puzzle] = []
    for rating in sorted(piles):
        chance.shuffle(piles[rating])
    while len(chosen) < count and any(piles.values()):
        # The harder ones first: a rest that does not go round is not spent on the easiest.
        chosen += [piles[rating].pop() for rating in sorted(piles, reverse=True) if piles[rating]]
    return sorted(chosen[:count], key=difficulty)


def difficulty(puzzle: Puzzle) -> tuple[int, int, int]:
    """What puzzles are ordered by: the rating, then how deep, then how well hidden."""
    return puzzle.rating, puzzle.plies, puzzle.decoys


def _check_listable(game: Game) -> None:
    """Refuse a game whose puzzles cannot all be found in time; raises NinefoldError."""
    special = game.rules.in_order or game.rules.declare or game.rules.passing
    listable = MOST_WITH_ORDER_OR_DECLARING if special else MOST_NUMBERS
    most = min(listable, most_numbers(game.rules))
    if len(game.pool) > most:
        reason = "This game is too large to look for all its puzzles."
        raise NinefoldError("too-large", reason, f"Take one with at most {most} numbers.")


def _rate(position: Position, answer: int) -> tuple[int, int]:
    """The lowest level that is sure to find the answer, and what else the one below considers."""
    considered: list[Move] = [*position.picks]
    for level in LEVELS:
        seen = LevelPlayer(level).candidates(position)
        if seen == [answer]:
            return level, sum(move != answer for move in considered)
        considered = seen
    raise AssertionError("the highest level sees every win")


def _written(game: Game, hand: Hand) -> str:
    return ",".join(map(str, hand if game.rules.in_order else sorted(hand)))
