"""The types of the fields ``pool`` and ``wins``: numbers, and patterns of a family."""

import re
from functools import cache

from ninefold.books.families import FAMILIES
from ninefold.books.faults import MAX_FAULTS, Table, format_found, nearest
from ninefold.books.fields import (
    FLAG,
    LARGEST,
    Field,
    Schema,
    Type,
    choice,
    is_number,
    number_list,
    read_fields,
    table_schema,
    whole,
)
from ninefold.core import patterns
from ninefold.core.game import MAX_SETS
from ninefold.core.moves import MAX_DIGITS
from ninefold.core.patterns import Numbers, Parameter, Pattern, misfit
from ninefold.core.rules import MAX_PATTERNS, MAX_POOL

_PATTERN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}\Z")
_RANGE = re.compile(r"(-?[0-9]{1,9})-(-?[0-9]{1,9})(?: step ([0-9]{1,9}))?\Z")
_LOOSE_RANGE = re.compile(
    r"\s*(-?[0-9]{1,9})\s*(?:-|\u2013|\.{2,3}|\u2026|:|to|until)\s*(-?[0-9]{1,9})"
    r"(?:[\s,]*(?:step|by)\s*([0-9]{1,9}))?\s*\Z"
)


def _read_pool(table: Table, key: str) -> Numbers:
    """The numbers in ascending order."""
    pool = table.data.get(key)
    if isinstance(pool, str) and (found := _RANGE.match(pool)):
        low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
        if step and low <= high < low + step * MAX_POOL:
            return tuple(range(low, high + 1, step))
        table.fault(key, *_range_problem(low, high, step))
    elif isinstance(pool, list):
        if not (problem := _list_problem(pool)):
            return tuple(sorted(pool))
        table.fault(key, problem)
    else:
        table.wrong(key, POOL.expected, _meant_range(pool) if isinstance(pool, str) else "")
    return (1,)


def _pool_schema() -> Schema:
    text = {"type": "string", "pattern": "^-?[0-9]{1,9}--?[0-9]{1,9}( step [0-9]{1,9})?$"}
    return {"anyOf": [text, {**number_list(1, MAX_POOL).schema(), "uniqueItems": True}]}


POOL = Type(
    'a range such as "1-9" or "2-20 step 2", or a list of whole numbers', _read_pool, _pool_schema
)


def _range_problem(low: int, high: int, step: int) -> tuple[str, str]:
    """What is wrong with a range, and what may be meant."""
    if not step:
        return "the step of a range must be at least 1", ""
    if low > high:
        return "a range must go from low to high", f'did you mean "{high}-{low}"?'
    return _too_many((high - low) // step + 1), ""


def _list_problem(pool: list[object]) -> str:
    """What is wrong with a list of numbers; nothing if it is a pool."""
    if not pool:
        return "must have at least one number"
    if len(pool) > MAX_POOL:
        return _too_many(len(pool))
    for number in pool:
        if type(number) is not int:
            return f"must be a list of whole numbers, but {format_found(number)} is not one"
        if not is_number(number):
            return f"numbers must have at most {MAX_DIGITS} digits"
    twice = next((number for number in pool if pool.count(number) > 1), None)
    return "" if twice is None else f"the numbers must be different, but {twice} is listed twice"


def _too_many(number: int) -> str:
    return f"must have at most {MAX_POOL} numbers, not {number}"


def _meant_range(pool: str) -> str:
    """The range that is meant by one written in another way, such as 1 to 9 or 1..9."""
    found = _LOOSE_RANGE.match(pool)
    if not found:
        return ""
    step = f" step {found[3]}" if found[3] else ""
    return f'did you mean "{found[1]}-{found[2]}{step}"?'


SET = "a list of different numbers of the pool"


def _read_sets(table: Table, key: str) -> tuple[Numbers, ...]:
    """The sets as they are listed."""
    listed = table.get(key, list, SETS.expected) or []
    if len(listed) > MAX_SETS:
        table.fault(key, f"must have at most {MAX_SETS:,} sets, not {len(listed):,}")
        return ()
    wrong = [at for at, numbers in enumerate(listed) if not is_set(numbers)]
    for at in wrong[:MAX_FAULTS]:
        table.wrong(key, SET, at=at)
    return () if wrong else tuple(map(tuple, listed))


def _sets_schema() -> Schema:
    numbers = {"items": {"type": "integer"}, "minItems": 1, "uniqueItems": True}
    return {"type": "array", "items": {"type": "array", **numbers}}


SETS = Type(f"a list of sets, each {SET}", _read_sets, _sets_schema)


def is_set(numbers: object) -> bool:
    """Whether this is a list of different whole numbers."""
    if not isinstance(numbers, list) or not all(map(is_number, numbers)):
        return False
    return 0 < len(numbers) == len({*numbers})


@cache
def parameter_fields(family: str) -> tuple[Field, ...]:
    """The parameters of a family as rows of the language."""
    words = FAMILIES[family].parameters
    return tuple(
        Field(
            name,
            _type_of(name, parameter),
            f"{words[name].meaning[:1].upper()}{words[name].meaning[1:]}.",
            required=parameter.required,
            without=words[name].without,
            question=words[name].question or words[name].meaning,
        )
        for name, parameter in patterns.FAMILIES[family].parameters.items()
    )


def _type_of(name: str, parameter: Parameter) -> Type:
    if parameter.kind is tuple:
        return SETS
    if parameter.kind is bool:
        return FLAG
    if parameter.choices:
        return choice(parameter.choices)
    least = -LARGEST if parameter.least is None else parameter.least
    return whole(least, MAX_POOL if name in ("length", "count") else LARGEST)


FAMILY = Field(
    "family",
    choice(FAMILIES),
    "The family of the pattern.",
    without="the name of the pattern, if that is a family",
)


def _read_wins(table: Table, key: str) -> tuple[Pattern, ...]:
    """The patterns in the order of the file; one with a fault is left out."""
    wins = table.table(key)
    chosen = [name for name in wins.data if wins.data[name] is not False]
    if len(chosen) > MAX_PATTERNS:
        wins.fault("", f"must have at most {MAX_PATTERNS} patterns, not {len(chosen)}")
    found = (_read_pattern(wins, name) for name in chosen[:MAX_PATTERNS])
    return tuple(pattern for pattern in found if pattern is not None)


def _read_pattern(wins: Table, name: str) -> Pattern | None:
    if not _PATTERN_NAME.match(name):
        wins.fault(name, "the name must be up to 40 letters, digits and hyphens")
        return None
    table = wins.table(name)
    if "family" not in table.data and name not in FAMILIES:
        table.fault("", f"needs a family, {FAMILY.type.expected}", nearest(name, FAMILIES))
        return None
    before = len(table.faults)
    family = FAMILY.type.read(table, "family") if "family" in table.data else name
    if len(table.faults) > before:
        return None
    values = read_fields(table, (FAMILY, *parameter_fields(family)))
    given = {key: values[key] for key in values if key in table.data and key != "family"}
    if len(table.faults) > before:
        return None
    if problem := misfit(family, given):
        table.fault("", problem)
        return None
    used = {key: value for key, value in given.items() if value is not False}
    return Pattern(family, tuple(used.items()), "" if name == family else name)


def _wins_schema() -> Schema:
    """Families under their own names, and patterns under any other name."""
    removed = {"enum": [False], "description": "Removes an inherited pattern."}
    return {
        "type": "object",
        "properties": {family: _family_schema(family, removed) for family in FAMILIES},
        "additionalProperties": {"anyOf": [{"$ref": "#/$defs/pattern"}, removed]},
        "maxProperties": MAX_PATTERNS,
    }


def _family_schema(family: str, removed: Schema) -> Schema:
    """A family under its own name, which may also hold a pattern of another family."""
    meaning = FAMILIES[family].meaning
    description = {"description": f"{meaning[:1].upper()}{meaning[1:]}."}
    own = table_schema(parameter_fields(family), partial=True)  # the rest may be inherited
    other = {"allOf": [{"$ref": "#/$defs/pattern"}, {"required": ["family"]}]}
    return {**description, "anyOf": [{**description, **own}, other, removed]}


WINS = Type("a table of patterns", _read_wins, _wins_schema)
