"""One declaration for each address: from it follow the routing, the reading, and the document."""

import json
import re
from collections.abc import Awaitable, Callable, Iterable
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ninefold.core.text import NamedTuple
from ninefold.web.server.fields import BadRequest, Field, Fields, read_fields, read_query, text
from ninefold.web.server.guard import address_of
from ninefold.web.server.identity import Identity
from ninefold.web.server.view import Json

if TYPE_CHECKING:
    from ninefold.web.server.app import Server

# The statuses of errors by their codes; every other code is a conflict with how things stand.
STATUS = {
    "bad-request": 400,
    "not-identified": 401,
    "not-for-bots": 403,
    "wrong-origin": 403,
    "no-such-audit": 404,
    "no-such-book": 404,
    "wrong-password": 403,
    "no-such-bot": 404,
    "no-such-game": 404,
    "not-found": 404,
    "wrong-method": 405,
    "too-large": 413,
    "wrong-host": 421,
    "too-many-requests": 429,
    "internal-error": 500,
    "busy": 503,
    "closing": 503,
    "failed": 503,
    "unavailable": 503,
}
CONFLICT = 409
# What looking for a game may meet, what long work may, and what the rules of a book may.
FIND = ("no-such-game", "no-such-book", "rules-changed", "busy")
WORK = ("busy", "closing", "failed", "took-too-long", "too-large")
RULES = ("no-such-book", "bad-book", "unknown-reading", "too-many-changes", *WORK)
ID = text("An id that cannot be guessed.", 40, "^[A-Za-z0-9_-]+$")


class Ask(NamedTuple):
    """A request to a route. ``given`` holds every field that the route declares, checked."""

    server: "Server"
    request: Request
    given: Json

    @property
    def address(self) -> str:
        """Where the request comes from."""
        return address_of(self.request.scope)

    async def identify(self) -> Identity | None:
        """Who asks; None for somebody without a cookie. Raises NinefoldError for a wrong token."""
        return await self.server.identify(self.request)

    async def visitor(self) -> Identity:
        """Who asks; somebody without a cookie gets one."""
        return await self.server.visitor(self.request)


Answer: TypeAlias = Callable[[Ask], Awaitable[Response | Json]]


class Route(NamedTuple):
    """An address. The docstring of its handler describes it.

    The handler returns a Response, or JSON that is sent with ``status``. ``errors`` are the codes
    it may refuse with, besides those that any request may meet. Whatever is posted has a body, if
    only an empty one: other sites cannot send JSON.
    """

    method: str
    path: str
    answer: Answer
    returns: Field | str  # of JSON, or the type of something else
    body: Fields | None = None
    query: Fields = MappingProxyType({})
    errors: tuple[str, ...] = ()
    status: int = 200

    @property
    def parameters(self) -> Fields:
        """The fields in the path."""
        return dict.fromkeys(re.findall(r"{(\w+)}", self.path), ID)

    async def respond(self, server: "Server", request: Request) -> Response:
        """The answer to a request; raises NinefoldError."""
        given = read_fields(self.parameters, request.path_params)
        given |= read_query(self.query, request.query_params)
        if self.body is not None:
            given |= read_fields(self.body, await _read_json(request))
        answer = await self.answer(Ask(server, request, given))
        return answer if isinstance(answer, Response) else JSONResponse(answer, self.status)


async def _read_json(request: Request) -> object:
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise BadRequest("expected Content-Type: application/json")
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError):
        raise BadRequest("expected a JSON object") from None


def by_path(routes: Iterable[Route]) -> dict[str, dict[str, Route]]:
    """The routes of every path by their methods."""
    found: dict[str, dict[str, Route]] = {}
    for route in routes:
        found.setdefault(route.path, {})[route.method] = route
    return found
