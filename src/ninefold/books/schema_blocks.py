"""The blocks the JSON Schema of a rule book is made of: tables, choices, lines of text."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from ninefold.books.faults import MAX_LINE

Schema: TypeAlias = dict[str, Any]

HIDDEN = r"\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
LINE = rf"^[^\u0000-\u001f{HIDDEN}]*$"
PROSE = rf"^[^\u0000-\u0009\u000b-\u001f{HIDDEN}]*$"


def list_of(told: str, items: Schema, most: int) -> Schema:
    """A list of at most so many of these."""
    return {"description": told, "type": "array", "items": items, "maxItems": most}


def table(properties: Mapping[str, Schema]) -> Schema:
    """A table with these fields and no others."""
    return {"type": "object", "additionalProperties": False, "properties": dict(properties)}


def reference(name: str, told: str) -> Schema:
    """What the schema defines under this name."""
    return {"description": told, "allOf": [{"$ref": f"#/$defs/{name}"}]}


def or_false(schema: Schema, told: str) -> Schema:
    """The same, or false."""
    return {
        "description": schema["description"],
        "anyOf": [schema, {"enum": [False], "description": told}],
    }


def choice(told: str, choices: tuple[str, ...], default: str | None = None) -> Schema:
    """One of these texts."""
    given = {} if default is None else {"default": default}
    return {"description": told, "type": "string", "enum": [*choices], **given}


def line(told: str) -> Schema:
    """A line of text that is safe to show."""
    return {"description": told, "type": "string", "pattern": LINE, "maxLength": MAX_LINE}


def prose(told: str) -> Schema:
    """Lines of text that are safe to show."""
    return {"description": told, "type": "string", "pattern": PROSE}


def sentence(text: str) -> str:
    """The text with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."
