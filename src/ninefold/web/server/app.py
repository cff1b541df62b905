"""The server's addresses: JSON over HTTP, and one WebSocket."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cached_property, partial

from starlette import routing
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ninefold.core.errors import NinefoldError
from ninefold.web.server import account_api, api, design_api, learn_api, play_api
from ninefold.web.server.accounts import Accounts
from ninefold.web.server.audits import Audits
from ninefold.web.server.bots import bot_of, token_of
from ninefold.web.server.connection import Connection, Connections
from ninefold.web.server.database import public_message
from ninefold.web.server.games import Games
from ninefold.web.server.guard import Guard, address_of, origin_of, refuse, retry_after
from ninefold.web.server.identity import (
    COOKIE,
    COOKIE_SECONDS,
    Identity,
    Signer,
    can_end,
    new_visitor,
)
from ninefold.web.server.learn import Learn
from ninefold.web.server.limits import Addresses, Buckets, Limits
from ninefold.web.server.openapi import build_document
from ninefold.web.server.practice import PracticeStore
from ninefold.web.server.protocol import WIRE
from ninefold.web.server.reviews import Reviews
from ninefold.web.server.routes import CONFLICT, STATUS, Route, by_path
from ninefold.web.server.site import Site
from ninefold.web.server.store import ENDED, Store
from ninefold.web.server.work.pool import Workers

ROUTES = (
    *(*api.ROUTES, *play_api.ROUTES, *learn_api.ROUTES, *design_api.ROUTES),
    *account_api.ROUTES,
)


class Server:
    """The application, and what all its requests share."""

    def __init__(
        self,
        open_store: Callable[[Callable[[str], None]], Store],
        limits: Limits,
        url: str | None = None,
    ) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        public = origin_of(url) if url else ""
        self.store = store = open_store(self._report)
        self.limits = limits
        self.is_secure = public.startswith("https:")
        workers = Workers()
        self.games = Games(store, workers)
        self.audits = Audits(store.books, workers)
        self.saves = Buckets(1 / 5, limits.saves)
        self.challenges = Buckets(1 / 60, limits.challenges)
        self.new_bots = Buckets(1 / 600, limits.new_bots)
        self.site = Site()
        self.learn = Learn(PracticeStore(store.database), store.books, workers)
        self.addresses = Addresses(limits)
        self.connections = Connections()
        self.accounts = Accounts(store, limits)
        self.exports = Buckets(1 / 60, limits.exports)
        self.reviews = Reviews(self.games.workers)
        self.signer = Signer("")
        routes = [
            routing.Route(path, partial(_respond, self, found), methods=[*found])
            for path, found in by_path(ROUTES).items()
        ]
        report = routing.Route("/audit/{audit}", partial(design_api.show_report, self))
        self._http = Starlette(
            routes=[*routes, report, *self.site.routes],
            lifespan=self._lifespan,
            exception_handlers={HTTPException: partial(_refused, self.site), Exception: _failed},
        )
        self.app: ASGIApp = Guard(self._dispatch, limits, self.addresses, public)

    @cached_property
    def document(self) -> str:
        """The OpenAPI document of all addresses."""
        return json.dumps(build_document(ROUTES))

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        self._loop = asyncio.get_running_loop()
        self.signer = Signer(await self.store.secret("cookies"))
        await self.games.start()
        yield
        await self.audits.close()
        await self.games.stop()
        self.accounts.passwords.close()

    def _report(self, report: str) -> None:
        """Some process has announced something; called from another thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._reported, report)

    def _reported(self, report: str) -> None:
        kind, _, who = report.partition(" ")
        if kind == ENDED:
            self.connections.end(who)
            return
        if not report:  # perhaps one of these was missed
            self.connections.end_all_that_can_end()
        self.games.reported(report)

    async def identify(self, asking: HTTPConnection) -> Identity | None:
        """Who asks; None for somebody without a cookie. Raises NinefoldError for a wrong token."""
        if token := token_of(asking):
            bot = await bot_of(self.store, token)
            if bot is None:
                raise NinefoldError("not-identified", "Unknown token.")
            return bot
        cookie = asking.cookies.get(COOKIE)
        found = self.signer.read(cookie) if cookie else None
        if found is None or not can_end(found.who):
            return found
        return await self.accounts.of_session(found.session)

    async def visitor(self, request: Request) -> Identity:
        """Who asks; somebody without a cookie gets one."""
        who = await self.identify(request)
        if who is None:
            who = new_visitor()
            request.state.cookie = who
        return who

    async def _dispatch(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let Starlette answer requests; a WebSocket needs nothing between it and its client."""
        if scope["type"] != "websocket":
            await self._http(scope, receive, send)
            return
        try:
            await self._connect(scope, receive, send)
        except NinefoldError as error:  # it has not been accepted
            status = STATUS.get(error.code, CONFLICT)
            await refuse(scope, send, status, error.code, public_message(error))

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a WebSocket until the client leaves; raises NinefoldError if it is refused."""
        address = address_of(scope)
        if scope["path"] != "/ws":
            raise NinefoldError("not-found", "There is no WebSocket here.")
        if not self.addresses.connect(address):
            raise NinefoldError("too-many-requests", "Too many connections.", "Close one first.")
        try:
            who = await self.identify(HTTPConnection(scope))
            more = scope.get("extensions", {}).get(WIRE, {})
            shared = self.addresses.messages(address)
            connection = Connection(self.games, who, send, self.limits, shared=shared, **more)
            if (await receive())["type"] != "websocket.connect":
                return
            await send({"type": "websocket.accept"})
            with self.connections.having(connection):
                # From now on it hears when a session ends; one may have ended before.
                if who and not await self._is_still(who, HTTPConnection(scope)):
                    connection.end()
                await connection.serve(receive)
        finally:
            self.addresses.disconnect(address)

    async def _is_still(self, who: Identity, asking: HTTPConnection) -> bool:
        try:
            return not can_end(who.who) or await self.identify(asking) == who
        except NinefoldError:
            return False


async def _respond(server: Server, routes: Mapping[str, Route], request: Request) -> Response:
    """The answer to a request, with the cookie of a new visitor; errors as JSON."""
    route = routes["GET" if request.method == "HEAD" else request.method]
    try:
        response = await route.respond(server, request)
    except NinefoldError as error:
        status = STATUS.get(error.code, CONFLICT)
        headers = retry_after(status, error.number or 1)
        return JSONResponse({"code": error.code, "message": public_message(error)}, status, headers)
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


_CODES = {STATUS[code]: code for code in ("not-found", "wrong-method", "too-large")}


async def _refused(site: Site, request: Request, error: Exception) -> Response:
    """What Starlette refuses, as JSON; an address without a page, as a page in a browser."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and "text/html" in request.headers.get("Accept", ""):
        return site.missing()
    code = _CODES.get(error.status_code, "bad-request")
    answer = {"code": code, "message": error.detail}
    return JSONResponse(answer, error.status_code, headers=error.headers)


async def _failed(_request: Request, _error: Exception) -> Response:
    """The answer to a request that failed: clients learn nothing about why."""
    message = "Something went wrong on the server."
    return JSONResponse({"code": "internal-error", "message": message}, 500)
