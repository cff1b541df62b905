"""Rows of a file of games, read by somebody who trusts nothing in it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ninefold.arena.faults import KNOWN
from ninefold.arena.results import GAMES, MOST_BYTES
from ninefold.books.safety import is_readable
from ninefold.core.errors import NinefoldError
from ninefold.core.text import shorten

MOST_NAME, MOST_TEXT, MOST_MOVES, MOST_FAULTS = 80, 400, 100_000, 100_000
_NAMES = ("id", "pair", "book", "reading", "rules")
_LISTS = ("before", "after", "depth", "worst", "good", "legal")


class Damaged(NinefoldError):
    """A line that is not the row of a game."""

    def __init__(self, reason: str) -> None:
        super().__init__("damaged", reason)


class Line(NamedTuple):
    """A line of the file: its number, where it begins, and its row or what is wrong with it."""

    number: int
    offset: int
    row: dict[str, Any] | None
    fault: str = ""


def read_lines(folder: Path) -> Iterator[Line]:
    """Every line, one by one; one that is torn at the end of the file is left out."""
    path = folder / GAMES
    if path.exists() and not path.is_file():  # a pipe would never end
        raise NinefoldError("unreadable-file", f"{path} is not a regular file.")
    try:
        file = open(path, "rb")  # noqa: SIM115 - closed below
    except OSError as error:
        reason = f"Cannot read the games in {folder}: {error.strerror}."
        raise NinefoldError("unreadable-file", reason) from None
    with file:
        number = offset = 0
        while line := file.readline(MOST_BYTES):
            number += 1
            if line.endswith(b"\n"):
                yield _checked(number, offset, line)
            else:
                size = _skip(file)
                if size < 0:
                    return  # torn
                yield Line(number, offset, None, f"it is longer than {MOST_BYTES:,} bytes")
                offset += size
            offset += len(line)


def _skip(file: Any) -> int:
    """Read to the end of this line; how many bytes that were, or -1 if the file ends before."""
    size = 0
    while more := file.readline(MOST_BYTES):
        size += len(more)
        if more.endswith(b"\n"):
            return size
    return -1


def read_at(folder: Path, offset: int) -> dict[str, Any]:
    """The row that begins there; raises Damaged."""
    with open(folder / GAMES, "rb") as file:
        file.seek(offset)
        return parse(file.readline(MOST_BYTES))


def _checked(number: int, offset: int, line: bytes) -> Line:
    try:
        return Line(number, offset, parse(line))
    except Damaged as error:
        return Line(number, offset, None, error.reason)


def parse(line: bytes) -> dict[str, Any]:
    """The row that a line holds, all of whose fields have the right form; raises Damaged."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise Damaged("it is not JSON") from None
    if not isinstance(row, dict):
        raise Damaged("it is not a JSON object")
    _check_names(row)
    _check_ending(row)
    _check_values(row)
    _check_faults(row)
    _check_costs(row)
    return row


def _check_names(row: dict[str, Any]) -> None:
    for name in _NAMES:
        found = row.get(name)
        if not isinstance(found, str) or len(found) > MOST_TEXT or not _is_plain(found):
            raise Damaged(f"{name} must be a short text, not {_shown(found)}")
    players = row.get("players")
    if not isinstance(players, list) or len(players) != 2:
        raise Damaged(f"players must be two names, not {_shown(players)}")
    for name in players:
        if not isinstance(name, str) or not 0 < len(name) <= MOST_NAME or not is_readable(name):
            raise Damaged(f"{_shown(name)} is not the name of a player")
    changes = row.get("changes", [])
    if not isinstance(changes, list) or len(changes) > 50:
        raise Damaged("changes must be a short list")
    if not all(
        isinstance(one, str) and len(one) <= MOST_TEXT and is_readable(one) for one in changes
    ):
        raise Damaged("changes must be a list of short texts")


def _is_plain(text: str) -> bool:
    return not text or is_readable(text)


def _check_ending(row: dict[str, Any]) -> None:
    for name in ("opening", "moves"):
        found = row.get(name)
        if not isinstance(found, str) or len(found) > 20 * MOST_MOVES or not found.isprintable():
            raise Damaged(f"{name} must be a text of moves")
    if type(row.get("first", 1)) is not int or row.get("first", 1) not in (1, 2):
        raise Damaged(f"first must be 1 or 2, not {_shown(row.get('first'))}")
    winner = row.get("winner", 0)
    if winner is not None and (type(winner) is not int or winner not in (1, 2)):
        raise Damaged(f"winner must be 1, 2 or null, not {_shown(winner)}")
    if not isinstance(row.get("reason"), str) or len(row["reason"]) > MOST_TEXT:
        raise Damaged("reason must be a short text")


def _check_values(row: dict[str, Any]) -> None:
    count = len(row["moves"].split())
    if count > MOST_MOVES:
        raise Damaged(f"it has more than {MOST_MOVES:,} moves")
    for name in _LISTS:
        found = row.get(name)
        if not isinstance(found, list) or len(found) != count:
            raise Damaged(f"{name} must be a list with an entry for each of {count} moves")
        if name in ("before", "after", "worst"):
            fine = all(one is None or (type(one) is int and -1 <= one <= 1) for one in found)
        else:
            fine = all(one is None or (type(one) is int and 0 <= one <= 32_000) for one in found)
        if not fine:
            raise Damaged(f"{name} has an entry that is not a value")


def _check_faults(row: dict[str, Any]) -> None:
    faults = row.get("faults", [])
    if not isinstance(faults, list) or len(faults) > MOST_FAULTS:
        raise Damaged("faults must be a list")
    for one in faults:
        seat = one.get("seat") if isinstance(one, dict) else None
        if type(seat) is not int or seat not in (1, 2):
            raise Damaged("a fault must have a seat, 1 or 2")
        if one.get("kind") not in KNOWN:
            raise Damaged(f"{_shown(one.get('kind'))} is not a kind of fault")


def _check_costs(row: dict[str, Any]) -> None:
    for name in ("tokens", "seconds", "cost"):
        found = row.get(name, [0, 0])
        if not isinstance(found, list) or len(found) != 2 or not all(map(_is_amount, found)):
            raise Damaged(f"{name} must be two numbers")


def _is_amount(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1e15  # type: ignore[operator]


def _shown(value: object) -> str:
    return shorten(repr(value)[:200], 60)
