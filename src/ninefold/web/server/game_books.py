"""The book of each game; a stranger's is checked in a worker, compiled in a thread, and bounded."""

import asyncio
from collections import Counter, OrderedDict
from typing import NamedTuple, Self

from ninefold import books
from ninefold.books import Book, read_merged
from ninefold.books.book import Changes, read_book
from ninefold.books.sources import SUFFIX, merge_chain, parse_json, read_chain, read_source
from ninefold.core.errors import NinefoldError
from ninefold.referee.settings import GameSettings
from ninefold.web.server.book_store import BookStore, StoredBook
from ninefold.web.server.game_rows import check_rules, read_settings
from ninefold.web.server.store import GameRow
from ninefold.web.server.table import Table
from ninefold.web.server.work.given import BookSpec
from ninefold.web.server.work.pool import Workers

# A set takes about 350 bytes and 4 microseconds. Some of that time, nothing else can run: 10 ms.
MAX_SETS = 10_000
# What all strangers' books in memory may weigh together, in sets: 100 MB.
MAX_WEIGHT = 300_000
# What a book weighs without sets and texts.
_LEAST_WEIGHT = 300
MAX_WAITING = 50


class BookKey(NamedTuple):
    """Which book: a stored one or else a built-in one, in a reading, with changes."""

    stored: str | None
    game: str
    reading: str | None
    changes: Changes = ()

    @classmethod
    def of(cls, row: GameRow, settings: GameSettings) -> Self:
        """The book of a game."""
        return cls(row.book, settings.game, settings.reading, settings.all_changes)

    @property
    def is_plain(self) -> bool:
        """Whether it is one of the few books that are built in."""
        return self.stored is None and not self.changes


class GameBooks:
    """The books of the games at these tables, which are their cache."""

    def __init__(
        self, store: BookStore, workers: Workers, tables: "OrderedDict[str, Table]"
    ) -> None:
        self._store = store
        self._workers = workers
        self._tables = tables
        self._compiling = asyncio.Lock()
        self._waiting = 0
        self._newest: tuple[BookKey, Book] | None = None  # perhaps not yet at a table
        self.has_sent_away = False  # games whose clock runs, so that they must be looked for

    async def open(self, key: BookKey, client: str) -> Book:
        """The book for a new game that this client begins; raises NinefoldError."""
        if key.is_plain:
            return books.load_book(key.game, key.reading)
        stored = await self._find(key)
        spec: BookSpec = {"reading": key.reading, "changes": key.changes}
        spec = {"game": key.game, **spec} if stored is None else {"copy": stored.copy, **spec}
        found = await self._workers.run("describe", {"book": spec}, client)
        if found["sets"] > MAX_SETS:
            reason = (
                f"This game has {found['sets']:,} sets that decide it, "
                f"and the server plays games with up to {MAX_SETS:,}."
            )
            raise NinefoldError("too-many-sets", reason, "Play it at the terminal instead.")
        exact = BookKey(key.stored, found["id"], found["reading"], tuple(found["changes"]))
        return await self._load(exact, stored)

    async def load(self, row: GameRow) -> Book:
        """The book of a game that was begun before; raises NinefoldError if it has changed."""
        settings = read_settings(row.settings)
        key = BookKey.of(row, settings)
        book = await self._load(key, await self._find(key))
        check_rules(book, settings)
        return book

    async def _find(self, key: BookKey) -> StoredBook | None:
        return None if key.stored is None else await self._store.open(key.stored)

    async def _load(self, key: BookKey, stored: StoredBook | None) -> Book:
        """The book from a table that has it, or compiled beside the event loop, one at a time."""
        if key.is_plain:
            return books.load_book(key.game, key.reading)
        if self._waiting >= MAX_WAITING:
            raise _too_busy()
        self._waiting += 1
        try:
            async with self._compiling:
                book = self._in_memory(key)
                if book is None:
                    book = await asyncio.to_thread(_compile, key, stored)
                    self._make_room(weigh(book))
                    self._newest = key, book
                return book
        finally:
            self._waiting -= 1

    def _in_memory(self, key: BookKey) -> Book | None:
        if self._newest is not None and self._newest[0] == key:
            return self._newest[1]
        for table in self._tables.values():
            row, settings = table.game.row, table.game.settings
            # Nearly all tables are told apart by the first two.
            is_alike = row.book == key.stored and (row.book or settings.changes)
            if is_alike and BookKey.of(row, settings) == key:
                return table.game.book
        return None

    def _make_room(self, weight: int) -> None:
        """Send away games of strangers' books that nobody looks at; raises NinefoldError."""
        tables = [
            one for one in self._tables.values() if one.game.row.book or one.game.settings.changes
        ]
        shared = Counter(id(table.game.book) for table in tables)
        books = {id(table.game.book): table.game.book for table in tables}
        total = sum(map(weigh, books.values())) + weight
        for table in tables:
            if total <= MAX_WEIGHT:
                return
            if not table.is_needed:
                shared[id(table.game.book)] -= 1
                total -= 0 if shared[id(table.game.book)] else weigh(table.game.book)
                self.has_sent_away = self.has_sent_away or table.has_clock
                table.close()
                del self._tables[table.game.row.id]
        if total > MAX_WEIGHT:
            raise _too_busy()


def weigh(book: Book) -> int:
    """What a book takes in memory, in sets."""
    sets = len(book.game.wins.sets) + len(book.game.losses.sets)
    return sets + len(book.copy) // 100 + _LEAST_WEIGHT


def _compile(key: BookKey, stored: StoredBook | None) -> Book:
    """The book, which no cache of the library keeps; raises NinefoldError."""
    if stored is None:
        chain = read_chain(read_source(key.game))
        book = read_merged(merge_chain(chain), chain, key.reading, key.changes)
    else:
        name = "the rule book"
        book = read_book(parse_json(stored.copy, name), key.reading, name, key.changes)
        book = book._replace(file=f"{book.id}{SUFFIX}", copy=stored.copy)
    assert book.game.fingerprint, "it is worked out here, since that takes as long"
    return book


def _too_busy() -> NinefoldError:
    reason = "Too many games with rule books of their own are being played."
    return NinefoldError("busy", reason, "Try again later.")
