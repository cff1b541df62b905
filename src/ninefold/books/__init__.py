"""The rule books: TOML files, built in or written by a designer."""

import os
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from weakref import WeakKeyDictionary

from ninefold.books.book import Book, Changes, parse_change, read_book
from ninefold.books.faults import BookError, Values, nearest
from ninefold.books.language import MAX_NAME
from ninefold.books.safety import shown
from ninefold.books.sources import (
    INHERITED,
    SUFFIX,
    Source,
    decode,
    is_path,
    merge_chain,
    names,
    parse,
    parse_json,
    read_chain,
    read_source,
)
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game

__all__ = [
    "Book",
    "as_book",
    "find_id",
    "format_copy",
    "load_all",
    "load_book",
    "load_copy",
    "load_text",
    "names",
    "read_book",
    "read_merged",
    "stem_of",
]

# What a copy holds: everything a game needs to resume, without examples and claims.
_KEPT = ("id", "title", "summary", "text", "notes", *INHERITED)
_books: WeakKeyDictionary[Game, Book] = WeakKeyDictionary()


def load_book(name: str, reading: str | None = None, changes: Changes = ()) -> Book:
    """The book with this id or in this file, in the given reading or its default.

    A name with a slash or with the ending ``.toml`` is a file; otherwise the beginning of an id, or
    a part of it, is enough if no other game has it. ``changes`` such as ``pool=1-15`` modify the
    rules as a reading does. Raises NinefoldError.
    """
    if is_path(name):
        book = _load(read_source(name), reading, changes)
    else:
        book = _load_own(find_id(name), reading, changes)
    _books[book.game] = book
    return book


def as_book(game: Game | Book | str | os.PathLike[str]) -> Book:
    """The book of a game, or with this name; raises NinefoldError."""
    if isinstance(game, Book):
        return game
    if not isinstance(game, Game):
        if not isinstance(game, str | os.PathLike):
            raise TypeError(f"expected a game, a book or a name, found {game!r}")
        return load_book(os.fspath(game))
    if game in _books:
        return _books[game]
    from ninefold.books.describe import summary_of, text_of

    plain = read_book({"rules": {"pool": [1]}}, stem=stem_of(game.name or "game"))
    return plain._replace(game=game, summary=summary_of(game), text=text_of(game))


def find_id(name: str) -> str:
    """The id of the one built-in game with this name or part of one; raises NinefoldError."""
    wanted = name.casefold()
    if wanted in names():
        return wanted
    starting = [game for game in names() if game.startswith(wanted)]
    matches = starting or [game for game in names() if wanted in game]
    is_file = os.path.isfile(name + SUFFIX)
    if wanted and len(matches) == 1 and not is_file:
        return matches[0]
    said = f"There is no game {shown(name, 60)!r}"
    if is_file:
        hint = f"for the file, type {shown(name, 60)}{SUFFIX}"
    elif wanted and matches:
        said, hint = f"{shown(name, 60)!r} can be several games", "type more of the name"
    else:
        hint = nearest(wanted, names()) or "choose one of"
    choices = ", ".join(matches if wanted and matches else names())
    advice = f"A rule book in a file, such as one of the gallery, needs its path: ./my{SUFFIX}"
    raise NinefoldError("unknown-game", f"{said}; {hint} ({choices}).", "" if matches else advice)


@cache
def _load_own(name: str, reading: str | None, changes: Changes) -> Book:
    return _load(read_source(name), reading, changes)


def _load(source: Source, reading: str | None, changes: Changes) -> Book:
    chain = read_chain(source)
    data = merge_chain(chain)
    book = read_merged(data, chain, reading, changes)
    if source.own:
        return book
    named = {**data, "id": book.id, "title": book.title}
    file = os.path.abspath(source.name) if source.path else source.name
    return book._replace(file=file, copy=format_copy(named))


def read_merged(
    data: Values, chain: Sequence[Source], reading: str | None = None, changes: Changes = ()
) -> Book:
    """The book that these merged files describe; raises NinefoldError, with places."""
    label = " with ".join((shown(chain[0].name, 200), *changes))
    try:
        return read_book(data, reading, label, changes, stem_of(chain[0].name))
    except BookError as error:
        from ninefold.books.locations import with_places

        chosen = data.get("default-reading") if reading in (None, "default") else reading
        changed = {("rules", key) for change in changes for key in parse_change(change)}
        ours = [fault for fault in error.faults if fault.keys[:2] in changed]
        rest = [fault for fault in error.faults if fault.keys[:2] not in changed]
        placed = with_places(rest, chain, chosen if isinstance(chosen, str) else "")
        raise BookError(label, [*placed, *ours]) from None


def stem_of(name: str) -> str:
    """The id of a book without one: the name of its file, in letters, digits and dashes."""
    stem = os.path.basename(name).removesuffix(SUFFIX).casefold()
    return re.sub(r"[\W_]+", "-", stem).strip("-")[:MAX_NAME].strip("-") or "book"


def format_copy(data: Values) -> str:
    """The book and everything it inherits, as one line of JSON: equal books, equal lines."""
    import json

    return json.dumps({key: data[key] for key in _KEPT if key in data}, default=str) + "\n"


@lru_cache(maxsize=32)
def load_copy(copy: str, file: str, reading: str | None = None, changes: Changes = ()) -> Book:
    """The book of which this is a copy; raises NinefoldError."""
    name = "the copy of the rule book"
    book = read_book(parse_json(copy, name), reading, " with ".join((name, *changes)), changes)
    return book._replace(file=file, copy=copy)


def load_text(text: str, name: str, reading: str | None = None, changes: Changes = ()) -> Book:
    """The book that a stranger's text describes, which can only extend built-in games.

    Unlike its copy, it has examples and claims. Raises NinefoldError.
    """
    return _load(text_source(text, name), reading, changes)


def text_source(text: str, name: str) -> Source:
    """The source that a stranger's text is, within the bounds of a file; raises NinefoldError."""
    # Half a character, which JSON can hold, is not text.
    bounded = decode(text.encode("utf-8", "surrogatepass"), name)
    return Source(name, "", bounded, parse(bounded, shown(name, 200)))


def load_all() -> list[Book]:
    """Every built-in book in its default reading, in the order of lists."""
    return sorted(map(load_book, names()), key=lambda book: (book.order, book.id))
