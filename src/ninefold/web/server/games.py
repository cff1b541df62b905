"""All games of this process: begun, found, joined, kept in memory while somebody needs them."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from ninefold.core.errors import NinefoldError
from ninefold.players import HUMAN, make, name_of
from ninefold.record.text import format_settings
from ninefold.session import new_settings
from ninefold.web.server import ready_bots
from ninefold.web.server.choices import COMPUTERS
from ninefold.web.server.database import public_message
from ninefold.web.server.game_books import BookKey, GameBooks
from ninefold.web.server.game_rows import ended_for
from ninefold.web.server.hosted import Hosted
from ninefold.web.server.identity import Identity
from ninefold.web.server.lobby import MAX_LISTED, Lobby, summaries
from ninefold.web.server.ready_bots import ReadyBots
from ninefold.web.server.requests import BOT, NewGame
from ninefold.web.server.series import WAITING, new_id, other_name, played_on
from ninefold.web.server.shown import Shown
from ninefold.web.server.store import (
    LOBBY,
    NEW_GAME,
    Changes,
    GameRow,
    Store,
    StoredEvent,
    wall_time,
)
from ninefold.web.server.table import Table
from ninefold.web.server.view import Json, heading_of
from ninefold.web.server.work.pool import Workers

log = logging.getLogger("ninefold.server")
# How many games nobody looks at stay in memory.
MAX_IDLE = 1_000
# At how many games to look for some to forget, whenever there is one more.
_LOOKED_AT = 4
BEAT_SECONDS = 0.05
SWEEP_SECONDS = 2.0
# Games in which the server has nothing to do for this long need not be in memory, in seconds.
AHEAD = 60.0


class Games:
    """The tables of this process, and the tasks that keep their clocks right."""

    def __init__(self, store: Store, workers: Workers) -> None:
        self.store = store
        self.workers = workers
        self.lobby = Lobby(store)
        self.bots = ReadyBots(store)
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.books = GameBooks(store.books, workers, self.tables)
        self._clocked: set[Table] = set()
        self._are_away = False  # games whose clock runs, so that they must be looked for
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Take over every game in which a clock is about to run out or a computer is to move."""
        await self.store.beat()
        soon = await self.store.to_wake(self.store.now() + round(1000 * AHEAD))
        for game in soon:
            await self._wake(game)
        self._are_away = len(await self.store.to_wake()) > len(soon)
        await self.store.begin_to_serve()
        self._tasks = [
            asyncio.create_task(self._forever(self._beat, BEAT_SECONDS)),
            asyncio.create_task(self._forever(self._sweep, SWEEP_SECONDS)),
            asyncio.create_task(self._forever(self.bots.refresh, ready_bots.PAUSE)),
        ]

    async def stop(self) -> None:
        """Stop all clocks of this process, and finish what is being stored."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.lobby.close()
        await self.bots.close()
        for table in self.tables.values():
            table.close()
        await asyncio.to_thread(self.store.close)
        await self.workers.close()

    async def begin(self, owner: Identity, wanted: NewGame, client: str = "") -> Table:
        """A new game of this player, who asks from this address; raises NinefoldError."""
        key = BookKey(wanted.book, wanted.game or "", wanted.reading, tuple(wanted.changes))
        book = await self.books.open(key, client)
        is_computer, bot = wanted.opponent in COMPUTERS, await self._bot(owner, wanted)
        seat2 = wanted.opponent if is_computer else HUMAN
        make(seat2, book.game)
        other = bot.name if bot else name_of(seat2) if is_computer else WAITING
        is_begun = is_computer or bot is not None
        settings = new_settings(
            book,
            player1=owner.name,
            player2=other_name(owner.name, other),
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
            state="playing" if is_begun else "open",
            listed=wanted.opponent == "anyone",
            who1=owner.who,
            who2=bot and bot.who,
            settings=format_settings(settings),
            book=wanted.book,
            wins=wanted.wins,
            winners="",
            wake=None,
            title=heading_of(book),
        )
        events = [StoredEvent(1, now, "begun", "")] if is_begun else []
        game = Hosted(row, events, book)
        game.row = game.row_now(now)
        await self.store.write(Changes([], [(row.id, one) for one in events], [game.row]))
        return self._keep(game, client)

    async def _bot(self, owner: Identity, wanted: NewGame) -> Identity | None:
        """The bot that is wanted as the opponent, if one is; raises NinefoldError."""
        if not wanted.opponent.startswith(BOT):
            return None
        bot = await self.bots.find(wanted.opponent.removeprefix(BOT), wanted.game or "")
        if bot.who == owner.who:
            raise NinefoldError("own-game", "You cannot play against yourself.")
        return bot

    async def play_on(self, game: str, plies: int, who: Identity, client: str = "") -> Table:
        """A new game that begins after so many moves of a finished one; raises NinefoldError."""
        found = (await self.find(game)).game
        begun, events = played_on(found, plies, who.who, who.name, self.store.now())
        await self.store.write(Changes([], [(begun.row.id, one) for one in events], [begun.row]))
        return self._keep(begun, client)

    async def join(self, game: str, who: Identity) -> Table:
        """An open game with this player as the opponent; raises NinefoldError."""
        table = await self.find(game)
        await table.join(who.who, who.name)
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
        row, events = loaded
        return self._keep(Hosted(row, events, await self.books.load(row)))

    def _keep(self, game: Hosted, client: str = "", before: Shown | None = None) -> Table:
        """Keep a game in memory, and forget those that nobody needs if there are many."""
        # It is here already if somebody heard of a new game before whoever began it.
        if (found := self.tables.get(game.row.id)) is not None:
            return found
        table = Table(self.store, self.workers, game, self._keep, self._clocked, client, before)
        self.tables[game.row.id] = table
        self._forget_idle(table)
        return table

    def _forget_idle(self, newest: Table) -> None:
        """If there are many games, look at a few of those that were used longest ago."""
        for _ in range(_LOOKED_AT):
            if len(self.tables) <= MAX_IDLE:
                break
            game, table = next(iter(self.tables.items()))
            if table.can_leave(AHEAD) and table is not newest:
                self._are_away = self._are_away or table.has_clock
                table.close()
                del self.tables[game]
            else:
                self.tables.move_to_end(game)

    async def games_of(self, who: str) -> list[Json]:
        """The newest games of a player, unfinished ones first, each with how it stands for them."""
        found = list[Json]()
        for row in await self.store.games_of(who, MAX_LISTED):
            for summary in summaries([row]):
                # A finished game need not be loaded to know how it ended.
                known = row.winner is not None
                standing = ended_for(row, who) if known else await self._standing(row, who)
                found.append({**summary, **standing})
        return found

    async def _standing(self, row: GameRow, who: str) -> Json:
        try:
            return Shown((await self.find(row.id)).game).standing(who)
        except NinefoldError as error:  # its rule book is gone, or there is no room for it now
            seat = 1 if who == row.who1 else 2
            return {"you": seat, "turn": 0, "winner": None, "status": public_message(error)}

    # Other processes, and the clock

    def reported(self, report: str) -> None:
        """Some process has stored an event; an empty report: perhaps in any game."""
        if report in ("", LOBBY):
            self.lobby.changed()
        kind, _, rest = report.partition(" ")
        if kind == NEW_GAME:
            self.bots.tell(*rest.split())
            return
        if not report:
            self.bots.tell_all()
        game, seq = kind, rest
        for table in [self.tables.get(game)] if game else [*self.tables.values()]:
            if table is not None and (not seq or table.game.seq < int(seq)):
                table.refresh_soon()

    async def _beat(self) -> None:
        if self._have_left or self._clocked:
            await self.store.beat()

    @property
    def _have_left(self) -> bool:
        """Whether a clock may run in a game that is not in memory."""
        return self._are_away or self.books.has_sent_away

    async def _sweep(self) -> None:
        """Take over the games of processes that are gone, and those that were sent away."""
        if self.store.is_shared or self._have_left:
            # What other processes have in memory is theirs until it is late.
            ahead = 0.0 if self.store.is_shared else 2 * SWEEP_SECONDS
            for game in await self.store.to_wake(self.store.now() + round(1000 * ahead)):
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
            except Exception as error:  # whatever it is, the next time it may work
                log.error("%s", error, exc_info=not isinstance(error, NinefoldError))
                await asyncio.sleep(1)
