"""Books under audit, for the tests of the auditor."""

from functools import cache
from typing import Any

from ninefold import books
from ninefold.audit import Audit, Report, audit
from ninefold.audit.subject import Subject
from ninefold.books import Book, read_book


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
    return report_on(name, reading, *changes).audits[0]


def subject(name: str, *changes: str) -> Subject:
    """A book under audit, by its name."""
    return subject_of(books.load_book(name, None, changes), 1.0)


def subject_of(book: Book, seconds: float = 10.0) -> Subject:
    """A book under audit."""
    return Subject(book.game, lambda _: None, 1, seconds, book)


def book_with(rules: dict[str, Any], **fields: Any) -> Book:
    """A stranger's book."""
    return read_book({"id": "own", "title": "Own", "summary": "Own.", "rules": rules, **fields})
