"""What ``ninefold(...)`` may be told in OpenSpiel's notation, and the game it stands for.

That notation keeps commas, brackets and equals signs to itself; and a game is written down as the
text it is loaded by. So what cannot be written in it is refused at once, not when it is read back.
"""

from collections.abc import Mapping
from typing import NamedTuple

from ninefold import books
from ninefold.books import Book
from ninefold.books.sources import is_path
from ninefold.envs.encoding import encoding_for
from ninefold.envs.layout import VERSION
from ninefold.envs.seats import WrongSetting, limit_from

# The stated limit; 0 is none.
STATED = -1
DEFAULTS: dict[str, str | int] = {
    "book": "sequence_capture",
    "reading": "",
    "changes": "",
    "max_plies": STATED,
    "version": VERSION,
}
_KEPT = frozenset("(),=\n")


class Settings(NamedTuple):
    """A game in one reading, with the limit in force and the parameters to load it by."""

    book: Book
    limit: int | None
    parameters: dict[str, str | int]


def settings_from(told: Mapping[str, str | int]) -> Settings:
    """What these parameters stand for; raises NinefoldError."""
    values = _spelled({**DEFAULTS, **told})
    _require_version(values["version"])
    for name in ("book", "reading", "changes"):
        _require_writable(name, str(values[name]))
    book = _book_from(*(str(values[name]) for name in ("book", "reading", "changes")))
    limit = _limit_from(int(values["max_plies"]), book)
    # What is left out is left out again, but a text that is kept must tell its version.
    always = ("book", "version")
    kept = {key: value for key, value in values.items() if key in always or value != DEFAULTS[key]}
    return Settings(book, limit, kept)


def _spelled(values: dict[str, str | int]) -> dict[str, str | int]:
    """The names of our own books and their readings in one spelling: equal games, equal text."""
    if is_path(str(values["book"])):
        return values
    names = {key: str(values[key]).casefold().replace("-", "_") for key in ("book", "reading")}
    return {**values, **names}


def _require_version(version: str | int) -> None:
    if version != VERSION:
        reason = f"There is no version {version} of this game, only {VERSION}."
        raise WrongSetting("setting", reason, "It numbers the actions and observations.")


def _require_writable(name: str, value: str) -> None:
    """Raise WrongSetting if OpenSpiel's notation has no way to say this."""
    if _KEPT & set(value):
        raise WrongSetting(
            "setting",
            f"{name} must not hold a comma, a bracket, an equals sign or a new line: {value!r}.",
            "Write what it says into a rule-book file with a plain name.",
        )


def _book_from(name: str, reading: str, changes: str) -> Book:
    """The book; underscores may stand for dashes, a colon for an equals sign."""
    laid_over = tuple(part.strip().replace(":", "=", 1) for part in changes.split(";") if part)
    name = name if is_path(name) else name.replace("_", "-")
    if reading and reading not in books.load_book(name).readings:
        reading = reading.replace("_", "-")
    return books.load_book(name, reading or None, laid_over)


def _limit_from(max_plies: int, book: Book) -> int | None:
    encoding = encoding_for(book.game)
    limit = limit_from(None if max_plies == STATED else max_plies, encoding, "raise")
    if limit is None and encoding.is_endless:
        reason = "max_plies must not be 0 where turns can be lost without end."
        raise WrongSetting("setting", reason, "The games of OpenSpiel are finite.")
    return limit
