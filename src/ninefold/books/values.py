"""The values of a rule book: what a field may hold, how it is read, what a schema says about it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ninefold.books.faults import MAX_FAULTS, Key, Table, Test, nearest
from ninefold.books.safety import UNREADABLE, UNREADABLE_LINES, is_readable
from ninefold.core.moves import MAX_DIGITS
from ninefold.core.rules import MAX_POOL
from ninefold.core.sets import MAX_SETS

T = TypeVar("T")
Schema: TypeAlias = dict[str, Any]

MAX_LINE = 300
LARGEST = 10**MAX_DIGITS - 1
# Characters that a schema refuses in any text, beside the control characters.
HIDDEN = r"\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
LINE_PATTERN = rf"^[^\u0000-\u001f{HIDDEN}]*$"
PROSE_PATTERN = rf"^[^\u0000-\u0009\u000b-\u001f{HIDDEN}]*$"


class Type(NamedTuple):
    """What a field may hold; a missing or wrong one is noted, and read as something harmless."""

    expected: str  # completes the sentence "must be …"
    read: Callable[[Table, Key], Any]
    schema: Schema
    options: tuple[Any, ...] = ()
    rows: Mapping[str, Any] = {}  # the fields of each table, for a list of tables


def as_toml(value: object) -> str:
    """A value in one line of a file; texts, numbers, flags and lists are written as in JSON."""
    import json

    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {as_toml(item)}' for key, item in value.items())} }}"
    if isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value):
        return f"[{', '.join(map(as_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def plain(
    kind: type[T], expected: str, schema: Schema, harmless: T, valid: Test[T] | None = None
) -> Type:
    """A value of one type of Python that passes a test; ``harmless`` replaces any other."""

    def read(table: Table, key: Key) -> T:
        value = table.get(key, kind, expected, valid)
        return harmless if value is None else value

    return Type(expected, read, schema)


FLAG = plain(bool, "true or false", {"type": "boolean"}, False)._replace(options=(True, False))


def whole(least: int = -LARGEST, most: int = LARGEST) -> Type:
    """A whole number within these bounds; a schema shows only those that mean something."""
    expected = f"a whole number from {least} to {most}"
    if most == LARGEST:
        expected = "a whole number" + (f", at least {least}" if least > -LARGEST else "")
    low = {"minimum": least} if least > -LARGEST else {}
    high = {"maximum": most} if most < LARGEST else {}
    schema = {"type": "integer", **low, **high}
    return plain(int, expected, schema, max(least, 0), lambda value: least <= value <= most)


def choice(options: Iterable[Any]) -> Type:
    """One of these values, which may be texts, numbers or flags."""
    values = tuple(options)
    named = [str(value).lower() if value is True else str(value) for value in values]
    expected = f"one of {', '.join(named)}" if len(named) > 1 else named[0]

    def read(table: Table, key: Key) -> Any:
        found = table.data.get(key)
        for value in values:
            if found == value and type(found) is type(value):
                return value
        table.wrong(key, expected, nearest(found, named) if isinstance(found, str) else "")
        return values[0]

    text = {"type": "string"} if all(isinstance(value, str) for value in values) else {}
    return Type(expected, read, {**text, "enum": [*values]}, values)


def line(least: int = 0, expected: str = "a line of text") -> Type:
    """A line of at least so many characters that is safe to show."""

    def read(table: Table, key: Key) -> str:
        text = table.get(key, str, expected)
        if text is None:
            return ""
        if not is_readable(text):
            table.fault(key, UNREADABLE)
        elif not table.too_many(key, len(text), MAX_LINE, "characters") and len(text) < least:
            table.fault(key, "must not be empty")
        return text

    bounds = {"maxLength": MAX_LINE, **({"minLength": least} if least else {})}
    return Type(expected, read, {"type": "string", "pattern": LINE_PATTERN, **bounds})


def _read_prose(table: Table, key: Key) -> str:
    text = (table.get(key, str, PROSE.expected) or "").strip()
    if not is_readable(text, lines=True):
        table.fault(key, UNREADABLE_LINES)
    return text


LINE = line()
PROSE = Type("text", _read_prose, {"type": "string", "pattern": PROSE_PATTERN})


def list_of(
    item: Type, expected: str, most: int | None = None, noun: str = "", least: int = 0
) -> Type:
    """A list in the order of the file; one with a fault is read as an empty one."""

    def read(table: Table, key: Key) -> tuple[Any, ...]:
        before = len(table.faults)
        items = table.items(key, expected, most, noun)
        values = []
        for at in items.data:
            values.append(item.read(items, at))
            if len(table.faults) >= before + MAX_FAULTS:
                break
        if len(table.faults) > before:
            return ()
        if len(values) < least:
            table.wrong(key, expected)
        return tuple(values)

    upper = {} if most is None else {"maxItems": most}
    bounds = {**upper, **({"minItems": least} if least else {})}
    return Type(expected, read, {"type": "array", "items": item.schema, **bounds})


def number_list(least: int = 0, most: int = MAX_POOL) -> Type:
    """A list of whole numbers."""
    expected = f"a list of {least or 'up'} to {most} whole numbers, such as [5]"
    return list_of(whole(), expected, most, "numbers", least)


NUMBERS = number_list()
A_SET = "a list of different numbers of the pool"


def is_set(numbers: object) -> bool:
    """Whether this is a list of different whole numbers."""
    if not isinstance(numbers, list) or {*map(type, numbers)} != {int}:
        return False
    return len(numbers) == len({*numbers})


_SET = Type(
    A_SET,
    lambda table, key: tuple(table.get(key, list, A_SET, is_set) or ()),
    {"type": "array", "items": {"type": "integer"}, "minItems": 1, "uniqueItems": True},
)
SETS = list_of(_SET, f"a list of sets, each {A_SET}", MAX_SETS, "sets")


def raw(expected: str, schema: Schema) -> Type:
    """A value as it is written, for a field that has a reader of its own."""
    return Type(expected, lambda table, key: table.data.get(key), schema)


def defined(name: str, expected: str = "a table") -> Type:
    """What the schema defines under this name; it has a reader of its own."""
    return raw(expected, {"allOf": [{"$ref": f"#/$defs/{name}"}]})
