"""The winning sets of the rule books, each a test that its numbers pass; see naive."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise, permutations

from contract.naive import Numbers


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


def multiplying_to(product: int) -> Callable[[Numbers], bool]:
    """A test whether the numbers multiply to the product."""
    return lambda numbers: multiplied(numbers) == product


def multiplied(numbers: Numbers) -> int:
    """The product of the numbers."""
    product = 1
    for number in numbers:
        product *= number
    return product


def adding_up_to_a_multiple(of: int) -> Callable[[Numbers], bool]:
    """A test whether some number times ``of`` is the sum."""
    return lambda numbers: sum(numbers) in range(-abs(sum(numbers)) // of * of, 10**15, of)


def multiplying_to_a_multiple(of: int) -> Callable[[Numbers], bool]:
    """A test whether ``of`` divides the product."""
    return lambda numbers: divmod(multiplied(numbers), of)[1] == 0


def all_of_a_kind(kind: str, of: int) -> Callable[[Numbers], bool]:
    """A test whether every number is of this kind."""
    tests: dict[str, Callable[[int], bool]] = {
        "even": lambda n: n // 2 * 2 == n,
        "odd": lambda n: n // 2 * 2 != n,
        "prime": lambda n: n > 1 and all(n % d for d in range(2, n) if d * d <= n),
        "square": lambda n: any(d * d == n for d in range(int(max(n, 0) ** 0.5) + 2)),
        "multiple": lambda n: n // of * of == n,
    }
    return lambda numbers: all(map(tests[kind], numbers))


def dividing(row: Numbers) -> bool:
    """Whether each number of the row times a whole number is the next; zero divides nothing."""
    return all(a != 0 and b // a * a == b for a, b in pairwise(row))


@lru_cache(maxsize=100_000)
def chained(numbers: Numbers) -> bool:
    """Whether the numbers can be rearranged so that each divides the next."""
    return any(map(dividing, permutations(numbers)))
