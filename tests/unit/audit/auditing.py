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
    """A book under audit."""
    book = books.load_book(name, None, changes)
    return Subject(book.game, lambda _: None, 1, 1.0, book)


def book_with(rules: dict[str, Any], **fields: Any) -> Book:
    """A stranger's book."""
    return read_book({"id": "own", "title": "Own", "summary": "Own.", "rules": rules, **fields})
