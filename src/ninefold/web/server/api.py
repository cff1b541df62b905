"""The JSON over HTTP: what each address answers."""

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.web.server.identity import delete_token, named, new_token
from ninefold.web.server.requests import (
    COMPUTERS,
    BadRequest,
    read_action,
    read_new_game,
    read_text,
)
from ninefold.web.server.view import Json

if TYPE_CHECKING:
    from ninefold.web.server.app import Server

_BEARER = "bearer "
Answer = Callable[["Server", Request], Awaitable[Response]]


def token_of(asking: HTTPConnection) -> str:
    """The token that a bot has sent; nothing if there is none."""
    given = asking.headers.get("authorization", "")
    return given[len(_BEARER) :].strip() if given.lower().startswith(_BEARER) else ""


async def _read_json(request: Request) -> Json:
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise BadRequest("expected Content-Type: application/json")
    try:
        data = json.loads(await request.body())
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise BadRequest("expected a JSON object")
    return data


def _text(text: str) -> Response:
    return Response(text, media_type="application/json")


async def list_books(_server: "Server", _request: Request) -> Response:
    """Every game with its variants, and the computer players."""
    found = [
        {"id": book.id, "title": book.title, "summary": book.summary, "readings": [*book.readings]}
        for book in books.load_all()
    ]
    return JSONResponse({"games": found, "computers": [*COMPUTERS]})


async def show_me(server: "Server", request: Request) -> Response:
    """Who I am; a new visitor gets a cookie."""
    who = await server.visitor(request)
    return JSONResponse({"name": who.name})


async def name_me(server: "Server", request: Request) -> Response:
    """Choose a name."""
    name = read_text(await _read_json(request), "name", 200)
    who = named(await server.visitor(request), name)
    request.state.cookie = who
    return JSONResponse({"name": who.name})


async def begin_game(server: "Server", request: Request) -> Response:
    """Begin a game: against a computer, with a friend, or with anyone."""
    wanted = read_new_game(await _read_json(request))
    who = await server.visitor(request)
    table = await server.games.begin(who, wanted)
    return JSONResponse(table.game.summary(), 201)


async def list_open(server: "Server", _request: Request) -> Response:
    """The games that wait for an opponent."""
    return JSONResponse({"games": await server.games.open_games()})


async def list_mine(server: "Server", request: Request) -> Response:
    """My newest games."""
    who = await server.identify(request)
    return JSONResponse({"games": await server.games.games_of(who.who) if who else []})


async def show_game(server: "Server", request: Request) -> Response:
    """The state of a game, with the log after an event."""
    since = request.query_params.get("since", "0")
    if not (since.isascii() and since.isdigit() and len(since) < 10):
        raise BadRequest("since must be the number of an event")
    who = await server.identify(request)
    table = await server.games.find(request.path_params["game"])
    return _text(await table.message(who and who.who, int(since)))


async def show_record(server: "Server", request: Request) -> Response:
    """The game as a record file."""
    table = await server.games.find(request.path_params["game"])
    name = f'attachment; filename="{table.game.row.id}.ninefold"'
    return PlainTextResponse(await table.record(), headers={"Content-Disposition": name})


async def join_game(server: "Server", request: Request) -> Response:
    """Join an open game."""
    await _read_json(request)
    who = await server.visitor(request)
    table = await server.games.join(request.path_params["game"], who)
    return _text(await table.message(who.who))


async def act_in_game(server: "Server", request: Request) -> Response:
    """Move, or anything else that a player can do; as over the WebSocket."""
    action = read_action(await _read_json(request))
    who = await server.identify(request)
    table = await server.games.find(request.path_params["game"])
    seq = await table.act(who and who.who, action)
    return JSONResponse({"seq": seq})


async def make_token(server: "Server", request: Request) -> Response:
    """A new bot: its token is shown only once."""
    name = read_text(await _read_json(request), "name", 200)
    token, bot = await new_token(server.store, name)
    return JSONResponse({"token": token, "name": bot.name}, 201)


async def drop_token(server: "Server", request: Request) -> Response:
    """Forget the token that this request is made with."""
    token = token_of(request)
    if not token:
        raise NinefoldError("not-identified", "Send the token as Authorization: Bearer TOKEN.")
    await delete_token(server.store, token)
    return Response(status_code=204)


async def show_health(server: "Server", _request: Request) -> Response:
    """Whether the database answers."""
    await server.store.beat()
    return PlainTextResponse("ok\n")


async def show_metrics(server: "Server", _request: Request) -> Response:
    """Counts for a monitoring system."""
    tables = server.games.tables.values()
    counts = {
        "games_in_memory": len(tables),
        "watchers": sum(len(table.watchers) for table in tables),
        "connections": server.connections,
        "events_total": server.store.events,
        "commits_total": server.store.database.commits,
    }
    lines = [f"ninefold_{name} {value}\n" for name, value in counts.items()]
    return PlainTextResponse("".join(lines))


ROUTES: dict[tuple[str, str], Answer] = {
    ("GET", "/api/books"): list_books,
    ("GET", "/api/me"): show_me,
    ("POST", "/api/me"): name_me,
    ("POST", "/api/games"): begin_game,
    ("GET", "/api/games/open"): list_open,
    ("GET", "/api/games/mine"): list_mine,
    ("GET", "/api/games/{game}"): show_game,
    ("GET", "/api/games/{game}/record"): show_record,
    ("POST", "/api/games/{game}/join"): join_game,
    ("POST", "/api/games/{game}/act"): act_in_game,
    ("POST", "/api/tokens"): make_token,
    ("DELETE", "/api/tokens"): drop_token,
    ("GET", "/health"): show_health,
    ("GET", "/metrics"): show_metrics,
}
