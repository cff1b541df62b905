"""Hypothesis strategies: random rules, each as the engine and as the naive definition know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import assume
from hypothesis import strategies as st

from contract import naive, naive_endings, naive_limits, naive_sets
from ninefold.core.patterns import KINDS, Pattern
from ninefold.core.picks import RELATIONS
from ninefold.core.rules import (
    AMONG,
    INVALID_POLICIES,
    MEASURES,
    OTHERWISE,
    PREFERENCES,
    REFERENCES,
    STUCK,
    TOTALS,
    Cap,
    Criterion,
    Restriction,
    Rules,
)

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


NAMES = ("arithmetic", "geometric", "consecutive", "sum-triple", "sum", "product", "kind", "chain")


Values = dict[int, int]


def counting(values: Values) -> naive_sets.Points:
    """What a number counts in totals: itself, unless there is a value for it."""
    return lambda number: values.get(number, number)


@st.composite
def ways(
    draw: st.DrawFn,
    pool: naive.Numbers,
    sizes: Sequence[int],
    fixed: bool = False,
    values: Values | None = None,
) -> Way:
    """One way to win, by holding as many numbers as one of these sizes.

    Unless they are fixed, sums and products may also be of any numbers, which takes the naive
    definition very long on large pools, of the whole hand, or of both hands.
    """
    name = draw(st.sampled_from([*NAMES, "sets"]))
    size = draw(st.sampled_from(sizes))
    if name == "sum-triple":
        return Way(Pattern(name, ()), naive.Family(name, 3, naive_sets.sum_triple))
    if name in ("sum", "product"):
        return draw(totals(name, pool, size, fixed, values or {}))
    if name == "kind":
        return draw(kinds(pool, size))
    if name == "sets":
        return draw(listed(pool, size))
    return progression(name, size, pool)


@st.composite
def totals(
    draw: st.DrawFn, name: str, pool: naive.Numbers, size: int, fixed: bool, values: Values
) -> Way:
    """A sum or product that some numbers of the pool have, or that is a multiple, and so on."""
    some = draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size))
    counted = [values.get(number, number) for number in some]
    total = sum(counted) if name == "sum" else naive_sets.multiplied(tuple(counted))
    shapes = ("count",) if fixed else ("count", "any", "whole-hand", "shared")
    shape = draw(st.sampled_from(shapes))
    goals: list[dict[str, int | str]] = [
        {"equals": total},
        {"multiple-of": draw(st.integers(1, 12))},
    ]
    if shape != "any":
        kind = draw(st.sampled_from(("even", "odd", "square")))
        goals += [{"at-least": total}, {"at-most": total}, {"kind": kind}]
        goals += [{"at-least": total, "at-most": total + draw(st.integers(0, 9))}]
        # The naive test for primes is slow.
        goals += [{"kind": "prime"}] if name == "sum" and max(map(abs, pool)) < 1_000 else []
    goal = draw(st.sampled_from(goals))
    told = {"count": size} if shape == "count" else {} if shape == "any" else {shape: True}
    test = naive_sets.total_of(name, goal, counting(values))
    family = naive.Family(
        name, told.get("count"), test, whole=shape == "whole-hand", shared=shape == "shared"
    )
    return Way(Pattern(name, (*told.items(), *goal.items())), family)


@st.composite
def kinds(draw: st.DrawFn, pool: naive.Numbers, size: int) -> Way:
    """So many numbers of a kind; the naive test for primes is slow."""
    small = max(map(abs, pool)) < 1_000
    kind = draw(st.sampled_from([kind for kind in KINDS if small or kind != "prime"]))
    of = draw(st.integers(1, 6)) if kind == "multiple" else 1
    more = (("of", of),) if kind == "multiple" else ()
    pattern = Pattern("kind", (("kind", kind), *more, ("count", size)))
    return Way(pattern, naive.Family("kind", size, naive_sets.all_of_a_kind(kind, of)))


@st.composite
def listed(draw: st.DrawFn, pool: naive.Numbers, size: int, in_order: bool = False) -> Way:
    """A few sets of the pool, if there are enough numbers for one."""
    rows = st.lists(st.sampled_from(pool), min_size=size, max_size=size, unique=True)
    sets = tuple(map(tuple, draw(st.lists(rows, max_size=4)))) if len(pool) >= size else ()
    known = sets if in_order else {tuple(sorted(row)) for row in sets}
    family = naive.Family("sets", size, lambda numbers: numbers in known)
    return Way(Pattern("sets", (("sets", sets),)), family)


def progression(name: str, size: int, pool: naive.Numbers, in_order: bool = False) -> Way:
    """A family whose only parameter is how many numbers it takes."""
    tests = {
        "arithmetic": naive_sets.evenly_spaced if in_order else naive_sets.arithmetic,
        "geometric": naive_sets.evenly_scaled if in_order else naive_sets.geometric,
        "consecutive": naive_sets.neighbours(pool),
        "chain": naive_sets.dividing if in_order else naive_sets.chained,
    }
    return Way(Pattern(name, (("length", size),)), naive.Family(name, size, tests[name]))


def endings() -> st.SearchStrategy[list[Criterion]]:
    """A chain of criteria, possibly empty."""
    criterion = st.builds(
        Criterion,
        st.sampled_from(MEASURES),
        st.sampled_from(PREFERENCES),
        st.integers(-10, 40),
        st.booleans(),
        st.sampled_from(AMONG),
        st.none() | st.sampled_from([kind for kind in KINDS if kind != "prime"]),
        st.integers(1, 4),
    )
    return st.lists(criterion.map(_with_its_fields), max_size=3)


def _with_its_fields(link: Criterion) -> Criterion:
    """The link with no other fields than those of its measure."""
    return link if link.measure == "count" else link._replace(kind=None, of=1)


def points(pool: naive.Numbers) -> st.SearchStrategy[Values]:
    """What a few numbers count, if not themselves."""
    few = st.dictionaries(st.sampled_from(pool), st.integers(-9, 30), max_size=3)
    return st.just({}) | few.map(lambda found: {at: to for at, to in found.items() if at != to})


def twins(
    pool: naive.Numbers, wins: list[Way], ending: list[Criterion], values: Values | None = None
) -> Twins:
    """Rules with nothing but a pool, ways to win, an ending, and what numbers count."""
    values = values or {}
    return Twins(
        Rules(
            pool,
            tuple(way.engine for way in wins),
            tuple(ending),
            values=tuple(sorted(values.items())),
        ),
        naive.Rules(
            pool,
            tuple(way.naive for way in wins),
            naive_endings.chain(pool, ending, counting(values)),
            sees_order=any(link.measure == "longest-ascent" for link in ending),
        ),
    )


@st.composite
def open_rules(draw: st.DrawFn, size: tuple[int, int]) -> Twins:
    """Rules under which a win is seen at once, in whatever order the numbers were picked."""
    pool = draw(pools(size))
    values = draw(points(pool))
    way = ways(pool, (3, 4), fixed=size[1] > 12, values=values)
    wins = draw(st.lists(way, min_size=draw(st.integers(0, 2)), max_size=3))
    both = twins(pool, wins, draw(endings()), values)
    limit = draw(st.none() | st.integers(1, len(pool)))
    invalid, misere = draw(st.sampled_from(INVALID_POLICIES)), draw(st.booleans())
    otherwise = draw(st.sampled_from(OTHERWISE))
    losses = [] if misere else draw(st.lists(way, max_size=2))
    return Twins(
        both.engine._replace(
            hand_limit=limit,
            invalid=invalid,
            misere=misere,
            otherwise=otherwise,
            losses=tuple(way.engine for way in losses),
        ),
        both.naive._replace(
            limit=limit,
            forfeits=invalid == "lose-turn",
            misere=misere,
            otherwise=otherwise,
            losses=tuple(way.naive for way in losses),
        ),
    )


@st.composite
def with_turns(draw: st.DrawFn, rules: st.SearchStrategy[Twins]) -> Twins:
    """These rules with an opening, swapping, passing, and turns of several picks."""
    both = draw(rules)
    pool = both.naive.pool
    opening = tuple(draw(st.lists(st.sampled_from(pool), max_size=3, unique=True)))
    pie, passing = draw(st.booleans()), draw(st.booleans()) and not both.naive.forfeits
    picks, otherwise = draw(st.integers(1, 3)), draw(st.sampled_from(OTHERWISE))
    return Twins(
        both.engine._replace(
            opening=opening, pie=pie, passing=passing, picks_per_turn=picks, otherwise=otherwise
        ),
        both.naive._replace(
            opening=opening, pie=pie, passing=passing, picks=picks, otherwise=otherwise
        ),
    )


@st.composite
def restrictions(draw: st.DrawFn, pool: naive.Numbers) -> tuple[Restriction, naive.Limit]:
    """A restriction, twice."""
    of = (
        draw(st.sampled_from(sorted(RELATIONS))),
        draw(st.sampled_from(REFERENCES)),
        draw(st.booleans()),
        draw(st.integers(1, 12)),
        tuple(draw(st.lists(st.sampled_from(pool), max_size=2, unique=True))),
    )
    return Restriction(*of), naive_limits.restriction(*of)


@st.composite
def caps(draw: st.DrawFn, values: Values) -> tuple[Cap, naive.Limit]:
    """A cap, twice."""
    of = (
        draw(st.sampled_from(TOTALS)),
        draw(st.sampled_from(("own", "taken"))),
        draw(st.integers(-5, 60)),
    )
    return Cap(*of), naive_limits.cap(*of, counting(values))  # type: ignore[arg-type]


@st.composite
def with_limits(draw: st.DrawFn, rules: st.SearchStrategy[Twins]) -> Twins:
    """These rules with limits to the numbers that may be taken, at least one of them at first."""
    both = draw(rules)
    limited = draw(st.lists(restrictions(both.naive.pool), max_size=2))
    capped = draw(st.lists(caps(dict(both.engine.values)), max_size=1))
    ends, stuck = draw(st.booleans()), draw(st.sampled_from(STUCK))
    found = Twins(
        both.engine._replace(
            restrictions=tuple(one for one, _ in limited),
            caps=tuple(one for one, _ in capped),
            row_ends=ends,
            stuck=stuck,
        ),
        both.naive._replace(
            limits=tuple(one for _, one in (*limited, *capped)),
            compared=frozenset(one.compared_with for one, _ in limited),
            row_ends=ends,
            skips=stuck == "skip",
        ),
    )
    assume(naive.choices(found.naive, naive.start(1), 1))
    return found


@st.composite
def declared_rules(draw: st.DrawFn, size: tuple[int, int]) -> Twins:
    """Rules under which a win, with three numbers, must be declared."""
    pool = draw(pools(size))
    values = draw(points(pool))
    wins = draw(st.lists(ways(pool, (3,), fixed=True, values=values), min_size=1, max_size=3))
    both = twins(pool, wins, draw(endings()), values)
    assume(naive.wins(both.naive, pool))  # without any set, the engine never asks
    return Twins(both.engine._replace(declare=True), both.naive._replace(asks_from=3))


@st.composite
def ordered_rules(draw: st.DrawFn, size: tuple[int, int]) -> Twins:
    """Rules under which a whole hand of natural numbers must be a set as picked."""
    pool, length = draw(pools(size, lowest=1)), draw(st.sampled_from((3, 4)))
    names = draw(st.permutations(("arithmetic", "geometric", "chain")))
    wins = [progression(name, length, pool, in_order=True) for name in names]
    wins = draw(st.lists(st.sampled_from(wins), min_size=1, max_size=3, unique_by=str))
    wins += [draw(listed(pool, length, in_order=True))] if draw(st.booleans()) else []
    both, misere = twins(pool, wins, draw(endings())), draw(st.booleans())
    otherwise = draw(st.sampled_from(OTHERWISE))
    return Twins(
        both.engine._replace(hand_limit=length, in_order=True, misere=misere, otherwise=otherwise),
        both.naive._replace(limit=length, in_order=True, misere=misere, otherwise=otherwise),
    )
