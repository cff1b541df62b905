"""The rule books: TOML files that come with the program, or those of a designer."""

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from ninefold.books.book import (
    MAX_NAME,
    Book,
    UnknownBook,
    digest_of,
    parse_change,
    read_book,
)
from ninefold.books.faults import BookError, Fault, nearest
from ninefold.books.safety import shown
from ninefold.books.sources import (
    FOLDER,
    INHERITED,
    SUFFIX,
    Source,
    is_path,
    merge_chain,
    read_chain,
    read_source,
)

__all__ = [
    "Book",
    "UnknownBook",
    "digest_of",
    "format_copy",
    "load",
    "load_all",
    "load_copy",
    "names",
    "parse_change",
    "read_book",
    "stem_of",
]

# What a game has to be played on with; what a book asserts about itself is not part of it.
_KEPT = ("id", "title", "summary", "text", "notes", *INHERITED)


@cache
def names() -> tuple[str, ...]:
    """The ids of all books, in alphabetical order."""
    files = os.listdir(FOLDER)
    return tuple(sorted(name[: -len(SUFFIX)] for name in files if name.endswith(SUFFIX)))


def load(name: str, reading: str | None = None, changes: tuple[str, ...] = ()) -> Book:
    """The book with this id, or in this file, in the reading named or its default.

    What holds a slash or ends with ``.toml`` is a file. ``changes`` such as ``pool=1-15`` are laid
    over the rules, the way a reading is. Raises UnknownBook, BookFileError, BookError.
    """
    if is_path(name):
        return _load(read_source(name), reading, changes)
    return _load_own(name.casefold(), reading, changes)


@cache
def _load_own(name: str, reading: str | None, changes: tuple[str, ...]) -> Book:
    if name not in names():
        hint = nearest(name, names()) or "choose one of"
        if os.path.isfile(name + SUFFIX):
            hint = f"a file is named with its ending, {shown(name, 60)}{SUFFIX}"
        listed = ", ".join(names())
        message = f"There is no game {shown(name, 60)!r}; {hint}"
        raise UnknownBook("unknown-game", f"{message} ({listed})")
    source = read_source(name)
    if source.data.get("id") != name:
        told = f"{name} is expected, like the name of the file"
        raise BookError(source.name, [Fault("id", told)])
    return _load(source, reading, changes)


def _load(source: Source, reading: str | None, changes: tuple[str, ...]) -> Book:
    chain = read_chain(source, names())
    data = merge_chain(chain)
    told = " with --set ".join((shown(source.name, 200), *changes))
    stem = stem_of(source.name)
    try:
        book = read_book(data, reading, told, changes, stem)
    except BookError as error:
        raise BookError(told, _placed(error.faults, chain, reading, data, changes)) from None
    if source.own:
        return book
    named = {**data, "id": book.id, "title": book.title}
    return book._replace(file=os.path.abspath(source.name), copy=format_copy(named))


def stem_of(name: str) -> str:
    """The id of a book whose file says none: the name of the file, in letters and dashes."""
    stem = os.path.basename(name).removesuffix(SUFFIX).casefold()
    return re.sub(r"[\W_]+", "-", stem).strip("-")[:MAX_NAME].strip("-") or "book"


def _placed(
    faults: Sequence[Fault],
    chain: Sequence[Source],
    reading: str | None,
    data: Mapping[str, Any],
    changes: tuple[str, ...],
) -> list[Fault]:
    """The faults with their places; what --set brought in has none."""
    from ninefold.books.locate import with_places

    chosen = data.get("default-reading") if reading in (None, "default") else reading
    ours = {key for change in changes for key in parse_change(change)}
    mine = [fault for fault in faults if fault.keys[:1] == ("rules",) and {*fault.keys[1:2]} & ours]
    rest = [fault for fault in faults if fault not in mine]
    return [*with_places(rest, chain, chosen if isinstance(chosen, str) else ""), *mine]


def format_copy(data: Mapping[str, Any]) -> str:
    """A book that is complete in itself, as one line of JSON: equal books, equal lines."""
    import json

    return json.dumps({key: data[key] for key in _KEPT if key in data}, default=str) + "\n"


@lru_cache(maxsize=32)
def load_copy(
    copy: str, file: str, reading: str | None = None, changes: tuple[str, ...] = ()
) -> Book:
    """The book this copy was made of; raises UnknownBook, BookError."""
    import json

    try:
        data = json.loads(copy)
    except (ValueError, RecursionError):
        raise BookError("the copy of the rule book", [Fault("it", "JSON is expected")]) from None
    if not isinstance(data, dict):
        raise BookError("the copy of the rule book", [Fault("it", "a table is expected")])
    book = read_book(data, reading, "the copy of the rule book", changes)
    return book._replace(file=file, copy=copy)


def load_all() -> list[Book]:
    """Every book in its default reading, in the order they present themselves."""
    return sorted(map(load, names()), key=lambda book: (book.order, book.id))
