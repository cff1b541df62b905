"""All games of this process: begun, found, joined, kept in memory while somebody needs them."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.new_game import check_name
from ninefold.players import HUMAN, MAX_NAME, make, name_of
from ninefold.record.text import format_settings
from ninefold.session import new_settings
from ninefold.web.server.hosted import Hosted, read_book, read_settings, summary_of
from ninefold.web.server.identity import Identity
from ninefold.web.server.requests import COMPUTERS, NewGame
from ninefold.web.server.series import new_id
from ninefold.web.server.store import GameRow, Store, StoredEvent, wall_time
from ninefold.web.server.table import Table
from ninefold.web.server.view import Json
from ninefold.web.server.work.pool import Workers

log = logging.getLogger("ninefold.server")
# How many games nobody looks at stay in memory.
MAX_IDLE = 1_000
# How many games a list shows.
MAX_LISTED = 50
BEAT_SECONDS = 0.05
SWEEP_SECONDS = 2.0
WAITING = "Opponent"


class Games:
    """The tables of this process, and the tasks that keep their clocks right."""

    def __init__(self, store: Store, workers: Workers) -> None:
        self.store = store
        self.workers = workers
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Take over every game in which a clock runs or a computer is to move."""
        await self.store.beat()
        for game in await self.store.to_wake():
            await self._wake(game)
        await self.store.begin_to_serve()
        self._tasks = [asyncio.create_task(self._forever(self._beat, BEAT_SECONDS))]
        if self.store.is_shared:
            self._tasks.append(asyncio.create_task(self._forever(self._sweep, SWEEP_SECONDS)))

    async def stop(self) -> None:
        """Stop all clocks of this process, and finish what is being stored."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for table in self.tables.values():
            table.close()
        await asyncio.to_thread(self.store.close)
        await self.workers.close()

    async def begin(self, owner: Identity, wanted: NewGame) -> Table:
        """A new game of this player; raises NinefoldError."""
        book = books.load_book(wanted.game, wanted.reading)
        is_computer = wanted.opponent in COMPUTERS
        seat2 = wanted.opponent if is_computer else HUMAN
        make(seat2, book.game)
        settings = new_settings(
            book,
            player1=owner.name,
            player2=_other_name(owner.name, name_of(seat2) if is_computer else WAITING),
            seat2=seat2,
            first=wanted.first,
            time_limit=wanted.time_limit,
            on_timeout=wanted.on_timeout,
            game_time=wanted.game_time,
            increment=wanted.increment,
        )
        now = self.store.now()
        row = GameRow(
            id=new_id(),
            created=wall_time(),
            state="playing" if is_computer else "open",
            listed=wanted.opponent == "anyone",
            who1=owner.who,
            who2=None,
            settings=format_settings(settings),
            copy=None,
            wins=wanted.wins,
            winners="",
            wake=None,
        )
        events = [StoredEvent(1, now, "begun", "")] if is_computer else []
        game = Hosted(row, events)
        game.row = game.row_now(now)
        await self.store.add(game.row, events)
        return self._keep(game)

    async def join(self, game: str, who: Identity) -> Table:
        """An open game with this player as the opponent; raises NinefoldError."""
        table = await self.find(game)
        row = table.game.row
        if row.who1 == who.who:
            raise NinefoldError("own-game", "You cannot play against yourself.")
        if row.who2 != who.who:
            settings = read_settings(row.settings)
            other = _other_name(settings.player1, who.name)
            written = format_settings(settings._replace(player2=other))
            await table.join(row._replace(who2=who.who, settings=written, state="playing"))
        return table

    async def find(self, game: str) -> Table:
        """The table of a game; raises NinefoldError if there is no such game."""
        table = self.tables.get(game)
        if table is not None:
            self.tables.move_to_end(game)
            return table
        # Whoever else looks for it meanwhile waits for the same.
        task = self._loading.get(game)
        if task is None:
            task = self._loading[game] = asyncio.create_task(self._load(game))
            task.add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(task)

    async def _load(self, game: str) -> Table:
        loaded = await self.store.load(game)
        if loaded is None:
            raise NinefoldError("no-such-game", "There is no such game.")
        return self._keep(Hosted(*loaded))

    def _keep(self, game: Hosted) -> Table:
        """Keep a game in memory, and forget those that nobody needs if there are many."""
        table = self.tables[game.row.id] = Table(self.store, self.workers, game, self._keep)
        if len(self.tables) > MAX_IDLE:
            idle = [old for old, one in self.tables.items() if one.is_idle and one is not table]
            for old in idle[: len(self.tables) - MAX_IDLE]:
                del self.tables[old]
        return table

    async def open_games(self) -> list[Json]:
        """The games for which anybody can be the opponent."""
        return _summaries(await self.store.open_games(MAX_LISTED))

    async def games_of(self, who: str) -> list[Json]:
        """The newest games of a player."""
        return _summaries(await self.store.games_of(who, MAX_LISTED))

    # Other processes, and the clock

    def reported(self, report: str) -> None:
        """Some process has stored an event; an empty report: perhaps in any game."""
        game, _, seq = report.partition(" ")
        for table in [self.tables.get(game)] if game else [*self.tables.values()]:
            if table is not None and (not seq or table.game.seq < int(seq)):
                table.refresh_soon()

    async def _beat(self) -> None:
        if any(table.has_clock for table in self.tables.values()):
            await self.store.beat()

    async def _sweep(self) -> None:
        """Take over the games of processes that are gone."""
        for game in await self.store.to_wake(self.store.now()):
            await self._wake(game)

    async def _wake(self, game: str) -> None:
        try:
            await self.find(game)
        except NinefoldError as error:
            log.error("Game %s cannot go on: %s", game, error)

    async def _forever(self, work: Callable[[], Awaitable[None]], pause: float) -> None:
        while True:
            await asyncio.sleep(pause)
            try:
                await work()
            except NinefoldError as error:
                log.error("%s", error)
                await asyncio.sleep(1)


def _other_name(taken: str, name: str) -> str:
    """The name, or another one if both players would be called the same."""
    if name.casefold() != taken.casefold():
        return name
    return check_name(f"{name[: MAX_NAME - 4]} (2)")


def _summaries(rows: list[GameRow]) -> list[Json]:
    found = []
    for row in rows:
        settings = read_settings(row.settings)
        try:
            found.append(summary_of(row, settings, read_book(settings, row.copy)))
        except NinefoldError:
            continue  # the rules of an old game have changed
    return found
