"""What people answered to puzzles, and the finished games that they can learn from."""

from collections.abc import Sequence
from typing import NamedTuple

from ninefold.web.server.database import Connection, Database
from ninefold.web.server.store import wall_time

# Of one person; the oldest are forgotten.
MAX_ANSWERS = 2_000
# So many games are looked through for mistakes, the newest.
MAX_GAMES = 50
_FINISHED = (
    "SELECT id, created, settings, book, {seat} AS seat FROM games "
    "WHERE who{seat} = ? AND state = 'over' ORDER BY created DESC LIMIT ?"
)


class PastGame(NamedTuple):
    """A finished game of somebody in this seat, as a record; its book, if that is a stored one."""

    id: str
    seat: int
    record: str
    book: str | None


class PracticeStore:
    """The answers in the database; every method returns once its result is durable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, who: str, attempt: str, line: str) -> None:
        """Keep the line of an answer, unless the same attempt has had a result before."""
        await self._database.run(lambda connection: _add(connection, who, attempt, line))

    async def answers_of(self, who: str) -> list[str]:
        """The lines of somebody's answers, the oldest first."""
        sql = "SELECT line FROM answers WHERE who = ? ORDER BY at, attempt"
        rows = await self._database.run(lambda it: it.execute(sql, (who,)).fetchall())
        return [row[0] for row in rows]

    async def games_of(self, who: str) -> list[PastGame]:
        """The newest games of somebody that are over, the oldest first."""
        return await self._database.run(lambda connection: _games_of(connection, who))


def _add(connection: Connection, who: str, attempt: str, line: str) -> None:
    sql = "INSERT INTO answers (who, attempt, at, line) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
    connection.execute(sql, (who, attempt, wall_time(), line))
    oldest = "SELECT at FROM answers WHERE who = ? ORDER BY at DESC LIMIT 1 OFFSET ?"
    sql = f"DELETE FROM answers WHERE who = ? AND at <= ({oldest})"
    connection.execute(sql, (who, who, MAX_ANSWERS))


def _games_of(connection: Connection, who: str) -> list[PastGame]:
    # Each half follows its index, however many games somebody has.
    one, two = (
        f"SELECT * FROM ({_FINISHED.format(seat=seat)}) AS as_seat{seat}" for seat in (1, 2)
    )
    sql = f"{one} UNION ALL {two} ORDER BY created DESC LIMIT ?"
    given = (who, MAX_GAMES, who, MAX_GAMES, MAX_GAMES)
    rows = connection.execute(sql, given).fetchall()
    facts = _facts_of(connection, [row[0] for row in rows])
    return [
        PastGame(game, seat, f"{settings}{facts[game]}*\n", book)
        for game, _, settings, book, seat in reversed(rows)
    ]


def _facts_of(connection: Connection, games: Sequence[str]) -> dict[str, str]:
    """The facts of each game, as lines of its record."""
    found = dict.fromkeys(games, "")
    if not games:
        return found
    marks = ", ".join("?" * len(games))
    kinds = "kind IN ('given', 'fact')"
    sql = f"SELECT game, body FROM events WHERE game IN ({marks}) AND {kinds} ORDER BY seq"
    for game, body in connection.execute(sql, games).fetchall():
        found[game] += f"{body}\n"
    return found
