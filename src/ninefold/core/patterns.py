"""The families of winning sets: which sets of a pool belong to each, in any order or as picked."""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from math import gcd
from typing import NamedTuple, TypeAlias

from ninefold.core.errors import RulesError

Numbers: TypeAlias = tuple[int, ...]

# A family that needs more work than this is refused, so that no rule book can hang the program.
MAX_STEPS = 2_000_000


class Pattern(NamedTuple):
    """One way to win: a family and its parameters, for instance arithmetic with length 3."""

    family: str
    parameters: tuple[tuple[str, int], ...]

    @property
    def size(self) -> int:
        """How many numbers a set has."""
        sizes = [value for name, value in self.parameters if name in ("length", "count")]
        return sizes[0] if sizes else 3

    def sets(self, pool: Numbers) -> Iterator[Numbers]:
        """Every set of the pool that matches, in ascending order; raises RulesError if too many."""
        return FAMILIES[self.family].sets(pool, dict(self.parameters))

    def in_order(self, numbers: Numbers) -> bool:
        """Whether the numbers of a matching set also match in the order they are given."""
        return FAMILIES[self.family].in_order(numbers)

    def why_not(self, numbers: Numbers) -> str:
        """What keeps these numbers, in ascending order, from being a set of this pattern."""
        if len(numbers) != self.size:
            return f"it takes exactly {self.size} numbers"
        return FAMILIES[self.family].why_not(numbers)


class Family(NamedTuple):
    """A kind of pattern: its parameters with their least values, its sets, its ordered form."""

    parameters: Mapping[str, int | None]
    sets: Callable[[Numbers, Mapping[str, int]], Iterator[Numbers]]
    in_order: Callable[[Numbers], bool]
    why_not: Callable[[Numbers], str]


def _arithmetic(pool: Numbers, parameters: Mapping[str, int]) -> Iterator[Numbers]:
    members, length = set(pool), parameters["length"]
    for at, first in enumerate(pool):
        for second in pool[at + 1 :]:
            step = second - first
            terms = tuple(first + step * i for i in range(length))
            if members.issuperset(terms):
                yield terms


def _geometric(pool: Numbers, parameters: Mapping[str, int]) -> Iterator[Numbers]:
    members, length = set(pool), parameters["length"]
    for first in pool:
        for second in pool:
            if first and abs(second) > abs(first):
                terms = _geometric_terms(first, second, length)
                if members.issuperset(terms) and len(terms) == length:
                    yield tuple(sorted(terms))


def _geometric_terms(first: int, second: int, length: int) -> list[int]:
    """The progression as far as its terms are whole, so ratios such as 3/2 are exact."""
    terms = [first, second]
    while len(terms) < length and not terms[-1] * second % first:
        terms.append(terms[-1] * second // first)
    return terms


def _consecutive(pool: Numbers, parameters: Mapping[str, int]) -> Iterator[Numbers]:
    length = parameters["length"]
    for start in range(len(pool) - length + 1):
        yield pool[start : start + length]


def _sum_triples(pool: Numbers, _: Mapping[str, int]) -> Iterator[Numbers]:
    members = set(pool)
    for at, x in enumerate(pool):
        for y in pool[at + 1 :]:
            if x + y in members and x + y not in (x, y):
                yield tuple(sorted((x, y, x + y)))


def _total(pool: Numbers, parameters: Mapping[str, int]) -> Iterator[Numbers]:
    count, total = parameters["count"], parameters["total"]
    steps = 0

    def extend(at: int, chosen: Numbers, rest: int) -> Iterator[Numbers]:
        nonlocal steps
        need = count - len(chosen)
        if need == 0:
            if rest == 0:
                yield chosen
            return
        for i in range(at, len(pool) - need + 1):
            steps += 1
            if steps > MAX_STEPS:
                raise RulesError(
                    "too-many-sets",
                    f"finding {count} numbers of this pool with a total of {total} takes too long: "
                    "use fewer or a smaller pool",
                )
            if sum(pool[i : i + need]) > rest:
                break
            if pool[i] + sum(pool[len(pool) - need + 1 :]) >= rest:
                yield from extend(i + 1, (*chosen, pool[i]), rest - pool[i])

    return extend(0, (), total)


def _monotone(numbers: Numbers) -> bool:
    steps = [b > a for a, b in pairwise(numbers)]
    return all(steps) or not any(steps)


def _geometric_order(numbers: Numbers) -> bool:
    return _monotone(tuple(map(abs, numbers)))


def _sum_order(numbers: Numbers) -> bool:
    x, y, z = numbers
    return z in (x + y, x - y)


def _any_order(_: Numbers) -> bool:
    return True


def _steps(numbers: Numbers) -> str:
    return "its steps are " + ", ".join(str(b - a) for a, b in pairwise(numbers))


def _ratios(numbers: Numbers) -> str:
    return "its factors are " + ", ".join(quotient(b, a) for a, b in pairwise(numbers))


def quotient(high: int, low: int) -> str:
    """The exact quotient of two numbers: 2, or 3/2."""
    if low == 0:
        return "none"
    common = gcd(high, low) * (1 if low > 0 else -1)
    over, under = high // common, low // common
    return str(over) if under == 1 else f"{over}/{under}"


FAMILIES: Mapping[str, Family] = {
    "arithmetic": Family({"length": 3}, _arithmetic, _monotone, _steps),
    "geometric": Family({"length": 3}, _geometric, _geometric_order, _ratios),
    "consecutive": Family({"length": 2}, _consecutive, _monotone, lambda _: "there is a gap in it"),
    "sum-triple": Family(
        {}, _sum_triples, _sum_order, lambda _: "no two of it add up to the third"
    ),
    "total": Family(
        {"count": 1, "total": None},
        _total,
        _any_order,
        lambda numbers: f"it adds up to {sum(numbers)}",
    ),
}
