"""A WebSocket: a client watches games and acts in them."""

import asyncio
import json
import logging
from collections import deque
from collections.abc import Awaitable, Coroutine, Mapping
from typing import Any

from starlette.types import Receive, Send

from ninefold.core.errors import NinefoldError
from ninefold.web.server.games import Games
from ninefold.web.server.identity import Identity
from ninefold.web.server.limits import Bucket, Limits
from ninefold.web.server.requests import BadRequest, read_action, read_key, read_since, read_text
from ninefold.web.server.table import Table

log = logging.getLogger("ninefold.server")
MAX_ID = 40
_TOO_SLOW = 1013


class Connection:
    """One client; what it asks for is done in order, what it is shown never makes others wait."""

    __slots__ = (
        "_backlog",
        "_bucket",
        "_games",
        "_limits",
        "_send",
        "_sending",
        "_tables",
        "who",
    )

    def __init__(self, games: Games, who: Identity | None, send: Send, limits: Limits) -> None:
        self.who = who.who if who else ""
        self._games = games
        self._send = send
        self._limits = limits
        self._bucket = Bucket(limits.messages)
        self._tables: dict[str, Table] = {}
        self._backlog: deque[str] = deque()
        self._sending: asyncio.Task[None] | None = None

    async def serve(self, receive: Receive) -> None:
        """Answer until the client leaves."""
        try:
            while (message := await receive())["type"] == "websocket.receive":
                if wait := self._bucket.take():
                    await asyncio.sleep(wait)
                await self._answer(message.get("text"))
        finally:
            for table in self._tables.values():
                table.leave(self)
            if self._sending is not None:
                self._sending.cancel()

    def push(self, text: str) -> None:
        """Send this at once, or when there is time; a client that is too slow is sent away."""
        self._backlog.append(text)
        if self._sending is not None:
            return
        # Nearly always there is nothing to wait for, so a task would cost more than it does.
        sending = self._send_backlog()
        try:
            waiting = sending.send(None)
        except StopIteration:
            return
        loop = asyncio.get_running_loop()
        self._sending = loop.create_task(self._go_on(sending, waiting))

    async def _go_on(self, sending: Coroutine[Any, None, None], waiting: Awaitable[Any]) -> None:
        """Finish a coroutine that waits for this."""
        try:
            while True:
                await waiting
                waiting = sending.send(None)
        except StopIteration:
            pass
        finally:
            self._sending = None

    async def _send_backlog(self) -> None:
        try:
            while self._backlog:
                if len(self._backlog) > self._limits.backlog:
                    await self._send({"type": "websocket.close", "code": _TOO_SLOW})
                    return
                await self._send({"type": "websocket.send", "text": self._backlog.popleft()})
        except Exception:  # noqa: BLE001 (the client is gone, whatever the server calls it)
            self._backlog.clear()

    async def _answer(self, text: str | None) -> None:
        """Do what a message asks for, and say what became of it."""
        key: object = None
        try:
            data = _read(text)
            key = read_key(data)
            answer = await self._do(data)
        except NinefoldError as error:
            answer = {"type": "refused", "code": error.code, "message": error.message}
        except Exception:
            log.exception("A message failed")
            message = "Something went wrong on the server."
            answer = {"type": "refused", "code": "internal-error", "message": message}
        if answer:
            self.push(json.dumps({**answer, "key": key}, ensure_ascii=False))

    async def _do(self, data: Mapping[str, object]) -> dict[str, object]:
        """What to answer to a message; nothing if the answer is an event. Raises NinefoldError."""
        if data.get("type") == "ping":
            return {"type": "pong"}
        game = read_text(data, "game", MAX_ID)
        if data.get("type") == "watch":
            await self._watch(game, read_since(data, "from"))
            return {}
        if data.get("type") == "leave":
            if table := self._tables.pop(game, None):
                table.leave(self)
            return {}
        action = read_action(data)
        table = self._tables.get(game) or await self._games.find(game)
        seq = await table.act(self.who, action)
        return {"type": "ok", "game": game, "seq": seq}

    async def _watch(self, game: str, since: int) -> None:
        if game not in self._tables and len(self._tables) >= self._limits.watched:
            raise BadRequest(f"one connection watches at most {self._limits.watched} games")
        table = await self._games.find(game)
        await table.watch(self, self.who, since)
        self._tables[game] = table


def _read(text: str | None) -> Mapping[str, object]:
    try:
        data = json.loads(text or "")
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise BadRequest("expected a JSON object as text")
    return data
