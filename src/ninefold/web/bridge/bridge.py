"""Connects a program to a server: it is challenged, hears of its games, and moves in them."""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from secrets import token_hex
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from ninefold.books.rules import parse_game
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.players import UnknownPlayer
from ninefold.web.bridge.account import Account
from ninefold.web.bridge.programs import Programs, Turn

Json = dict[str, Any]
_MAX_MESSAGE = 8 << 20
# How many finished games are remembered; the oldest is forgotten first.
_MAX_OVER = 1_000
# What is answered when the opponent asks for it.
_AGREE = {"ask-undo": "accept-undo", "rematch": "rematch"}
# What is refused only for now; it is asked again in so many seconds.
_FOR_NOW, _PAUSE = ("too-many-requests", "unavailable", "busy", "closing"), 2.0
_FOR_NOW_STATUS = (429, 500, 502, 503, 504)
# Refusals of a move that came too late; every other one means that it was illegal.
_LATE = ("stale", "not-your-turn", "game-over")
_READY = "ready"


class Bridge:
    """One bot. It reconnects until it is cancelled or refused, or its program does not start."""

    def __init__(
        self,
        account: Account,
        programs: Programs,
        games: Sequence[str],
        say: Callable[[str], None],
    ) -> None:
        self._account = account
        self._programs = programs
        self._games = games
        self._say = say
        self._name = ""
        self._socket: ClientConnection | None = None
        self._rules: dict[str, Game] = {}
        self._thinking: dict[str, tuple[str, ...]] = {}  # the moves after which it thinks
        self._sent: dict[str, str] = {}  # the game of each move that is not answered yet
        self._over: dict[str, None] = {}

    async def run(self) -> None:
        """Play until cancelled; raises NinefoldError."""
        self._name = (await self._ask("/api/me"))["name"]
        try:
            async with asyncio.TaskGroup() as tasks:
                await self._connect(tasks)
        except BaseExceptionGroup as group:
            raise group.exceptions[0] from None

    async def _connect(self, tasks: asyncio.TaskGroup) -> None:
        try:
            async for socket in connect(
                self._account.socket,
                additional_headers=self._account.headers,
                max_size=_MAX_MESSAGE,
                compression=None,
                process_exception=self._judge,
            ):
                self._socket = socket
                self._sent.clear()
                with suppress(ConnectionClosed):
                    await self._serve(socket, tasks)
                self._say("The connection was lost. Connecting again ...")
        except InvalidStatus as error:
            await self._ask("/api/me")  # this says why, if the token is no longer valid
            reason = f"The server refused the connection: status {error.response.status_code}."
            raise NinefoldError("no-server", reason) from None

    def _judge(self, error: Exception) -> Exception | None:
        """Why it cannot connect; None if it can be tried again."""
        if isinstance(error, InvalidStatus) and error.response.status_code in _FOR_NOW_STATUS:
            status = error.response.status_code
            self._say(f"The server is busy: status {status}. Connecting again ...")
            return None
        is_cut_off = isinstance(error, InvalidMessage) and isinstance(error.__cause__, EOFError)
        return None if is_cut_off or isinstance(error, OSError) else error

    async def _ask(self, path: str, *more: str) -> Any:
        """The JSON at this path, if need be after a while; raises NinefoldError.

        With ``more``, it also tries again after errors with these codes.
        """
        while True:
            try:
                return await self._account.ask(path)
            except NinefoldError as error:
                if error.code not in (*_FOR_NOW, *more):
                    raise
                await asyncio.sleep(_PAUSE)

    async def _say_ready(self) -> None:
        await self._send(type="ready", games=[*self._games], key=_READY)

    async def _serve(self, socket: ClientConnection, tasks: asyncio.TaskGroup) -> None:
        await self._say_ready()
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "event":
                await self._follow(message, tasks)
            else:
                await self._hear(message)

    async def _hear(self, message: Json) -> None:
        kind, key, code = message["type"], message.get("key"), message.get("code")
        if code in _FOR_NOW:
            await asyncio.sleep(_PAUSE)
        if kind == "game":
            await self._send(type="watch", game=message["game"])
        elif kind == "ready":
            self._say(f"{self._name} is ready at {self._account.url}/ (Ctrl-C stops it).")
        elif kind == "refused" and key == _READY:
            if code not in _FOR_NOW:
                raise NinefoldError(message["code"], message["message"])
            await self._say_ready()
        elif game := self._sent.pop(str(key), None):
            if code in _FOR_NOW:
                await self._send(type="watch", game=game)  # then it sees that it is to move
            elif kind == "refused" and code not in _LATE:
                await self._give_up(game, f"its move was refused. {message['message']}")

    async def _follow(self, message: Json, tasks: asyncio.TaskGroup) -> None:
        """Answer what the opponent asks for, and let the program think if it is to move."""
        game, view = message["game"], message["view"]
        possible = {one["action"] for one in view["actions"]}
        asked = {one["kind"] for one in message["events"] if one["seat"] == 3 - view["you"]}
        for kind in sorted(asked & _AGREE.keys()):
            if _AGREE[kind] in possible:
                await self._send(type=_AGREE[kind], game=game)
        if message["state"] == "over":
            self._tell_result(game, view)
        elif view["turn"] == view["you"]:
            moves = tuple(one["move"] for one in view["moves"])
            if self._thinking.get(game) != moves:
                self._thinking[game] = moves
                tasks.create_task(self._think(message, moves))

    def _tell_result(self, game: str, view: Json) -> None:
        if game in self._over:
            return
        self._over[game] = None
        if len(self._over) > _MAX_OVER:
            self._over.pop(next(iter(self._over)))
        self._rules.pop(game, None)
        winner, other = view["over"]["winner"], view["names"][2 - view["you"]]
        how = "Drawn" if winner is None else "Won" if winner == view["you"] else "Lost"
        self._say(f"{how} against {other}: {view['title']}, game {game}.")

    async def _think(self, message: Json, moves: tuple[str, ...]) -> None:
        game, view, clocks = message["game"], message["view"], message["clocks"]
        try:
            rules = await self._rules_of(game)
            turn = Turn(game, rules, view["first"], moves, clocks and clocks["limit"])
            move = await self._programs.choose(turn)
        except UnknownPlayer:
            raise
        except NinefoldError as error:
            await self._give_up(game, error.message)
        else:
            key = token_hex(16)
            self._sent[key] = game
            await self._send(type="move", game=game, move=move, after=message["seq"], key=key)
        finally:
            if self._thinking.get(game) == moves:
                del self._thinking[game]

    async def _rules_of(self, game: str) -> Game:
        if game not in self._rules:
            data = await self._ask(f"/api/games/{game}/rules", "no-server")
            self._rules[game] = parse_game(json.dumps(data))
        return self._rules[game]

    async def _give_up(self, game: str, reason: str) -> None:
        self._say(f"The program loses game {game}: {reason}")
        await self._send(type="resign", game=game)

    async def _send(self, **message: object) -> None:
        """Send a message; if it is lost, the next connection shows what is to be done."""
        assert self._socket is not None, "only what the server sends is answered"
        with suppress(ConnectionClosed):
            await self._socket.send(json.dumps(message))
