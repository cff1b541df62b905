"""Sums and products: the sets of a pool that add up, or multiply, to what is wanted.

Sets of any size are listed only if no smaller part of them wins.
"""

from collections.abc import Iterator
from itertools import accumulate, combinations
from math import gcd
from typing import TypeAlias

from ninefold.core.work import Work

Numbers: TypeAlias = tuple[int, ...]


def aggregates(
    of: str,
    pool: Numbers,
    work: Work,
    count: int | None,
    equals: int | None,
    multiple_of: int | None,
) -> Iterator[Numbers]:
    """The sets with this sum or product, or a multiple of a number as it; raises RulesError."""
    many = "numbers" if count is None else f"{count} numbers"
    value = f"{'a total of' if of == 'sum' else 'the product'} {equals}"
    if equals is None:
        value = f"a multiple of {multiple_of}"
    work.what = f"{many} of this pool with {value}"
    if of == "product":
        product, exact = equals or multiple_of, equals is not None
        return _products(pool, count, product, exact, work) if product else _with_zero(pool, count)
    if count is None:
        return _least_sums(pool, equals or 0, multiple_of, work)
    if count > len(pool):
        return iter(())
    if multiple_of is None:
        return _exact_sums(pool, count, equals or 0, work)
    return _residues(pool, count, multiple_of, work)


def _exact_sums(pool: Numbers, count: int, total: int, work: Work) -> Iterator[Numbers]:
    """So many numbers with this sum; what is out of reach from here on is not tried."""
    upto = [0, *accumulate(pool)]
    place = {number: at for at, number in enumerate(pool)}

    def extend(at: int, chosen: Numbers, rest: int) -> Iterator[Numbers]:
        need = count - len(chosen)
        if need == 1:
            if place.get(rest, -1) >= at:
                yield (*chosen, rest)
            return
        highest = upto[-1] - upto[len(pool) - need + 1]
        for i in range(at, len(pool) - need + 1):
            work.spend()
            if upto[i + need] - upto[i] > rest:
                break
            if pool[i] + highest >= rest:
                yield from extend(i + 1, (*chosen, pool[i]), rest - pool[i])

    return extend(0, (), total)


def _residues(pool: Numbers, count: int, modulus: int, work: Work) -> Iterator[Numbers]:
    """So many numbers whose sum is a multiple: all but the last are tried, in ascending order."""
    last: dict[int, list[int]] = {}
    for number in pool:
        last.setdefault(number % modulus, []).append(number)
    for chosen in combinations(pool, count - 1):
        work.spend()
        for number in last.get(-sum(chosen) % modulus, ()):
            if not chosen or number > chosen[-1]:
                yield (*chosen, number)


def _least_sums(pool: Numbers, total: int, modulus: int | None, work: Work) -> Iterator[Numbers]:
    """Sets with this sum, none of whose numbers add up to nothing and could be left out.

    ``parts`` are the sums of the parts of what is chosen. None of them is 0, so a number that makes
    the sum right makes a set that has no part to spare.
    """
    # The lowest and the highest sum that the numbers from each place on can have.
    lowest = [sum(number for number in pool[at:] if number < 0) for at in range(len(pool) + 1)]
    highest = [sum(number for number in pool[at:] if number > 0) for at in range(len(pool) + 1)]
    # Numbers of one sign never add up to nothing.
    simple = modulus is None and (pool[0] > 0 or pool[-1] < 0)

    def reduced(number: int) -> int:
        return number if modulus is None else number % modulus

    def extend(at: int, chosen: Numbers, rest: int, parts: frozenset[int]) -> Iterator[Numbers]:
        for i in range(at, len(pool)):
            work.spend(1 + len(parts) // 2)
            number = pool[i]
            left = reduced(rest - number)
            # Whether this number and a part of those before it, or it alone, add up to nothing.
            cancels = not simple and (reduced(number) == 0 or reduced(-number) in parts)
            if left == 0:
                if total == 0 or not cancels:
                    yield (*chosen, number)
            elif not cancels and (modulus is not None or lowest[i + 1] <= left <= highest[i + 1]):
                grown = parts
                if not simple:
                    grown = parts | {reduced(part + number) for part in (0, *parts)}
                yield from extend(i + 1, (*chosen, number), left, grown)

    return extend(0, (), reduced(total), frozenset())


def _with_zero(pool: Numbers, count: int | None) -> Iterator[Numbers]:
    """Sets with the product 0: zero and any other numbers, as many as are needed."""
    if 0 in pool:
        others = [number for number in pool if number]
        for chosen in combinations(others, 0 if count is None else count - 1):
            yield tuple(sorted((0, *chosen)))


def _products(
    pool: Numbers, count: int | None, product: int, exact: bool, work: Work
) -> Iterator[Numbers]:
    """Sets with this product, other than 0, or a multiple of it: what is divided out is gone."""
    useful = [one for one in pool if not exact or (one and product % one == 0)]
    if count is None and product != 1:  # then no number is to spare
        useful = [one for one in useful if one != 1 and (exact or gcd(one, product) > 1)]

    def extend(at: int, chosen: Numbers, rest: int) -> Iterator[Numbers]:
        if chosen and rest == 1 and count in (None, len(chosen)):
            work.spend(0 if exact else len(chosen))
            if exact or count is not None or not _has_spare(chosen, product):
                yield chosen
        elif len(chosen) != count:
            for i in range(at, len(useful)):
                work.spend()
                part = useful[i] if exact else gcd(rest, useful[i])
                if rest % part == 0:
                    yield from extend(i + 1, (*chosen, useful[i]), rest // part)

    if count is not None and product == 1 and not exact:
        return combinations(pool, count)
    return extend(0, (), product)


def _has_spare(chosen: Numbers, number: int) -> bool:
    """Whether the product is a multiple without one of the numbers, too."""
    if len(chosen) == 1:
        return False
    before = [1, *accumulate(chosen, lambda one, two: one * two % number)]
    after = [1, *accumulate(reversed(chosen), lambda one, two: one * two % number)][::-1]
    return any(before[at] * after[at + 1] % number == 0 for at in range(len(chosen)))
