"""What a rule-book file may say, and how it becomes rules."""

import re
from typing import NamedTuple

from ninefold.books.faults import MAX_FAULTS, Table, format_found, nearest
from ninefold.core.game import MAX_SETS
from ninefold.core.moves import MAX_DIGITS
from ninefold.core.patterns import FAMILIES, Numbers, Parameter, Pattern, Value, misfit
from ninefold.core.rules import (
    INVALID_POLICIES,
    MAX_LINKS,
    MAX_PATTERNS,
    MAX_POOL,
    MEASURES,
    OTHERWISE,
    PREFERENCES,
    TIMEOUT_POLICIES,
    Criterion,
    Rules,
)

_RANGE = re.compile(r"(-?[0-9]{1,9})-(-?[0-9]{1,9})(?: step ([0-9]{1,9}))?\Z")
_LOOSE = re.compile(
    r"\s*(-?[0-9]{1,9})\s*(?:-|\u2013|\.{2,3}|\u2026|:|to|until)\s*(-?[0-9]{1,9})"
    r"(?:[\s,]*(?:step|by)\s*([0-9]{1,9}))?\s*\Z"
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}\Z")
_POOL = 'a range such as "1-9" or "2-20 step 2", or a list of numbers'
RULES = (
    "pool wins ending otherwise hand-limit in-order declare invalid misere passing "
    "picks-per-turn opening pie"
).split()
READING = ("summary", "text", "rules", "words", "play")
PLAY = ("on-timeout",)
CRITERION = ("measure", "prefer")
DISTANCE = ("target", "exceeding")


class Reading(NamedTuple):
    """One way to read a book: a line about it, and its rules in words."""

    summary: str
    text: str


def read_rules(table: Table) -> Rules:
    """The rules of a book; what is wrong with them is noted as faults."""
    table.allow(*RULES)
    limit = table.get("hand-limit", int, 0)
    if limit < 0:
        table.fault("hand-limit", "a positive number is expected")
    pool = _pool(table)
    rules = Rules(
        pool=pool,
        wins=_patterns(table.table("wins"), pool),
        ending=_ending(table),
        hand_limit=limit or None,
        in_order=table.get("in-order", bool, False),
        declare=table.get("declare", bool, False),
        invalid=table.choice("invalid", INVALID_POLICIES, "retry"),
        misere=table.get("misere", bool, False),
        passing=table.get("passing", bool, False),
        picks_per_turn=_picks(table),
        opening=_opening(table, pool),
        pie=table.get("pie", bool, False),
        otherwise=table.choice("otherwise", OTHERWISE, "draw"),
    )
    _check_together(table, rules)
    return rules


def _check_together(table: Table, rules: Rules) -> None:
    """Note the rules that contradict each other."""
    if rules.in_order and any(pattern.sizes != (rules.hand_limit,) for pattern in rules.wins):
        table.fault("in-order", "needs a hand-limit equal to the size of every winning set")
    if rules.in_order and rules.declare:
        table.fault("in-order", "cannot be combined with declare")
    if rules.misere and rules.declare:
        table.fault("misere", "cannot be combined with declare: nobody would declare a set")
    if rules.passing and rules.invalid == "lose-turn":
        table.fault(
            "passing", 'cannot be combined with invalid = "lose-turn": a turn can be passed'
        )


def read_reading(table: Table) -> Reading:
    """What a reading says about itself; its overlays are merged before anything is read."""
    table.allow(*READING)
    return Reading(table.line("summary", ""), table.prose("text"))


def read_timeout(table: Table) -> str:
    """The timeout policy that goes with the book, unless the players choose another."""
    table.allow(*PLAY)
    return table.choice("on-timeout", TIMEOUT_POLICIES, "lose")


def _pool(table: Table) -> Numbers:
    """A range such as "1-9", perhaps with a step, or a list of different whole numbers."""
    pool = table.data.get("pool")
    if isinstance(pool, str) and (found := _RANGE.match(pool)):
        low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
        if step and low <= high < low + step * MAX_POOL:
            return tuple(range(low, high + 1, step))
        table.fault("pool", *_bad_range(low, high, step))
    elif isinstance(pool, str):
        table.fault("pool", f"{_POOL}, is expected", _meant(pool))
    elif isinstance(pool, list):
        if not (wrong := _bad_list(pool)):
            return tuple(sorted(pool))
        table.fault("pool", wrong)
    elif "pool" in table.data:
        table.fault("pool", f"{_POOL}, is expected")
    else:
        table.fault("pool", f"the numbers are missing: {_POOL}")
    return (1,)


def _bad_range(low: int, high: int, step: int) -> tuple[str, str]:
    """What is wrong with a range, and what may be meant."""
    if not step:
        return "the step of a range is at least 1", ""
    if low > high:
        return "a range goes upwards", f'did you mean "{high}-{low}"?'
    return _too_many((high - low) // step + 1), ""


def _bad_list(pool: list[object]) -> str:
    """What is wrong with a list of numbers; nothing if it is a pool."""
    if not pool:
        return "at least one number is expected"
    if len(pool) > MAX_POOL:
        return _too_many(len(pool))
    for number in pool:
        if type(number) is not int:
            return f"whole numbers are expected, and {format_found(number)} is none"
        if not _is_number(number):
            return f"numbers of at most {MAX_DIGITS} digits are expected"
    twice = next((number for number in pool if pool.count(number) > 1), None)
    return "" if twice is None else f"each number stands there once, and {twice} does not"


def _too_many(number: int) -> str:
    return f"at most {MAX_POOL} numbers are expected, and these are {number}"


def _meant(pool: str) -> str:
    """The range that is meant by one written in another way, such as 1 to 9 or 1..9."""
    found = _LOOSE.match(pool)
    if not found:
        return ""
    step = f" step {found[3]}" if found[3] else ""
    return f'did you mean "{found[1]}-{found[2]}{step}"?'


def _is_number(value: object) -> bool:
    """Whether this is a whole number that can be written as a move."""
    return type(value) is int and abs(value) < 10**MAX_DIGITS


def _picks(table: Table) -> int:
    picks = table.get("picks-per-turn", int, 1)
    if not 1 <= picks <= MAX_POOL:
        table.fault("picks-per-turn", f"a number from 1 to {MAX_POOL} is expected")
        return 1
    return picks


def _opening(table: Table, pool: Numbers) -> Numbers:
    """The numbers that may be taken first; nothing stands for all of them."""
    opening = table.get("opening", list, [])
    if all(map(_is_number, opening)) and set(opening) <= set(pool):
        return tuple(sorted(set(opening)))
    table.fault("opening", "a list of numbers of the pool is expected")
    return ()


def _patterns(wins: Table, pool: Numbers) -> tuple[Pattern, ...]:
    """The ways to win; one that is false has been taken away by a reading or a change."""
    chosen = [name for name in wins.data if wins.data[name] is not False]
    if len(chosen) > MAX_PATTERNS:
        wins.fault("", f"at most {MAX_PATTERNS} ways to win are expected, not {len(chosen)}")
    found = (_pattern(wins, name, pool) for name in chosen[:MAX_PATTERNS])
    return tuple(pattern for pattern in found if pattern is not None)


def _pattern(wins: Table, name: str, pool: Numbers) -> Pattern | None:
    if not _NAME.match(name):
        wins.fault(name, "a name of letters, digits and hyphens is expected, up to 40 of them")
        return None
    table = wins.table(name)
    if "family" not in table.data and name not in FAMILIES:
        listed = ", ".join(FAMILIES)
        table.fault("", f"needs a family, one of {listed}", nearest(name, FAMILIES))
        return None
    family = table.choice("family", FAMILIES, name)
    parameters = FAMILIES[family].parameters
    before = len(table.faults)
    table.allow("family", *parameters)
    values = {
        key: _parameter(table, key, parameter, pool)
        for key, parameter in parameters.items()
        if parameter.required or key in table.data
    }
    if len(table.faults) > before:
        return None
    if wrong := misfit(family, values):
        table.fault("", wrong)
        return None
    values = {key: value for key, value in values.items() if value is not False}
    return Pattern(family, tuple(values.items()), "" if name == family else name)


def _parameter(table: Table, key: str, parameter: Parameter, pool: Numbers) -> Value:
    """The value of one parameter; what is wrong with it is noted as a fault."""
    if parameter.kind is tuple:
        return _sets(table, key, pool)
    if parameter.kind is bool:
        return table.get(key, bool)
    if parameter.choices:
        return table.choice(key, parameter.choices)
    value, least = table.get(key, int), parameter.least
    most = MAX_POOL if key in ("length", "count") else 10**MAX_DIGITS - 1
    if key in table.data and not (-most if least is None else least) <= value <= most:
        shown = f"a number of at most {MAX_DIGITS} digits"
        table.fault(key, f"a number from {least} to {most} is expected" if least else shown)
    return value


def _sets(table: Table, key: str, pool: Numbers) -> tuple[Numbers, ...]:
    """A list of sets, each of different numbers of the pool, in the order they are listed."""
    listed = table.get(key, list)
    members = set(pool)
    if len(listed) > MAX_SETS:
        table.fault(key, f"at most {MAX_SETS} sets are expected")
        return ()
    found, before = [], len(table.faults)
    for at, numbers in enumerate(listed):
        if (
            not isinstance(numbers, list)
            or not all(map(_is_number, numbers))
            or not members.issuperset(numbers)
            or not 0 < len(numbers) == len(set(numbers))
        ):
            table.fault(f"{key}[{at}]", "a list of different numbers of the pool is expected")
            if len(table.faults) - before >= MAX_FAULTS:
                break
        else:
            found.append(tuple(numbers))
    return tuple(found)


def _ending(table: Table) -> tuple[Criterion, ...]:
    links = table.tables("ending")
    if len(links) > MAX_LINKS:
        table.fault("ending", f"at most {MAX_LINKS} links are expected, not {len(links)}")
    return tuple(map(_criterion, links[:MAX_LINKS]))


def _criterion(table: Table) -> Criterion:
    measure = table.choice("measure", MEASURES)
    only = DISTANCE if measure == "distance" else ()
    table.allow(*CRITERION, *only)
    link = Criterion(measure, table.choice("prefer", PREFERENCES))
    if not only:
        return link
    target = table.get("target", int)
    if not _is_number(target):
        table.fault("target", f"a number of at most {MAX_DIGITS} digits is expected")
    return link._replace(target=target, exceeding=table.get("exceeding", bool, True))
