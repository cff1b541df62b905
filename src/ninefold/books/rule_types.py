"""The types of the fields ``pool`` and ``wins``: numbers, and patterns of a family."""

import re

from ninefold.books.families import FAMILIES
from ninefold.books.faults import Key, Table, nearest
from ninefold.books.fields import as_sentence, optional, read_given, table_schema
from ninefold.books.values import Schema, Type, choice, number_list, whole
from ninefold.core.patterns import Numbers, Pattern, misfit
from ninefold.core.rules import MAX_PATTERNS, MAX_POOL

_PATTERN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}\Z")
_RANGE = re.compile(r"(-?[0-9]{1,9})-(-?[0-9]{1,9})(?: step ([0-9]{1,9}))?\Z")
_LOOSE_RANGE = re.compile(
    r"\s*(-?[0-9]{1,9})\s*(?:-|\u2013|\.{2,3}|\u2026|:|to|until)\s*(-?[0-9]{1,9})"
    r"(?:[\s,]*(?:step|by)\s*([0-9]{1,9}))?\s*\Z"
)


def _read_pool(table: Table, key: Key) -> Numbers:
    """The numbers in ascending order."""
    pool = table.data.get(key)
    if isinstance(pool, list):
        numbers: Numbers = _POOL_LIST.read(table, key)
        twice = next((number for number in numbers if numbers.count(number) > 1), None)
        if twice is not None:
            table.fault(key, f"the numbers must be different, but {twice} is listed twice")
        return tuple(sorted({*numbers})) or (1,)
    if not isinstance(pool, str) or not (found := _RANGE.match(pool)):
        table.wrong(key, POOL.expected, _meant_range(pool) if isinstance(pool, str) else "")
        return (1,)
    low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
    if not step:
        table.fault(key, "the step of a range must be at least 1")
    elif low > high:
        table.fault(key, "a range must go from low to high", f'did you mean "{high}-{low}"?')
    elif not table.too_many(key, (high - low) // step + 1, MAX_POOL, "numbers"):
        return tuple(range(low, high + 1, step))
    return (1,)


def _meant_range(pool: str) -> str:
    """The range that is meant by one written in another way, such as 1 to 9 or 1..9."""
    found = _LOOSE_RANGE.match(pool)
    if not found:
        return ""
    step = f" step {found[3]}" if found[3] else ""
    return f'did you mean "{found[1]}-{found[2]}{step}"?'


_POOL_LIST = number_list(1, MAX_POOL)
_POOL_TEXT = {"type": "string", "pattern": "^-?[0-9]{1,9}--?[0-9]{1,9}( step [0-9]{1,9})?$"}
POOL = Type(
    'a range such as "1-9" or "2-20 step 2", or a list of whole numbers',
    _read_pool,
    {"anyOf": [_POOL_TEXT, {**_POOL_LIST.schema, "uniqueItems": True}]},
)


def _read_values(table: Table, key: Key) -> tuple[tuple[int, int], ...]:
    """The points of each number, by its name; one that counts itself is left out."""
    values, found = table.table(key), dict[int, int]()
    for name in values.chosen(MAX_POOL, "numbers"):
        points = whole().read(values, name)
        if re.fullmatch(r"-?[0-9]{1,18}", name):
            found[int(name)] = points
        else:
            values.fault(name, "the name must be a number of the pool")
    return tuple(sorted(item for item in found.items() if item[0] != item[1]))


VALUES = Type(
    "a table of numbers and what they count",
    _read_values,
    {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": MAX_POOL},
)
FAMILY = optional(
    choice(FAMILIES), "The family of the pattern.", "the name of the pattern, if that is a family"
)


def _read_wins(table: Table, key: Key) -> tuple[Pattern, ...]:
    """The patterns in the order of the file; one with a fault is left out."""
    wins = table.table(key)
    found = [_read_pattern(wins, name) for name in wins.chosen(MAX_PATTERNS, "patterns")]
    return tuple(pattern for pattern in found if pattern is not None)


def _read_pattern(wins: Table, name: str) -> Pattern | None:
    if not _PATTERN_NAME.match(name):
        wins.fault(name, "the name must be up to 40 letters, digits and hyphens")
        return None
    before = len(wins.faults)
    table, family = wins.table(name), name
    if "family" in table.data:
        family = FAMILY.type.read(table, "family")
    elif name not in FAMILIES and len(wins.faults) == before:
        table.fault("", f"needs a family, {FAMILY.type.expected}", nearest(name, FAMILIES))
    if len(table.faults) > before:
        return None  # nothing is known about the parameters of an unknown family
    given = read_given(table, {"family": FAMILY, **FAMILIES[family].parameters})
    if len(table.faults) == before and (problem := misfit(family, given)):
        table.fault("", problem)
    if len(table.faults) > before:
        return None
    used = [(key, given[key]) for key in given if key != "family" and given[key] is not False]
    return Pattern(family, tuple(used), "" if name == family else name)


def _family_schema(family: str) -> Schema:
    """A family under its own name, which may also hold a pattern of another family."""
    description = {"description": as_sentence(FAMILIES[family].meaning)}
    own = table_schema(FAMILIES[family].parameters, partial=True)  # the rest may be inherited
    other = {"allOf": [{"$ref": "#/$defs/pattern"}, {"required": ["family"]}]}
    return {**description, "anyOf": [{**description, **own}, other, _REMOVED]}


_REMOVED = {"enum": [False], "description": "Removes an inherited pattern."}
# Families under their own names, and patterns under any other name.
WINS = Type(
    "a table of patterns",
    _read_wins,
    {
        "type": "object",
        "properties": {family: _family_schema(family) for family in FAMILIES},
        "additionalProperties": {"anyOf": [{"$ref": "#/$defs/pattern"}, _REMOVED]},
        "maxProperties": MAX_PATTERNS,
    },
)
