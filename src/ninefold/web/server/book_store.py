"""The rule books that people have saved, each once however many have it, and their audits."""

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from ninefold.core.errors import NinefoldError
from ninefold.web.server.database import Connection, Database

MAX_EACH = 100  # books of one person
MAX_BYTES = 1 << 30  # of all books together
MAX_AUDITS = 1_000
# An audit that is longer is made again whenever somebody asks for it.
MAX_RESULT = 1 << 21
# How many books somebody can learn from at once, and their bytes.
MAX_USED, MAX_USED_BYTES = 100, 1 << 22
# Whether nobody has a book, and nobody has a seat in a game that is played by it.
_IS_UNUSED = (
    "NOT EXISTS (SELECT 1 FROM shelves WHERE book = books.id) "
    "AND NOT EXISTS (SELECT 1 FROM games WHERE book = books.id AND state <> 'withdrawn' "
    "AND (who1 IS NOT NULL OR who2 IS NOT NULL))"
)


class StoredBook(NamedTuple):
    """A rule book: its text, and the copy of it that games need, with everything it extends."""

    id: str
    created: int
    title: str
    text: str
    copy: str


class BookStore:
    """The books in the database; every method returns once its result is durable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, who: str, book: StoredBook) -> None:
        """Keep a book for somebody who saves it now; raises NinefoldError if there are too many."""
        await self._database.run(lambda connection: _add(connection, who, book))

    async def find(self, book: str) -> StoredBook | None:
        """The book with this id."""
        sql = "SELECT id, created, title, text, copy FROM books WHERE id = ?"
        row = await self._database.run(lambda it: it.execute(sql, (book,)).fetchone())
        return None if row is None else StoredBook(*row)

    async def open(self, book: str) -> StoredBook:
        """The book with this id; raises NinefoldError if there is none."""
        found = await self.find(book)
        if found is None:
            raise NinefoldError("no-such-book", "There is no such rule book.")
        return found

    async def copies(self, books: Sequence[str]) -> dict[str, str]:
        """The copies of these books by their ids; of many or long ones, those of the first."""
        return await self._database.run(lambda connection: _copies(connection, books))

    async def books_of(self, who: str) -> list[tuple[str, str, int]]:
        """Id, title and date of each book of a person, the newest first."""
        sql = (
            "SELECT books.id, books.title, shelves.created FROM shelves "
            "JOIN books ON books.id = shelves.book WHERE shelves.who = ? "
            "ORDER BY shelves.created DESC, books.id"
        )
        rows = await self._database.run(lambda it: it.execute(sql, (who,)).fetchall())
        return [tuple(row) for row in rows]

    async def drop(self, who: str, book: str) -> None:
        """Forget that somebody has a book; the book itself, if nobody else and no game needs it."""
        await self._database.run(lambda connection: _drop(connection, who, book))

    async def drop_unused(self) -> None:
        """Forget every book that nobody has and no game needs."""
        sql = f"DELETE FROM books WHERE {_IS_UNUSED}"
        await self._database.run(lambda connection: connection.execute(sql))

    async def audit(self, audit: str) -> str | None:
        """The result of an audit, if it is known."""
        sql = "SELECT result FROM audits WHERE id = ?"
        row = await self._database.run(lambda it: it.execute(sql, (audit,)).fetchone())
        return None if row is None else row[0]

    async def add_audit(self, audit: str, result: str, created: int) -> None:
        """Keep the result of an audit, and forget the oldest ones if there are many."""
        if len(result) <= MAX_RESULT:
            await self._database.run(lambda it: _add_audit(it, audit, result, created))


def id_of(text: str) -> str:
    """The id of a book: whoever has not seen the text cannot guess it."""
    return urlsafe_b64encode(sha256(text.encode()).digest()[:15]).decode()


def _count(connection: Connection, sql: str, *given: object) -> int:
    return int(connection.execute(sql, given).fetchone()[0])


def _copies(connection: Connection, books: Sequence[str]) -> dict[str, str]:
    found, left = dict[str, str](), MAX_USED_BYTES
    for book in books[:MAX_USED]:
        sql = "SELECT copy, size FROM books WHERE id = ? AND size <= ?"
        if row := connection.execute(sql, (book, left)).fetchone():
            found[book] = row[0]
            left -= row[1]
    return found


def _add(connection: Connection, who: str, book: StoredBook) -> None:
    has_it = "SELECT count(*) FROM shelves WHERE who = ? AND book = ?"
    if _count(connection, has_it, who, book.id):
        return
    if _count(connection, "SELECT count(*) FROM shelves WHERE who = ?", who) >= MAX_EACH:
        reason = f"You have {MAX_EACH} rule books, and the server keeps no more for you."
        raise NinefoldError("too-many-books", reason, "Delete one of them first.")
    size = len(book.text.encode()) + len(book.copy.encode())
    if not _count(connection, "SELECT count(*) FROM books WHERE id = ?", book.id):
        if _count(connection, "SELECT coalesce(sum(size), 0) FROM books") + size > MAX_BYTES:
            reason = "The server has no room for more rule books."
            raise NinefoldError("books-full", reason, "Download your text to keep it.")
        sql = "INSERT INTO books VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        connection.execute(sql, (book.id, book.created, size, book.title, book.text, book.copy))
    sql = "INSERT INTO shelves VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    connection.execute(sql, (who, book.id, book.created))


def _drop(connection: Connection, who: str, book: str) -> None:
    connection.execute("DELETE FROM shelves WHERE who = ? AND book = ?", (who, book))
    connection.execute(f"DELETE FROM books WHERE id = ? AND {_IS_UNUSED}", (book,))


def _add_audit(connection: Connection, audit: str, result: str, created: int) -> None:
    sql = "INSERT INTO audits VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    connection.execute(sql, (audit, created, result))
    connection.execute(
        "DELETE FROM audits WHERE id IN "
        "(SELECT id FROM audits ORDER BY created DESC, id LIMIT 1000000 OFFSET ?)",
        (MAX_AUDITS,),
    )
