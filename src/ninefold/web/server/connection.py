"""A WebSocket: a client watches games and acts in them."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import orjson
from starlette.types import Receive, Send

from ninefold.core.errors import NinefoldError
from ninefold.web.server.actions import ACTIONS, Action
from ninefold.web.server.database import public_message
from ninefold.web.server.fields import BadRequest
from ninefold.web.server.games import Games
from ninefold.web.server.identity import Identity, can_end, is_bot
from ninefold.web.server.limits import Bucket, Limits
from ninefold.web.server.requests import check_action, read_key, read_message
from ninefold.web.server.table import Table
from ninefold.web.server.view import Json, to_text

log = logging.getLogger("ninefold.server")
_TOO_SLOW = 1013
_EVENTS_PER_MESSAGE = 20
# Who the client is has changed: it signed in or out, or its token is no longer valid.
ENDED = 4001


class Wire(Protocol):
    """Short cuts to the client, where there are any."""

    def listen(self, take: Callable[[str], bool]) -> None:
        """Give messages to this function; if it returns False, no more until ``resume``."""

    def resume(self) -> None:
        """All messages are answered."""

    def write(self, texts: Sequence[str]) -> bool:
        """Send these texts together if that need not wait; whether they are sent."""


class Connection:
    """One client; what it asks for is done in order, what it is shown never makes others wait."""

    __slots__ = (
        "_backlog",
        "_bucket",
        "_games",
        "_held",
        "_identity",
        "_inbox",
        "_is_gone",
        "_limits",
        "_send",
        "_sending",
        "_shared",
        "_tables",
        "_wire",
        "_work",
        "is_ended",
        "who",
    )

    def __init__(
        self,
        games: Games,
        who: Identity | None,
        send: Send,
        limits: Limits,
        wire: Wire | None = None,
        shared: Bucket | None = None,
    ) -> None:
        self._identity = who
        self.who = who.who if who else ""
        self._games = games
        self._send = send
        self._wire = wire
        self._shared = shared or Bucket(limits.shared * limits.requests)  # of its address
        self._limits = limits
        self._bucket = Bucket(limits.messages)
        self._tables: dict[str, Table] = {}
        self._inbox: deque[str | None] = deque()  # messages that wait for an answer to others
        self._work: asyncio.Task[None] | None = None  # what a message has begun
        self._held: list[str] = []  # is sent together with the answer
        self._backlog: deque[str | int] = deque()  # messages, or the code to close with
        self._sending: asyncio.Task[None] | None = None
        self._is_gone = False
        self.is_ended = False

    async def serve(self, receive: Receive) -> None:
        """Answer until the client leaves."""
        if self._wire is not None:
            self._wire.listen(self.take)
        try:
            while (message := await receive())["type"] == "websocket.receive":
                self.take(message.get("text"))
                while self._work is not None:
                    await asyncio.shield(self._work)
                if self.is_ended:
                    return
        finally:
            self._is_gone = True
            self._inbox.clear()
            self._leave_all()
            if self._sending is not None:
                self._sending.cancel()

    def _leave_all(self) -> None:
        self._games.lobby.leave(self)
        self._games.bots.leave(self)
        for table in self._tables.values():
            table.leave(self)

    def end(self, code: int = ENDED) -> None:
        """Do nothing more for this client: it may be somebody else by now, and connect again."""
        if not self.is_ended:
            self._backlog.clear()
            self._held.clear()
            self._queue(code)
            self.is_ended = True

    # What the client is sent

    def push(self, text: str) -> None:
        """Send this at once, or when there is time; a client that is too slow is sent away."""
        if self._work is None:
            self._push([text])
            return
        # Perhaps the answer follows at once: both together cost the client and us less.
        if not self._held:
            asyncio.get_running_loop().call_soon(self._flush)
        self._held.append(text)

    def _flush(self) -> None:
        if held := self._held:
            self._held = []
            self._push(held)

    def _push(self, texts: list[str]) -> None:
        if self.is_ended:
            return
        if self._sending is None and self._wire is not None and self._wire.write(texts):
            return
        for text in texts:
            self._queue(text)

    def _queue(self, message: str | int) -> None:
        if self.is_ended:
            return
        if len(self._backlog) >= self._limits.backlog:
            self.end(_TOO_SLOW)
            return
        self._backlog.append(message)
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._send_backlog())

    async def _send_backlog(self) -> None:
        try:
            while self._backlog:
                message = self._backlog.popleft()
                if isinstance(message, int):
                    await self._send({"type": "websocket.close", "code": message})
                    return
                await self._send({"type": "websocket.send", "text": message})
        except Exception:  # noqa: BLE001 (the client is gone, whatever the server calls it)
            self._backlog.clear()
        finally:
            self._sending = None

    # What the client asks for

    def take(self, text: str | None) -> bool:
        """Answer a message, or keep it until those before it are answered; whether it is taken."""
        if self._work is not None:
            self._inbox.append(text)
            return False
        now = time.monotonic()
        wait, wait_shared = self._bucket.reserve(1, now), self._shared.reserve(1, now)
        if wait := wait if wait > wait_shared else wait_shared:
            self._work = asyncio.get_running_loop().create_task(self._answer_later(wait, text))
        elif not self.is_ended:
            self._answer(text)
        return True

    def _answer(self, text: str | None) -> None:
        """Do what a message asks for, or begin to, and say what became of it."""
        data, key = Json(), None
        try:
            data = _read(text)
            given = read_message(data)
            key = given["key"]
            answer = self._do(given)
        except Exception as error:  # noqa: BLE001 (the client is told)
            answer, key = _refusal(error), read_key(data.get("key"))
        if isinstance(answer, dict):
            self._reply(answer, key)
        else:
            self._work = asyncio.get_running_loop().create_task(self._finish(answer, key))

    async def _answer_later(self, wait: float, text: str | None) -> None:
        await asyncio.sleep(wait)
        self._work = None
        if not self.is_ended:
            self._answer(text)
        self._go_on()

    async def _finish(self, work: Coroutine[object, object, Json], key: str | None) -> None:
        """Do something that takes a while; other messages wait meanwhile."""
        try:
            answer = await work
        except Exception as error:  # noqa: BLE001 (the client is told)
            answer = _refusal(error)
        finally:
            self._work = None
        self._reply(answer, key)
        self._go_on()

    def _go_on(self) -> None:
        """Answer the messages that have waited, then read more."""
        if self._is_gone:
            self._leave_all()
        while self._inbox and self._work is None:
            self.take(self._inbox.popleft())
        if self._work is None and self._wire is not None:
            self._wire.resume()

    def _reply(self, answer: Json, key: str | None) -> None:
        if answer:
            answer["key"] = key
            self._held.append(to_text(answer))
        self._flush()

    def _do(self, given: Json) -> Json | Coroutine[object, object, Json]:
        """What to answer to a message; nothing if the answer is an event. Raises NinefoldError."""
        kind, game = given["type"], given["game"]
        if game is None:
            return self._do_without_game(kind, given["games"])
        if kind in ACTIONS:
            return self._act(game, check_action(given))
        if kind == "watch":
            return self._watch(game, given["from"])
        if kind != "leave":
            return self._do_without_game(kind, given["games"])
        self._leave(game)
        return {}

    def _do_without_game(
        self, kind: str, games: Sequence[str]
    ) -> Json | Coroutine[object, object, Json]:
        """The same for a message that is not about a game."""
        if kind in ("ready", "busy"):
            return self._set_ready(kind == "ready", games)
        if kind == "ping":
            return {"type": "pong"}
        if kind == "lobby":
            self._games.lobby.watch(self)
        elif kind == "leave-lobby":
            self._games.lobby.leave(self)
        else:
            raise BadRequest("game must be the id of a game")
        return {}

    async def _act(self, game: str, action: Action) -> Json:
        table = self._tables.get(game) or await self._games.find(game)
        return {"type": "ok", "game": game, "seq": await table.act(self.who, action)}

    async def _set_ready(self, is_ready: bool, games: Sequence[str]) -> Json:
        """A bot is ready for opponents, or no longer; raises NinefoldError."""
        if self._identity is None or not is_bot(self.who):
            reason = "Only bots wait for opponents like this."
            raise NinefoldError("not-a-bot", reason, "Connect with the token of a bot.")
        if is_ready:
            await self._games.bots.add(self._identity, self, games)
        else:
            await self._games.bots.rest(self.who)
        return {"type": "ready" if is_ready else "busy"}

    async def _watch(self, game: str, since: int) -> Json:
        if game not in self._tables and len(self._tables) >= self._limits.watched:
            self._leave_finished()
        table = await self._games.find(game)
        # A long story counts as several messages, also when it is told again and again.
        if wait := self._shared.reserve(table.game.seq / _EVENTS_PER_MESSAGE):
            await asyncio.sleep(wait)
        await table.watch(self, self.who, since)
        self._tables[game] = table
        return {}

    def _leave(self, game: str) -> None:
        if table := self._tables.pop(game, None):
            table.leave(self)

    def _leave_finished(self) -> None:
        """Make room by leaving the oldest game that is over; raises BadRequest if all go on."""
        over = (game for game, table in self._tables.items() if table.game.row.state == "over")
        if (game := next(over, None)) is None:
            most = self._limits.watched
            raise BadRequest(f"one connection watches at most {most} games that are not over")
        self._leave(game)


class Connections:
    """All connections of this process, by who they are."""

    def __init__(self) -> None:
        self.count = 0
        self._of: dict[str, set[Connection]] = {}

    @contextmanager
    def having(self, connection: Connection) -> Iterator[None]:
        """One more, meanwhile."""
        self.count += 1
        same = self._of.setdefault(connection.who, set())
        same.add(connection)
        try:
            yield
        finally:
            self.count -= 1
            same.discard(connection)
            if not same:
                self._of.pop(connection.who, None)

    def end(self, who: str) -> None:
        """Send this one away, wherever it is connected."""
        for connection in [*self._of.get(who, ())]:
            connection.end()

    def end_all_that_can_end(self) -> None:
        """Send everybody away who may have signed out unnoticed."""
        for who in [*self._of]:
            if who and can_end(who):
                self.end(who)


def _read(text: str | None) -> Json:
    try:
        data = orjson.loads(text or "")
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise BadRequest("expected a JSON object as text")
    return data


def _refusal(error: Exception) -> Json:
    """What a client is told that was refused something, or for whom something failed."""
    if isinstance(error, NinefoldError):
        return {"type": "refused", "code": error.code, "message": public_message(error)}
    log.error("A message failed", exc_info=error)
    message = "Something went wrong on the server."
    return {"type": "refused", "code": "internal-error", "message": message}
