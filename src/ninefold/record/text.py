"""How a record is written and strictly read: tags, numbered moves, and the result at the end."""

import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ninefold.core.errors import NinefoldError
from ninefold.core.moves import format_move, parse_move
from ninefold.core.outcome import Outcome
from ninefold.core.rules import TIMEOUT_POLICIES
from ninefold.core.text import shorten
from ninefold.referee.events import FORFEITS, Fact, Forfeited, Moved, TakenBack
from ninefold.referee.settings import MAX_GAMES, MAX_SECONDS, GameSettings

UNFINISHED = "*"
RESULTS = {1: "1-0", 2: "0-1", None: "1/2-1/2"}
MAX_COMMENT = 300
# A stranger's file must not eat the memory.
MAX_BYTES = 1 << 20

_GAME_CLOCK = ("game_time", "increment")
# Only a game from a file has the first two tags, only one that was played on from a position of
# another game has the third.
_OPTIONAL = ("file", "book", "given", *_GAME_CLOCK)
_CAN_BE_NONE = ("match", "wins", "max_games", "time_limit", "changes")
_RANGES: dict[str, tuple[float, float]] = {
    "first": (1, 2),
    "round": (1, 10**9),
    "wins": (1, MAX_GAMES),
    "max_games": (1, MAX_GAMES),
    "seed": (-(2**63), 2**63),
    "time_limit": (0.001, MAX_SECONDS),
    "given": (1, 10**6),
    "game_time": (0.001, MAX_SECONDS),
    "increment": (0, MAX_SECONDS),
}
_FORMS = {"book": r"[0-9a-f]{32}", "on_timeout": "|".join(TIMEOUT_POLICIES)}
_TAG = re.compile(r'\[([A-Za-z0-9]+) "((?:[^"\\]|\\["\\])*)"\]\Z')
_ESCAPED = re.compile(r"\\(.)")
_COMMENT = re.compile(r"\{[^{}]*\}")
_BRACES = str.maketrans("{}", "()")
_NUMBERED = re.compile(r"([1-9][0-9]{0,5})\.\Z")
_UNDO = re.compile(r"undo:([0-9]{1,6})\Z")
_LEFT = re.compile(r"left:([0-9]{1,9}(?:[.][0-9]{1,3})?)\Z")
_INVALID = re.compile(r"invalid:(-?[0-9]{1,18})\Z")
# Why people lose without a move, and the word for it in a record; programs forfeit the game.
_LOSSES = {"resignation": "resign", "timeout": "timeout"}


class RecordError(NinefoldError):
    """A record that cannot be used; the message names the file, the line and the reason."""

    def __init__(self, source: str, line: int, reason: str) -> None:
        place = f"{source}, line {line}" if line else source
        super().__init__("bad-record", f"{place}: {reason}")


class Entry(NamedTuple):
    """One recorded fact and its line."""

    fact: Fact
    line: int


class Record(NamedTuple):
    """A record as written: not yet replayed, so its moves may be illegal."""

    source: str
    settings: GameSettings
    entries: tuple[Entry, ...]
    plies: int
    result: str
    length: int
    folder: str | None = None

    @property
    def finished(self) -> bool:
        """Whether the record ends with a result."""
        return self.result != UNFINISHED


def tag_name(field: str) -> str:
    """The tag of a setting: ``time_limit`` is written TimeLimit."""
    return "".join(part.capitalize() for part in field.split("_"))


_FIELDS = {tag_name(field): field for field in GameSettings._fields}
_TAGS = {field: name for name, field in _FIELDS.items()}


def format_settings(settings: GameSettings) -> str:
    """The settings as tags, in their order, and the empty line that ends them."""
    lines = []
    for field, value in settings._asdict().items():
        if value is not None or field not in _OPTIONAL:
            text = "-" if value is None else str(value)
            text = text.removesuffix(".0") if isinstance(value, float) else text
            text = text.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'[{_TAGS[field]} "{text}"]')
    return "\n".join([*lines, "", ""])


def format_fact(fact: Fact, plies: int) -> str:
    """The line for a fact; ``plies`` is the number of moves in force after it."""
    if isinstance(fact, Moved):
        cause = "" if fact.cause == "chosen" else f"{fact.cause} "
        if fact.cause == "invalid":
            cause = f"invalid:{fact.tried} "
        left = "" if fact.left is None else f" left:{_format_seconds(fact.left)}"
        return f"{plies}. {cause}{format_move(fact.move)}{left}\n"
    if isinstance(fact, TakenBack):
        return f"undo:{fact.plies}\n"
    if fact.reason in _LOSSES:
        return f"{_LOSSES[fact.reason]}:{fact.seat}\n"
    # A program's words are a comment, which cannot hold braces or line breaks.
    words = shorten(" ".join(fact.detail.split()), MAX_COMMENT).translate(_BRACES)
    return f"forfeit:{fact.seat}:{fact.reason}{f' {{{words}}}' if words else ''}\n"


def _format_seconds(seconds: float) -> str:
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


_FORFEITS = [Forfeited(seat, reason) for seat in (1, 2) for reason in (*_LOSSES, *FORFEITS)]
_WRITTEN_FORFEITS = {format_fact(fact, 0).strip(): fact for fact in _FORFEITS}


def format_result(outcome: Outcome) -> str:
    """The last line: the reason, every winning set, and the result."""
    sets = "".join("; " + " ".join(map(str, numbers)) for numbers in outcome.sets)
    return f"{{{outcome.reason}{sets}}} {RESULTS[outcome.winner]}\n"


def read_record(path: str) -> Record:
    """The record in this file; raises NinefoldError."""
    try:
        with open(path, "rb") as file:
            record = parse_record(file.read(MAX_BYTES + 1), os.path.basename(path))
            return record._replace(folder=os.path.dirname(path) or os.curdir)
    except OSError as error:
        reason = error.strerror or str(error)
        raise NinefoldError("no-such-record", f"Cannot read {path}: {reason}.") from None


def parse_record(data: bytes, source: str) -> Record:
    """The record these bytes hold; an unterminated last line is dropped. Raises RecordError."""
    if len(data) > MAX_BYTES:
        raise RecordError(source, 0, f"larger than {MAX_BYTES} bytes, so it is not a record")
    try:
        lines = data[: data.rfind(b"\n") + 1].decode("utf-8").split("\n")[:-1]
    except UnicodeDecodeError:
        raise RecordError(source, 0, "not UTF-8 text") from None
    if any(line.endswith("\r") for line in lines):
        raise RecordError(source, 0, "lines must end with LF, not CR LF")
    settings, start = _parse_settings(lines, source)
    return _parse_moves(lines, start, Record(source, settings, (), 0, UNFINISHED, 0))


def _parse_settings(lines: list[str], source: str) -> tuple[GameSettings, int]:
    """The settings, and the number of lines they take."""
    values: dict[str, Any] = {}
    for at, line in enumerate(lines, 1):
        if not line:
            break
        found = _TAG.match(line)
        if not found:
            raise RecordError(source, at, 'expected a tag such as [Game "…"]')
        name, text = found[1], _ESCAPED.sub(r"\1", found[2])
        field = _FIELDS.get(name)
        if field is None:
            raise RecordError(source, at, f"unknown tag {name}")
        if field in values:
            raise RecordError(source, at, f"the tag {name} appears twice")
        try:
            values[field] = _parse_value(field, text)
        except ValueError:
            raise RecordError(source, at, f"invalid {name}: {text[:20]!r}") from None
    else:
        raise RecordError(source, len(lines), "the tags must end with an empty line")
    if missing := _FIELDS.values() - values.keys() - set(_OPTIONAL):
        raise RecordError(source, at, f"the tag {min(map(tag_name, missing))} is missing")
    settings = GameSettings(**values)
    if (settings.match is None) != (settings.wins is None):
        raise RecordError(source, at, "a match needs both tags, Match and Wins")
    if settings.game_time is None and settings.increment is not None:
        raise RecordError(source, at, "an Increment needs a GameTime")
    if not settings.player1 or settings.player1 == settings.player2:
        raise RecordError(source, at, "expected two players with different names")
    return settings, at


def _parse_value(field: str, text: str) -> Any:
    """The value of a tag; raises ValueError."""
    if text == "-" and field in _CAN_BE_NONE:
        return None
    is_integer = field in _RANGES and field not in ("time_limit", *_GAME_CLOCK)
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


def _parse_moves(lines: list[str], start: int, record: Record) -> Record:
    """The record with the facts of these lines; its length leaves out an asterisk at the end."""
    entries: list[Entry] = []
    source, result, kept, done, plies = record.source, UNFINISHED, start, False, 0
    for at, line in enumerate(lines[start:], start + 1):
        tokens = iter(_COMMENT.sub(" ", line).split())
        for token in tokens:
            if done:
                raise RecordError(source, at, f"{token!r} comes after the result")
            if token == UNFINISHED or token in RESULTS.values():
                result, done = token, True
                continue
            if found := _LEFT.match(token):
                entries[-1:] = [_with_left(entries[-1:], float(found[1]), source, at)]
                continue
            try:
                fact, plies = _parse_fact(token, tokens, plies)
            except NinefoldError as error:
                raise RecordError(source, at, error.reason) from None
            entries.append(Entry(fact, at))
        if not done or result != UNFINISHED:
            kept = at
    length = sum(len(line.encode()) + 1 for line in lines[:kept])
    return record._replace(entries=tuple(entries), plies=plies, result=result, length=length)


def _with_left(last: list[Entry], left: float, source: str, at: int) -> Entry:
    """The last entry with the time that is left after it; raises RecordError."""
    fact = last[0].fact if last else None
    if not isinstance(fact, Moved) or fact.left is not None:
        raise RecordError(source, at, "the time left stands once, after a move")
    return Entry(fact._replace(left=left), last[0].line)


def parse_fact(line: str, plies: int) -> Fact:
    """The fact in one line of a record, after this many moves; raises NinefoldError."""
    head, _, rest = _COMMENT.sub(" ", line).strip().partition(" ")
    tokens = iter(rest.split())
    fact, _ = _parse_fact(head, tokens, plies)
    for token in tokens:
        found = _LEFT.match(token)
        if not found or not isinstance(fact, Moved):
            raise NinefoldError("bad-record", f"unexpected {token[:20]!r}")
        fact = fact._replace(left=float(found[1]))
    return fact


def _parse_fact(token: str, rest: Iterator[str], plies: int) -> tuple[Fact, int]:
    """The fact that begins with this token, and the number of moves in force after it."""
    if token in _WRITTEN_FORFEITS:
        return _WRITTEN_FORFEITS[token], plies
    if found := _UNDO.match(token):
        if int(found[1]) >= plies:
            raise NinefoldError("bad-record", f"there is no move {int(found[1]) + 1} to undo")
        return TakenBack(int(found[1])), int(found[1])
    found = _NUMBERED.match(token)
    if not found:
        raise NinefoldError("bad-record", f"unexpected {token[:20]!r}")
    if int(found[1]) != plies + 1:
        raise NinefoldError("bad-record", f"expected move {plies + 1}, found {found[1]}")
    return _parse_moved(next(rest, ""), rest), plies + 1


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
