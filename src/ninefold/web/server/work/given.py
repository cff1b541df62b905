"""What a request names: a book, a recorded game; never a file of this computer."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from ninefold import books
from ninefold.books import Book
from ninefold.books.book import digest_of
from ninefold.books.safety import shown
from ninefold.core.errors import NinefoldError
from ninefold.record.replay import Replay
from ninefold.record.text import parse_record

MAX_CHANGES = 20
# A text without an id of its own gets one from this name.
TEXT_NAME = "book.toml"
COPY = "copy:"


class BookSpec(TypedDict):
    """A built-in game by its id, or else the text of a rule book, or its copy; one of them."""

    game: NotRequired[str]
    text: NotRequired[str]
    copy: NotRequired[str]
    reading: NotRequired[str | None]
    changes: NotRequired[Sequence[str]]


class GameSpec(TypedDict):
    """A recorded game: its record, and the copy of its book if that is not built in."""

    record: str
    copy: NotRequired[str | None]


def load_spec(spec: BookSpec) -> Book:
    """The book of a request; raises NinefoldError."""
    reading, changes = spec.get("reading"), tuple(spec.get("changes", ()))
    if len(changes) > MAX_CHANGES:
        raise NinefoldError("too-many-changes", f"At most {MAX_CHANGES} changes can be made.")
    if "text" in spec:
        book = books.load_text(spec["text"], TEXT_NAME, reading, changes)
        return book._replace(file=name_of_copy(book.copy))
    if "copy" in spec:
        return books.load_copy(spec["copy"], name_of_copy(spec["copy"]), reading, changes)
    name = spec.get("game", "")
    if name not in books.names():
        reason = f"There is no game {shown(name, 60)!r}."
        raise NinefoldError("unknown-game", reason, f"There are {', '.join(books.names())}.")
    return books.load_book(name, reading, changes)


def spec_of(book: Book) -> BookSpec:
    """How to ask for the same book again; by its copy, if it is not built in."""
    spec: BookSpec = {"reading": book.reading, "changes": list(book.changes)}
    if book.file is None:
        return {"game": book.id, **spec}
    return {"copy": book.copy, **spec}


def name_of_copy(copy: str) -> str:
    """What a book is called of which this is a copy: nothing that could be a file or an id."""
    return f"{COPY}{digest_of(copy)}"


def replay_of(game: GameSpec, name: str = "the game") -> Replay:
    """A recorded game, ready to be judged again; raises NinefoldError."""
    record = parse_record(game["record"].encode("utf-8", "surrogatepass"), name)
    settings, copy = record.settings, game.get("copy")
    spec: BookSpec = {"reading": settings.reading, "changes": settings.all_changes}
    if copy is None:
        return Replay(record, load_spec({"game": settings.game, **spec}))
    return Replay(record, load_spec({"copy": copy, **spec}))
