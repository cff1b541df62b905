"""A perfect player against a random one, position by position."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

from ninefold.audit.figures import Chances
from ninefold.audit.figures.chances import chances_of, evenly, visits
from ninefold.solver.policy import perfect_choices, traps
from ninefold.solver.scores import Budget

# With too many positions to visit them all, the chances are estimated from this many games.
TRIALS = 4_000


class Board:
    """The positions of a game, each an integer.

    ``turn`` is who is to act. ``winner`` is 0 in a draw, None before the end. ``moves`` are the
    positions after each move, with its score for the player who makes it, and ``random`` those
    after the moves that the random player chooses from.
    """

    def __init__(
        self,
        start: int,
        turn: Callable[[int], int],
        winner: Callable[[int], int | None],
        moves: Callable[[int], list[tuple[int, int]]],
        random: Callable[[int], list[int]],
        budget: Budget,
    ) -> None:
        self.start, self.turn, self.winner = start, turn, winner
        self.moves, self.random, self.budget = moves, random, budget
        self._traps = cache(lambda at: traps([score for _, score in moves(at)]))

    def choices(self, at: int, perfect: int) -> list[int]:
        """The positions the player to act chooses from; this seat plays perfectly."""
        if self.winner(at) is not None:
            return []
        if self.turn(at) != perfect:
            return self.random(at)
        moves = self.moves(at)
        scores = [score for _, score in moves]
        places = perfect_choices(scores, lambda place: self._traps(moves[place][0]))
        return [moves[place][0] for place in places]

    def visits(
        self, start: int, perfect: int = 0, most: int | None = None
    ) -> Iterator[tuple[int, float]]:
        """Every position that play from this start leads to, with its probability."""
        return visits(
            [(start, 1.0)], lambda at: evenly(self.choices(at, perfect)), self.budget, most
        )

    def chances(self, perfect: int = 0, most: int | None = None) -> Chances:
        """How games end, if this seat plays perfectly; raises TooLarge, OutOfBudget."""
        return chances_of(self.visits(self.start, perfect, most), self.winner)

    def estimate(self, perfect: int, seed: int) -> Chances:
        """The same, estimated from many games."""
        random, won, plies = Random(seed), [0, 0, 0], 0
        for played in range(TRIALS):
            self.budget.ask(played)
            at = self.start
            while (seat := self.winner(at)) is None:
                at = random.choice(self.choices(at, perfect))
                plies += 1
            won[seat] += 1
        draw, first, second = (count / TRIALS for count in won)
        return Chances(first, second, draw, plies / TRIALS, TRIALS)
