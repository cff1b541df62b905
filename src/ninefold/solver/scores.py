"""Values as integers, so that a search compares and negates them without objects.

A win in d plies is ``BEST - d``, a loss in d plies ``d - BEST``, a draw 0: more is better for the
player to act, who hurries a win and delays a loss.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias

from ninefold.core.position import Position
from ninefold.core.text import NamedTuple

BEST = 10_000

Result: TypeAlias = Literal["win", "loss", "draw", "unknown"]


class Value(NamedTuple):
    """What a position is worth to the player to act, and in how many plies if that is known."""

    result: Result
    plies: int | None  # None if that is not known, or if nobody can force an end


UNKNOWN = Value("unknown", None)


def result_of(score: int) -> Result:
    """The result a score stands for."""
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def sign_of(score: int) -> int:
    """1 for a win, -1 for a loss, 0 for a draw."""
    return (score > 0) - (score < 0)


def plies_of(score: int) -> int:
    """How many plies a win or loss takes."""
    return BEST - abs(score)


class OutOfBudget(Exception):
    """The search had to stop before it knew the answer."""


class Budget:
    """How long a search may run: ``stop`` is asked now and then, every few hundred positions."""

    def __init__(self, stop: Callable[[int], bool] | None = None) -> None:
        self.spent = 0
        self._stop = stop
        self._over = False

    def restart(self, stop: Callable[[int], bool] | None) -> Callable[[int], bool] | None:
        """Ask this from now on, as if nothing had been given up yet; what was asked before."""
        before, self._stop, self._over = self._stop, stop, False
        return before

    @property
    def is_limited(self) -> bool:
        """Whether anybody may ask to stop."""
        return self._stop is not None

    def spend(self) -> None:
        """Count one more position; raises OutOfBudget when it is time to stop."""
        self.spent += 1
        if not self.spent % 512:
            self.ask()
        elif self._over:
            raise OutOfBudget

    def ask(self, more: int = 0) -> None:
        """Ask at once whether to stop, with this many more positions; raises OutOfBudget."""
        if self._stop is not None:
            self._over = self._over or self._stop(self.spent + more)
        if self._over:
            raise OutOfBudget


def score_of_end(position: Position) -> int:
    """The score of a finished position, for the player whose turn it would be."""
    assert position.outcome is not None
    return BEST * position.outcome.result_for(position.turn)


def score_of_child(position: Position, child: Position, score: Callable[[Position], int]) -> int:
    """The score of the move that led to this child, for its maker."""
    later = score(child) if child.outcome is None else score_of_end(child)
    later -= sign_of(later)  # one move more
    return later if child.turn == position.turn else -later


def perfect_choices(scores: Sequence[int], traps_after: Callable[[int], int]) -> list[int]:
    """The places of the perfect moves, from the score of each move for its maker.

    The perfect player wins as soon as it can. Else, of the moves that keep what it has, it takes
    those after which most replies throw something away, and of these the ones that lose latest.
    ``traps_after`` counts the traps behind the move at a place.
    """
    best = max(scores, default=1)
    if best > 0:
        return [place for place, score in enumerate(scores) if score == best]
    ranks = {
        place: (traps_after(place), score)
        for place, score in enumerate(scores)
        if (score < 0) == (best < 0)
    }
    top = max(ranks.values())
    return [place for place, rank in ranks.items() if rank == top]


def traps(scores: Iterable[int]) -> int:
    """How many of these moves throw away what the best ones keep."""
    signs = [sign_of(score) for score in scores]
    best = max(signs, default=0)
    return sum(sign < best for sign in signs)
