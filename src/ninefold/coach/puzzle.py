"""Puzzles: positions in which exactly one number wins, rated by how hard it is to find.

The rating is the lowest level of computer player that is sure to find the number: 1 completes a
set, 2 also stops the opponent's, 3 makes a double threat, 4 prepares one, 5 plans further ahead. So
the deeper the win, the harder the puzzle, unless it is plain that all other numbers are wrong.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from hashlib import sha256

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.core.text import NamedTuple
from ninefold.players import LEVELS, LevelPlayer
from ninefold.solver import is_small, most_numbers, solver_for
from ninefold.solver.breadth_first import BreadthFirst, legal_steps
from ninefold.solver.scores import plies_of

# Finding every puzzle means looking at every position, one by one. With so many numbers this takes
# two to four seconds, and each further number takes three times as long.
MOST_NUMBERS = 11
MOST_WITH_ORDER_OR_DECLARING = 9
MOST_WITH_PASSING = 10  # this takes three times as long as the others
# What a level, and so whoever solves a puzzle of this rating, does that the one below does not.
RATINGS = {
    1: "complete a set",
    2: "stop a set",
    3: "a double threat",
    4: "prepare a double threat",
    5: "plan further ahead",
}


class Puzzle(NamedTuple):
    """A position, the moves that lead to it, and the one number that wins, in ``plies`` moves."""

    position: Position
    moves: tuple[Move, ...]
    first: int
    answer: int
    plies: int
    rating: int
    decoys: int  # other moves that look at least as good to the level below the rating

    @property
    def identity(self) -> str:
        """The same for equal positions of equal rules, whoever is to move and however reached."""
        position, ordered = self.position, self.position.game.rules.sees_order
        hands = [position.hands[seat - 1] for seat in (position.turn, 3 - position.turn)]
        written = (",".join(map(str, hand if ordered else sorted(hand))) for hand in hands)
        parts = [position.game.fingerprint, *written]
        if position.first_complete is not None:
            parts.append("own" if position.first_complete == position.turn else "other")
        parts += map(str, (*position.remembered, *position.compared(position.turn)))
        return ":".join(parts)


def puzzle_at(position: Position, moves: tuple[Move, ...] = (), first: int = 1) -> Puzzle | None:
    """The puzzle this position is, if it is one; the game must be small enough to solve."""
    if position.outcome is not None or position.asking or len(position.picks) < 2:
        return None
    solver = solver_for(position.game)
    score = solver.score(position)
    if score <= 0:
        return None
    winning = [move for move in position.legal if solver.move_score(position, move) > 0]
    answer = winning[0]
    if len(winning) > 1 or not isinstance(answer, int):
        return None
    return Puzzle(position, moves, first, answer, plies_of(score), *_rate(position, answer))


@cache
def puzzles(game: Game) -> tuple[Puzzle, ...]:
    """Every puzzle of a game, each once, the easiest first; raises NinefoldError."""
    rules = game.rules
    most = MOST_WITH_PASSING if rules.passing else MOST_NUMBERS
    most = MOST_WITH_ORDER_OR_DECLARING if rules.sees_order or rules.declare else most
    most = min(most, most_numbers(rules))
    # Limits may leave so few positions that more numbers do no harm.
    if len(game.pool) > most and not (game.picks.limited and is_small(game)):
        reason = f"too large to find all its puzzles: with these rules, up to {most} numbers."
        raise NinefoldError("too-large", f"This game is {reason}")
    walk = BreadthFirst(game.start(), legal_steps, lambda position: position.key)
    found = [(puzzle, at) for at in walk if (puzzle := puzzle_at(walk.nodes[at]))]
    complete = [puzzle._replace(moves=walk.path(at)) for puzzle, at in found]
    return tuple(sorted(complete, key=difficulty))


def puzzles_rated(game: Game, rating: int | None = None) -> list[Puzzle]:
    """The puzzles of a game with this rating, or all of them; raises NinefoldError if none."""
    found = puzzles(game)
    rated = [puzzle for puzzle in found if rating in (None, puzzle.rating)]
    if not found:
        raise NinefoldError("no-puzzle", "No position of this game has just one winning number.")
    if not rated:
        ratings = ", ".join(map(str, sorted({puzzle.rating for puzzle in found})))
        reason = f"This game has no puzzle rated {rating}."
        raise NinefoldError("no-puzzle", reason, f"There are puzzles rated {ratings}.")
    return rated


def puzzle_of_the_day(games: Sequence[Game], day: date) -> tuple[int, Puzzle]:
    """Which of these games has the puzzle of a day, and the puzzle; raises NinefoldError if none.

    It depends on nothing else. The games take turns, and so do the ratings of each.
    """
    number = day.toordinal()
    for turn in range(number, number + len(games)):
        at, found = turn % len(games), puzzles(games[turn % len(games)])
        if found:
            ratings = sorted({puzzle.rating for puzzle in found})
            rating = ratings[number // len(games) % len(ratings)]
            rated = [puzzle for puzzle in found if puzzle.rating == rating]
            chance = sha256(day.isoformat().encode()).digest()
            return at, rated[int.from_bytes(chance, "big") % len(rated)]
    raise NinefoldError("no-puzzle", "No position of these games has just one winning number.")


def choose(options: Iterable[Puzzle], count: int, seed: int) -> list[Puzzle]:
    """A random choice of ``count`` puzzles, about as many of each rating, the easiest first."""
    from random import Random

    piles: dict[int, list[Puzzle]] = {}
    for puzzle in options:
        piles.setdefault(puzzle.rating, []).append(puzzle)
    chance = Random(seed)
    chosen: list[Puzzle] = []
    for rating in sorted(piles):
        chance.shuffle(piles[rating])
    while len(chosen) < count and any(piles.values()):
        # The harder ones first, so that the odd ones out are not the easiest.
        chosen += [piles[rating].pop() for rating in sorted(piles, reverse=True) if piles[rating]]
    return sorted(chosen[:count], key=difficulty)


def difficulty(puzzle: Puzzle) -> tuple[int, int, int]:
    """How puzzles are ordered: by rating, then by depth, then by how well the answer hides."""
    return puzzle.rating, puzzle.plies, puzzle.decoys


def _rate(position: Position, answer: int) -> tuple[int, int]:
    """The lowest level that is sure to find the answer, and how many decoys fool the one below."""
    considered: list[Move] = [*position.picks]
    for level in LEVELS:
        seen = LevelPlayer(level).candidates(position)
        if seen == [answer]:
            return level, sum(move != answer for move in considered)
        considered = seen
    raise AssertionError("the highest level sees every win")
