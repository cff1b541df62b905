"""Hypothesis strategies: random rules, each as the engine and as the naive definition know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from contract import naive
from ninefold.core.patterns import Pattern
from ninefold.core.rules import INVALID_POLICIES, MEASURES, PREFERENCES, Criterion, Rules

SMALL = (1, 9)
LARGE = (17, 24)  # the engine keeps no table of all hands for so many numbers

# Numbers among which progressions, also geometric ones with a negative factor, are frequent.
PRODUCTS = sorted((s * 2**i * 3**j for s in (-1, 1) for i in range(6) for j in range(5)), key=abs)


class Twins(NamedTuple):
    """The same rules twice."""

    engine: Rules
    naive: naive.Rules


class Way(NamedTuple):
    """The same way to win twice."""

    engine: Pattern
    naive: naive.Family


@st.composite
def pools(draw: st.DrawFn, size: tuple[int, int], lowest: int = -(10**12)) -> naive.Numbers:
    """Distinct integers, of any kind or of kinds that make winning sets frequent."""
    count = draw(st.integers(*size))
    products = [number for number in PRODUCTS if number >= lowest][: max(16, count)]
    kinds = {
        "close": st.integers(max(lowest, -6), 25),
        "products": st.sampled_from(products),
        "any": st.integers(lowest, 10**12),
    }
    kind = kinds[draw(st.sampled_from(sorted(kinds)))]
    return tuple(draw(st.lists(kind, min_size=count, max_size=count, unique=True)))


@st.composite
def ways(draw: st.DrawFn, pool: naive.Numbers, sizes: Sequence[int]) -> Way:
    """One way to win, by holding as many numbers as one of these sizes."""
    name = draw(st.sampled_from(["arithmetic", "geometric", "consecutive", "sum-triple", "total"]))
    size = draw(st.sampled_from(sizes))
    if name == "sum-triple":
        return Way(Pattern(name, ()), naive.Family(name, 3, naive.sum_triple))
    if name == "total":
        total = sum(draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size)))
        family = naive.Family(name, size, naive.adding_up_to(total))
        return Way(Pattern(name, (("count", size), ("total", total))), family)
    return progression(name, size, pool)


def progression(name: str, size: int, pool: naive.Numbers, in_order: bool = False) -> Way:
    """A family whose only parameter is how many numbers it takes."""
    tests = {
        "arithmetic": naive.evenly_spaced if in_order else naive.arithmetic,
        "geometric": naive.evenly_scaled if in_order else naive.geometric,
        "consecutive": naive.neighbours(pool),
    }
    return Way(Pattern(name, (("length", size),)), naive.Family(name, size, tests[name]))


def endings() -> st.SearchStrategy[list[Criterion]]:
    """A chain of criteria, possibly empty."""
    criterion = st.builds(Criterion, st.sampled_from(MEASURES), st.sampled_from(PREFERENCES))
    return st.lists(criterion, max_size=3)


def twins(pool: naive.Numbers, wins: list[Way], ending: list[Criterion]) -> Twins:
    """Rules with nothing but a pool, ways to win and an ending."""
    return Twins(
        Rules(pool, tuple(way.engine for way in wins), tuple(ending)),
        naive.Rules(pool, tuple(way.naive for way in wins), naive.chain(pool, ending)),
    )


@st.composite
def open_rules(draw: st.DrawFn, size: tuple[int, int]) -> Twins:
    """Rules under which a win is seen at once, in whatever order the numbers were picked."""
    pool = draw(pools(size))
    wins = draw(st.lists(ways(pool, (3, 4)), min_size=draw(st.integers(0, 2)), max_size=3))
    both = twins(pool, wins, draw(endings()))
    limit = draw(st.none() | st.integers(1, len(pool)))
    invalid, misere = draw(st.sampled_from(INVALID_POLICIES)), draw(st.booleans())
    return Twins(
        both.engine._replace(hand_limit=limit, invalid=invalid, misere=misere),
        both.naive._replace(limit=limit, forfeits=invalid == "lose-turn", misere=misere),
    )


@st.composite
def declared_rules(draw: st.DrawFn, size: tuple[int, int]) -> Twins:
    """Rules under which a win, with three numbers, must be declared."""
    pool = draw(pools(size))
    wins = draw(st.lists(ways(pool, (3,)), min_size=1, max_size=3))
    both = twins(pool, wins, draw(endings()))
    return Twins(both.engine._replace(declare=True), both.naive._replace(asks_from=3))


@st.composite
def ordered_rules(draw: st.DrawFn, size: tuple[int, int]) -> Twins:
    """Rules under which a whole hand of natural numbers must be a progression as picked."""
    pool, length = draw(pools(size, lowest=1)), draw(st.sampled_from((3, 4)))
    names = draw(st.permutations(("arithmetic", "geometric")))
    wins = [progression(name, length, pool, in_order=True) for name in names]
    both, misere = twins(pool, wins, draw(endings())), draw(st.booleans())
    return Twins(
        both.engine._replace(hand_limit=length, in_order=True, misere=misere),
        both.naive._replace(limit=length, in_order=True, misere=misere),
    )
