"""Bots that are ready to play: listed while they are connected, and told of every new game."""

import asyncio
import logging
from collections.abc import Sequence
from json import dumps
from typing import NamedTuple

from ninefold.core.errors import NinefoldError
from ninefold.web.server.database import Connection
from ninefold.web.server.identity import Identity
from ninefold.web.server.shown import Watcher
from ninefold.web.server.store import Store, wall_time
from ninefold.web.server.view import Json

log = logging.getLogger("ninefold.server")
# How many are listed.
MAX_LISTED = 100
# How often a process says that its bots are still connected, and how long that holds, in seconds.
PAUSE, HOLDS = 10.0, 30.0


class _Ready(NamedTuple):
    """A bot that is ready, and the games it plays, in a line; all of them if there are none."""

    who: str
    name: str
    games: str


class ReadyBots:
    """The bots that are connected to any process; those of this one are told of their games."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._listeners: dict[str, set[Watcher]] = {}
        self._ready: dict[str, _Ready] = {}  # those of this process that wait for opponents
        self._tasks: set[asyncio.Task[None]] = set()

    async def add(self, bot: Identity, listener: Watcher, games: Sequence[str]) -> None:
        """List a bot that plays these games (without any: all), and tell it of its games."""
        self._listeners.setdefault(bot.who, set()).add(listener)
        self._ready[bot.who] = _Ready(bot.who, bot.name, " ".join(games))
        await self.refresh()
        await self._update(bot.who)

    async def rest(self, bot: str) -> None:
        """A bot is not ready for new opponents; it still hears of its games."""
        self._ready.pop(bot, None)
        sql = "DELETE FROM ready_bots WHERE who = ?"
        await self._store.database.run(lambda connection: connection.execute(sql, (bot,)))

    def leave(self, listener: Watcher) -> None:
        """A client has left; its bot is no longer listed, unless it is connected once more."""
        found = self._listeners.get(listener.who)
        if found is None or listener not in found:
            return
        found.discard(listener)
        if not found:
            del self._listeners[listener.who]
            self._start(listener.who)

    async def listed(self) -> list[Json]:
        """The bots that are ready, and which games each plays; null for all."""
        sql = "SELECT who, name, games FROM ready_bots WHERE until > ? ORDER BY until DESC LIMIT ?"
        given = (wall_time(), MAX_LISTED)
        rows = await self._store.database.run(lambda it: it.execute(sql, given).fetchall())
        found = [
            {"id": who, "name": name, "games": games.split() or None} for who, name, games in rows
        ]
        return sorted(found, key=lambda bot: (bot["name"].casefold(), bot["id"]))

    async def find(self, bot: str, game: str) -> Identity:
        """A bot that is ready to play this game; raises NinefoldError."""
        sql = "SELECT who, name, games FROM ready_bots WHERE who = ? AND until > ?"
        given = (bot, wall_time())
        row = await self._store.database.run(lambda it: it.execute(sql, given).fetchone())
        if row is None:
            raise NinefoldError("bot-away", "That bot is not ready to play.", "Choose another one.")
        who, name, games = row
        if games and game not in games.split():
            reason, advice = f"{name} does not play this game.", f"It plays {games}."
            raise NinefoldError("bot-refuses", reason, advice)
        return Identity(who, name)

    def tell(self, bot: str, game: str) -> None:
        """A game of this bot has begun."""
        for listener in self._listeners.get(bot, ()):
            listener.push(dumps({"type": "game", "game": game}))

    def tell_all(self) -> None:
        """Games of any bot may have begun unnoticed."""
        for bot in self._listeners:
            self._start(bot)

    async def refresh(self) -> None:
        """Say that the bots of this process are still ready, and forget those long gone."""
        if rows := sorted(self._ready.values()):
            await self._store.database.run(lambda connection: _keep(connection, rows))

    async def close(self) -> None:
        """All bots of this process are leaving."""
        for task in self._tasks:
            task.cancel()
        for bot in [*self._ready]:
            await self.rest(bot)

    def _start(self, bot: str) -> None:
        task = asyncio.get_running_loop().create_task(self._update(bot))
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("%s", error)  # what is not renewed is forgotten in a while

    async def _update(self, bot: str) -> None:
        """Tell a bot of all its games; or take it off the list, if it is gone."""
        if bot not in self._listeners:
            await self.rest(bot)
            return
        for game in await self._store.playing(bot):
            self.tell(bot, game)


def _keep(connection: Connection, rows: Sequence[_Ready]) -> None:
    now = wall_time()
    connection.execute("DELETE FROM ready_bots WHERE until < ?", (now,))
    sql = (
        "INSERT INTO ready_bots VALUES (?, ?, ?, ?) ON CONFLICT (who) DO UPDATE SET "
        "name = excluded.name, games = excluded.games, until = excluded.until"
    )
    for row in rows:
        connection.execute(sql, (*row, now + round(1000 * HOLDS)))
