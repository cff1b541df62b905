"""The fields of requests: what is read is what their schemas say, and the document is sound."""

from typing import Any

import jsonschema_rs
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.web.server.conforming import document

from ninefold.web.server.fields import (
    BadRequest,
    Field,
    flag,
    list_of,
    number,
    one_of,
    optional,
    prose,
    read_field,
    read_fields,
    read_query,
    text,
    whole,
)
from ninefold.web.server.routes import ID
from tools import write_addresses

FIELDS = {
    "text": text("", 5),
    "prose": prose("", 8),
    "id": ID,
    "whole": whole("", -1, 7),
    "number": number("", 0.5, 7),
    "one": one_of("", 1, "1", "a"),
    "flag": flag(""),
    "list": list_of("", whole("", 1, 3), 2),
    "usual": optional(whole("", 1, 3), 2),
}
_ALONE = st.none() | st.booleans() | st.integers(-3, 9) | st.floats(-3, 9) | st.text(max_size=10)
VALUES = _ALONE | st.lists(_ALONE, max_size=3) | st.dictionaries(st.text(max_size=2), _ALONE)


@pytest.mark.parametrize("name", FIELDS)
@settings(max_examples=examples(100), deadline=None)
@given(value=VALUES | st.sampled_from(["a", "\n", "1", 1.0, 2, [1, 2], "a\0", "x\u202e"]))
def test_a_field_reads_what_its_schema_allows(name: str, value: Any) -> None:
    """No more and no less, for every kind of field."""
    field = FIELDS[name]
    assert _is_read(field, value) == jsonschema_rs.is_valid(field.schema, value)


def _is_read(field: Field, value: object) -> bool:
    try:
        read_field(field, "it", value)
    except BadRequest:
        return False
    return True


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "expected a JSON object"),
        ({"x": 1}, "unknown field 'x'; known are size, name"),
        ({"size": 1, "y" * 99: 1}, f"unknown field '{'y' * 40}'; known are size, name"),
        ({"name": "a"}, "size must be a whole number from 1 to 3"),
        ({"size": True}, "size must be a whole number from 1 to 3"),
        ({"size": 1, "name": "\n"}, "name must be a text of 1 to 5 printable characters"),
    ],
)
def test_a_wrong_field_is_named(data: object, message: str) -> None:
    """With what was expected of it."""
    fields = {"size": whole("", 1, 3), "name": optional(text("", 5), "Ann")}
    assert read_fields(fields, {"size": 2.0, "name": None}) == {"size": 2, "name": "Ann"}
    with pytest.raises(BadRequest) as error:
        read_fields(fields, data)
    assert error.value.message == message


def test_the_query_of_an_address_is_text() -> None:
    """Numbers are read from it, and what is not known is ignored."""
    fields = {"since": optional(whole("", 0, 99), 0), "name": optional(text("", 5))}
    assert read_query(fields, {"since": "7", "name": "1", "x": "y"}) == {"since": 7, "name": "1"}
    assert read_query(fields, {}) == {"since": 0, "name": None}
    for wrong in ("", "-1", "1.0", "\u0663", "9" * 5_000):
        with pytest.raises(BadRequest):
            read_query(fields, {"since": wrong})


def test_text_in_a_query_stays_text() -> None:
    """Even if it could be a number, whatever the field is said to be."""
    fields = {"reading": text("Not an integer.", 5), "since": whole("", 0, 9)}
    assert read_query(fields, {"reading": "12", "since": "7"}) == {"reading": "12", "since": 7}


def test_the_document_is_complete() -> None:
    """Every operation has a name of its own, says what it does, and every part is defined."""
    operations = [one for path in document()["paths"].values() for one in path.values()]
    names = [one["operationId"] for one in operations]
    assert len({*names}) == len(names) > 10
    assert all(one["summary"].endswith(".") for one in operations)
    schemas = document()["components"]["schemas"]
    assert {"Event", "View", "Tile", "Game", "Book"} <= schemas.keys()
    for operation in operations:
        for status in operation["responses"].values():
            name = status.get("$ref", "").removeprefix("#/components/responses/")
            response = document()["components"]["responses"][name] if name else status
            for content in response.get("content", {}).values():
                whole_ = {**content["schema"], "components": document()["components"]}
                jsonschema_rs.Draft202012Validator(whole_)


def test_what_changes_something_needs_a_body() -> None:
    """Pages of other sites cannot send JSON without being asked first."""
    for path in document()["paths"].values():
        assert all("requestBody" in path[method] for method in path.keys() & {"post", "put"})


def test_the_documentation_lists_every_address() -> None:
    """``python3 dev docs`` writes the table again."""
    page = write_addresses.PAGE.read_text("utf-8")
    assert write_addresses.written(page) == page
    assert "| `POST /api/games/ID/join {}` | " in page
