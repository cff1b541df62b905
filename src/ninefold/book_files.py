"""The user's rule books: opened before, in the current folder, and in a folder of their own."""

import os
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ninefold import books
from ninefold.books.book import title_of
from ninefold.books.faults import BookError
from ninefold.books.safety import shown
from ninefold.books.sources import SUFFIX, BookFileError, parse, read_text
from ninefold.record.store import data_path

MAX_KEPT = 50
# As many files of one folder are looked at.
MAX_FILES = 200
_LIKE_A_BOOK = re.compile(r"^\s*(\[rules|rules\b|extends\s*=)", re.MULTILINE)


class BookFile(NamedTuple):
    """A file, and what it calls itself."""

    path: str
    title: str

    @property
    def label(self) -> str:
        """Its title and its name, for a list."""
        return f"{self.title} ({shown(os.path.basename(self.path), 60)})"


def own_folder() -> str:
    """The folder for rule books that are written in the app."""
    return data_path("rulebooks")


def find_books(opened: Sequence[str]) -> list[BookFile]:
    """Every rule book there is to offer: those opened last first, then both folders."""
    found: dict[str, BookFile] = {}
    listed = [*_in_folder(os.curdir), *_in_folder(own_folder())]
    for path, is_known in [*((path, True) for path in opened), *((path, False) for path in listed)]:
        real = os.path.realpath(path)
        if real not in found and (file := _look_at(path, is_known)) is not None:
            found[real] = file
    return [*found.values()]


def titles(opened: Sequence[str]) -> dict[str, str]:
    """Built-in games and then the user's, in words, by what loads them."""
    games = {book.id: book.title for book in books.load_all()}
    return games | {file.path: f"Yours: {file.label}" for file in find_books(opened)}


def short_path(path: str) -> str:
    """A path as people write it: within the current folder, or from their home."""
    here, home = os.path.join(os.getcwd(), ""), os.path.join(os.path.expanduser("~"), "")
    for folder, stands_for in ((here, ""), (home, f"~{os.sep}")):
        if path.startswith(folder):
            path = stands_for + path.removeprefix(folder)
            break
    return shown(path, 200)


def remembered(opened: Iterable[str], path: str) -> tuple[str, ...]:
    """The files opened before, and now this one first."""
    full = os.path.abspath(path)
    return (full, *(other for other in opened if other != full))[:MAX_KEPT]


def _in_folder(folder: str) -> list[str]:
    """The files in a folder that may be rule books, by name."""
    try:
        names = [name for name in os.listdir(folder) if name.endswith(SUFFIX)]
    except OSError:
        return []
    return [os.path.abspath(os.path.join(folder, name)) for name in sorted(names)[:MAX_FILES]]


def _look_at(path: str, is_known: bool) -> BookFile | None:
    """The file, if it is one that can be read, and a rule book unless that is known."""
    try:
        text = read_text(path)
    except BookFileError:
        return None
    named = title_of(books.stem_of(path))
    if not is_known and not _LIKE_A_BOOK.search(text):
        return None
    try:
        title = parse(text, path).get("title")
    except BookError:
        return BookFile(path, named)
    if not isinstance(title, str) or not title.strip():
        return BookFile(path, named)
    return BookFile(path, shown(" ".join(title.split()), 60))
