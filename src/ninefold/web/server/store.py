"""What the server keeps: games as numbered events, secrets, and how long it has served."""

import secrets
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import chain
from typing import Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from ninefold.web.server.book_store import BookStore
from ninefold.web.server.database import Conflict, Connection, Database
from ninefold.web.server.identity import is_bot

T = TypeVar("T")
State: TypeAlias = Literal["open", "withdrawn", "playing", "over"]
# What a store announces besides events: the list of open games has changed; sessions have ended;
# a bot has a new game.
LOBBY, ENDED, NEW_GAME = "!lobby", "!ended", "!game"
_COLUMNS = (
    "id, created, state, listed, who1, who2, settings, book, wins, winners, wake, winner, title"
)
_LOBBY_EVENTS = ("begun", "withdrawn")
_CHANGING = ("state", "who1", "who2", "settings", "wake", "winner")
_EVENT = "(?, ?, ?, ?, ?, ?)"
_ROW = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ADD_OR_CHANGE = " ON CONFLICT (id) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in _CHANGING
)
# A statement has at most so many rows: databases limit its parameters.
_AT_ONCE = 500


class GameRow(NamedTuple):
    """A game without its events. ``settings`` are written as in a record.

    ``book`` is the id of a stored rule book, None for a built-in one. ``wake`` is when the server
    itself must act next (by its own clock), ``winners`` the results of the games before this one
    against each other, ``winner`` that of this one, 0 after a draw, ``title`` what it is called in
    lists.
    """

    id: str
    created: int
    state: State
    listed: bool
    who1: str | None
    who2: str | None
    settings: str
    book: str | None
    wins: int | None
    winners: str
    wake: int | None
    winner: int | None = None
    title: str = ""


class StoredEvent(NamedTuple):
    """One thing that happened in a game, and when, in milliseconds of the server's clock."""

    seq: int
    at: int
    kind: str
    body: str
    key: str | None = None


class Changes(NamedTuple):
    """What is stored at once: the rows of games that have changed, events, and new games."""

    changed: Sequence[GameRow]
    events: Sequence[tuple[str, StoredEvent]]
    begun: Sequence[GameRow] = ()


class Closing(Protocol):
    """What is closed in the end."""

    def close(self) -> None:
        """Close it."""


class Store:
    """The database behind the games; every method returns once its result is durable.

    Every transaction is also a beat.
    """

    def __init__(
        self,
        connect: Callable[[], Connection],
        announce: Callable[[Connection, list[str]], None] = lambda *_: None,
    ) -> None:
        self.idle = 0
        self.database = Database(connect, self._write, self._note_time)
        self.books = BookStore(self.database)
        self.listener: Closing | None = None
        self.announce = announce  # tells all processes, this one too
        self._now = 0

    @property
    def is_shared(self) -> bool:
        """Whether other processes may use the same database."""
        return self.listener is not None

    @property
    def events(self) -> int:
        """How many events this process has stored."""
        return self.database.written

    def now(self) -> int:
        """Milliseconds by a clock that stands still while nobody serves; never goes back.

        It is right after the first beat.
        """
        now = wall_time() - self.idle
        if now > self._now:
            self._now = now
        return self._now

    async def beat(self) -> None:
        """Note that somebody serves now, and learn how long nobody did."""
        await self.database.run(lambda _: None)

    async def begin_to_serve(self) -> None:
        """Note that this process serves from now on: what it did before does not count either."""
        await self.database.run(_forget_start)

    def _note_time(self, connection: Connection) -> None:
        self.idle = _beat(connection)

    def write(self, changes: Changes) -> Awaitable[bool]:
        """Whether this is stored: not if another process has stored an event first."""
        return self.database.write(changes)

    def _write(self, connection: Connection, given: Sequence[Changes]) -> int:
        """Store all of it with few statements; how many events. Raises Conflict.

        Every process goes by the same order, so that they never wait for each other.
        """
        events = [(game, *event) for one in given for game, event in one.events]
        for new in _batched(sorted(events, key=lambda event: event[:2])):
            _insert_events(connection, new)
        rows = {row.id: row for one in given for row in (*one.changed, *one.begun)}
        for changed in _batched([rows[game] for game in sorted(rows)]):
            marks = ", ".join([_ROW] * len(changed))
            sql = f"INSERT INTO games ({_COLUMNS}) VALUES {marks}{_ADD_OR_CHANGE}"
            connection.execute(sql, [*chain.from_iterable(changed)])
        if reports := [report for one in given for report in self._reports(one)]:
            self.announce(connection, reports)
        return len(events)

    def _reports(self, changes: Changes) -> Iterator[str]:
        """What all processes are told about these changes."""
        if self.is_shared:  # otherwise the only process knows already
            newest = {game: event.seq for game, event in changes.events}
            yield from (f"{game} {seq}" for game, seq in newest.items())
        for row in changes.begun:
            bots = (who for who in (row.who1, row.who2) if who and is_bot(who))
            yield from (f"{NEW_GAME} {who} {row.id}" for who in bots if row.state == "playing")
        is_left = any(event.kind in _LOBBY_EVENTS for _, event in changes.events)
        if any(row.listed for row in (*changes.begun, *(changes.changed if is_left else ()))):
            yield LOBBY

    async def change_seats(self, game: str, change: Callable[[GameRow], GameRow]) -> None:
        """Change whose seats they are, or their names; whoever has the game reads it again.

        The change is an event, so nothing that is based on the old row can be stored after it.
        """

        def work(connection: Connection) -> None:
            if seq := _change_seats(connection, game, change, self.now()):
                self.announce(connection, [f"{game} {seq}"])

        while True:
            try:
                return await self.database.run(work)
            except Conflict:
                continue  # another process has stored an event first

    async def load(self, game: str) -> tuple[GameRow, list[StoredEvent]] | None:
        """A game and all its events; None if there is none."""
        return await self.database.run(lambda connection: _load(connection, game))

    async def newest(self, game: str) -> int:
        """The number of the newest event of a game; 0 if it has none."""
        sql = "SELECT max(seq) FROM events WHERE game = ?"
        row = await self.database.run(lambda it: it.execute(sql, (game,)).fetchone())
        return int(row[0] or 0)

    async def open_games(self, limit: int) -> list[GameRow]:
        """The newest games for which anybody can be the opponent."""
        where = "WHERE state = 'open' AND listed ORDER BY created DESC LIMIT ?"
        return await self.database.run(lambda connection: _rows(connection, where, (limit,)))

    async def count_open(self, who: str) -> int:
        """For how many games of this person anybody can be the opponent."""
        sql = "SELECT count(*) FROM games WHERE who1 = ? AND state = 'open' AND listed"
        row = await self.database.run(lambda it: it.execute(sql, (who,)).fetchone())
        return int(row[0])

    async def games_of(self, who: str, limit: int) -> list[GameRow]:
        """The newest unfinished games of a player, then the newest finished ones."""

        def newest(connection: Connection, state: str) -> list[GameRow]:
            where = f"WHERE who{{}} = ? AND state {state} ORDER BY created DESC LIMIT ?"
            rows = [
                row
                for seat in (1, 2)
                for row in _rows(connection, where.format(seat), (who, limit))
            ]
            return sorted(rows, key=lambda row: row.created, reverse=True)[:limit]

        states = ("IN ('open', 'playing')", "= 'over'")
        return await self.database.run(
            lambda connection: [row for state in states for row in newest(connection, state)]
        )

    async def playing(self, who: str) -> list[str]:
        """The games that a player plays now, the oldest first."""
        found = [
            f"SELECT id, created FROM games WHERE who{seat} = ? AND state = 'playing'"
            for seat in (1, 2)
        ]
        sql = f"{found[0]} UNION {found[1]} ORDER BY created"
        rows = await self.database.run(lambda it: it.execute(sql, (who, who)).fetchall())
        return [row[0] for row in rows]

    async def ids_of(self, who: str) -> list[tuple[str, State]]:
        """All games of a player with their states, the newest first."""
        sql = "SELECT id, state FROM games WHERE who1 = ? OR who2 = ? ORDER BY created DESC"
        rows = await self.database.run(lambda it: it.execute(sql, (who, who)).fetchall())
        return [(row[0], row[1]) for row in rows]

    async def to_wake(self, until: int | None = None) -> list[str]:
        """The games in which the server itself must act: by then, or at any time."""
        where = "wake IS NOT NULL" if until is None else "wake <= ?"
        given = () if until is None else (until,)
        sql = f"SELECT id FROM games WHERE {where} ORDER BY wake"
        rows = await self.database.run(lambda connection: connection.execute(sql, given).fetchall())
        return [row[0] for row in rows]

    async def secret(self, name: str) -> str:
        """The secret with this name, made when it is first asked for."""
        return await self.database.run(lambda connection: _secret(connection, name))

    def close(self) -> None:
        """Finish what was asked for, and leave the database."""
        if self.listener is not None:
            self.listener.close()
        self.database.close()


def wall_time() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def _forget_start(connection: Connection) -> None:
    connection.is_first_beat = connection.was_alone


def _beat(connection: Connection) -> int:
    """The time in all during which nobody served; a gap before the first beat is part of it."""
    now = wall_time()
    if connection.is_first_beat:
        connection.execute("UPDATE clock SET idle = idle + ? - beat WHERE beat > 0", (now,))
        connection.is_first_beat = False
    row = connection.execute("UPDATE clock SET beat = ? RETURNING idle", (now,)).fetchone()
    return int(row[0])


def _insert_events(connection: Connection, events: Sequence[tuple[object, ...]]) -> None:
    """Add events with their games; raises Conflict if one of them is there already."""
    marks = ", ".join([_EVENT] * len(events))
    sql = f"INSERT INTO events VALUES {marks} ON CONFLICT DO NOTHING"
    if connection.execute(sql, [*chain.from_iterable(events)]).rowcount != len(events):
        raise Conflict


def _batched(items: Sequence[T]) -> Iterator[Sequence[T]]:
    return (items[at : at + _AT_ONCE] for at in range(0, len(items), _AT_ONCE))


def _change_seats(
    connection: Connection, game: str, change: Callable[[GameRow], GameRow], now: int
) -> int:
    """The number of an event that says so, or 0 if nothing changes; raises Conflict."""
    sql = "SELECT max(seq) FROM events WHERE game = ?"
    seq = (connection.execute(sql, (game,)).fetchone()[0] or 0) + 1
    # Read after the number, the row is not older than it; the event is refused if it is newer.
    rows = _rows(connection, "WHERE id = ?", (game,))
    if not rows or (row := change(rows[0])) == rows[0]:
        return 0
    _insert_events(connection, [(game, *StoredEvent(seq, now, "seats", ""))])
    sql = "UPDATE games SET who1 = ?, who2 = ?, settings = ? WHERE id = ?"
    connection.execute(sql, (row.who1, row.who2, row.settings, game))
    return seq


def _load(connection: Connection, game: str) -> tuple[GameRow, list[StoredEvent]] | None:
    sql = "SELECT seq, at, kind, body, key FROM events WHERE game = ? ORDER BY seq"
    events = connection.execute(sql, (game,)).fetchall()
    # Another process may store meanwhile: what it stores is reported unless the event was read.
    rows = _rows(connection, "WHERE id = ?", (game,))
    return (rows[0], [StoredEvent(*event) for event in events]) if rows else None


def _rows(connection: Connection, where: str, given: Sequence[object]) -> list[GameRow]:
    rows = connection.execute(f"SELECT {_COLUMNS} FROM games {where}", given).fetchall()
    return [(row := GameRow(*found))._replace(listed=bool(row.listed)) for found in rows]


def _secret(connection: Connection, name: str) -> str:
    sql = "INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING"
    connection.execute(sql, (name, secrets.token_hex(32)))
    row = connection.execute("SELECT value FROM secrets WHERE name = ?", (name,)).fetchone()
    return str(row[0])
