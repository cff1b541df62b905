"""The winning sets of the rule books, each a test that its numbers pass; see naive."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise, permutations
from typing import Any

from contract.naive import Numbers

Test = Callable[[Numbers], bool]
Points = Callable[[int], int]


def evenly_spaced(row: Numbers) -> bool:
    """Whether the difference between neighbours in the row is constant."""
    return len({b - a for a, b in pairwise(row)}) == 1


def evenly_scaled(row: Numbers) -> bool:
    """Whether each number of the row is the one before it times a constant."""
    return 0 not in row and all(
        b * b == a * c for a, b, c in zip(row, row[1:], row[2:], strict=False)
    )


@lru_cache(maxsize=100_000)
def arithmetic(numbers: Numbers) -> bool:
    """Whether the numbers can be rearranged into an arithmetic progression."""
    return any(map(evenly_spaced, permutations(numbers)))


@lru_cache(maxsize=100_000)
def geometric(numbers: Numbers) -> bool:
    """Whether the numbers can be rearranged into a geometric progression."""
    return any(map(evenly_scaled, permutations(numbers)))


def sum_triple(numbers: Numbers) -> bool:
    """Whether one of the three numbers is the sum of the other two."""
    return any(x + y == z for x, y, z in permutations(numbers))


def neighbours(pool: Numbers) -> Callable[[Numbers], bool]:
    """A test whether the numbers stand side by side when the pool is laid out in a line."""
    line = sorted(pool)

    def test(numbers: Numbers) -> bool:
        places = sorted(line.index(number) for number in numbers)
        return all(b - a == 1 for a, b in pairwise(places))

    return test


def adding_up_to(total: int) -> Callable[[Numbers], bool]:
    """A test whether the numbers add up to the total."""
    return lambda numbers: sum(numbers) == total


def multiplied(numbers: Numbers) -> int:
    """The product of the numbers."""
    product = 1
    for number in numbers:
        product *= number
    return product


def total_of(name: str, told: dict[str, int | str], points: Points = int) -> Test:
    """A test whether a sum or product is what is told; ``points`` is what a number counts."""

    def test(numbers: Numbers) -> bool:
        counted = tuple(map(points, numbers))
        total = sum(counted) if name == "sum" else multiplied(counted)
        checks: dict[str, Callable[[Any], bool]] = {
            "equals": lambda value: total == value,
            "multiple-of": lambda value: divmod(total, value)[1] == 0,
            "at-least": lambda value: not total < value,
            "at-most": lambda value: not total > value,
            "kind": lambda value: all_of_a_kind(value, 1)((total,)),
        }
        return all(checks[key](value) for key, value in told.items())

    return test


def all_of_a_kind(kind: str, of: int) -> Callable[[Numbers], bool]:
    """A test whether every number is of this kind."""
    tests: dict[str, Callable[[int], bool]] = {
        "even": lambda n: n // 2 * 2 == n,
        "odd": lambda n: n // 2 * 2 != n,
        "prime": lambda n: n > 1 and all(n % d for d in range(2, int(n**0.5) + 2) if d < n),
        "square": lambda n: n >= 0 and n in (nearest_square(n), 0),
        "multiple": lambda n: n // of * of == n,
    }
    return lambda numbers: all(map(tests[kind], numbers))


def nearest_square(number: int) -> int:
    """A square that a number must equal to be one, by halving what the root lies between."""
    low, high = 0, number + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle * middle <= number else (low, middle)
    return low * low


def dividing(row: Numbers) -> bool:
    """Whether each number of the row times a whole number is the next; zero divides nothing."""
    return all(a != 0 and b // a * a == b for a, b in pairwise(row))


@lru_cache(maxsize=100_000)
def chained(numbers: Numbers) -> bool:
    """Whether the numbers can be rearranged so that each divides the next."""
    return any(map(dividing, permutations(numbers)))
