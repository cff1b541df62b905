"""The rule books: TOML files, found by looking into a folder, read and validated."""

import os
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from ninefold.books.claims import read_claims
from ninefold.books.examples import read_examples
from ninefold.books.faults import BookError, Fault, Table, nearest
from ninefold.books.format import Reading, read_reading, read_rules, read_timeout
from ninefold.books.words import Words, read_words
from ninefold.core.errors import NinefoldError, RulesError
from ninefold.core.game import Game
from ninefold.core.rules import Rules

_FOLDER = os.path.join(os.path.dirname(__file__), "data")
_FIELDS = (
    "id title order summary text notes default-reading rules words play readings examples claims"
)


class UnknownBook(NinefoldError):
    """There is no book, or no reading of the book, by that name."""


class Book(NamedTuple):
    """One rule book in one reading: its game, its words, and what it claims about itself."""

    id: str
    title: str
    order: int
    summary: str
    text: str
    notes: str
    reading: str
    changes: tuple[str, ...]
    readings: Mapping[str, Reading]
    game: Game
    words: Words
    on_timeout: str
    examples: tuple[Mapping[str, Any], ...]
    claims: tuple[Mapping[str, Any], ...]

    @property
    def label(self) -> str:
        """The name of the book, its reading and its changes, for a heading."""
        return f"{self.id} ({'; '.join((self.reading, *self.changes))})"


@cache
def names() -> tuple[str, ...]:
    """The ids of all books, in alphabetical order."""
    files = os.listdir(_FOLDER)
    return tuple(sorted(name[:-5] for name in files if name.endswith(".toml")))


@cache
def load(name: str, reading: str | None = None, changes: tuple[str, ...] = ()) -> Book:
    """The book with this id, in the reading named or its default; raises UnknownBook, BookError.

    ``changes`` such as ``pool=1-15`` are laid over the rules, the way a reading is.
    """
    name = name.casefold()
    if name not in names():
        hint = nearest(name, names())
        listed = ", ".join(names())
        message = f"There is no game {name!r}; {hint or 'choose one of'}"
        raise UnknownBook("unknown-game", f"{message} ({listed})")
    import tomllib

    source = f"{name}.toml"
    with open(os.path.join(_FOLDER, source), "rb") as file:
        try:
            data = tomllib.load(file)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BookError(source, [Fault("the file", f"no valid TOML: {error}")]) from None
    if data.get("id") != name:
        raise BookError(source, [Fault("id", f"{name} is expected, like the name of the file")])
    return read_book(data, reading, " with --set ".join((source, *changes)), changes)


def load_all() -> list[Book]:
    """Every book in its default reading, in the order they present themselves."""
    return sorted(map(load, names()), key=lambda book: (book.order, book.id))


def read_book(
    data: Mapping[str, Any],
    reading: str | None = None,
    source: str = "book",
    changes: tuple[str, ...] = (),
) -> Book:
    """The book this parsed file describes, in one reading; raises UnknownBook, BookError."""
    faults: list[Fault] = []
    table = Table(data, "", faults)
    table.allow(*_FIELDS.split())
    readings = _readings(table)
    default = table.get("default-reading", str, "default")
    if default not in readings:
        table.fault("default-reading", "the name of one of the readings is expected")
    chosen = _choose(str(data.get("id")), reading or "default", default, readings)
    view = _overlaid(table, chosen, changes)
    rules = read_rules(view.table("rules"))
    words = read_words(view.table("words"))
    book_id = table.line("id")
    game = _compile(rules, book_id, table)
    book = Book(
        id=book_id,
        title=table.line("title"),
        order=table.get("order", int, 100),
        summary=table.line("summary"),
        text=table.prose("text"),
        notes=table.prose("notes"),
        reading=chosen,
        changes=changes,
        readings=readings,
        game=game,
        words=words,
        on_timeout=read_timeout(view.table("play")),
        examples=read_examples(table, readings),
        claims=read_claims(table, readings),
    )
    if faults:
        raise BookError(source, faults)
    return book


def _readings(table: Table) -> dict[str, Reading]:
    below = table.table("readings")
    if not below.data:
        return {"default": Reading("The only reading.", "")}
    return {name: read_reading(below.table(name)) for name in below.data}


def _choose(book: str, reading: str, default: str, readings: Mapping[str, Reading]) -> str:
    if reading in ("default", default):
        return default
    if reading not in readings:
        listed = ", ".join(readings)
        raise UnknownBook(
            "unknown-reading", f"{book} has no reading {reading!r}; choose one of: {listed}"
        )
    return reading


def _overlaid(table: Table, reading: str, changes: tuple[str, ...]) -> Table:
    """The rules, words and play of the file, with the reading and the changes laid over them."""
    overlay = table.table("readings").table(reading) if "readings" in table.data else None
    merged = {
        key: _merge(table.data.get(key, {}), overlay.data.get(key, {}) if overlay else {})
        for key in ("rules", "words", "play")
    }
    for change in changes:
        merged["rules"] = _merge(merged["rules"], parse_change(change))
    return Table(merged, "", table.faults)


def parse_change(text: str) -> dict[str, Any]:
    """The overlay that a change such as ``wins.arithmetic.length=4`` stands for; raises BookError.

    A value is read as TOML; what is not TOML, such as 1-15, is text.
    """
    import tomllib

    path, _, value = text.partition("=")
    keys = [key.strip() for key in path.split(".")]
    if not value or not all(keys) or ";" in text or len(text) > 200 or not text.isprintable():
        fault = Fault(repr(text), "a change such as pool=1-15 is expected, without a semicolon")
        raise BookError("what --set says", [fault])
    try:
        overlay: Any = tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):
        overlay = value.strip()
    for key in reversed(keys):
        overlay = {key: overlay}
    changed: dict[str, Any] = overlay
    return changed


def _merge(base: Any, overlay: Any) -> Any:
    """The base with the overlay's values in place of its own, table by table."""
    if not (isinstance(base, dict) and isinstance(overlay, dict)):
        return overlay
    return {**base, **{key: _merge(base.get(key), value) for key, value in overlay.items()}}


def _compile(rules: Rules, name: str, table: Table) -> Game:
    try:
        return Game(rules, name)
    except RulesError as error:
        table.fault("rules", error.message)
        return Game(Rules((1,), ()), name)
