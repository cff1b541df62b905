"""The JSON over HTTP: what each address answers."""

from starlette.responses import PlainTextResponse, Response

from ninefold.books.rules import format_game
from ninefold.core.errors import NinefoldError
from ninefold.web.server import answers
from ninefold.web.server.choices import choices
from ninefold.web.server.fields import some
from ninefold.web.server.requests import (
    ACTION,
    EVENT,
    NEW_GAME,
    check_action,
    check_new_game,
)
from ninefold.web.server.routes import FIND, RULES, Ask, Route
from ninefold.web.server.view import Json


def _text(text: str) -> Response:
    return Response(text, media_type="application/json")


async def list_books(_ask: Ask) -> Json:
    """What a new game can be: the games with their variants, the opponents, clocks and matches."""
    return choices()


async def begin_game(ask: Ask) -> Json:
    """Begin a game: against a computer or a bot, with a friend, or with anyone."""
    wanted = check_new_game(ask.given)
    who = await ask.visitor()
    if wanted.opponent == "anyone":
        await _count_challenge(ask, who.who)
    table = await ask.server.games.begin(who, wanted, ask.address)
    return table.game.summary()


async def _count_challenge(ask: Ask, who: str) -> None:
    """Nobody fills the list of open games; raises NinefoldError."""
    most = ask.server.limits.open_challenges
    if await ask.server.store.count_open(who) >= most:
        reason = f"You have {most} open challenges."
        raise NinefoldError("too-many-challenges", reason, "Withdraw one first.")
    ask.server.challenges.require(ask.address)


async def list_open(ask: Ask) -> Json:
    """The games that wait for anyone, and which of them are mine."""
    who = await ask.identify()
    return await ask.server.games.lobby.games(who and who.who)


async def list_mine(ask: Ask) -> Json:
    """My newest games."""
    who = await ask.identify()
    return {"games": await ask.server.games.games_of(who.who) if who else []}


async def show_game(ask: Ask) -> Response:
    """The state of a game, with the log after an event."""
    who = await ask.identify()
    table = await ask.server.games.find(ask.given["game"])
    return _text(await table.message(who and who.who, ask.given["since"]))


async def show_record(ask: Ask) -> Response:
    """The game as a record file."""
    table = await ask.server.games.find(ask.given["game"])
    name = f'attachment; filename="{table.game.row.id}.ninefold"'
    return PlainTextResponse(await table.record(), headers={"Content-Disposition": name})


async def show_rules(ask: Ask) -> Response:
    """The rules of a game, as programs get them."""
    table = await ask.server.games.find(ask.given["game"])
    return _text(format_game(table.game.book.game))


async def list_ready_bots(ask: Ask) -> Json:
    """The bots that are ready to play."""
    return {"bots": await ask.server.games.bots.listed()}


async def join_game(ask: Ask) -> Response:
    """Be the opponent in an open game; whoever knows its id can."""
    who = await ask.visitor()
    table = await ask.server.games.join(ask.given["game"], who)
    return _text(await table.message(who.who))


async def act_in_game(ask: Ask) -> Json:
    """Move, or anything else that a player can do; as over the WebSocket."""
    action = check_action(ask.given)
    who = await ask.identify()
    table = await ask.server.games.find(ask.given["game"])
    seq = await table.act(who and who.who, action)
    return {"seq": seq}


async def show_health(ask: Ask) -> Response:
    """Whether the database answers."""
    await ask.server.store.beat()
    return PlainTextResponse("ok\n")


async def show_metrics(ask: Ask) -> Response:
    """Counts for a monitoring system."""
    tables = ask.server.games.tables.values()
    counts = {
        "games_in_memory": len(tables),
        "watchers": sum(len(table.watchers) for table in tables),
        "connections": ask.server.connections.count,
        "events_total": ask.server.store.events,
        "commits_total": ask.server.store.database.commits,
    }
    lines = [f"ninefold_{name} {value}\n" for name, value in counts.items()]
    return PlainTextResponse("".join(lines))


async def show_document(ask: Ask) -> Response:
    """All of this as an OpenAPI document."""
    return _text(ask.server.document)


_NEW = (
    *RULES,
    "no-game",
    "no-game-time",
    "too-many-challenges",
    "too-many-sets",
    "bot-away",
    "bot-refuses",
    "own-game",
)
_ACT = (
    "not-a-player",
    "not-begun",
    "not-open",
    "withdrawn",
    "stale",
    "not-over",
    "asked-already",
    "not-asked",
    "nothing-to-undo",
    "busy",
    "too-long",
    "unreadable",
    "game-over",
    "not-your-turn",
    "asked",
    "taken",
    "not-in-pool",
    "opening",
    "restricted",
    "no-swap",
    "no-pass",
    "no-declaring",
    "not-in-hand",
    "not-a-set",
)
ROUTES = (
    Route("GET", "/api/openapi.json", show_document, some("OpenAPI 3.1.", "object")),
    Route("GET", "/api/books", list_books, answers.BOOKS),
    Route("POST", "/api/games", begin_game, answers.SUMMARY, NEW_GAME, errors=_NEW, status=201),
    Route("GET", "/api/games/open", list_open, answers.OPEN_GAMES),
    Route("GET", "/api/games/mine", list_mine, answers.GAMES),
    Route(
        "GET",
        "/api/games/{game}",
        show_game,
        answers.EVENT,
        query={"since": EVENT},
        errors=FIND,
    ),
    Route("GET", "/api/games/{game}/record", show_record, "text/plain", errors=FIND),
    Route("GET", "/api/games/{game}/rules", show_rules, answers.RULES, errors=FIND),
    Route("GET", "/api/bots", list_ready_bots, answers.READY_BOTS),
    Route(
        "POST",
        "/api/games/{game}/join",
        join_game,
        answers.EVENT,
        {},
        errors=(*FIND, "own-game", "not-open", "withdrawn"),
    ),
    Route("POST", "/api/games/{game}/act", act_in_game, answers.DONE, ACTION, errors=FIND + _ACT),
    Route("GET", "/health", show_health, "text/plain"),
    Route("GET", "/metrics", show_metrics, "text/plain"),
)
