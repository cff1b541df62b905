"""What the addresses for designers take and answer, as fields."""

from ninefold.books.sources import MAX_BYTES
from ninefold.web.server.fields import (
    Field,
    Fields,
    an_object,
    described,
    flag,
    one_of,
    optional,
    or_null,
    several,
    some,
    text,
)
from ninefold.web.server.requests import CHANGES, READING
from ninefold.web.server.routes import ID


def _long_text() -> Field:
    """The text of a rule book, whatever is in it: the check says what is wrong."""

    def read(value: object) -> str | None:
        return value if isinstance(value, str) and len(value) <= MAX_BYTES else None

    schema = {"description": "A rule book, as TOML.", "type": "string", "maxLength": MAX_BYTES}
    return Field(schema, read, f"the text of a rule book, up to {MAX_BYTES:,} characters")


TEXT: Fields = {"text": _long_text()}
_STRING, _NUMBER = some("", "string"), some("", "integer")
_MAYBE = or_null(_STRING)
_FAULT = an_object(
    "Fault",
    {
        "path": some("The field.", "string"),
        "line": or_null(_NUMBER),
        "column": or_null(_NUMBER),
        "file": _MAYBE,
        "reading": _MAYBE,
        "expected": _MAYBE,
        "found": _MAYBE,
        "hint": _MAYBE,
        "message": some("All of it in words.", "string"),
    },
)
CHECKED = an_object(
    "",
    {
        "valid": some("Whether it can be played.", "boolean"),
        "verdict": some("The same in words.", "string"),
        "faults": several(_FAULT),
        "warnings": several(_FAULT, "What is legal, but probably unintended."),
        "more": some("How many more there are.", "integer"),
        "book": or_null(some("Its title, its rules variants and their sizes.", "object")),
    },
)
_ABOUT = an_object(
    "",
    {
        "id": _STRING,
        "title": _STRING,
        "summary": _STRING,
        "reading": some("The rules variant that is described.", "string"),
        "readings": some("What each rules variant is, by its name.", "object"),
        "changes": several(_STRING),
        "rules": several(an_object("", {"text": _STRING, "is_heading": some("", "boolean")})),
        "pool": some("The numbers, in words.", "string"),
        "sets": some("How many sets decide the game.", "integer"),
        "solved": some("Whether every position is solved at once.", "boolean"),
        "fingerprint": some("The same for equal rules.", "string"),
    },
)
BOOK = an_object(
    "",
    {"book": _STRING, "built_in": some("", "boolean"), "text": _STRING, "about": _ABOUT},
)
_OWN = an_object("", {"id": _STRING, "title": _STRING, "created": _NUMBER})
OWN_BOOKS = an_object("", {"books": several(_OWN)})
SAVED = an_object("", {"id": _STRING, "title": _STRING})
EXAMPLES = an_object(
    "",
    {"examples": several(an_object("", {"id": _STRING, "title": _STRING, "text": _STRING}))},
)
_RESULT = an_object(
    "",
    {
        "title": _STRING,
        "verdict": some("What became of the book's claims.", "string"),
        "false": some("Whether one of them is false.", "boolean"),
        "summary": several(_STRING, "What was found, in sentences."),
        "html": some("Whether there is a report as a page.", "boolean"),
        "book": _STRING,
        "reading": _MAYBE,
        "changes": several(_STRING),
        "all_readings": some("", "boolean"),
    },
)
AUDIT = an_object(
    "Audit",
    {
        "id": _STRING,
        "state": one_of("", "running", "done"),
        "step": some("What is being done now.", "string"),
        "steps": some("How many steps were begun.", "integer"),
        "result": or_null(_RESULT),
    },
)
WANTED: Fields = {
    "book": described(ID, "A built-in game, or a rule book that somebody saved."),
    "reading": READING,
    "changes": CHANGES,
    "all_readings": optional(flag("Whether to audit all rules variants."), False),
}
DESCRIBED: Fields = {
    "reading": READING,
    "changes": optional(text("Changes of its rules, such as pool=1-15; pie=true.", 2_000)),
}
