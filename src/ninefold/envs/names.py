"""The ids of the environments: one for every book and reading, the same in every registry."""

from collections.abc import Iterator

from ninefold import books
from ninefold.envs.layout import VERSION

NAMESPACE = "ninefold"
ANY_BOOK = f"{NAMESPACE}/RuleBook-v{VERSION}"


def environment_id(book: str, reading: str | None = None) -> str:
    """The id of a book's environment; without a reading, that of the default reading."""
    words = [_camel(book)] + ([_camel(reading)] if reading else [])
    return f"{NAMESPACE}/{'-'.join(words)}-v{VERSION}"


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def games() -> Iterator[tuple[str, str, str | None]]:
    """Each id with its book and reading: every book, and every reading by name."""
    for name in books.names():
        yield environment_id(name), name, None
        for reading in books.load_book(name).readings:
            yield environment_id(name, reading), name, reading


def arguments() -> dict[str, dict[str, str | None]]:
    """What the environment of each id is made with; the one for any book is told it later."""
    found = {name: {"book": book, "reading": reading} for name, book, reading in games()}
    return {ANY_BOOK: {}, **found}
