"""What the server keeps: games as numbered events, tokens of bots, and how long it has served."""

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol, TypeAlias

from ninefold.web.server.database import Connection, Database

State: TypeAlias = Literal["open", "playing", "over"]
_COLUMNS = "id, created, state, listed, who1, who2, settings, copy, wins, winners, wake"
_INSERT_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"


class GameRow(NamedTuple):
    """A game without its events. ``settings`` are written as in a record.

    ``wake`` is when the server itself must act next (by its own clock), ``winners`` the results of
    the games before this one against each other.
    """

    id: str
    created: int
    state: State
    listed: bool
    who1: str | None
    who2: str | None
    settings: str
    copy: str | None
    wins: int | None
    winners: str
    wake: int | None


class StoredEvent(NamedTuple):
    """One thing that happened in a game, and when, in milliseconds of the server's clock."""

    seq: int
    at: int
    kind: str
    body: str
    key: str | None = None


class Appended(NamedTuple):
    """The answer to an append: the number of the last event, unless somebody else was faster.

    ``repeated``: the key was already there, so nothing was added; its event has this number.
    """

    seq: int
    lost: bool = False
    repeated: bool = False


class Append(NamedTuple):
    """Events for the end of a game, what they change in its row, and a game they begin."""

    row: GameRow
    events: Sequence[StoredEvent]
    is_changed: bool = False
    begun: "tuple[GameRow, Sequence[StoredEvent]] | None" = None


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
        announce: Callable[[Connection, str, int], None] = lambda *_: None,
    ) -> None:
        self.idle = 0
        self.events = 0  # stored by this process
        self.database = Database(connect, self._note_time)
        self.listener: Closing | None = None
        self._announce = announce
        self._now = 0

    @property
    def is_shared(self) -> bool:
        """Whether other processes may use the same database."""
        return self.listener is not None

    def now(self) -> int:
        """Milliseconds by a clock that stands still while nobody serves; never goes back.

        It is right after the first beat.
        """
        self._now = max(self._now, wall_time() - self.idle)
        return self._now

    async def beat(self) -> None:
        """Note that somebody serves now, and learn how long nobody did."""
        await self.database.run(lambda _: None)

    async def begin_to_serve(self) -> None:
        """Note that this process serves from now on: what it did before does not count either."""
        await self.database.run(_forget_start)

    def _note_time(self, connection: Connection) -> None:
        self.idle = _beat(connection)

    async def add(self, row: GameRow, events: Sequence[StoredEvent] = ()) -> None:
        """Keep a new game, with what has happened in it."""
        await self.database.run(lambda connection: _add(connection, row, events), row.id)

    async def append(self, given: Append) -> Appended:
        """Add events after the last one that is known, unless there are others by now."""

        def work(connection: Connection) -> Appended:
            answer = _append(connection, given)
            if not answer.lost and not answer.repeated:
                self.events += len(given.events)
                self._announce(connection, given.row.id, answer.seq)
            return answer

        return await self.database.run(work, given.row.id)

    async def load(self, game: str) -> tuple[GameRow, list[StoredEvent]] | None:
        """A game and all its events; None if there is none."""
        return await self.database.run(lambda connection: _load(connection, game))

    async def open_games(self, limit: int) -> list[GameRow]:
        """The newest games for which anybody can be the opponent."""
        where = "WHERE state = 'open' AND listed ORDER BY created DESC LIMIT ?"
        return await self.database.run(lambda connection: _rows(connection, where, (limit,)))

    async def games_of(self, who: str, limit: int) -> list[GameRow]:
        """The newest games of a player."""
        where = "WHERE who1 = ? OR who2 = ? ORDER BY created DESC LIMIT ?"
        return await self.database.run(
            lambda connection: _rows(connection, where, (who, who, limit))
        )

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

    async def add_token(self, digest: str, who: str, name: str) -> None:
        """Keep the digest of a bot's token."""
        sql = "INSERT INTO tokens VALUES (?, ?, ?)"
        await self.database.run(lambda connection: connection.execute(sql, (digest, who, name)))

    async def find_token(self, digest: str) -> tuple[str, str] | None:
        """Who holds the token with this digest: an identity and a name."""
        sql = "SELECT who, name FROM tokens WHERE digest = ?"
        row = await self.database.run(lambda it: it.execute(sql, (digest,)).fetchone())
        return None if row is None else (row[0], row[1])

    async def delete_token(self, digest: str) -> None:
        """Forget a token."""
        sql = "DELETE FROM tokens WHERE digest = ?"
        await self.database.run(lambda connection: connection.execute(sql, (digest,)))

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


def _add(connection: Connection, row: GameRow, events: Sequence[StoredEvent]) -> None:
    marks = ", ".join("?" * len(row))
    # It may be there already if the answer to the first attempt was lost.
    sql = f"INSERT INTO games ({_COLUMNS}) VALUES ({marks}) ON CONFLICT DO NOTHING"
    connection.execute(sql, row)
    for event in events:
        connection.execute(_INSERT_EVENT, (row.id, *event))


def _append(connection: Connection, given: Append) -> Appended:
    row, events = given.row, given.events
    first = events[0]
    if connection.execute(_INSERT_EVENT, (row.id, *first)).rowcount != 1:
        sql = "SELECT seq FROM events WHERE game = ? AND key = ?"
        found = connection.execute(sql, (row.id, first.key)).fetchone() if first.key else None
        return Appended(0, lost=True) if found is None else Appended(found[0], repeated=True)
    for event in events[1:]:
        connection.execute(_INSERT_EVENT, (row.id, *event))
    if given.is_changed:
        connection.execute(
            "UPDATE games SET state = ?, who1 = ?, who2 = ?, settings = ?, wake = ? WHERE id = ?",
            (row.state, row.who1, row.who2, row.settings, row.wake, row.id),
        )
    if given.begun is not None:
        _add(connection, *given.begun)
    return Appended(events[-1].seq)


def _load(connection: Connection, game: str) -> tuple[GameRow, list[StoredEvent]] | None:
    rows = _rows(connection, "WHERE id = ?", (game,))
    sql = "SELECT seq, at, kind, body, key FROM events WHERE game = ? ORDER BY seq"
    events = connection.execute(sql, (game,)).fetchall() if rows else []
    return (rows[0], [StoredEvent(*event) for event in events]) if rows else None


def _rows(connection: Connection, where: str, given: Sequence[object]) -> list[GameRow]:
    rows = connection.execute(f"SELECT {_COLUMNS} FROM games {where}", given).fetchall()
    return [(row := GameRow(*found))._replace(listed=bool(row.listed)) for found in rows]


def _secret(connection: Connection, name: str) -> str:
    sql = "INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING"
    connection.execute(sql, (name, secrets.token_hex(32)))
    row = connection.execute("SELECT value FROM secrets WHERE name = ?", (name,)).fetchone()
    return str(row[0])
