"""What a request names: a book, a recorded game; never a file of this computer."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from ninefold import books
from ninefold.books import Book
from ninefold.books.safety import shown
from ninefold.core.errors import NinefoldError
from ninefold.record.replay import Replay
from ninefold.record.text import parse_record

MAX_CHANGES = 20
# A text without an id of its own gets one from this name.
TEXT_NAME = "book.toml"


class BookSpec(TypedDict):
    """A built-in game by its id, or else the text of a rule book, or its id and its copy."""

    game: NotRequired[str]
    text: NotRequired[str]
    copy: NotRequired[str]
    reading: NotRequired[str | None]
    changes: NotRequired[Sequence[str]]


class GameSpec(TypedDict):
    """A recorded game; if its book is not built in, also the copy of it, and its id if needed."""

    record: str
    book: NotRequired[str | None]
    copy: NotRequired[str | None]


def load_spec(spec: BookSpec) -> Book:
    """The book of a request; raises NinefoldError."""
    reading, changes = spec.get("reading"), tuple(spec.get("changes", ()))
    if len(changes) > MAX_CHANGES:
        raise NinefoldError("too-many-changes", f"At most {MAX_CHANGES} changes can be made.")
    if "text" in spec:
        return books.load_text(spec["text"], TEXT_NAME, reading, changes)
    name = spec.get("game", "")
    if "copy" in spec:
        return books.load_copy(spec["copy"], name or TEXT_NAME, reading, changes)
    if name not in books.names():
        reason = f"There is no game {shown(name, 60)!r}."
        raise NinefoldError("unknown-game", reason, f"There are {', '.join(books.names())}.")
    return books.load_book(name, reading, changes)


def replay_of(game: GameSpec, name: str = "the game") -> Replay:
    """A recorded game, ready to be judged again; raises NinefoldError."""
    record = parse_record(game["record"].encode("utf-8", "surrogatepass"), name)
    settings, copy = record.settings, game.get("copy")
    spec: BookSpec = {
        "game": game.get("book") or settings.game,
        "reading": settings.reading,
        "changes": settings.all_changes,
    }
    return Replay(record, load_spec(spec if copy is None else {**spec, "copy": copy}))
