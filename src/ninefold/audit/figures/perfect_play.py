"""A perfect player against a random one, position by position."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from random import Random

from ninefold.audit.figures import Chances
from ninefold.audit.figures.chances import chances_of, evenly, visits
from ninefold.solver.policy import perfect_choices, traps
from ninefold.solver.scores import Budget

# With too many positions to visit them all, the chances are estimated from this many games.
TRIALS = 4_000


class Board(ABC):
    """The positions of a game, each an integer; those after a move are in the order of moves."""

    def __init__(self, start: int, budget: Budget) -> None:
        self.start, self.budget = start, budget
        self._traps: dict[int, int] = {}

    @abstractmethod
    def turn(self, at: int) -> int:
        """Who is to act in an unfinished position."""

    @abstractmethod
    def winner(self, at: int) -> int | None:
        """Who has won: 0 in a draw, None if the game is not over."""

    @abstractmethod
    def moves(self, at: int) -> list[tuple[int, int]]:
        """The position after each move, and its score for the player who makes the move."""

    @abstractmethod
    def random(self, at: int) -> list[int]:
        """The positions after the moves that the random player chooses from."""

    def perfect(self, at: int) -> list[int]:
        """The positions after the moves that the perfect player chooses from."""
        moves = self.moves(at)
        scores = [score for _, score in moves]
        places = perfect_choices(scores, lambda place: self._traps_at(moves[place][0]))
        return [moves[place][0] for place in places]

    def _traps_at(self, at: int) -> int:
        """How many moves here throw away what the best ones keep."""
        found = self._traps.get(at)
        if found is None:
            found = self._traps[at] = traps([score for _, score in self.moves(at)])
        return found

    def choices(self, at: int, perfect: int = 0) -> list[int]:
        """The positions the player to act chooses from; this seat plays perfectly."""
        if self.winner(at) is not None:
            return []
        return self.perfect(at) if self.turn(at) == perfect else self.random(at)

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
