"""A rule book: what a parsed file becomes, in one of its readings."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from ninefold.books.faults import BookError, Fault, Table, format_path, nearest
from ninefold.books.format import Reading, read_reading, read_rules, read_timeout
from ninefold.books.safety import shown
from ninefold.books.sources import VIEW, check_bounds, merge
from ninefold.books.words import Words, read_words
from ninefold.core.errors import NinefoldError, RulesError
from ninefold.core.game import Game
from ninefold.core.rules import Rules

MAX_READINGS = 24
MAX_NAME = 60
FIELDS = (
    "id title order summary text notes extends default-reading rules words play readings examples "
    "claims"
).split()
Told: TypeAlias = tuple[Mapping[str, Any], ...]
_NAME = re.compile(r"[^\W_]+(?:[-_.][^\W_]+)*\Z")


class UnknownBook(NinefoldError):
    """There is no book, or no reading of the book, by that name."""


class Book(NamedTuple):
    """One rule book in one reading: its game, its words, and what it claims about itself.

    ``file`` is the file it was read from, unless it came with the program; ``copy`` is all of it
    that a game needs to be gone on with when that file is no more. ``generated`` tells that the
    book has no text of its own, so that ``text`` was made from the rules in force.
    """

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
    examples: Told
    claims: Told
    file: str | None = None
    copy: str = ""
    generated: bool = False

    @property
    def label(self) -> str:
        """The name of the book, its reading and its changes, for a heading."""
        return f"{self.id} ({'; '.join((self.reading, *self.changes))})"

    @property
    def digest(self) -> str | None:
        """What the copy of a book from a file is known by; None for one of the program's own."""
        return digest_of(self.copy) if self.file is not None else None


def read_book(
    data: Mapping[str, Any],
    reading: str | None = None,
    source: str = "book",
    changes: tuple[str, ...] = (),
    stem: str = "",
) -> Book:
    """The book this parsed file describes, in one reading; raises UnknownBook, BookError.

    Only the rules must be there. Without an ``id`` the book is called after ``stem``, without a
    ``title`` after its id; ``summary`` and ``text`` are made from the rules in force.
    """
    faults: list[Fault] = []
    check_bounds(data, faults)
    if faults:
        raise BookError(source, faults)
    table = Table(data, "", faults)
    table.allow(*FIELDS)
    book_id = _name(table, stem)
    readings, default = _readings(table)
    chosen = _choose(book_id, reading or "default", default, readings)
    view = _overlaid(table, chosen, changes)
    rules = read_rules(view.table("rules"))
    words = read_words(view.table("words"), rules.pie)
    on_timeout = read_timeout(view.table("play"))
    sound = not faults
    game = _compile(rules, book_id, table) if sound else Game(Rules((1,), ()), book_id)
    text = table.prose("text")
    summary = table.line("summary", "")
    if sound and not faults:
        summary, text = _described(game, summary, text)
    examples, claims = _told(table, readings)
    book = Book(
        id=book_id,
        title=table.line("title", "") or _title_of(book_id),
        order=table.get("order", int, 100),
        summary=summary,
        text=text,
        notes=table.prose("notes"),
        reading=chosen,
        changes=changes,
        readings=readings,
        game=game,
        words=words,
        on_timeout=on_timeout,
        examples=examples,
        claims=claims,
        generated=not data.get("text"),
    )
    if faults:
        raise BookError(source, faults)
    return book


def _told(table: Table, readings: Mapping[str, Reading]) -> tuple[Told, Told]:
    """What the book says of itself: its examples and its claims."""
    if not {"examples", "claims"} & table.data.keys():
        return (), ()
    from ninefold.books.claims import read_claims
    from ninefold.books.examples import read_examples

    return read_examples(table, readings), read_claims(table, readings)


def _described(game: Game, summary: str, text: str) -> tuple[str, str]:
    """The summary and the text, made from the rules where the book has none."""
    if summary and text:
        return summary, text
    from ninefold.books.describe import summary_of, text_of

    return summary or summary_of(game), text or text_of(game)


def _title_of(book_id: str) -> str:
    from ninefold.books.describe import title_of

    return title_of(book_id)


def _name(table: Table, stem: str) -> str:
    """The id of the book: letters and digits, joined by dashes."""
    name = table.line("id", stem or None)
    given = isinstance(table.data.get("id", stem or None), str)
    if given and (len(name) > MAX_NAME or not _NAME.match(name)):
        table.fault("id", "a name such as my-game is expected: letters, digits, dashes")
    return name or "book"


def _readings(table: Table) -> tuple[dict[str, Reading], str]:
    """The readings and the name of the default; a reading that is false is taken away.

    A book that names no default has the reading ``default``: itself, as it stands.
    """
    below = table.table("readings")
    named = [name for name in below.data if below.data[name] is not False]
    if len(named) > MAX_READINGS:
        table.fault("readings", f"at most {MAX_READINGS} readings are expected")
    for name in named:
        if len(name) > MAX_NAME or not _NAME.match(name):
            below.fault(name, "a reading has a name such as two-hands: letters, digits, dashes")
    readings = {
        name: _with_summary(read_reading(below.table(name)), below.data[name])
        for name in named[:MAX_READINGS]
    }
    if "default-reading" in table.data:
        default = table.get("default-reading", str)
        if default not in readings and (readings or default != "default"):
            table.fault(
                "default-reading",
                "the name of one of the readings is expected",
                nearest(default, readings),
            )
    else:
        default = "default"
    if default not in readings:
        own = "The book as it stands." if readings else "The only reading."
        readings = {default: Reading(own, ""), **readings}
    return readings, default


def _with_summary(reading: Reading, data: Any) -> Reading:
    """A reading without a summary is told by what it changes."""
    if reading.summary or not isinstance(data, dict):
        return reading
    fields = [
        format_path((key, field))
        for key in VIEW
        if isinstance(data.get(key), dict)
        for field in data[key]
    ]
    return reading._replace(summary=f"Changes {', '.join(fields[:5]) or 'nothing'}.")


def _choose(book: str, reading: str, default: str, readings: Mapping[str, Reading]) -> str:
    if reading in ("default", default):
        return default
    if reading not in readings:
        listed = ", ".join(readings)
        raise UnknownBook(
            "unknown-reading",
            f"{book} has no reading {shown(reading, 60)!r}; choose one of: {listed}",
        )
    return reading


def _overlaid(table: Table, reading: str, changes: tuple[str, ...]) -> Table:
    """The rules, words and play of the file, with the reading and the changes laid over them."""
    overlay = table.data.get("readings", {})
    overlay = overlay.get(reading, {}) if isinstance(overlay, dict) else {}
    overlay = overlay if isinstance(overlay, dict) else {}
    # What is no table is noted here: a reading that says more would hide it.
    merged: dict[str, Any] = {key: table.table(key).data for key in VIEW}
    merged = {key: merge(merged[key], overlay.get(key, {})) for key in VIEW}
    for change in changes:
        merged["rules"] = merge(merged["rules"], parse_change(change))
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


def _compile(rules: Rules, name: str, table: Table) -> Game:
    try:
        return Game(rules, name)
    except RulesError as error:
        table.fault("rules", error.message)
        return Game(Rules((1,), ()), name)


def digest_of(copy: str) -> str:
    """The digest a copy is filed under."""
    from hashlib import sha256

    return sha256(copy.encode()).hexdigest()[:32]
