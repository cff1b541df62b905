"""A game with everybody around it: players who act, spectators, the clock, a computer thinking."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress

from ninefold.core.errors import Illegal, NinefoldError
from ninefold.core.moves import parse_move
from ninefold.referee.events import Event
from ninefold.web.server.actions import Action, judge
from ninefold.web.server.hosted import Hosted
from ninefold.web.server.series import next_game, with_opponent
from ninefold.web.server.shown import Shown, Watcher
from ninefold.web.server.store import Changes, GameRow, Store, StoredEvent
from ninefold.web.server.work.pool import Workers

log = logging.getLogger("ninefold.server")
# How often a move is judged again because another process was faster.
_TRIES = 8
# To how many an event is sent before others get their turn.
_AT_ONCE = 100
# How long to wait after a computer could not think, or something else failed, in seconds.
THINK_AGAIN = 1.0


class _Lock:
    """Lets one at a time do something with a table, in order; free, it costs next to nothing."""

    __slots__ = ("_waiting", "is_taken")

    def __init__(self) -> None:
        self.is_taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
        if self.is_taken:
            await self._wait()
        self.is_taken = True

    async def __aexit__(self, *_: object) -> None:
        self.is_taken = False
        self._wake_next()

    async def _wait(self) -> None:
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.is_taken = False  # it was our turn
                self._wake_next()
            raise

    def _wake_next(self) -> None:
        while self._waiting:
            future = self._waiting.popleft()
            if not future.done():
                self.is_taken = True  # nobody else gets in between
                future.set_result(None)
                break


class _Lost(Exception):
    """Another process has stored an event first."""


class Table:
    """One game in this process. What is shown is durable; the lock is held while it changes."""

    def __init__(
        self,
        store: Store,
        workers: Workers,
        game: Hosted,
        keep: Callable[[Hosted, str, Shown], object],
        clocked: "set[Table]",
        client: str = "",
        before: Shown | None = None,
    ) -> None:
        self.game = game
        self._shown = Shown(game, before)
        self._keep = keep  # what to do with the next game
        self._clocked = clocked  # the tables at which somebody's time is running
        self._client = client or game.row.who1 or ""  # for whom a computer thinks
        self.watchers: dict[Watcher, int] = {}  # the seat of each, 0 for spectators
        self._store = store
        self._workers = workers
        self._lock = _Lock()
        self._is_stale = False
        self._timer: asyncio.TimerHandle | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._is_thinking = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._arm()

    def can_leave(self, ahead: float) -> bool:
        """Whether nobody needs this game in memory, nor its clock for so many seconds."""
        if self.is_needed:
            return False
        loop = asyncio.get_running_loop()
        return self._timer is None or self._timer.when() - loop.time() > ahead

    @property
    def is_needed(self) -> bool:
        """Whether somebody looks at this game, or something happens in it right now."""
        return bool(self.watchers or self._lock.is_taken or self._tasks)

    @property
    def has_clock(self) -> bool:
        """Whether somebody's time is running."""
        return self._timer is not None

    async def act(self, who: str | None, action: Action) -> int:
        """The number of the event that an action caused, durable; raises NinefoldError."""
        async with self._lock:
            for _ in range(_TRIES):
                try:
                    return await self._try(who, action)
                except _Lost:
                    continue
                except Illegal:
                    # Perhaps it is legal after what another process has stored.
                    if not await self._has_changed():
                        raise
        raise NinefoldError("busy", "Too much happens in this game at once.", "Try again.")

    async def join(self, who: str, name: str) -> None:
        """Begin an open game with this opponent; raises NinefoldError."""
        async with self._lock:
            await self._has_changed()
            while self.game.row.who2 != who:  # otherwise it is asked for twice
                await self._try_to_join(who, name)

    async def watch(self, watcher: Watcher, who: str, since: int) -> None:
        """Show a game to somebody: everything after an event now, and what happens from now on."""
        async with self._lock:
            await self._has_changed()
            seat = self.game.seat_of(who)
            self.watchers[watcher] = seat
            watcher.push(self._shown.message(seat, since, self._store.now()))

    async def message(self, who: str | None, since: int = 0) -> str:
        """The state of the game as text."""
        async with self._lock:
            await self._has_changed()
            seat = self.game.seat_of(who)
            return self._shown.message(seat, since, self._store.now())

    async def record(self) -> str:
        """The game as a record."""
        async with self._lock:
            await self._has_changed()
            return self.game.record()

    def leave(self, watcher: Watcher) -> None:
        """Somebody no longer watches."""
        self.watchers.pop(watcher, None)

    def refresh_soon(self) -> None:
        """Read what other processes have stored."""
        self._is_stale = True
        self._start(self._refresh_alone())

    def close(self) -> None:
        """Stop the clock and the thinking here; the game goes on wherever it is loaded."""
        for task in self._tasks:
            task.cancel()
        self._clocked.discard(self)
        for timer in (self._timer, self._retry):
            if timer is not None:
                timer.cancel()

    # Under the lock

    async def _try_to_join(self, who: str, name: str) -> None:
        row = self.game.row
        if row.who1 == who:
            raise Illegal("own-game", "You cannot play against yourself.")
        if row.state == "withdrawn":
            raise Illegal("withdrawn", "This challenge was withdrawn.")
        if row.state != "open":
            raise Illegal("not-open", "Somebody else has joined this game.")
        begun = StoredEvent(self.game.seq + 1, self._store.now(), "begun", "")
        joined = Hosted(with_opponent(row, who, name), [begun], self.game.book)
        now = joined.row_now(begun.at)
        try:
            await self._store.write(Changes([now], [(now.id, begun)]))
        finally:
            self._is_stale = True
        await self._refresh()

    async def _try(self, who: str | None, action: Action) -> int:
        if self._is_stale:
            await self._refresh()
        seat, key = self.game.seat_of(who), action.key
        if seat == 0:
            raise Illegal("not-a-player", "You are watching this game, not playing it.")
        if key is not None:
            key = f"{seat} {key}"  # it is the player's own: nobody else can have used it
            if (seq := self.game.keys.get(key)) is not None:
                return seq
        now = await self._lapse()
        return await self._commit(*judge(self.game, seat, action, key, now))

    async def _commit(self, events: Sequence[StoredEvent], caused: Sequence[Event]) -> int:
        """Store events, then show them; raises _Lost if another process was faster."""
        game, before, first = self.game, self.game.seq, events[0]
        row, begun, following = game.row_now(events[-1].at), list[GameRow](), None
        if first.kind == "withdrawn":
            row = row._replace(state="withdrawn")
        stored = [(row.id, event) for event in events]
        if first.kind == "rematch" and game.wants_next(int(first.body)):
            following, first_events = next_game(game, first.at)
            events = [*events, StoredEvent(first.seq + 1, first.at, "next", following.row.id)]
            begun = [following.row]
            stored += [(row.id, events[-1])]
            stored += [(following.row.id, event) for event in first_events]
        changed = [row] if row is not game.row else []
        try:
            is_stored = await self._store.write(Changes(changed, stored, begun))
        except BaseException:
            self._is_stale = True  # nobody knows whether it is stored
            raise
        if not is_stored:
            self._is_stale = True
            raise _Lost
        game.row = row
        for event in events:
            game.note(event, caused if event is first else ())
        if following is not None:
            self._keep(following, self._client, self._shown)
        self._publish(before)
        self._arm()
        return first.seq

    async def _has_changed(self) -> bool:
        """Whether other processes have stored something that was not known here; now it is."""
        before = self.game.seq
        if self._store.is_shared and not self._is_stale:
            self._is_stale = await self._store.newest(self.game.row.id) != before
        await self._refresh()
        return self.game.seq != before

    async def _lapse(self) -> int:
        """Apply what the clock has decided until now; which time that is. Raises _Lost."""
        now = self._store.now()
        while self.has_clock and (caused := self.game.referee.tick(now / 1000)):
            await self._commit(self.game.to_store(caused, now), caused)
            now = self._store.now()
        return now

    async def _refresh(self) -> None:
        """Read the game again if somebody else may have changed it."""
        if not self._is_stale:
            return
        loaded = await self._store.load(self.game.row.id)
        assert loaded is not None, "a game is never deleted while it is played"
        before, self.game = self.game.seq, Hosted(*loaded, self.game.book)
        self._shown = Shown(self.game)
        self._is_stale = False
        if self.game.seq != before:
            # Who watched an open game may have joined it.
            self.watchers = {one: self.game.seat_of(one.who) for one in self.watchers}
            self._publish(before)
        self._arm()

    def _publish(self, since: int) -> None:
        """Show everything after this event to everybody; each text is made once."""
        now, texts = self._store.now(), dict[int, str]()
        shown = list[tuple[Watcher, str]]()
        for watcher, seat in self.watchers.items():
            if (text := texts.get(seat)) is None:
                text = texts[seat] = self._shown.message(seat, since, now)
            shown.append((watcher, text))
        self._show(shown)

    def _show(self, shown: list[tuple[Watcher, str]]) -> None:
        """Send texts to some, and a little later to the rest: other games go on meanwhile."""
        for watcher, text in shown[:_AT_ONCE]:
            watcher.push(text)
        if len(shown) > _AT_ONCE:
            asyncio.get_running_loop().call_soon(self._show, shown[_AT_ONCE:])

    # What happens by itself

    def _arm(self) -> None:
        """Set the timer of the clock, and let a computer think."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._clocked.discard(self)
        if self.game.row.state != "playing":
            return
        if (deadline := self.game.referee.deadline) is not None:
            delay = max(0.0, deadline - self._store.now() / 1000) + 0.001
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(delay, lambda: self._start(self._expire()))
            self._clocked.add(self)
        if self.game.computer and not self._is_thinking:
            self._start(self._think())

    async def _expire(self) -> None:
        async with self._lock:
            await self._refresh()
            with suppress(_Lost):
                await self._lapse()
            self._arm()

    async def _think(self) -> None:
        """Let the computer to act move; if the position changes meanwhile, think again."""
        self._is_thinking = True
        try:
            while self.game.computer:
                game, row = self.game, self.game.row
                wanted = {"game": {"record": game.record(), "copy": game.copy}}
                try:
                    chosen = await self._workers.run("think", wanted, self._client)
                except NinefoldError as error:  # too many games think, or the worker was killed
                    log.warning("In game %s, a computer did not move: %s", row.id, error)
                    await asyncio.sleep(THINK_AGAIN)
                else:
                    await self._answer(chosen, game.last_fact)
        finally:
            self._is_thinking = False

    async def _answer(self, chosen: str, after: int) -> None:
        """A computer has chosen a move after this event; ignored if there are others by now."""
        async with self._lock:
            await self._refresh()
            seat, now = self.game.computer, self._store.now()
            if seat and self.game.last_fact == after:
                caused = self.game.referee.answer(seat, parse_move(chosen), now / 1000)
                with suppress(_Lost):
                    await self._commit(self.game.to_store(caused, now), caused)

    def _start(self, work: Coroutine[object, object, None]) -> None:
        """Run something in the background; a failure is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("In game %s: %s", self.game.row.id, error)
            # What is in memory may not be stored, and nobody else ends a turn or thinks here.
            self._is_stale = True
            self._retry = task.get_loop().call_later(THINK_AGAIN, self.refresh_soon)

    async def _refresh_alone(self) -> None:
        async with self._lock:
            await self._refresh()
