"""A rule book: what a parsed file becomes, in one of its readings."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from ninefold.books.faults import BookError, Fault, Table, Values, format_path, nearest
from ninefold.books.fields import read_fields
from ninefold.books.language import BOOK, MAX_NAME, MAX_READINGS, NAME, PLAY, READING, is_name
from ninefold.books.rules import read_rules
from ninefold.books.safety import shown
from ninefold.books.sources import VIEW, check_bounds, merge
from ninefold.books.words import Words, read_words
from ninefold.core.errors import NinefoldError, RulesError
from ninefold.core.game import Game
from ninefold.core.rules import Rules
from ninefold.core.text import NamedTuple

Statements: TypeAlias = tuple[Values, ...]
Changes: TypeAlias = tuple[str, ...]


class Reading(NamedTuple):
    """One way to read a book: a line about it, and what is different, in words."""

    summary: str
    text: str


class Book(NamedTuple):
    """One rule book in one reading: its game, its words, and what it claims about itself."""

    id: str
    title: str
    order: int
    summary: str
    text: str
    notes: str
    reading: str
    changes: Changes
    readings: Mapping[str, Reading]
    game: Game
    words: Words
    on_timeout: str
    examples: Statements
    claims: Statements
    file: str | None = None  # unless it is built in
    copy: str = ""  # everything a game needs to be resumed when the file is gone
    generated: bool = False  # whether the text was made from the rules in force

    @property
    def label(self) -> str:
        """The name of the book, its reading and its changes, for a heading."""
        return f"{self.id} ({'; '.join((self.reading, *self.changes))})"

    @property
    def digest(self) -> str | None:
        """The digest of the copy of a book from a file; None for a built-in book."""
        return digest_of(self.copy) if self.file is not None else None


def read_book(
    data: Values,
    reading: str | None = None,
    source: str = "book",
    changes: Changes = (),
    stem: str = "",
) -> Book:
    """The book this parsed file describes, in one reading; raises NinefoldError."""
    faults: list[Fault] = []
    check_bounds(data, faults)
    if faults:
        raise BookError(source, faults)
    table = Table(data, (), faults)
    found = read_fields(table, BOOK)
    book_id = found["id"] or stem
    if not book_id and "id" not in data:
        table.wrong("id", NAME.expected)
    readings, default = _readings(table, found["default-reading"])
    chosen = default if reading in (None, "default", default) else reading
    if chosen not in readings:
        listed = ", ".join(readings)
        message = f"{book_id} has no reading {shown(chosen, 60)!r}; choose one of: {listed}"
        raise NinefoldError("unknown-reading", message)
    overlay = table.unchecked().table("readings").table(chosen).data
    view = _overlaid(table, overlay, changes)
    rules = read_rules(view.table("rules"))
    if changes and not faults and rules == _unchanged(data, overlay):
        changes = ()  # they say what the book says anyway
    words = read_words(view.table("words"), rules.pie, bool(rules.losses))
    play = read_fields(view.table("play"), PLAY)
    game = Game(Rules((1,), ()), book_id)
    if not faults:
        try:
            game = Game(rules, book_id)
        except RulesError as error:
            faults.append(Fault(("rules",), error.message))
    examples, claims = _read_statements(table, [*readings])
    if faults:
        raise BookError(source, faults)
    summary, text = found["summary"], found["text"]
    # A reading describes itself if it says what it changes, or changes no rules.
    describes_itself = "rules" not in overlay or "summary" in overlay or "text" in overlay
    if changes or not (chosen == default or describes_itself):
        summary, text = None, None
    generated = not text
    if not (summary and text):
        from ninefold.books.describe import summary_of, text_of

        summary, text = summary or summary_of(game), text or text_of(game)
    return Book(
        id=book_id,
        title=found["title"] or title_of(book_id),
        order=found["order"],
        summary=summary,
        text=text,
        notes=found["notes"] or "",
        reading=chosen,
        changes=changes,
        readings=readings,
        game=game,
        words=words,
        on_timeout=play["on-timeout"],
        examples=examples,
        claims=claims,
        generated=generated,
    )


def _read_statements(table: Table, readings: list[str]) -> tuple[Statements, Statements]:
    if not {"examples", "claims"} & table.data.keys():
        return (), ()
    from ninefold.books.claims import read_claims
    from ninefold.books.examples import read_examples

    return read_examples(table, readings), read_claims(table, readings)


def title_of(book_id: str) -> str:
    """A title made from an id: my-game becomes My Game."""
    return " ".join(word[:1].upper() + word[1:] for word in book_id.replace("_", "-").split("-"))


def _readings(table: Table, default: str | None) -> tuple[dict[str, Reading], str]:
    """The readings and the name of the default; a reading that is false is removed."""
    below = table.table("readings")
    named = below.chosen(MAX_READINGS, "readings")
    for name in named:
        if not is_name(name):
            problem = "the name of a reading must be letters, digits and dashes, such as two-hands"
            below.fault(name, f"{problem}, and at most {MAX_NAME} of them")
    readings = {name: _reading(below.table(name)) for name in named}
    if not default:
        default = "default"
    elif default not in readings and (readings or default != "default"):
        hint = nearest(default, readings)
        table.wrong("default-reading", "the name of one of the readings", hint)
    if default not in readings:
        own = "The book as it stands." if readings else "The only reading."
        readings = {default: Reading(own, ""), **readings}
    return readings, default


def _reading(table: Table) -> Reading:
    """What a reading says about itself; without a summary, it names the fields it changes."""
    found, unchecked = read_fields(table, READING), table.unchecked()
    changed = [format_path((key, field)) for key in VIEW for field in unchecked.table(key).data]
    summary = found["summary"] or f"Changes {', '.join(changed[:5]) or 'nothing'}."
    return Reading(summary, found["text"] or "")


def _overlaid(table: Table, overlay: Values, changes: Changes) -> Table:
    """The rules, words and play of the book, as its reading and the changes modify them."""
    # A field that is not a table is noted here, because a reading could hide it.
    view = {key: merge(table.table(key).data, overlay.get(key, {})) for key in VIEW}
    for change in changes:
        view["rules"] = merge(view["rules"], parse_change(change))
    return Table(view, (), table.faults)


def _unchanged(data: Values, overlay: Values) -> Rules | None:
    """The rules of a reading as they stand in the book; None if they have faults."""
    table = Table(data, (), [])
    rules = read_rules(_overlaid(table, overlay, ()).table("rules"))
    return None if table.faults else rules


def parse_change(text: str) -> dict[str, Any]:
    """The table that a change such as ``wins.arithmetic.length=4`` stands for; raises BookError."""
    import tomllib

    path, _, value = text.partition("=")
    keys = [key.strip() for key in path.split(".")]
    if not value or not all(keys) or ";" in text or len(text) > 200 or not text.isprintable():
        fault = Fault((text,), "must be a change such as pool=1-15, without a semicolon")
        raise BookError("A change of the rules", [fault], "is not valid")
    try:
        overlay: Any = tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):
        overlay = value.strip()  # text without quotation marks, such as 1-15
    for key in reversed(keys[1:]):
        overlay = {key: overlay}
    return {keys[0]: overlay}


def digest_of(copy: str) -> str:
    """The digest that identifies a copy."""
    from hashlib import sha256

    return sha256(copy.encode()).hexdigest()[:32]
