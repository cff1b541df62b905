"""A game with everybody around it: players who act, spectators, the clock, a computer thinking."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import NamedTuple

from ninefold.core.errors import Illegal, NinefoldError
from ninefold.core.moves import parse_move
from ninefold.referee.events import Event
from ninefold.web.server.hosted import Hosted, Watcher
from ninefold.web.server.series import next_game, with_opponent
from ninefold.web.server.store import Changes, GameRow, Store, StoredEvent
from ninefold.web.server.work.pool import Workers

log = logging.getLogger("ninefold.server")
# How often a move is judged again because another process was faster.
_TRIES = 8
# To how many an event is sent before others get their turn.
_AT_ONCE = 100
# How long to wait after a computer could not think, or something else failed, in seconds.
THINK_AGAIN = 1.0
# How many events a game can have; without moves that are taken back, no game has nearly as many.
MAX_EVENTS = 1_000
ACTIONS = ("move", "undo", "accept-undo", "decline-undo", "resign", "rematch", "withdraw")


class Action(NamedTuple):
    """What a player wants to do: one of the ACTIONS, a move in its notation, after which event.

    The same ``key`` twice is the same action.
    """

    name: str
    move: str = ""
    after: int | None = None
    key: str | None = None


class _Lost(Exception):
    """Another process has stored an event first."""


class Table:
    """One game in this process. What is shown is durable; the lock is held while it changes."""

    def __init__(
        self,
        store: Store,
        workers: Workers,
        game: Hosted,
        keep: Callable[[Hosted, str], object],
        client: str = "",
    ) -> None:
        self.game = game
        self._keep = keep  # what to do with the next game
        self._client = client or game.row.who1 or ""  # for whom a computer thinks
        self.watchers: dict[Watcher, int] = {}  # the seat of each, 0 for spectators
        self._store = store
        self._workers = workers
        self._lock = asyncio.Lock()
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
        return bool(self.watchers or self._lock.locked() or self._tasks)

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
            watcher.push(self.game.message(seat, since, self._store.now()))

    async def message(self, who: str | None, since: int = 0) -> str:
        """The state of the game as text."""
        async with self._lock:
            await self._has_changed()
            return self.game.message(self.game.seat_of(who), since, self._store.now())

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
        game, seat = self.game, self.game.seat_of(who)
        if seat == 0:
            raise Illegal("not-a-player", "You are watching this game, not playing it.")
        if action.key is not None:
            # A key is the player's own: nobody else can have used it.
            action = Action(action.name, action.move, action.after, f"{seat} {action.key}")
            if action.key in game.keys:
                return game.keys[action.key]
        now = await self._lapse()
        if action.name == "withdraw" or game.row.state in ("open", "withdrawn"):
            return await self._withdraw(action, now)
        if action.after is not None and action.after < game.last_fact:
            raise Illegal("stale", "The position has changed in the meantime.")
        if game.seq >= MAX_EVENTS and action.name not in ("resign", "rematch"):
            raise Illegal("too-long", "Too much has happened in this game.", "Begin another one.")
        if action.name in ("undo", "decline-undo", "rematch") and (
            events := self._talk(seat, action, now)
        ):
            return await self._commit(events, [])
        return await self._commit_caused(self._judge(seat, action, now / 1000), now, action.key)

    async def _withdraw(self, action: Action, now: int) -> int:
        """Nobody can join an open game any more; raises NinefoldError."""
        if self.game.row.state == "withdrawn":
            raise Illegal("withdrawn", "This challenge was withdrawn.")
        if self.game.row.state != "open":
            raise Illegal("not-open", "Only an open challenge can be withdrawn.")
        if action.name != "withdraw":
            raise Illegal("not-begun", "Nobody has joined this game yet.")
        event = StoredEvent(self.game.seq + 1, now, "withdrawn", "1", action.key)
        return await self._commit([event], [])

    def _talk(self, seat: int, action: Action, now: int) -> list[StoredEvent]:
        """The event of what players say to each other; raises NinefoldError."""
        game, name, referee = self.game, action.name, self.game.referee
        if name == "rematch" and referee.outcome is None:
            raise Illegal("not-over", "The game is not over.")
        if name == "rematch" and (game.next_game or seat in game.ready):
            raise Illegal("asked-already", "You have already asked for the next game.")
        if name == "decline-undo" and game.undo_asked_by != 3 - seat:
            raise Illegal("not-asked", "Nobody has asked to take back a move.")
        if name == "undo":
            if referee.outcome is not None or not all(referee.humans):
                return []  # a computer does not mind
            if game.undo_asked_by == seat:
                raise Illegal("asked-already", "You have already asked to take back a move.")
            if not referee.can_undo(seat, apart=True):
                raise Illegal("nothing-to-undo", "There is no move to undo.")
        kind = "ask-undo" if name == "undo" else name
        return [StoredEvent(game.seq + 1, now, kind, str(seat), action.key)]

    def _judge(self, seat: int, action: Action, now: float) -> list[Event]:
        """What the referee says to an action; raises NinefoldError."""
        game, referee = self.game, self.game.referee
        if action.name == "move":
            return referee.choose(seat, parse_move(action.move), now)
        if action.name == "resign":
            return referee.resign(seat)
        if action.name == "accept-undo" and game.undo_asked_by != 3 - seat:
            raise Illegal("not-asked", "Nobody has asked to take back a move.")
        asker = 3 - seat if action.name == "accept-undo" else seat
        return referee.undo(asker, now, apart=True)

    async def _commit_caused(self, caused: list[Event], now: int, key: str | None = None) -> int:
        return await self._commit(self.game.to_store(caused, now, key), caused)

    async def _commit(self, events: Sequence[StoredEvent], caused: Sequence[Event]) -> int:
        """Store events, then show them; raises _Lost if another process was faster."""
        game, before = self.game, self.game.seq
        row, begun, following = game.row_now(events[-1].at), list[GameRow](), None
        if events[0].kind == "withdrawn":
            row = row._replace(state="withdrawn")
        stored = [(row.id, event) for event in events]
        if events[0].kind == "rematch" and game.wants_next(int(events[0].body)):
            following, first_events = next_game(game, events[0].at)
            seq, at = events[-1].seq + 1, events[0].at
            events = [*events, StoredEvent(seq, at, "next", following.row.id)]
            begun = [following.row]
            stored += [(row.id, events[-1])]
            stored += [(following.row.id, event) for event in first_events]
        changed = [row] if row != game.row else []
        try:
            is_stored = await self._store.write(Changes(changed, stored, begun))
        except BaseException:
            self._is_stale = True  # nobody knows whether it is stored
            raise
        if not is_stored:
            self._is_stale = True
            raise _Lost
        game.row = row
        for number, event in enumerate(events):
            game.note(event, [] if number else caused)
        if following is not None:
            self._keep(following, self._client)
        self._publish(before)
        self._arm()
        return events[0].seq

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
        while self.game.row.state == "playing" and (caused := self.game.referee.tick(now / 1000)):
            await self._commit_caused(caused, now)
            now = self._store.now()
        return now

    async def _refresh(self) -> None:
        """Read the game again if somebody else may have changed it."""
        if not self._is_stale:
            return
        loaded = await self._store.load(self.game.row.id)
        assert loaded is not None, "a game is never deleted while it is played"
        before, self.game = self.game.seq, Hosted(*loaded, self.game.book)
        self._is_stale = False
        if self.game.seq != before:
            # Who watched an open game may have joined it.
            self.watchers = {one: self.game.seat_of(one.who) for one in self.watchers}
            self._publish(before)
        self._arm()

    def _publish(self, since: int) -> None:
        """Show everything after this event to everybody; each text is made once."""
        now, watchers = self._store.now(), self.watchers.items()
        for seat in (2, 1, 0):
            if found := [watcher for watcher, place in watchers if place == seat]:
                self._show(found, self.game.message(seat, since, now))

    def _show(self, watchers: list[Watcher], text: str) -> None:
        """Send a text to some, and a little later to the rest: other games go on meanwhile."""
        for watcher in watchers[:_AT_ONCE]:
            watcher.push(text)
        if rest := watchers[_AT_ONCE:]:
            asyncio.get_running_loop().call_soon(self._show, rest, text)

    # What happens by itself

    def _arm(self) -> None:
        """Set the timer of the clock, and let a computer think."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline = self.game.referee.deadline
        if self.game.row.state == "playing" and deadline is not None:
            delay = max(0.0, deadline - self._store.now() / 1000) + 0.001
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(delay, lambda: self._start(self._expire()))
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
                    await self._commit_caused(caused, now)

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
