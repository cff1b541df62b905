"""How likely each end of a game is, if players choose by chance: one move after the other."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from random import Random
from typing import TypeAlias, TypeVar

from ninefold.audit.figures import Chances
from ninefold.solver.breadth_first import TooLarge
from ninefold.solver.scores import Budget, perfect_choices, traps

# Where turns may be lost on purpose, a game need not end: it is followed for this many moves.
MAX_PLIES, CLOSE = 400, 1e-13
# With too many positions to visit them all, the chances are estimated from this many games.
TRIALS = 4_000

State = TypeVar("State")
# Where the next move of an unfinished game leads, and how likely.
Next: TypeAlias = Callable[[State], list[tuple[State, float]]]
# Who has won: 0 in a draw, None before the end.
Winner: TypeAlias = Callable[[State], int | None]


def visits(
    start: Iterable[tuple[State, float]],
    after: Next[State],
    winner: Winner[State],
    budget: Budget,
    most: int | None = None,
) -> Iterator[tuple[State, float]]:
    """Every state with its probability after each number of moves, the start first.

    Raises OutOfBudget, and TooLarge if more than ``most`` unfinished states follow.
    """
    now: dict[State, float] = {}
    for state, share in start:
        now[state] = now.get(state, 0.0) + share
    seen = 0
    for _ in range(MAX_PLIES):
        then: dict[State, float] = {}
        for state, share in now.items():
            yield state, share
            for to, part in after(state) if winner(state) is None else ():
                then[to] = then.get(to, 0.0) + share * part
        seen += sum(winner(state) is None for state in then)
        budget.ask(seen)
        if most is not None and seen > most:
            raise TooLarge
        if sum(then.values()) < CLOSE:
            return
        now = then


def chances_of(
    visited: Iterable[tuple[State, float]], winner: Winner[State], moves: int = 0
) -> Chances:
    """How games end that begin after this many moves."""
    won, plies = [0.0, 0.0, 0.0], float(moves)
    for state, share in visited:
        seat = winner(state)
        if seat is None:
            plies += share
        else:
            won[seat] += share
    draw, first, second = won
    endless = 1 - sum(won)
    if endless < 1e-9:
        return Chances(first, second, draw, plies)
    return Chances(first, second, draw + endless, None)


def blunders_of(
    visited: Iterable[tuple[State, float]], stake: Callable[[State], tuple[float, float]]
) -> float | None:
    """The share of moves that throw a win or a draw away, where there is one.

    ``stake`` tells how likely there is one in a state, and how likely the next move throws it away.
    """
    at_stake = thrown = 0.0
    for state, share in visited:
        some, lost = stake(state)
        at_stake += share * some
        thrown += share * lost
    return thrown / at_stake if at_stake else None


class Board:
    """The positions of a game, each an integer.

    ``turn`` is who is to act. ``moves`` are the positions after each move, with its score for the
    player who makes it, and ``random`` those after the moves the random player chooses from.
    """

    def __init__(
        self,
        start: int,
        turn: Callable[[int], int],
        winner: Winner[int],
        moves: Callable[[int], list[tuple[int, int]]],
        random: Callable[[int], list[int]],
        budget: Budget,
    ) -> None:
        self.start, self.turn, self.winner = start, turn, winner
        self.moves, self.random, self.budget = moves, random, budget
        self._traps = cache(lambda at: traps([score for _, score in moves(at)]))

    def choices(self, at: int, perfect: int) -> list[int]:
        """The positions the player to act chooses from; this seat plays perfectly."""
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

        def after(at: int) -> list[tuple[int, float]]:
            choices = self.choices(at, perfect)
            return [(to, 1 / len(choices)) for to in choices]

        return visits([(start, 1.0)], after, self.winner, self.budget, most)

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
