"""The ids of the environments: one per book and reading, the same in every registry."""

from ninefold import books
from ninefold.layout import VERSION

NAMESPACE = "ninefold"
ANY_BOOK = f"{NAMESPACE}/RuleBook-v{VERSION}"


def environment_id(book: str, reading: str | None = None) -> str:
    """The id of a book's environment, in this reading or the default one."""
    names = [book, reading] if reading else [book]
    camel = ["".join(word.capitalize() for word in name.split("-")) for name in names]
    return f"{NAMESPACE}/{'-'.join(camel)}-v{VERSION}"


def registered_arguments() -> dict[str, dict[str, str | None]]:
    """The arguments that each id stands for: every book, and every reading by name."""
    found: dict[str, dict[str, str | None]] = {ANY_BOOK: {}}
    for book in books.names():
        for reading in (None, *books.load_book(book).readings):
            found[environment_id(book, reading)] = {"book": book, "reading": reading}
    return found
