"""How likely each end is, if every move is left to chance: one move after the other."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

from ninefold.audit.figures import Chances
from ninefold.solver.breadth_first import TooLarge
from ninefold.solver.scores import Budget

# Where turns may be lost on purpose, a game need not end: it is followed for this many moves.
MAX_PLIES, CLOSE = 400, 1e-13

State = TypeVar("State")
# Where the next move leads, and how likely; nowhere when the game is over.
Next: TypeAlias = Callable[[State], list[tuple[State, float]]]


def visits(
    start: Iterable[tuple[State, float]],
    after: Next[State],
    budget: Budget,
    most: int | None = None,
) -> Iterator[tuple[State, float]]:
    """Every state with its probability after each number of moves, the start first.

    Raises OutOfBudget, and TooLarge if more than ``most`` unfinished states are visited.
    """
    now: dict[State, float] = {}
    for state, share in start:
        now[state] = now.get(state, 0.0) + share
    seen = 0
    for _ in range(MAX_PLIES):
        then: dict[State, float] = {}
        for state, share in now.items():
            yield state, share
            moves = after(state)
            for to, part in moves:
                then[to] = then.get(to, 0.0) + share * part
            seen += bool(moves)
            if most is not None and seen > most:
                raise TooLarge
        budget.ask(seen)
        if sum(then.values()) < CLOSE:
            return
        now = then


def chances_of(
    visited: Iterable[tuple[State, float]], winner: Callable[[State], int | None], moves: int = 0
) -> Chances:
    """How games end after this many moves; ``winner`` is 0 in a draw, None before the end."""
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


def evenly(states: list[State]) -> list[tuple[State, float]]:
    """These states, all equally likely."""
    return [(state, 1 / len(states)) for state in states]
