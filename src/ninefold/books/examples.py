"""What a book's examples tell, as data: moves, or hands, and what is said about them."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from ninefold.books.claims import overlays, read_numbers, read_readings
from ninefold.books.faults import Table
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import parse_moves
from ninefold.core.patterns import FAMILIES
from ninefold.core.rules import MEASURES, OTHERWISE

Example: TypeAlias = Mapping[str, Any]

MAX_EXAMPLES, MAX_MOVES = 100, 400
FIELDS = ("name", "moves", "hands", "first", "readings", "attempts", "says", "statements")
ATTEMPT = ("after", "number")
RESULT = ("winner", "reason", "set", "sums", "pool-empty")
# What may be said at some point of an example, each with the fields it needs beside the point.
STATEMENTS: Mapping[str, tuple[str, ...]] = {
    "no-set": ("player",),
    "set": ("player",),
    "could-form": ("player", "with"),
    "hand": ("player",),
    "available": (),
    "threats": ("player",),
    "turn": (),
}


def read_examples(book: Table, readings: Mapping[str, object]) -> tuple[Example, ...]:
    """The examples of a book; what is wrong with them is noted as faults."""
    tables = book.tables("examples")
    if len(tables) > MAX_EXAMPLES:
        book.fault("examples", f"at most {MAX_EXAMPLES} examples are expected")
        return ()
    reasons = _reasons(book)
    for table in tables:
        _read_example(table, reasons)
        read_readings(table, readings)
    names = [table.data.get("name") for table in tables]
    if len({str(name) for name in names}) < len(names):
        book.fault("examples", "every example needs a name of its own")
    return tuple(table.data for table in tables)


def _reasons(book: Table) -> dict[str, None]:
    """Whatever can decide a game: what the book calls its patterns, and what any book has."""
    wins = [rules.get("wins") for rules in overlays(book)]
    named = [str(name) for item in wins if isinstance(item, dict) for name in item]
    return dict.fromkeys([*named, *FAMILIES, *MEASURES, *OTHERWISE])


def _read_example(table: Table, reasons: Iterable[str]) -> None:
    table.allow(*FIELDS)
    if not table.line("name") and "name" in table.data:
        table.fault("name", "a name is expected")
    from_hands = "hands" in table.data and "moves" not in table.data
    most = _read_hands(table) if from_hands else _read_moves(table)
    table.choice("first", (1, 2), 1)
    for attempt in table.tables("attempts"):
        attempt.allow(*ATTEMPT)
        _read_after(attempt, most)
        attempt.get("number", int)
    if "says" in table.data:
        _read_result(table.table("says"), reasons)
    for statement in table.tables("statements"):
        _read_statement(statement, most)


def _read_moves(table: Table) -> int:
    """How many moves there are; as many as there may be, if that cannot be told."""
    text = table.line("moves")
    if "hands" in table.data:
        table.fault("hands", "either moves or hands are expected, not both")
    try:
        if len(text) <= 10 * MAX_MOVES and (count := len(parse_moves(text))) <= MAX_MOVES:
            return count if "moves" in table.data else MAX_MOVES
        table.fault("moves", f"at most {MAX_MOVES} moves are expected")
    except NinefoldError as error:
        table.fault("moves", error.message)
    return MAX_MOVES


def _read_hands(table: Table) -> int:
    """How many numbers were taken; as many as there may be, if that cannot be told."""
    hands = table.get("hands", list)
    numbers = [isinstance(hand, list) and all(type(n) is int for n in hand) for hand in hands]
    if len(hands) != 2 or not all(numbers) or max(map(len, hands)) > MAX_MOVES:
        table.fault("hands", "two lists of whole numbers are expected")
        return MAX_MOVES
    return sum(map(len, hands))


def _read_result(table: Table, reasons: Iterable[str]) -> None:
    """Who won (0: nobody, or nobody yet), why, with what; what the sums were."""
    table.allow(*RESULT)
    table.choice("winner", (0, 1, 2))
    if "reason" in table.data:
        table.choice("reason", reasons)
    read_numbers(table, "set")
    if len(read_numbers(table, "sums")) not in (0, 2):
        table.fault("sums", "two numbers are expected")
    table.get("pool-empty", bool, False)


def _read_statement(table: Table, most: int) -> None:
    _read_after(table, most)
    said = [key for key in STATEMENTS if key in table.data]
    if len(said) != 1:
        table.allow("after", "player", "with", *STATEMENTS)
        table.fault("", f"one of {', '.join(STATEMENTS)} is expected")
        return
    (key,) = said
    table.allow("after", key, *STATEMENTS[key])
    if "player" in STATEMENTS[key]:
        table.choice("player", (1, 2))
    if "with" in STATEMENTS[key]:
        table.get("with", int)
    if key == "turn":
        table.choice("turn", (1, 2))
    elif key == "no-set":
        table.choice("no-set", (True,))
    else:
        read_numbers(table, key)


def _read_after(table: Table, most: int) -> None:
    after = table.get("after", int)
    if not 0 <= after <= MAX_MOVES:
        table.fault("after", "a number of moves is expected")
    elif after > most:
        table.fault("after", f"the example is over by then: a number from 0 to {most} is expected")
