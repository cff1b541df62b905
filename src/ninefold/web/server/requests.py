"""What clients ask for, declared once for HTTP, the WebSocket and the document."""

from collections.abc import Sequence

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.core.rules import TIMEOUT_POLICIES
from ninefold.core.text import NamedTuple
from ninefold.players import MAX_NAME
from ninefold.referee.settings import MAX_GAMES, MAX_SECONDS
from ninefold.web.server.actions import ACTIONS, Action
from ninefold.web.server.choices import COMPUTERS
from ninefold.web.server.fields import (
    Fields,
    described,
    either,
    list_of,
    number,
    one_of,
    optional,
    read_fields,
    reader,
    text,
    whole,
)
from ninefold.web.server.routes import ID
from ninefold.web.server.view import Json
from ninefold.web.server.work.given import MAX_CHANGES

BOT = "bot:"
MAX_KEY = 64
MAX_MOVE = 200
MAX_EVENT = 10**9
MAX_CHANGE = 200


class NewGame(NamedTuple):
    """The game that somebody wants to begin.

    The opponent: a friend, anyone, a computer, or a bot that is ready.
    """

    game: str | None  # built in, or else a stored book
    book: str | None
    reading: str | None
    changes: Sequence[str]
    opponent: str
    first: int | str  # 1, 2 or random
    time_limit: float | None
    on_timeout: str | None
    game_time: float | None
    increment: float | None
    wins: int | None


_NAME = text("What everybody sees.", MAX_NAME)
_VISIBLE = f"1 to {MAX_NAME} visible characters, without joined emoji"
NAME: Fields = {"name": _NAME._replace(expected=_VISIBLE)}
READING = optional(text("A rules variant of this game; without it, the usual one.", 60))
CHANGES = optional(
    list_of("Changes of its rules, written as pool=1-15.", text("", MAX_CHANGE), MAX_CHANGES), []
)
EVENT = optional(whole("Only what happened after this event.", 0, MAX_EVENT), 0)
NEW_GAME: Fields = {
    "game": optional(one_of("The id of a game that is built in.", *books.names())),
    "book": optional(described(ID, "Or else the id of a rule book that somebody saved.")),
    "reading": READING,
    "changes": CHANGES,
    "opponent": optional(
        either(
            "Whoever has the link (friend) or looks for a game (anyone), a computer player, or "
            "a bot that is ready (bot:ID).",
            one_of("", "friend", "anyone", *COMPUTERS),
            text("", 60, f"^{BOT}[A-Za-z0-9_-]+$"),
        ),
        "friend",
    ),
    "first": optional(one_of("Who goes first; you are 1.", 1, 2, "random"), 1),
    "time_limit": optional(number("Seconds per turn.", 1, MAX_SECONDS)),
    "on_timeout": optional(one_of("What running out of time costs.", *TIMEOUT_POLICIES)),
    "game_time": optional(number("Seconds for all turns of a player.", 1, MAX_SECONDS)),
    "increment": optional(
        number("Seconds that each turn adds to game_time, which it needs.", 0, MAX_SECONDS)
    ),
    "wins": optional(whole("How many wins decide the match.", 1, MAX_GAMES)),
}
ACTION: Fields = {
    "type": one_of("What to do.", *ACTIONS),
    "move": optional(text("The move, as in records: 4, pass, swap, declare:3:5:7.", MAX_MOVE)),
    "after": optional(
        whole("Refuse a move if the position has changed since this event.", 0, MAX_EVENT)
    ),
    "key": optional(text("The same key again is the same action.", MAX_KEY)),
}
_TYPES = ("watch", "leave", "lobby", "leave-lobby", "ready", "busy", "ping")
# What is sent over the WebSocket: one of these, or an action in a game.
MESSAGE: Fields = {
    **ACTION,
    "type": one_of("What to do.", *_TYPES, *ACTIONS),
    "game": optional(ID),
    "from": EVENT,
    "games": optional(
        list_of(
            "The games that a bot plays; all of them if there are none.",
            one_of("", *books.names()),
            100,
        ),
        [],
    ),
}

# The fields of a message, each of which has been read; raises BadRequest.
read_message = reader(MESSAGE)


def read_new_game(data: object) -> NewGame:
    """The game that this JSON asks for; raises NinefoldError."""
    return check_new_game(read_fields(NEW_GAME, data))


def check_new_game(fields: Json) -> NewGame:
    """The game with these fields, each of which has been read; raises NinefoldError."""
    found = NewGame(**fields)
    if (found.game is None) == (found.book is None):
        raise NinefoldError("no-game", "Name either a game or a book.", "Give one of them.")
    if found.increment is not None and found.game_time is None:
        raise NinefoldError("no-game-time", "An increment needs game_time.", "Give both.")
    return found


def read_key(value: object) -> str | None:
    """The key of a message that is refused, if it has one."""
    return None if value is None else MESSAGE["key"].read(value)


def check_action(fields: Json) -> Action:
    """The action with these fields, each of which has been read."""
    return Action(fields["type"], fields["move"] or "", fields["after"], fields["key"])
