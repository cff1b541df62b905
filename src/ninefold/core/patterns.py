"""The families of winning sets: which sets of a pool belong to each, in any order or as picked."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations, pairwise
from math import isqrt, prod
from typing import Any, Literal, TypeAlias, get_args

from ninefold.core.aggregates import aggregates
from ninefold.core.text import NamedTuple
from ninefold.core.work import Work

Numbers: TypeAlias = tuple[int, ...]
# A parameter of a pattern is a number, a word, yes or no, or a tuple of sets.
Parameters: TypeAlias = Mapping[str, Any]
# What a number counts in totals.
Points: TypeAlias = Mapping[int, int]

Kind: TypeAlias = Literal["even", "odd", "prime", "square", "multiple"]
KINDS: tuple[Kind, ...] = get_args(Kind)
TOTALS = ("sum", "product")
_GOALS = (("equals",), ("multiple-of",), ("kind",), ("at-least", "at-most"))


class Pattern(NamedTuple):
    """One way to win: a family and its parameters, for instance arithmetic with length 3."""

    family: str
    parameters: tuple[tuple[str, Any], ...]
    name: str = ""  # what the book calls it, where that is not the name of the family

    @property
    def label(self) -> str:
        """What the book calls this pattern."""
        return self.name or self.family

    @property
    def is_whole_hand(self) -> bool:
        """Whether all numbers count at the moment of a pick, so that more may be too much."""
        return dict(self.parameters).get("whole-hand") is True or self.is_shared

    @property
    def is_shared(self) -> bool:
        """Whether the numbers of both players count together."""
        return dict(self.parameters).get("shared") is True

    @property
    def sizes(self) -> Numbers:
        """The sizes its sets can have, in ascending order; none if they can have any."""
        values = dict(self.parameters)
        if self.family == "sets":
            return tuple(sorted({len(numbers) for numbers in values["sets"]}))
        if self.family == "sum-triple":
            return (3,)
        size = values.get("length", values.get("count"))
        return (size,) if isinstance(size, int) else ()

    def sets(
        self, pool: Numbers, work: Work | None = None, points: Points | None = None
    ) -> Iterator[Numbers]:
        """Every set of the pool that matches, in ascending order; raises RulesError if too many.

        ``points`` are what numbers count, if not themselves. Whole hands are not listed.
        """
        work = work or Work()
        work.what = f"the sets of {self.label}"
        values = dict(self.parameters)
        if self.is_whole_hand:
            return iter(())
        if self.family in TOTALS and (points or not {"equals", "multiple-of"} & values.keys()):
            return self._tried(pool, values.get("count"), work, points or {})
        return FAMILIES[self.family].sets(pool, values, work)

    def _tried(
        self, pool: Numbers, count: int | None, work: Work, points: Points
    ) -> Iterator[Numbers]:
        """Every set of so many numbers with a fitting total; without a count, the minimal ones."""
        found: list[set[int]] = []
        for size in range(1, len(pool) + 1) if count is None else (count,):
            for numbers in combinations(pool, size):
                work.spend(1 + size // 8)
                if self.matches(tuple(points.get(number, number) for number in numbers)):
                    work.spend(len(found) // 8)
                    if not any(part.issubset(numbers) for part in found):
                        found += [{*numbers}] if count is None else []
                        yield numbers

    def matches(self, points: Numbers) -> bool:
        """Whether numbers that count this much have the total that is wanted."""
        return self.fits(sum(points) if self.family == "sum" else prod(points))

    def fits(self, total: int) -> bool:
        """Whether this is the sum or product that is wanted."""
        values = dict(self.parameters)
        if "equals" in values:
            return bool(total == values["equals"])
        if "multiple-of" in values:
            return is_of_kind(total, "multiple", values["multiple-of"])
        if "kind" in values:
            return is_of_kind(total, values["kind"])
        return bool(values.get("at-least", total) <= total <= values.get("at-most", total))

    def in_order(self, numbers: Numbers) -> bool:
        """Whether the numbers of a matching set also match in the order they are given."""
        return FAMILIES[self.family].in_order(numbers, dict(self.parameters))

    def why_not(self, numbers: Numbers, points: Numbers) -> str:
        """What keeps numbers that count this much, in ascending order, from being a set of it."""
        if self.is_whole_hand and self.matches(points):
            return "it takes the whole hand"
        return FAMILIES[self.family].why_not(points if self.family in TOTALS else numbers)


class Family(NamedTuple):
    """A kind of pattern: its sets, why others are none, and which order it accepts, if not any."""

    sets: Callable[[Numbers, Parameters, Work], Iterator[Numbers]]
    why_not: Callable[[Numbers], str]
    in_order: Callable[[Numbers, Parameters], bool] = lambda _, __: True


def misfit(family: str, values: Parameters) -> str:
    """What is wrong with these parameters together; nothing if they fit."""
    if family in TOTALS:
        goals = [[name for name in goal if name in values] for goal in _GOALS]
        given = [" and ".join(goal) for goal in goals if goal]
        if len(given) > 1:
            return f"{' and '.join(given)} cannot be combined: keep one of them"
        if not given:
            return f"needs a total: one of {', '.join(name for goal in _GOALS for name in goal)}"
        least, most = values.get("at-least"), values.get("at-most")
        if least is not None and most is not None and least > most:
            return f"no {family} is at least {least} and at most {most}"
        shapes = [name for name in ("count", "whole-hand", "shared") if values.get(name)]
        if len(shapes) > 1:
            return f"{shapes[0]} and {shapes[1]} cannot be combined: keep one of them"
        if not shapes and not values.keys() & {"equals", "multiple-of"}:
            return f"{given[0]} needs a count, or whole-hand = true, or shared = true"
    if family == "kind" and ("of" in values) != (values.get("kind") == "multiple"):
        return 'of belongs to the kind "multiple", and to no other'
    return ""


def _arithmetic(pool: Numbers, parameters: Parameters, _: Work) -> Iterator[Numbers]:
    members, length = set(pool), parameters["length"]
    for at, first in enumerate(pool):
        for second in pool[at + 1 :]:
            step = second - first
            if first + step * (length - 1) > pool[-1]:
                break
            terms = tuple(first + step * i for i in range(length))
            if members.issuperset(terms):
                yield terms


def _geometric(pool: Numbers, parameters: Parameters, _: Work) -> Iterator[Numbers]:
    """Zero is in none: nothing but zero follows it, and no factor leads to it and on."""
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


def _consecutive(pool: Numbers, parameters: Parameters, _: Work) -> Iterator[Numbers]:
    length = parameters["length"]
    for start in range(len(pool) - length + 1):
        yield pool[start : start + length]


def _sum_triples(pool: Numbers, _: Parameters, __: Work) -> Iterator[Numbers]:
    members = set(pool)
    for at, x in enumerate(pool):
        for y in pool[at + 1 :]:
            if x + y in members and x + y not in (x, y):
                yield tuple(sorted((x, y, x + y)))


def _aggregates(of: str, pool: Numbers, parameters: Parameters, work: Work) -> Iterator[Numbers]:
    wanted = (parameters.get(key) for key in ("count", "equals", "multiple-of"))
    return aggregates(of, pool, work, *wanted)


def _kinds(pool: Numbers, parameters: Parameters, _: Work) -> Iterator[Numbers]:
    kind, of = parameters["kind"], parameters.get("of") or 1
    fitting = [number for number in pool if is_of_kind(number, kind, of)]
    return combinations(fitting, parameters["count"])


def is_of_kind(number: int, kind: str, of: int = 1) -> bool:
    """Whether a number is even, odd, prime, a square, or a multiple of a number."""
    if kind == "prime":
        return is_prime(number)
    if kind == "square":
        return number >= 0 and isqrt(number) ** 2 == number
    if kind == "multiple":
        return number % of == 0
    return number % 2 == (kind == "odd")


def _chains(pool: Numbers, parameters: Parameters, _: Work) -> Iterator[Numbers]:
    """Chains from their smallest number on, by absolute value; zero can only be the last."""
    length = parameters["length"]
    order = sorted(pool, key=lambda number: (number == 0, abs(number), number))
    after = {
        number: [other for other in order[at + 1 :] if divides(number, other)]
        for at, number in enumerate(order)
    }
    longest: dict[int, int] = {}
    for number in reversed(order):
        longest[number] = 1 + max((longest[other] for other in after[number]), default=0)

    def extend(chosen: Numbers) -> Iterator[Numbers]:
        if len(chosen) == length:
            yield tuple(sorted(chosen))
            return
        for number in after[chosen[-1]] if chosen else order:
            # What cannot become long enough is not begun, so no step is in vain.
            if len(chosen) + longest[number] >= length:
                yield from extend((*chosen, number))

    return extend(())


def _sets(pool: Numbers, parameters: Parameters, _: Work) -> Iterator[Numbers]:
    members = set(pool)
    for numbers in parameters["sets"]:
        if members.issuperset(numbers):
            yield tuple(sorted(numbers))


def is_prime(number: int) -> bool:
    """Whether a number is prime: Miller and Rabin, with bases that suffice for 24 digits."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if number < 2 or any(number % base == 0 for base in bases):
        return number in bases
    if number >= 10**24:
        return False  # it can only be a product of several numbers
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in bases:
        power = pow(base, odd, number)
        if power != 1 and not any(pow(power, 1 << k, number) == number - 1 for k in range(twos)):
            return False
    return True


def divides(one: int, two: int) -> bool:
    """Whether one number divides the other; zero divides none."""
    return one != 0 and two % one == 0


def _monotone(numbers: Numbers, _: Parameters) -> bool:
    steps = [b > a for a, b in pairwise(numbers)]
    return all(steps) or not any(steps)


def quotient(high: int, low: int) -> str:
    """The exact quotient of two numbers: 2, or 3/2."""
    from fractions import Fraction

    return str(Fraction(high, low)) if low else "none"


FAMILIES: Mapping[str, Family] = {
    "arithmetic": Family(
        _arithmetic,
        lambda numbers: "its steps are " + ", ".join(str(b - a) for a, b in pairwise(numbers)),
        _monotone,
    ),
    "geometric": Family(
        _geometric,
        lambda numbers: (
            "its factors are " + ", ".join(quotient(b, a) for a, b in pairwise(numbers))
        ),
        lambda numbers, parameters: _monotone(tuple(map(abs, numbers)), parameters),
    ),
    "consecutive": Family(_consecutive, lambda _: "there is a gap in it", _monotone),
    "sum-triple": Family(
        _sum_triples,
        lambda _: "no two of it add up to the third",
        lambda numbers, _: numbers[2] in (numbers[0] + numbers[1], numbers[0] - numbers[1]),
    ),
    "sum": Family(partial(_aggregates, "sum"), lambda numbers: f"it adds up to {sum(numbers)}"),
    "product": Family(
        partial(_aggregates, "product"), lambda numbers: f"its product is {prod(numbers)}"
    ),
    "kind": Family(_kinds, lambda _: "not every number of it is of the kind that counts"),
    "chain": Family(
        _chains,
        lambda _: "not every number of it divides the next",
        lambda numbers, _: all(divides(a, b) for a, b in pairwise(numbers)),
    ),
    "sets": Family(
        _sets,
        lambda _: "it is not listed",
        lambda numbers, parameters: numbers in parameters["sets"],
    ),
}
