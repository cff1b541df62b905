"""The parameters of ``ninefold(...)`` in OpenSpiel's notation, and the game they name.

A game is saved as the text it is loaded by, and that notation reserves commas, brackets and equals
signs. So a value that cannot be written is refused at once, not when it is read back.
"""

from collections.abc import Mapping

from ninefold import books
from ninefold.books import Book
from ninefold.books.sources import is_path
from ninefold.encoding import encoding_for
from ninefold.envs.settings import limit_from
from ninefold.layout import VERSION
from ninefold.require import WrongSetting

# The default limit; 0 means unlimited.
DEFAULT_LIMIT = -1
DEFAULTS: dict[str, str | int] = {
    "book": "sequence_capture",
    "reading": "",
    "changes": "",
    "max_plies": DEFAULT_LIMIT,
    "version": VERSION,
}
_RESERVED = frozenset("(),=\n")


def settings_from(given: Mapping[str, str | int]) -> tuple[Book, dict[str, str | int]]:
    """The book that these parameters name, and those that load it again; raises NinefoldError."""
    values = _spelled({**DEFAULTS, **given})
    if values["version"] != VERSION:
        reason = f"Version {values['version']} of this game does not exist, only {VERSION}."
        raise WrongSetting("setting", reason, "It is the version of actions and observations.")
    names = {key: str(values[key]) for key in ("book", "reading", "changes")}
    for name, value in names.items():
        if _RESERVED & set(value):
            raise WrongSetting(
                "setting",
                f"{name} must not contain a comma, bracket, equals sign or newline: {value!r}.",
                "Use a rule-book file with a plain name instead.",
            )
    # Defaults are left out again, but a saved text must name its version.
    always = ("book", "version")
    kept = {key: value for key, value in values.items() if key in always or value != DEFAULTS[key]}
    return _book_from(**names), kept


def _spelled(values: dict[str, str | int]) -> dict[str, str | int]:
    """Built-in books and their readings in one spelling, so that equal games have equal texts."""
    if is_path(str(values["book"])):
        return values
    names = {key: str(values[key]).casefold().replace("-", "_") for key in ("book", "reading")}
    return {**values, **names}


def _book_from(book: str, reading: str, changes: str) -> Book:
    """The book; underscores may replace dashes, and a colon the equals sign."""
    listed = tuple(part.strip().replace(":", "=", 1) for part in changes.split(";") if part)
    name = book if is_path(book) else book.replace("_", "-")
    if reading and reading not in books.load_book(name).readings:
        reading = reading.replace("_", "-")
    return books.load_book(name, reading or None, listed)


def limit_of(book: Book, parameters: Mapping[str, str | int]) -> int | None:
    """The limit in force; raises WrongSetting if the game need not end without one."""
    max_plies = int(parameters.get("max_plies", DEFAULT_LIMIT))
    encoding = encoding_for(book.game)
    limit = limit_from(None if max_plies == DEFAULT_LIMIT else max_plies, encoding, "raise")
    if limit is None and encoding.is_endless:
        reason = "max_plies must not be 0 if turns can be lost without end."
        raise WrongSetting("setting", reason, "Games in OpenSpiel are finite.")
    return limit
