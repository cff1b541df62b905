"""Books under audit, for the tests of the auditor."""

from functools import cache, cached_property
from typing import Any

import pytest

from ninefold import books
from ninefold.audit import Audit, Report, audit
from ninefold.audit.figures import Figures
from ninefold.audit.subject import Subject
from ninefold.books import Book, read_book
from ninefold.core.game import Game
from ninefold.core.rules import Rules

# One worker makes the reports, for all tests that ask for them.
TOGETHER = pytest.mark.xdist_group("audits")


def report_on(
    name: str, reading: str | None = None, *changes: str, all_readings: bool = False
) -> Report:
    """The report on a book, made once for all tests."""
    book = books.load_book(name, reading, changes)
    return _report_on(name, book.reading, changes, all_readings)


@cache
def _report_on(name: str, reading: str, changes: tuple[str, ...], all_readings: bool) -> Report:
    return audit(books.load_book(name, reading, changes), all_readings=all_readings)


def audited(name: str, reading: str | None = None, *changes: str) -> Audit:
    """The audit of a book in one reading, made once for all tests."""
    if changes:
        return report_on(name, reading, *changes).audits[0]
    wanted = books.load_book(name, reading).reading
    audits = report_on(name, all_readings=True).audits
    return next(found for found in audits if found.book.reading == wanted)


class Counted(Subject):
    """A book under audit whose figures are worked out once for all tests."""

    @cached_property
    def figures(self) -> Figures:
        """Everything counted about the game."""
        return _figures_of(self.game.rules)


@cache
def _figures_of(rules: Rules) -> Figures:
    return Subject(Game(rules), lambda _: None, 1).figures


def subject(name: str, *changes: str) -> Subject:
    """A book under audit, by its name."""
    book = books.load_book(name, None, changes)
    return Counted(book.game, lambda _: None, 1, 1.0, book)


def subject_of(book: Book, seconds: float = 10.0) -> Subject:
    """A book under audit."""
    return Subject(book.game, lambda _: None, 1, seconds, book)


def book_with(rules: dict[str, Any], **fields: Any) -> Book:
    """A stranger's book."""
    return read_book({"id": "own", "title": "Own", "summary": "Own.", "rules": rules, **fields})
