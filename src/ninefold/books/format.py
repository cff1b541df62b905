"""What a rule-book file may say, and how it becomes rules."""

import re
from typing import NamedTuple

from ninefold.books.faults import Table
from ninefold.core.patterns import FAMILIES, Pattern
from ninefold.core.rules import (
    INVALID_POLICIES,
    MAX_POOL,
    MEASURES,
    PREFERENCES,
    TIMEOUT_POLICIES,
    Criterion,
    Rules,
)

_RANGE = re.compile(r"(-?[0-9]{1,9})-(-?[0-9]{1,9})\Z")


class Reading(NamedTuple):
    """One way to read a book: a line about it, and its rules in words."""

    summary: str
    text: str


def read_rules(table: Table) -> Rules:
    """The rules of a book; what is wrong with them is noted as faults."""
    table.allow("pool", "wins", "ending", "hand-limit", "in-order", "declare", "invalid", "misere")
    limit = table.get("hand-limit", int, 0)
    if limit < 0:
        table.fault("hand-limit", "a positive number is expected")
    rules = Rules(
        pool=_pool(table),
        wins=_patterns(table.table("wins")),
        ending=tuple(map(_criterion, table.tables("ending"))),
        hand_limit=limit or None,
        in_order=table.get("in-order", bool, False),
        declare=table.get("declare", bool, False),
        invalid=table.choice("invalid", INVALID_POLICIES, "retry"),
        misere=table.get("misere", bool, False),
    )
    if rules.in_order and any(pattern.size != limit for pattern in rules.wins):
        table.fault("in-order", "needs a hand-limit equal to the size of every winning set")
    if rules.in_order and rules.declare:
        table.fault("in-order", "cannot be combined with declare")
    if rules.misere and rules.declare:
        table.fault("misere", "cannot be combined with declare: nobody would declare a set")
    return rules


def read_reading(table: Table) -> Reading:
    """What a reading says about itself; its overlays are merged before anything is read."""
    table.allow("summary", "text", "rules", "words", "play")
    return Reading(table.line("summary", ""), table.prose("text"))


def read_timeout(table: Table) -> str:
    """The timeout policy that goes with the book, unless the players choose another."""
    table.allow("on-timeout")
    return table.choice("on-timeout", TIMEOUT_POLICIES, "lose")


def _pool(table: Table) -> tuple[int, ...]:
    """A range such as "1-9", or a list of different whole numbers."""
    pool = table.data.get("pool")
    if isinstance(pool, str) and (found := _RANGE.match(pool)):
        low, high = int(found[1]), int(found[2])
        if low <= high < low + MAX_POOL:
            return tuple(range(low, high + 1))
    if isinstance(pool, list) and all(type(number) is int for number in pool):
        numbers = tuple(sorted(set(pool)))
        if 1 <= len(numbers) == len(pool) <= MAX_POOL:
            return numbers
    table.fault("pool", f'a range such as "1-9", or a list of up to {MAX_POOL} different numbers')
    return (1,)


def _patterns(wins: Table) -> tuple[Pattern, ...]:
    wins.allow(*FAMILIES)
    chosen = [name for name in wins.data if name in FAMILIES and wins.data[name] is not False]
    return tuple(_pattern(wins.table(name), name) for name in chosen)


def _pattern(table: Table, family: str) -> Pattern:
    parameters = FAMILIES[family].parameters
    table.allow(*parameters)
    values = {key: table.get(key, int) for key in parameters}
    for key, least in parameters.items():
        if least is not None and not least <= values[key] <= MAX_POOL:
            table.fault(key, f"a number from {least} to {MAX_POOL} is expected")
            values[key] = least
    return Pattern(family, tuple(values.items()))


def _criterion(table: Table) -> Criterion:
    table.allow("measure", "prefer")
    return Criterion(table.choice("measure", MEASURES), table.choice("prefer", PREFERENCES))
