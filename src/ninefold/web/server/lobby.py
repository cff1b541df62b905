"""Lists of games; and the open ones, shown to everybody who watches that list."""

import asyncio
import logging
from json import dumps

from ninefold.core.errors import NinefoldError
from ninefold.web.server.game_rows import read_book, read_settings, summary_of
from ninefold.web.server.shown import Watcher
from ninefold.web.server.store import GameRow, Store
from ninefold.web.server.view import Json

log = logging.getLogger("ninefold.server")
# How many games a list shows.
MAX_LISTED = 50
# The shortest time between two messages about the list, in seconds.
PAUSE = 0.5
# To how many it is sent before others get their turn.
_AT_ONCE = 100


def summaries(rows: list[GameRow]) -> list[Json]:
    """The games of a list."""
    found = []
    for row in rows:
        settings = read_settings(row.settings)
        try:
            if row.book is None and not settings.changes:
                read_book(settings)
            found.append(summary_of(row, settings))
        except NinefoldError:
            continue  # the rules of an old game have changed
    return found


class Lobby:
    """The list of open games. It is read once for all, however often it changes meanwhile."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows: list[GameRow] = []
        self._text = ""  # for everybody but those who wait for an opponent
        self._own_texts: dict[str | None, str] = {}
        self._version = 0
        self._watchers: dict[Watcher, int] = {}  # the version that each has seen
        self._is_stale = True
        self._task: asyncio.Task[None] | None = None

    async def games(self, who: str | None) -> Json:
        """The games for which anybody can be the opponent, and which of them are one's own."""
        rows = await self._store.open_games(MAX_LISTED)
        return {"games": summaries(rows), "mine": _own(rows, who)}

    def watch(self, watcher: Watcher) -> None:
        """Show the list to somebody, now and whenever it changes."""
        self._watchers[watcher] = 0
        if self._is_stale:
            self.changed()
        else:
            self._show(watcher)

    def leave(self, watcher: Watcher) -> None:
        """Somebody no longer watches."""
        self._watchers.pop(watcher, None)

    def changed(self) -> None:
        """The list may have changed; who watches it hears of it soon."""
        self._is_stale = True
        if self._watchers and self._task is None:
            self._task = asyncio.create_task(self._tell())

    def close(self) -> None:
        """Tell nobody any more."""
        if self._task is not None:
            self._task.cancel()

    async def _tell(self) -> None:
        try:
            while self._is_stale and self._watchers:
                try:
                    await self._read()
                except NinefoldError as error:  # the database will be back
                    self._is_stale = True
                    log.error("%s", error)
                else:
                    await self._show_all()
                await asyncio.sleep(PAUSE)
        finally:
            self._task = None

    async def _read(self) -> None:
        self._is_stale = False  # what changes from now on may be missing in what is read
        rows = await self._store.open_games(MAX_LISTED)
        if rows != self._rows or not self._version:
            self._version += 1
            self._rows = rows
            games = dumps({"type": "lobby", "games": summaries(rows)}, ensure_ascii=False)[:-1]
            self._text = f'{games}, "mine": []}}'
            waiting = {row.who1 for row in rows}
            self._own_texts = {
                who: f'{games}, "mine": {dumps(_own(rows, who))}}}' for who in waiting
            }

    async def _show_all(self) -> None:
        behind = [one for one, seen in self._watchers.items() if seen != self._version]
        for number, watcher in enumerate(behind, 1):
            if watcher in self._watchers:
                self._show(watcher)
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)

    def _show(self, watcher: Watcher) -> None:
        self._watchers[watcher] = self._version
        watcher.push(self._own_texts.get(watcher.who, self._text))


def _own(rows: list[GameRow], who: str | None) -> list[str]:
    return [row.id for row in rows if who and row.who1 == who]
