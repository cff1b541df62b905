"""Books under audit, for the tests of the auditor."""

from functools import cache
from typing import Any

from ninefold import books
from ninefold.audit import Audit, audit
from ninefold.audit.subject import Subject
from ninefold.books import Book, read_book


@cache
def audited(name: str, reading: str | None = None, *changes: str) -> Audit:
    """The audit of a book in one reading, made once for all tests."""
    return audit(books.load_book(name, reading, changes)).audits[0]


def subject(name: str, *changes: str) -> Subject:
    """A book under audit, by its name."""
    return subject_of(books.load_book(name, None, changes), 1.0)


def subject_of(book: Book, seconds: float = 10.0) -> Subject:
    """A book under audit."""
    return Subject(book.game, lambda _: None, 1, seconds, book)


def book_with(rules: dict[str, Any], **fields: Any) -> Book:
    """A stranger's book."""
    return read_book({"id": "own", "title": "Own", "summary": "Own.", "rules": rules, **fields})
