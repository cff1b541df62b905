"""The examples of a book: games it shows, by moves or by hands, and what it says about them."""

from collections.abc import Mapping, Sequence
from typing import Any

from ninefold.books.claims import READINGS, read_readings, rules_tables
from ninefold.books.faults import Key, Table
from ninefold.books.fields import (
    Field,
    Fields,
    optional,
    read_given,
    required,
    table_of,
    table_schema,
    tables_of,
)
from ninefold.books.values import (
    FLAG,
    LINE,
    NUMBERS,
    Schema,
    Type,
    choice,
    line,
    list_of,
    number_list,
    plain,
    whole,
)
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import parse_moves
from ninefold.core.patterns import FAMILIES
from ninefold.core.rules import MEASURES, OTHERWISE

MAX_EXAMPLES, MAX_MOVES = 100, 400


def _read_moves(table: Table, key: Key) -> int:
    """How many moves there are; 0 with a fault."""
    before = len(table.faults)
    text = _MOVES_TEXT.read(table, key)
    try:
        number = len(parse_moves(text)) if len(table.faults) == before else 0
    except NinefoldError as error:
        table.fault(key, error.message)
        return 0
    return 0 if table.too_many(key, number, MAX_MOVES, "moves") else number


def _read_statement(table: Table, key: Key) -> None:
    item = table.table(key)
    said = [name for name in STATEMENTS if name in item.data]
    if len(said) == 1:
        read_given(item, STATEMENTS[said[0]])
    else:
        known = (name for fields in STATEMENTS.values() for name in fields)
        item.allow(*dict.fromkeys(known))
        item.fault("", f"must have exactly one of {', '.join(STATEMENTS)}")


_MOVES_TEXT = line(expected="a list of moves in a line of text")
MOVES = _MOVES_TEXT._replace(read=_read_moves)
HANDS = list_of(number_list(0, MAX_MOVES), "two lists of whole numbers", 2, "hands", 2)
SUMS = plain(
    list,
    "a list of two numbers",
    {**NUMBERS.schema, "anyOf": [{"maxItems": 0}, {"minItems": 2, "maxItems": 2}]},
    [],
    lambda sums: len(sums) in (0, 2) and {*map(type, sums)} <= {int},
)

_AFTER = {"after": required(whole(0, MAX_MOVES), "After how many moves.")}
_PLAYER = {"player": required(choice((1, 2)), "The player it is about.")}
_WITH = {"with": required(whole(), "The available number that would complete it.")}

ATTEMPT = _AFTER | {"number": required(whole(), "The number that is tried, and refused.")}
RESULT = {
    "winner": required(
        choice((0, 1, 2)), "The player who wins; 0 if nobody does, or nobody has yet."
    ),
    "reason": optional(
        LINE,
        "What decides: a family or the name of a pattern, a measure, first, second or draw.",
        "not said",
    ),
    "set": optional(
        NUMBERS,
        "A set that decides: the winner's, or the loser's in misère or if the set loses; with "
        "declare, it is declared.",
        "not said",
    ),
    "sums": optional(SUMS, "The sums of both hands.", "not said"),
    "pool-empty": optional(FLAG, "Every number is taken.", "not said"),
}


# What can be said at some point of an example, and which fields go with it.
_SAID = {
    "no-set": required(choice((True,)), "The player holds no set."),
    "set": required(NUMBERS, "The player holds this set."),
    "could-form": required(NUMBERS, "The player could form this set."),
    "hand": required(NUMBERS, "The player holds exactly these numbers, taken in this order."),
    "available": required(NUMBERS, "Exactly these numbers are available."),
    "threats": required(NUMBERS, "Exactly these numbers would complete a set for the player."),
    "turn": required(choice((1, 2)), "The player to move."),
}
_BESIDE = {"could-form": _PLAYER | _WITH, "available": {}, "turn": {}}
STATEMENTS: Mapping[str, Fields] = {
    name: {**_AFTER, **_BESIDE.get(name, _PLAYER), name: field} for name, field in _SAID.items()
}
_SCHEMAS = [
    {"description": _SAID[name].meaning, **table_schema(fields)}
    for name, fields in STATEMENTS.items()
]
_STATEMENT = Type("a table", _read_statement, {"anyOf": _SCHEMAS})
EXAMPLE = {
    "name": required(line(1), "The name of the example; no other has the same."),
    "moves": optional(
        MOVES,
        "The moves, in the notation of records: numbers, pass, swap, declare:5:7:9.",
        "required, unless there are hands",
    ),
    "hands": optional(
        HANDS,
        "The numbers each player has taken, in some order that does not end the game too early; "
        "replaces moves.",
        "the moves",
    ),
    "first": Field(choice((1, 2)), "The player who begins.", 1),
    **READINGS,
    "attempts": optional(
        tables_of(ATTEMPT), "Numbers that are tried on the way, and refused at no cost."
    ),
    "says": optional(table_of(RESULT), "What the book says about the end.", "nothing"),
    "statements": optional(
        list_of(_STATEMENT, "a list of tables"),
        "What the book says on the way; each table has after and exactly one statement.",
    ),
}


def read_examples(book: Table, readings: Sequence[str]) -> tuple[Mapping[str, Any], ...]:
    """The examples of a book; everything that is wrong with them is noted as faults."""
    tables = book.tables("examples", MAX_EXAMPLES)
    # Everything that can decide a game: the book's patterns, families, measures, and a tie.
    fields = ("wins", "losses")
    named = [name for rules in rules_tables(book) for of in fields for name in rules.table(of).data]
    reasons = choice(dict.fromkeys([*named, *FAMILIES, *MEASURES, *OTHERWISE]))
    for table in tables:
        _read_example(table, reasons)
        read_readings(table, readings)
    names = [str(table.data.get("name")) for table in tables]
    if len({*names}) < len(names):
        book.fault("examples", "every example must have a different name")
    return tuple(table.data for table in tables)


def _read_example(table: Table, reasons: Type) -> None:
    before = len(table.faults)
    values = read_given(table, EXAMPLE)
    if "moves" in values and "hands" in values:
        table.fault("hands", "cannot be combined with moves: give one or the other")
    elif "moves" not in values and "hands" not in values:
        table.wrong("moves", MOVES.expected)
    if "reason" in values.get("says", ()):
        reasons.read(table.table("says"), "reason")
    if len(table.faults) > before:
        return
    moves = values["moves"] if "moves" in values else sum(map(len, values["hands"]))
    for item in (*table.tables("attempts"), *table.tables("statements")):
        if item.data["after"] > moves:
            item.fault("after", f"the example ends after {moves} moves")


def example_schema() -> Schema:
    """An example: its moves or its hands, and what the book says about them."""
    either = [{"required": ["name", "moves"]}, {"required": ["name", "hands"]}]
    return {"description": "An example.", **table_schema(EXAMPLE, partial=True), "oneOf": either}
