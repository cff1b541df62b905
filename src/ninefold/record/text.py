"""The record as text: tags, numbered moves, and the result as the last token.

Every line stands for one complete fact, so a line that was cut off is simply not there yet.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ninefold.core.errors import NinefoldError
from ninefold.core.moves import format_move, parse_move
from ninefold.core.outcome import Outcome
from ninefold.record.errors import RecordError
from ninefold.referee.events import Expired, Fact, Moved, Resigned, TakenBack

UNFINISHED = "*"
RESULTS = {1: "1-0", 2: "0-1", None: "1/2-1/2"}
# What a record may weigh: a stranger's file must not eat the memory.
MAX_BYTES = 1 << 20
MAX_SECONDS = 86_400
MAX_GAMES = 1_000

_TAG = re.compile(r'\[([A-Za-z0-9]+) "((?:[^"\\]|\\["\\])*)"\]\Z')
_COMMENT = re.compile(r"\{[^{}]*\}")
_NUMBERED = re.compile(r"([1-9][0-9]{0,5})\.\Z")
_UNDO = re.compile(r"undo:([0-9]{1,6})\Z")
_RESIGN = re.compile(r"resign:([12])\Z")


class Header(NamedTuple):
    """The tags of a record, in the order they are written; None is written as ``-``."""

    game: str
    reading: str
    rules: str
    date: str
    player1: str
    player2: str
    seat1: str
    seat2: str
    first: int
    time_limit: float | None
    on_timeout: str
    seed: int
    match: str | None = None
    round: int = 1
    wins: int | None = None
    max_games: int | None = None


class Entry(NamedTuple):
    """One recorded fact, the line it stands on, and how many moves stand after it."""

    fact: Fact
    line: int
    ply: int


class Record(NamedTuple):
    """A record as written: not yet replayed, so nothing here says that its moves are legal."""

    source: str
    header: Header
    entries: tuple[Entry, ...]
    result: str
    length: int

    @property
    def finished(self) -> bool:
        """Whether the record ends with a result."""
        return self.result != UNFINISHED

    @property
    def plies(self) -> int:
        """How many moves stand at the end."""
        return self.entries[-1].ply if self.entries else 0


def tag_name(field: str) -> str:
    """The name of a header field as a tag: ``time_limit`` is written TimeLimit."""
    return "".join(part.capitalize() for part in field.split("_"))


def format_header(header: Header) -> str:
    """The tags and the empty line that ends them."""
    tags = header._asdict().items()
    lines = [f'[{tag_name(field)} "{_escape(_format_value(value))}"]' for field, value in tags]
    return "\n".join([*lines, "", ""])


def format_fact(fact: Fact, plies: int) -> str:
    """The line for a fact; ``plies`` counts the moves that stand after it."""
    if isinstance(fact, Moved):
        timeout = "timeout " if fact.cause == "timeout" else ""
        tried = f" {{{fact.tried} was not available}}" if fact.tried is not None else ""
        return f"{plies}. {timeout}{format_move(fact.move)}{tried}\n"
    if isinstance(fact, TakenBack):
        return f"undo:{fact.plies}\n"
    return f"resign:{fact.seat}\n" if isinstance(fact, Resigned) else f"timeout:{fact.seat}\n"


def format_result(outcome: Outcome) -> str:
    """The last line: why, with every winning set, and the result."""
    sets = "".join("; " + " ".join(map(str, numbers)) for numbers in outcome.sets)
    return f"{{{outcome.reason}{sets}}} {RESULTS[outcome.winner]}\n"


def parse_record(data: bytes, source: str) -> Record:
    """The record these bytes hold; an unterminated last line is dropped. Raises RecordError."""
    if len(data) > MAX_BYTES:
        raise RecordError(source, 0, f"larger than {MAX_BYTES} bytes, so it is no record")
    length = data.rfind(b"\n") + 1
    try:
        lines = data[:length].decode("utf-8").split("\n")[:-1]
    except UnicodeDecodeError:
        raise RecordError(source, 0, "not a text in UTF-8") from None
    header, start = _parse_header(lines, source)
    entries, result, kept = _parse_moves(lines, start, source)
    length = sum(len(line.encode()) + 1 for line in lines[:kept])
    return Record(source, header, entries, result, length)


def _parse_header(lines: list[str], source: str) -> tuple[Header, int]:
    values: dict[str, str] = {}
    for at, line in enumerate(lines):
        if not line:
            break
        found = _TAG.match(line)
        if not found:
            raise RecordError(source, at + 1, f'a tag such as [{tag_name("game")} "…"] is expected')
        if found[1] in values:
            raise RecordError(source, at + 1, f"the tag {found[1]} stands here twice")
        values[found[1]] = found[2].replace('\\"', '"').replace("\\\\", "\\")
    else:
        raise RecordError(source, len(lines), "the tags must end with an empty line")
    names = {tag_name(field): field for field in Header._fields}
    if missing := names.keys() - values.keys():
        raise RecordError(source, at + 1, f"the tag {min(missing)} is missing")
    if strange := values.keys() - names.keys():
        raise RecordError(source, at + 1, f"there is no tag {min(strange)}")
    typed = {}
    for name, field in names.items():
        try:
            typed[field] = _parse_value(field, values[name])
        except ValueError:
            where = 1 + [*values].index(name)
            raise RecordError(source, where, f"{name} cannot be {values[name][:20]!r}") from None
    return Header(**typed), at + 1


def _format_value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return "-" if value is None else str(value)


def _parse_value(field: str, text: str) -> Any:
    """The value of a tag; raises ValueError."""
    if not text.isprintable():
        raise ValueError
    if field in ("match", "wins", "max_games", "time_limit") and text == "-":
        return None
    if field == "time_limit":
        return _in_range(float(text), 0.001, MAX_SECONDS)
    if field == "first":
        return _in_range(int(text), 1, 2)
    if field == "seed":
        return int(text[:40])
    if field in ("round", "wins", "max_games"):
        return _in_range(int(text[:10]), 1, MAX_GAMES)
    return text


def _in_range(value: float, least: float, most: float) -> float:
    if not least <= value <= most:
        raise ValueError
    return value


def _parse_moves(lines: list[str], start: int, source: str) -> tuple[tuple[Entry, ...], str, int]:
    """The facts, the result, and how many lines stand before an asterisk at the end."""
    entries: list[Entry] = []
    result, kept = UNFINISHED, start
    done = False
    for at in range(start, len(lines)):
        tokens = iter(_COMMENT.sub(" ", lines[at]).split())
        for token in tokens:
            if done:
                raise RecordError(source, at + 1, f"{token!r} stands behind the result")
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
            raise NinefoldError("bad-record", f"move {plies + 1} is expected, not {found[1]}")
        word = next(rest, "")
        timeout = word == "timeout"
        move = parse_move(next(rest, "") if timeout else word)
        return Entry(Moved(0, move, "timeout" if timeout else "chosen"), line, plies + 1)
    if found := _UNDO.match(token):
        return Entry(TakenBack(int(found[1])), line, int(found[1]))
    if found := _RESIGN.match(token):
        return Entry(Resigned(int(found[1])), line, plies)
    if token in ("timeout:1", "timeout:2"):
        return Entry(Expired(int(token[-1])), line, plies)
    raise NinefoldError("bad-record", f"{token[:20]!r} cannot be read here")


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
