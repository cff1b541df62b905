"""The fields of JSON objects: declared once, and so read and described by the same bounds."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from ninefold.core.errors import NinefoldError
from ninefold.core.text import NamedTuple
from ninefold.web.server.view import Json

# Letters, marks, digits, punctuation, symbols and the plain space: what Python calls printable.
PRINTABLE = r"^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$"


class BadRequest(NinefoldError):
    """A request that cannot be understood; the message names the field."""

    def __init__(self, reason: str) -> None:
        super().__init__("bad-request", reason)


class Field(NamedTuple):
    """One value of JSON: its schema, and how it is read; ``read`` returns None if it is wrong.

    ``expected`` finishes the sentence "NAME must be ...". A field with a default may be left out
    or be null.
    """

    schema: Json
    read: Callable[[object], Any]
    expected: str
    is_required: bool = True
    default: Any = None


Fields = Mapping[str, Field]
# PostgreSQL keeps no null characters, and nothing keeps half of a surrogate pair.
_NOT_TEXT = re.compile(r"[\0\ud800-\udfff]")


def text(meaning: str, most: int, pattern: str = "") -> Field:
    """A text of up to so many characters in a line; of these characters, if there is a pattern."""
    schema = {"type": "string", "minLength": 1, "maxLength": most, "pattern": pattern or PRINTABLE}
    matches = re.compile(pattern).fullmatch if pattern else None

    def read(value: object) -> str | None:
        if type(value) is not str or not 1 <= len(value) <= most or not value.isprintable():
            return None
        return value if matches is None or matches(value) else None

    kind = f"characters that match {pattern}" if pattern else "printable characters"
    return _described(meaning, schema, read, f"a text of 1 to {most:,} {kind}")


def prose(meaning: str, most: int) -> Field:
    """A text of up to so many characters in any number of lines."""
    schema = {"type": "string", "minLength": 1, "maxLength": most, "pattern": r"^[^\u0000]+$"}

    def read(value: object) -> str | None:
        if not isinstance(value, str) or not 1 <= len(value) <= most:
            return None
        return None if _NOT_TEXT.search(value) else value

    return _described(meaning, schema, read, f"a text of 1 to {most:,} characters")


def whole(meaning: str, least: int, most: int) -> Field:
    """A whole number within these bounds."""

    def read(value: object) -> int | None:
        value = _without_point(value)
        return value if type(value) is int and least <= value <= most else None

    schema = {"type": "integer", "minimum": least, "maximum": most}
    return _described(meaning, schema, read, f"a whole number from {least} to {most:,}")


def number(meaning: str, least: float, most: float) -> Field:
    """A number within these bounds, to a thousandth."""

    def read(value: object) -> float | None:
        if type(value) is int or type(value) is float:  # neither a bool nor text
            return round(float(value), 3) if least <= value <= most else None
        return None

    schema = {"type": "number", "minimum": least, "maximum": most}
    return _described(meaning, schema, read, f"a number from {least:g} to {most:,}")


def one_of(meaning: str, *allowed: int | str) -> Field:
    """One of these values."""
    known = frozenset((type(one), one) for one in allowed)  # in Python, True is 1
    kinds = (int, str)

    def read(value: object) -> int | str | None:
        kind = type(value)
        if kind is float:
            value, kind = _without_point(value), int
        return value if kind in kinds and (kind, value) in known else None  # type: ignore[return-value]

    schema: Json = {"enum": [*allowed]}
    if all(isinstance(one, str) for one in allowed):
        schema["type"] = "string"
    return _described(meaning, schema, read, f"one of {', '.join(map(str, allowed))}")


def either(meaning: str, *fields: Field) -> Field:
    """What one of these fields can be."""

    def read(value: object) -> Any:
        return next((found for one in fields if (found := one.read(value)) is not None), None)

    schema = {"anyOf": [one.schema for one in fields]}
    return _described(meaning, schema, read, ", or ".join(one.expected for one in fields))


def flag(meaning: str) -> Field:
    """True or false."""

    def read(value: object) -> bool | None:
        return value if isinstance(value, bool) else None

    return _described(meaning, {"type": "boolean"}, read, "true or false")


def list_of(meaning: str, each: Field, most: int | None = None) -> Field:
    """A list of up to so many values."""

    def read(value: object) -> list[Any] | None:
        if not isinstance(value, list) or (most is not None and len(value) > most):
            return None
        found = [*map(each.read, value)]
        return None if None in found else found

    schema: Json = {"type": "array", "items": each.schema}
    if most is not None:
        schema["maxItems"] = most
    count = "" if most is None else f"up to {most:,} "
    return _described(meaning, schema, read, f"a list: {count}times {each.expected}")


def optional(field: Field, default: Any = None) -> Field:
    """The same field, which may be left out or be null; the default is then its value."""
    schema = {**or_null(field).schema}
    if default is not None:
        schema["default"] = default
    return field._replace(schema=schema, is_required=False, default=default)


# Answers: only described, never read


def described(field: Field, meaning: str) -> Field:
    """The same field with another meaning."""
    return field._replace(schema={**field.schema, **_meaning(meaning)})


def or_null(field: Field) -> Field:
    """The same field, or null."""
    schema = dict(field.schema)
    description = {"description": schema.pop("description")} if "description" in schema else {}
    return answer({**description, "anyOf": [schema, {"type": "null"}]})


def answer(schema: Json) -> Field:
    """A value that only the server writes."""
    return Field(schema, lambda _: None, "nothing")


def some(meaning: str, kind: str) -> Field:
    """Any value of this type of JSON Schema."""
    return answer({**_meaning(meaning), "type": kind})


def an_object(name: str, fields: Fields) -> Field:
    """An object that the server writes; a name makes it a part of the document of its own."""
    return answer({**({"title": name} if name else {}), **schema_of(fields)})


def several(each: Field, meaning: str = "") -> Field:
    """A list that the server writes."""
    return answer({**_meaning(meaning), "type": "array", "items": each.schema})


# Objects


def schema_of(fields: Fields) -> Json:
    """The JSON Schema of an object with these fields."""
    required = [name for name, field in fields.items() if field.is_required]
    return {
        "type": "object",
        "properties": {name: field.schema for name, field in fields.items()},
        **({"required": required} if required else {}),
    }


def read_fields(fields: Fields, data: object) -> Json:
    """The values of all fields of a JSON object, and no others; raises BadRequest."""
    return reader(fields)(data)


def reader(fields: Fields) -> Callable[[object], Json]:
    """What reads objects with these fields, prepared for many of them; it raises BadRequest."""
    defaults = {name: field.default for name, field in fields.items()}
    needed = {name for name, field in fields.items() if field.is_required}

    def read(data: object) -> Json:
        if not isinstance(data, dict):
            raise BadRequest("expected a JSON object")
        found = defaults.copy()  # most fields of most objects are left out
        for name, value in data.items():
            if name not in defaults:
                raise _unknown(fields, data)
            if value is not None or name in needed:
                found[name] = read_field(fields[name], name, value)
        if not needed <= data.keys():
            name = next(name for name in fields if name in needed and name not in data)
            raise BadRequest(f"{name} must be {fields[name].expected}")
        return found

    return read


def _unknown(fields: Fields, data: Json) -> BadRequest:
    unknown = min(data.keys() - fields.keys())
    known = f"known are {', '.join(fields)}" if fields else "there are none"
    return BadRequest(f"unknown field {unknown[:40]!r}; {known}")


def read_field(field: Field, name: str, value: object) -> Any:
    """The value of one field; raises BadRequest."""
    if value is None and not field.is_required:
        return field.default
    found = field.read(value)
    if found is None:
        raise BadRequest(f"{name} must be {field.expected}")
    return found


def read_query(fields: Fields, given: Mapping[str, str]) -> Json:
    """The same for the query of an address, in which every value is text; others are ignored."""
    known = {name: given[name] for name in fields if name in given}
    return read_fields(
        fields,
        {
            name: _as_whole(value) if fields[name].read(value) is None else value
            for name, value in known.items()
        },
    )


def _as_whole(value: str) -> int | str:
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else value


def _without_point(value: object) -> object:
    """The value; in JSON, 1.0 is a whole number."""
    return int(value) if type(value) is float and value.is_integer() else value


def _meaning(meaning: str) -> Json:
    return {"description": meaning} if meaning else {}


def _described(meaning: str, schema: Json, read: Callable[[object], Any], expected: str) -> Field:
    return Field({**_meaning(meaning), **schema}, read, expected)
