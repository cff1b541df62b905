"""The server's addresses: JSON over HTTP, and one WebSocket."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ninefold.core.errors import NinefoldError
from ninefold.web.server.api import ROUTES, Answer, token_of
from ninefold.web.server.connection import Connection
from ninefold.web.server.database import StoreDown
from ninefold.web.server.games import Games
from ninefold.web.server.guard import Guard, address_of
from ninefold.web.server.identity import (
    COOKIE,
    COOKIE_SECONDS,
    Identity,
    Signer,
    bot_of,
    new_visitor,
)
from ninefold.web.server.limits import Addresses, Limits
from ninefold.web.server.store import Store
from ninefold.web.server.work.pool import Workers

_STATUS = {"bad-request": 400, "no-such-game": 404, "not-found": 404, "not-identified": 401}


class Server:
    """The application, and what all its requests share."""

    def __init__(
        self,
        open_store: Callable[[Callable[[str], None]], Store],
        limits: Limits,
        url: str | None = None,
    ) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self.store = store = open_store(self._report)
        self.limits = limits
        self.is_secure = bool(url and url.startswith("https:"))
        self.games = Games(store, Workers())
        self.addresses = Addresses(limits)
        self.connections = 0
        self.signer = Signer("")
        routes = [
            Route(path, partial(_respond, self, answer), methods=[method])
            for (method, path), answer in ROUTES.items()
        ]
        self._http = Starlette(
            routes=routes,
            lifespan=self._lifespan,
            exception_handlers={HTTPException: _refused, Exception: _failed},
        )
        self.app: ASGIApp = Guard(self._dispatch, limits, self.addresses, url)

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        self._loop = asyncio.get_running_loop()
        self.signer = Signer(await self.store.secret("cookies"))
        await self.games.start()
        yield
        await self.games.stop()

    def _report(self, report: str) -> None:
        """Some process has stored an event; called from another thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.games.reported, report)

    async def identify(self, asking: HTTPConnection) -> Identity | None:
        """Who asks; None for somebody without a cookie. Raises NinefoldError for a wrong token."""
        if token := token_of(asking):
            bot = await bot_of(self.store, token)
            if bot is None:
                raise NinefoldError("not-identified", "Unknown token.")
            return bot
        cookie = asking.cookies.get(COOKIE)
        return self.signer.read(cookie) if cookie else None

    async def visitor(self, request: Request) -> Identity:
        """Who asks; somebody without a cookie gets one."""
        who = await self.identify(request)
        if who is None:
            who = new_visitor()
            request.state.cookie = who
        return who

    async def _dispatch(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let Starlette answer requests; a WebSocket needs nothing between it and its client."""
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        else:
            await self._http(scope, receive, send)

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        try:
            who = await self.identify(HTTPConnection(scope))
        except NinefoldError:
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["path"] != "/ws" or not self.addresses.connect(address):
            await send({"type": "websocket.close", "code": 1013})
            return
        self.connections += 1
        try:
            if (await receive())["type"] == "websocket.connect":
                await send({"type": "websocket.accept"})
                await Connection(self.games, who, send, self.limits).serve(receive)
        finally:
            self.connections -= 1
            self.addresses.disconnect(address)


async def _respond(server: Server, answer: Answer, request: Request) -> Response:
    """The answer to a request, with the cookie of a new visitor; errors as JSON."""
    try:
        response = await answer(server, request)
    except StoreDown as error:
        return JSONResponse({"code": error.code, "message": "The database is down."}, 503)
    except NinefoldError as error:
        status = _STATUS.get(error.code, 409)
        return JSONResponse({"code": error.code, "message": error.message}, status)
    response.headers.setdefault("Cache-Control", "no-store")
    if who := getattr(request.state, "cookie", None):
        response.set_cookie(
            COOKIE,
            server.signer.write(who),
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="lax",
            secure=server.is_secure,
        )
    return response


_CODES = {404: "not-found", 405: "wrong-method", 413: "too-large"}


async def _refused(_request: Request, error: Exception) -> Response:
    """What Starlette refuses, as JSON."""
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, "bad-request")
    answer = {"code": code, "message": error.detail}
    return JSONResponse(answer, error.status_code, headers=error.headers)


async def _failed(_request: Request, _error: Exception) -> Response:
    """The answer to a request that failed: clients learn nothing about why."""
    message = "Something went wrong on the server."
    return JSONResponse({"code": "internal-error", "message": message}, 500)
