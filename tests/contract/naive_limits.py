"""Which numbers may be taken, in plain loops: the engine is compared with it.

Nothing is imported from ninefold, so that the engine and this cannot share a mistake.
"""

from __future__ import annotations

from collections.abc import Callable

from contract import naive

Test = Callable[[int, int], bool]


def whole_multiple(number: int, of: int) -> bool:
    """Whether a number is this one times some whole number; nothing is a multiple of 0."""
    return of != 0 and number // of * of == number


def common_factor(one: int, two: int) -> bool:
    """Whether some number above 1 divides both, by taking the remainder again and again."""
    while two:
        one, two = two, one % two
    return abs(one) > 1


def tests(by: int) -> dict[str, Test]:
    """What each relation means for a number and another one it is compared with."""
    return {
        "divisor": lambda number, other: whole_multiple(other, number),
        "multiple": whole_multiple,
        "divisor-or-multiple": lambda number, other: (
            whole_multiple(number, other) or whole_multiple(other, number)
        ),
        "common-factor": common_factor,
        "difference": lambda number, other: number in (other + by, other - by),
        "within": lambda number, other: other - by <= number <= other + by,
        "sum": lambda number, other: number + other == by,
        "same-parity": lambda number, other: number % 2 == other % 2,
        "opposite-parity": lambda number, other: number % 2 != other % 2,
        "greater": lambda number, other: number > other,
        "less": lambda number, other: number < other,
        "common-digit": lambda number, other: any(
            digit in str(abs(other)) for digit in str(abs(number))
        ),
    }


def compared(state: naive.State, seat: int, reference: str) -> list[int]:
    """The numbers that a pick of this player is compared with."""
    own, theirs = state.hand(seat), state.hand(naive.other(seat))
    last = state.hand(state.picker)[-1:] if state.picker else ()
    return {
        "last": [*last],
        "own-last": [*own[-1:]],
        "own-first": [*own[:1]],
        "own": [*own],
        "opponent": [*theirs],
        "taken": [*own, *theirs],
    }[reference]


def restriction(
    relation: str, reference: str, must: bool, by: int, exceptions: naive.Numbers
) -> naive.Limit:
    """A pick must be related to one number at least, or to none."""
    test = tests(by)[relation]

    def may(state: naive.State, seat: int, number: int) -> bool:
        others = compared(state, seat, reference)
        if not others or number in exceptions:
            return True
        return any(test(number, other) for other in others) == must

    return may


def cap(
    total: str, of: str, at_most: int, points: Callable[[int], int] = lambda number: number
) -> naive.Limit:
    """A total that no pick may bring above a bound; ``points`` is what a number counts."""

    def may(state: naive.State, seat: int, number: int) -> bool:
        value = points(number)
        for held in compared(state, seat, of):
            value = value + points(held) if total == "sum" else value * points(held)
        return value <= at_most

    return may
