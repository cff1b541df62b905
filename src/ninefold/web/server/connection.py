"""A WebSocket: a client watches games and acts in them."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import orjson
from starlette.types import Receive, Send

from ninefold.core.errors import NinefoldError
from ninefold.web.server.database import public_message
from ninefold.web.server.fields import BadRequest, read_field, read_fields
from ninefold.web.server.games import Games
from ninefold.web.server.identity import Identity, can_end, is_bot
from ninefold.web.server.limits import Bucket, Limits
from ninefold.web.server.requests import MESSAGE, check_action
from ninefold.web.server.table import Table
from ninefold.web.server.view import Json, to_text

log = logging.getLogger("ninefold.server")
_TOO_SLOW = 1013
_EVENTS_PER_MESSAGE = 20
# Who the client is has changed: it signed in or out, or its token is no longer valid.
ENDED = 4001


class Connection:
    """One client; what it asks for is done in order, what it is shown never makes others wait."""

    __slots__ = (
        "_backlog",
        "_bucket",
        "_games",
        "_identity",
        "_limits",
        "_send",
        "_sending",
        "_shared",
        "_tables",
        "_write",
        "is_ended",
        "who",
    )

    def __init__(
        self,
        games: Games,
        who: Identity | None,
        send: Send,
        limits: Limits,
        write: Callable[[str], bool] = lambda _: False,
        shared: Bucket | None = None,
    ) -> None:
        self._identity = who
        self.who = who.who if who else ""
        self._games = games
        self._send = send
        self._write = write  # sends a text if that need not wait; whether it has
        self._shared = shared or Bucket(limits.shared * limits.requests)  # of its address
        self._limits = limits
        self._bucket = Bucket(limits.messages)
        self._tables: dict[str, Table] = {}
        self._backlog: deque[str | int] = deque()  # messages, or the code to close with
        self._sending: asyncio.Task[None] | None = None
        self.is_ended = False

    async def serve(self, receive: Receive) -> None:
        """Answer until the client leaves."""
        try:
            while (message := await receive())["type"] == "websocket.receive":
                if wait := max(self._bucket.reserve(), self._shared.reserve()):
                    await asyncio.sleep(wait)
                if self.is_ended:
                    return
                await self._answer(message.get("text"))
        finally:
            self._games.lobby.leave(self)
            self._games.bots.leave(self)
            for table in self._tables.values():
                table.leave(self)
            if self._sending is not None:
                self._sending.cancel()

    def end(self, code: int = ENDED) -> None:
        """Do nothing more for this client: it may be somebody else by now, and connect again."""
        if not self.is_ended:
            self._backlog.clear()
            self.push(code)
            self.is_ended = True

    def push(self, message: str | int) -> None:
        """Send this at once, or when there is time; a client that is too slow is sent away."""
        if self.is_ended:
            return
        if self._sending is None and isinstance(message, str) and self._write(message):
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

    async def _answer(self, text: str | None) -> None:
        """Do what a message asks for, and say what became of it."""
        key: object = None
        try:
            data = _read(text)
            key = read_field(MESSAGE["key"], "key", data.get("key"))  # a refusal names it, too
            answer = await self._do(read_fields(MESSAGE, data))
        except NinefoldError as error:
            answer = {"type": "refused", "code": error.code, "message": public_message(error)}
        except Exception:
            log.exception("A message failed")
            message = "Something went wrong on the server."
            answer = {"type": "refused", "code": "internal-error", "message": message}
        if answer:
            self.push(to_text({**answer, "key": key}))

    async def _do(self, given: Json) -> Json:
        """What to answer to a message; nothing if the answer is an event. Raises NinefoldError."""
        kind, game = given["type"], given["game"]
        if kind == "ping":
            return {"type": "pong"}
        if kind == "lobby":
            self._games.lobby.watch(self)
            return {}
        if kind == "leave-lobby":
            self._games.lobby.leave(self)
            return {}
        if kind in ("ready", "busy"):
            await self._set_ready(kind == "ready", given["games"])
            return {"type": kind}
        if game is None:
            raise BadRequest("game must be the id of a game")
        if kind == "watch":
            await self._watch(game, given["from"])
            return {}
        if kind == "leave":
            self._leave(game)
            return {}
        action = check_action(given)
        table = self._tables.get(game) or await self._games.find(game)
        seq = await table.act(self.who, action)
        return {"type": "ok", "game": game, "seq": seq}

    async def _set_ready(self, is_ready: bool, games: Sequence[str]) -> None:
        """A bot is ready for opponents, or no longer; raises NinefoldError."""
        if self._identity is None or not is_bot(self.who):
            reason = "Only bots wait for opponents like this."
            raise NinefoldError("not-a-bot", reason, "Connect with the token of a bot.")
        if is_ready:
            await self._games.bots.add(self._identity, self, games)
        else:
            await self._games.bots.rest(self.who)

    async def _watch(self, game: str, since: int) -> None:
        if game not in self._tables and len(self._tables) >= self._limits.watched:
            self._leave_finished()
        table = await self._games.find(game)
        # A long story counts as several messages, also when it is told again and again.
        if wait := self._shared.reserve(table.game.seq / _EVENTS_PER_MESSAGE):
            await asyncio.sleep(wait)
        await table.watch(self, self.who, since)
        self._tables[game] = table

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
