"""Rule books read from their files with nothing but a TOML parser, for the naive definition.

Nothing is imported from ninefold: how a book is read is a second opinion, too.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from contract import naive, naive_endings, naive_limits, naive_sets

ROOT = Path(__file__).resolve().parents[2]
OWN_BOOKS = ROOT / "src" / "ninefold" / "books" / "data"

Table = dict[str, Any]
GOALS = ("equals", "multiple-of", "at-least", "at-most", "kind")


@cache
def rules_of(path: Path, reading: str, pool: naive.Numbers = ()) -> naive.Rules:
    """The rules of one reading of the book in this file, on its own pool or another one."""
    table = rules_table(path, reading)
    numbers = pool or pool_of(table["pool"])
    in_order = table.get("in-order", False)
    values = {int(number): points for number, points in table.get("values", {}).items()}
    wins, losses = (
        [
            family
            for name, pattern in table.get(kind, {}).items()
            if pattern is not False
            for family in families_of(
                pattern.get("family", name), pattern, numbers, in_order, values
            )
        ]
        for kind in ("wins", "losses")
    )
    links = [
        (
            link["measure"],
            link["prefer"],
            link.get("target", 0),
            link.get("exceeding", True),
            link.get("among", "lowest"),
            link.get("kind"),
            link.get("of", 1),
        )
        for link in table.get("ending", [])
    ]
    sizes = [family.size for family in wins if family.size]
    return naive.Rules(
        numbers,
        tuple(wins),
        naive_endings.chain(numbers, links, counting(values)),
        sees_order=any(measure == "longest-ascent" for measure, *_ in links),
        limit=table.get("hand-limit"),
        in_order=in_order,
        asks_from=min(sizes) if table.get("declare") else None,
        forfeits=table.get("invalid") == "lose-turn",
        misere=table.get("misere", False),
        passing=table.get("passing", False),
        picks=table.get("picks-per-turn", 1),
        opening=tuple(table.get("opening", ())),
        pie=table.get("pie", False),
        otherwise=table.get("otherwise", "draw"),
        limits=(*limits_of(table, values),),
        compared=frozenset(told["compared-with"] for told in table.get("restrictions", [])),
        row_ends=table.get("row-ends", False),
        skips=table.get("stuck") == "skip",
        losses=tuple(losses),
    )


def limits_of(table: Table, values: dict[int, int]) -> Iterator[naive.Limit]:
    """What a book says about which numbers may be taken."""
    for told in table.get("restrictions", []):
        must = "must" in told
        relation, by = told["must" if must else "must-not"], told.get("by", 0)
        exceptions = tuple(told.get("except", ()))
        yield naive_limits.restriction(relation, told["compared-with"], must, by, exceptions)
    for told in table.get("caps", []):
        yield naive_limits.cap(told["total"], told["of"], told["at-most"], counting(values))


def counting(values: dict[int, int]) -> naive_sets.Points:
    """What a number counts in totals: itself, unless the book says otherwise."""
    return lambda number: values.get(number, number)


def readings_of(path: Path) -> list[str]:
    """The names of the ways to play this book, the default first."""
    data = whole(path)
    default = data.get("default-reading", "default")
    return [default, *(name for name in data.get("readings", {}) if name != default)]


def rules_table(path: Path, reading: str) -> Table:
    """The table of rules that one reading has in the end."""
    data = whole(path)
    changes = data.get("readings", {}).get(reading, {})
    return laid_over(data["rules"], changes.get("rules", {}))


def whole(path: Path) -> Table:
    """A book with everything it inherits."""
    data = tomllib.loads(path.read_text("utf-8"))
    if "extends" not in data:
        return data
    named = data["extends"]
    parent = path.parent / named if named.endswith(".toml") else OWN_BOOKS / f"{named}.toml"
    return laid_over(whole(parent), data)


def laid_over(below: Table, above: Table) -> Table:
    """One table over another: tables are joined, everything else is replaced."""
    joined = dict(below)
    for key, value in above.items():
        both = isinstance(value, dict) and isinstance(below.get(key), dict)
        joined[key] = laid_over(below[key], value) if both else value
    return joined


def pool_of(told: str | list[int]) -> naive.Numbers:
    """A list of numbers, or from one to another, perhaps in steps."""
    if isinstance(told, list):
        return tuple(told)
    span = re.fullmatch(r"(-?\d+)-(-?\d+)(?: step (\d+))?", told)
    assert span is not None
    low, high, step = (int(part or 1) for part in span.groups())
    numbers = []
    while low <= high:
        numbers.append(low)
        low += step
    return tuple(numbers)


def families_of(
    name: str, told: Table, pool: naive.Numbers, in_order: bool, values: dict[int, int]
) -> list[naive.Family]:
    """What one pattern of a book comes to."""
    if name in ("sum", "product"):
        goal = {key: told[key] for key in GOALS if key in told}
        test = naive_sets.total_of(name, goal, counting(values))
        hands = told.get("whole-hand", False), told.get("shared", False)
        return [naive.Family(name, told.get("count"), test, *hands)]
    if name == "kind":
        test = naive_sets.all_of_a_kind(told["kind"], told.get("of", 1))
        return [naive.Family(name, told["count"], test)]
    if name == "sets":
        rows = [tuple(row) if in_order else tuple(sorted(row)) for row in told["sets"]]
        sizes = sorted({len(row) for row in rows})
        return [naive.Family(name, size, lambda numbers: numbers in rows) for size in sizes]
    if name == "sum-triple":
        return [naive.Family(name, 3, sum_in_order if in_order else naive_sets.sum_triple)]
    tests: dict[str, tuple[Callable[[naive.Numbers], bool], Callable[[naive.Numbers], bool]]] = {
        "arithmetic": (naive_sets.arithmetic, naive_sets.evenly_spaced),
        "geometric": (naive_sets.geometric, naive_sets.evenly_scaled),
        "consecutive": (naive_sets.neighbours(pool), one_way(pool)),
        "chain": (naive_sets.chained, naive_sets.dividing),
    }
    return [naive.Family(name, told["length"], tests[name][in_order])]


def sum_in_order(numbers: naive.Numbers) -> bool:
    """Whether the last number is the sum of the two before it, read from either end."""
    x, y, z = numbers
    return x + y == z or z + y == x


def one_way(pool: naive.Numbers) -> Callable[[naive.Numbers], bool]:
    """A test whether the numbers were taken side by side, always up or always down."""
    line = sorted(pool)

    def test(numbers: naive.Numbers) -> bool:
        places = [line.index(number) for number in numbers]
        up = list(range(places[0], places[0] + len(places)))
        down = list(range(places[0], places[0] - len(places), -1))
        return places in (up, down)

    return test
