"""Reads records strictly: an error names the file and the line."""

import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ninefold.core.errors import NinefoldError
from ninefold.core.moves import format_move, parse_move
from ninefold.core.rules import TIMEOUT_POLICIES
from ninefold.record.format import LOSSES, OPTIONAL, RESULTS, UNFINISHED, tag_name
from ninefold.referee.events import FORFEITS, Fact, Forfeited, Moved, TakenBack
from ninefold.referee.settings import MAX_GAMES, MAX_SECONDS, GameSettings

# A stranger's file must not eat the memory.
MAX_BYTES = 1 << 20

_RANGES: dict[str, tuple[float, float]] = {
    "first": (1, 2),
    "round": (1, 10**9),
    "wins": (1, MAX_GAMES),
    "max_games": (1, MAX_GAMES),
    "seed": (-(2**63), 2**63),
    "time_limit": (0.001, MAX_SECONDS),
}
_FORMS = {"book": r"[0-9a-f]{32}", "on_timeout": "|".join(TIMEOUT_POLICIES)}
_CAN_BE_NONE = ("match", "wins", "max_games", "time_limit", "changes")
_TAG = re.compile(r'\[([A-Za-z0-9]+) "((?:[^"\\]|\\["\\])*)"\]\Z')
_ESCAPED = re.compile(r"\\(.)")
_COMMENT = re.compile(r"\{[^{}]*\}")
_NUMBERED = re.compile(r"([1-9][0-9]{0,5})\.\Z")
_UNDO = re.compile(r"undo:([0-9]{1,6})\Z")
_INVALID = re.compile(r"invalid:(-?[0-9]{1,18})\Z")
_LOSS = re.compile(rf"({'|'.join(LOSSES.values())}):([12])\Z")
_FORFEIT = re.compile(rf"forfeit:([12]):({'|'.join(FORFEITS)})\Z")


class RecordError(NinefoldError):
    """A record that cannot be used; the message names the file, the line and the reason."""

    def __init__(self, source: str, line: int, reason: str) -> None:
        place = f"{source}, line {line}" if line else source
        super().__init__("bad-record", f"{place}: {reason}")


class NoSuchRecord(NinefoldError):
    """No record has that name, or more than one."""


class Entry(NamedTuple):
    """One recorded fact, its line, and the number of moves in force after it."""

    fact: Fact
    line: int
    ply: int


class Record(NamedTuple):
    """A record as written: not yet replayed, so its moves may be illegal.

    ``folder`` holds its file and the copy of its rule book.
    """

    source: str
    settings: GameSettings
    entries: tuple[Entry, ...]
    result: str
    length: int
    folder: str | None = None

    @property
    def finished(self) -> bool:
        """Whether the record ends with a result."""
        return self.result != UNFINISHED

    @property
    def plies(self) -> int:
        """How many moves are in force at the end."""
        return self.entries[-1].ply if self.entries else 0


def read_record(path: str) -> Record:
    """The record in this file; raises NoSuchRecord, RecordError."""
    try:
        with open(path, "rb") as file:
            record = parse_record(file.read(MAX_BYTES + 1), os.path.basename(path))
            return record._replace(folder=os.path.dirname(path) or os.curdir)
    except OSError as error:
        reason = error.strerror or str(error)
        raise NoSuchRecord("no-such-record", f"Cannot read {path}: {reason}.") from None


def parse_record(data: bytes, source: str) -> Record:
    """The record these bytes hold; an unterminated last line is dropped. Raises RecordError."""
    if len(data) > MAX_BYTES:
        raise RecordError(source, 0, f"larger than {MAX_BYTES} bytes, so it is not a record")
    length = data.rfind(b"\n") + 1
    try:
        lines = data[:length].decode("utf-8").split("\n")[:-1]
    except UnicodeDecodeError:
        raise RecordError(source, 0, "not UTF-8 text") from None
    if any(line.endswith("\r") for line in lines):
        raise RecordError(source, 0, "lines must end with LF, not CR LF")
    settings, start = _parse_settings(lines, source)
    entries, result, kept = _parse_moves(lines, start, source)
    length = sum(len(line.encode()) + 1 for line in lines[:kept])
    return Record(source, settings, entries, result, length)


def _parse_settings(lines: list[str], source: str) -> tuple[GameSettings, int]:
    values: dict[str, str] = {}
    for at, line in enumerate(lines):
        if not line:
            break
        found = _TAG.match(line)
        if not found:
            raise RecordError(source, at + 1, f'expected a tag such as [{tag_name("game")} "…"]')
        if found[1] in values:
            raise RecordError(source, at + 1, f"the tag {found[1]} appears twice")
        values[found[1]] = _ESCAPED.sub(r"\1", found[2])
    else:
        raise RecordError(source, len(lines), "the tags must end with an empty line")
    names = {tag_name(field): field for field in GameSettings._fields}
    needed = {name for name, field in names.items() if field not in OPTIONAL}
    if missing := needed - values.keys():
        raise RecordError(source, at + 1, f"the tag {min(missing)} is missing")
    if strange := values.keys() - names.keys():
        raise RecordError(source, at + 1, f"unknown tag {min(strange)}")
    typed = {}
    for name, field in names.items():
        if name not in values:
            continue
        try:
            typed[field] = _parse_value(field, values[name])
        except ValueError:
            where = 1 + [*values].index(name)
            raise RecordError(source, where, f"invalid {name}: {values[name][:20]!r}") from None
    settings = GameSettings(**typed)
    if (settings.match is None) != (settings.wins is None):
        raise RecordError(source, at + 1, "a match needs both tags, Match and Wins")
    if not settings.player1 or settings.player1 == settings.player2:
        raise RecordError(source, at + 1, "expected two players with different names")
    return settings, at + 1


def _parse_value(field: str, text: str) -> Any:
    """The value of a tag; raises ValueError."""
    if text == "-" and field in _CAN_BE_NONE:
        return None
    is_integer = field in _RANGES and field != "time_limit"
    form = r"-?[0-9]{1,20}" if is_integer else _FORMS.get(field, ".*")
    if not text.isprintable() or not re.fullmatch(form, text):
        raise ValueError
    if field not in _RANGES:
        return text
    value = int(text) if is_integer else float(text)
    least, most = _RANGES[field]
    if not least <= value <= most:
        raise ValueError
    return value


def _parse_moves(lines: list[str], start: int, source: str) -> tuple[tuple[Entry, ...], str, int]:
    """The facts, the result, and the number of lines before an asterisk at the end."""
    entries: list[Entry] = []
    result, kept, done = UNFINISHED, start, False
    for at in range(start, len(lines)):
        tokens = iter(_COMMENT.sub(" ", lines[at]).split())
        for token in tokens:
            if done:
                raise RecordError(source, at + 1, f"{token!r} comes after the result")
            if token == UNFINISHED or token in RESULTS.values():
                result, done = token, True
            else:
                plies = entries[-1].ply if entries else 0
                try:
                    entries.append(_parse_fact(token, tokens, plies, at + 1))
                except NinefoldError as error:
                    raise RecordError(source, at + 1, error.reason) from None
        if not done or result != UNFINISHED:
            kept = at + 1
    return tuple(entries), result, kept


def _parse_fact(token: str, rest: Iterator[str], plies: int, line: int) -> Entry:
    if found := _NUMBERED.match(token):
        if int(found[1]) != plies + 1:
            raise NinefoldError("bad-record", f"expected move {plies + 1}, found {found[1]}")
        return Entry(_parse_moved(next(rest, ""), rest), line, plies + 1)
    if found := _UNDO.match(token):
        if int(found[1]) >= plies:
            raise NinefoldError("bad-record", f"there is no move {int(found[1]) + 1} to undo")
        return Entry(TakenBack(int(found[1])), line, int(found[1]))
    if found := _LOSS.match(token):
        reason = next(reason for reason, word in LOSSES.items() if word == found[1])
        return Entry(Forfeited(int(found[2]), reason), line, plies)
    if found := _FORFEIT.match(token):
        return Entry(Forfeited(int(found[1]), found[2]), line, plies)
    raise NinefoldError("bad-record", f"unexpected {token[:20]!r}")


def _parse_moved(word: str, rest: Iterator[str]) -> Moved:
    """The move after its number, with its cause if the player did not choose it."""
    tried = _INVALID.match(word)
    by_choice = not tried and word != "timeout"
    token = word if by_choice else next(rest, "")
    move = parse_move(token)
    if format_move(move) != token:  # every move has only one notation
        raise NinefoldError("bad-record", f"{token!r} must be written {format_move(move)}")
    if tried:
        return Moved(0, move, "invalid", int(tried[1]))
    return Moved(0, move, "chosen" if by_choice else "timeout")
