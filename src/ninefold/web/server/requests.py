"""What clients ask for, read strictly: every field has a type and bounds."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.core.rules import TIMEOUT_POLICIES
from ninefold.core.text import NamedTuple
from ninefold.players import KINDS
from ninefold.referee.settings import MAX_GAMES, MAX_SECONDS
from ninefold.web.server.table import ACTIONS, Action

T = TypeVar("T")
_FIRST: tuple[int | str, ...] = (1, 2, "random")
COMPUTERS = KINDS[1:]
MAX_KEY = 64
MAX_MOVE = 200


class BadRequest(NinefoldError):
    """A request that cannot be understood; the message names the field."""

    def __init__(self, reason: str) -> None:
        super().__init__("bad-request", reason)


class NewGame(NamedTuple):
    """The game that somebody wants to begin. The opponent: a friend, anyone, or a computer."""

    game: str
    reading: str | None
    opponent: str
    first: int | str  # 1, 2 or random
    time_limit: float | None
    on_timeout: str | None
    game_time: float | None
    increment: float | None
    wins: int | None


def read_new_game(data: object) -> NewGame:
    """The game that this JSON asks for; raises BadRequest."""
    fields = _fields(data, NewGame._fields)
    game = _one_of(fields, "game", books.names())
    assert game is not None
    reading = _one_of(fields, "reading", (None, *books.load_book(game).readings))
    found = NewGame(
        game,
        reading,
        _one_of(fields, "opponent", ("friend", "anyone", *COMPUTERS), "friend") or "friend",
        _one_of(fields, "first", _FIRST, 1) or 1,
        _number(fields, "time_limit", 1, MAX_SECONDS),
        _one_of(fields, "on_timeout", (None, *TIMEOUT_POLICIES)),
        _number(fields, "game_time", 1, MAX_SECONDS),
        _number(fields, "increment", 0, MAX_SECONDS),
        _whole(fields, "wins", 1, MAX_GAMES),
    )
    if found.increment is not None and found.game_time is None:
        raise BadRequest("increment needs game_time")
    return found


def read_action(data: Mapping[str, object]) -> Action:
    """The action of a player that this JSON asks for; raises BadRequest."""
    name = _one_of(data, "type", ACTIONS)
    assert name is not None
    move = read_text(data, "move", MAX_MOVE) if name == "move" else ""
    return Action(name, move, _whole(data, "after", 0, 10**9), read_key(data))


def read_key(data: Mapping[str, object]) -> str | None:
    """The idempotency key, if there is one; raises BadRequest."""
    return None if data.get("key") is None else read_text(data, "key", MAX_KEY)


def read_text(data: Mapping[str, object], name: str, most: int) -> str:
    """A text of this field; raises BadRequest."""
    value = data.get(name)
    # PostgreSQL keeps no null characters, and nothing keeps half of a surrogate pair.
    if not isinstance(value, str) or not 1 <= len(value) <= most or not value.isprintable():
        raise BadRequest(f"{name} must be a text of 1 to {most} characters")
    return value


def read_since(data: Mapping[str, object], name: str) -> int:
    """The number of an event, 0 if it is not given; raises BadRequest."""
    return _whole(data, name, 0, 10**9) or 0


def _fields(data: object, known: tuple[str, ...]) -> Mapping[str, object]:
    if not isinstance(data, dict):
        raise BadRequest("expected a JSON object")
    if unknown := sorted(data.keys() - {*known}):
        raise BadRequest(f"unknown field {unknown[0][:40]!r}; known are {', '.join(known)}")
    return data


def _one_of(
    data: Mapping[str, object], name: str, allowed: Sequence[T], usual: T | None = None
) -> T | None:
    """One of the allowed values; the usual one if there is none. Raises BadRequest."""
    if name not in data and (usual is not None or None in allowed):
        return usual
    for one in allowed:
        # In Python, True is 1.
        if type(data.get(name)) is type(one) and data.get(name) == one:
            return one
    raise BadRequest(f"{name} must be one of {', '.join(map(str, filter(None, allowed)))}")


def _number(data: Mapping[str, object], name: str, least: float, most: float) -> float | None:
    value = data.get(name)
    if value is None:
        return None
    # Not every float that JSON can write is a number.
    if type(value) not in (int, float) or not least <= value <= most:  # type: ignore[operator]
        raise BadRequest(f"{name} must be a number from {least:g} to {most:,}")
    return round(float(value), 3)  # type: ignore[arg-type]


def _whole(data: Mapping[str, object], name: str, least: int, most: int) -> int | None:
    value = data.get(name)
    if value is None:
        return None
    if type(value) is not int or not least <= value <= most:
        raise BadRequest(f"{name} must be a whole number from {least} to {most:,}")
    return value
