"""The JSON over HTTP about people: names, accounts, sessions, bots, and their data."""

from starlette.responses import Response, StreamingResponse

from ninefold.core.errors import NinefoldError
from ninefold.players import MAX_NAME
from ninefold.web.server import answers
from ninefold.web.server.bots import bots_of, delete_token, make_bot, token_of
from ninefold.web.server.fields import Fields, optional, text
from ninefold.web.server.identity import COOKIE, Identity, named
from ninefold.web.server.my_data import delete_data, export, give_up, take_along
from ninefold.web.server.passwords import MAX_PASSWORD
from ninefold.web.server.requests import NAME
from ninefold.web.server.routes import Ask, Route
from ninefold.web.server.view import Json

_PASSWORD = text("The password.", MAX_PASSWORD)
_NEW_PASSWORD = text("At least 8 characters that nobody guesses.", MAX_PASSWORD)
_REGISTER: Fields = {**NAME, "password": _NEW_PASSWORD}
_SIGN_IN: Fields = {"name": text("The name of the account.", MAX_NAME), "password": _PASSWORD}
_CHANGE: Fields = {"old": _PASSWORD, "new": _NEW_PASSWORD}
_DELETE: Fields = {"password": optional(text("The password, if I have signed in.", MAX_PASSWORD))}


async def _person(ask: Ask) -> Identity | None:
    """Who asks, if it is not a bot; raises NinefoldError."""
    if token_of(ask.request):
        reason = "A bot has neither an account nor bots."
        raise NinefoldError("not-for-bots", reason, "Leave out the token.")
    return await ask.identify()


async def _account(ask: Ask) -> Identity:
    who = await _person(ask)
    if who is None or not who.session:
        raise NinefoldError("not-signed-in", "You have not signed in.", "Sign in first.")
    return who


def _me(ask: Ask, who: Identity) -> Json:
    """Who this is; from now on it is the one who asks."""
    ask.request.state.cookie = who
    return {"name": who.name, "account": bool(who.session)}


async def show_me(ask: Ask) -> Json:
    """Who I am; a new visitor gets a cookie."""
    who = await ask.visitor()
    return {"name": who.name, "account": bool(who.session)}


async def name_me(ask: Ask) -> Json:
    """Choose a name; an account needs it to sign in."""
    await _person(ask)
    who, name = named(await ask.visitor(), ask.given["name"]), ask.given["name"]
    if who.session:
        return _me(ask, who._replace(name=await ask.server.accounts.rename(who.who, name)))
    await ask.server.accounts.refuse_taken(name)
    return _me(ask, who)


async def register(ask: Ask) -> Json:
    """Turn an anonymous visitor into an account, which keeps all games."""
    who = await _person(ask)
    if who and who.session:
        reason = f"You have signed in as {who.name}."
        raise NinefoldError("signed-in", reason, "Sign out first.")
    name, password = ask.given["name"], ask.given["password"]
    account = await ask.server.accounts.register(name, password, ask.address)
    return await _become(ask, who, account)


async def sign_in(ask: Ask) -> Json:
    """Sign in; the games of an anonymous visitor are taken along."""
    who = await _person(ask)
    name, password = ask.given["name"], ask.given["password"]
    account = await ask.server.accounts.sign_in(name, password, ask.address)
    if who and who.session:
        await ask.server.accounts.sign_out(who)
    return await _become(ask, who, account)


async def _become(ask: Ask, before: Identity | None, account: Identity) -> Json:
    if before and not before.session:
        await take_along(ask.server.store, before.who, account.who)
    return _me(ask, account)


async def sign_out(ask: Ask) -> Response:
    """End the session of this device."""
    await ask.server.accounts.sign_out(await _account(ask))
    return _forgotten(ask)


async def sign_out_everywhere(ask: Ask) -> Response:
    """End the sessions of all devices."""
    await ask.server.accounts.sign_out_everywhere((await _account(ask)).who)
    return _forgotten(ask)


async def change_password(ask: Ask) -> Json:
    """Change the password, which ends the sessions of all other devices."""
    who, old, new = await _account(ask), ask.given["old"], ask.given["new"]
    return _me(ask, await ask.server.accounts.change_password(who.who, old, new, ask.address))


async def export_data(ask: Ask) -> Response:
    """Everything that is stored about me, as a JSON file."""
    who = await ask.visitor()
    ask.server.exports.require(ask.address)
    parts = export(ask.server.games, ask.server.accounts, who)
    headers = {"Content-Disposition": 'attachment; filename="ninefold-data.json"'}
    return StreamingResponse(parts, media_type="application/json", headers=headers)


async def delete_me(ask: Ask) -> Response:
    """Delete my account, my bots, and my name in all games; what I play is resigned."""
    who = await _person(ask)
    if who and who.session:
        await ask.server.accounts.check(who.who, ask.given["password"] or "", ask.address)
    if who:
        await delete_data(ask.server.games, ask.server.accounts, who.who)
    return _forgotten(ask)


def _forgotten(ask: Ask) -> Response:
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=ask.server.is_secure)
    return response


async def list_bots(ask: Ask) -> Json:
    """My bots."""
    who = await _person(ask)
    return {"bots": await bots_of(ask.server.store, who.who) if who else []}


async def make_token(ask: Ask) -> Json:
    """A new bot of mine; its token is shown only once."""
    await _person(ask)
    who, name = await ask.visitor(), ask.given["name"]
    await ask.server.accounts.refuse_taken(name, but=who.who)
    ask.server.new_bots.require(ask.address)
    token, bot = await make_bot(ask.server.store, who.who, name, ask.server.limits.bots)
    return {"token": token, "name": bot.name}


async def drop_token(ask: Ask) -> Response:
    """Delete the bot that asks; what it plays is resigned."""
    if not token_of(ask.request):
        raise NinefoldError("not-identified", "Send the token as Authorization: Bearer TOKEN.")
    bot = await ask.identify()
    assert bot is not None, "a wrong token has been refused"
    return await _drop(ask, bot.who)


async def drop_bot(ask: Ask) -> Response:
    """Delete a bot of mine; what it plays is resigned."""
    who, bot = await _person(ask), ask.given["bot"]
    own = await bots_of(ask.server.store, who.who) if who else []
    if bot not in [one["id"] for one in own]:
        raise NinefoldError("no-such-bot", "You have no such bot.")
    return await _drop(ask, bot)


async def _drop(ask: Ask, bot: str) -> Response:
    await delete_token(ask.server.store, bot)
    await give_up(ask.server.games, bot)
    return Response(status_code=204)


_NAMES = ("bad-name", "name-taken", "not-for-bots")
_IN = ("not-for-bots", "not-signed-in")
ROUTES = (
    Route("GET", "/api/me", show_me, answers.ME),
    Route("POST", "/api/me", name_me, answers.ME, NAME, errors=_NAMES),
    Route(
        "POST",
        "/api/account",
        register,
        answers.ME,
        _REGISTER,
        errors=(*_NAMES, "weak-password", "signed-in"),
        status=201,
    ),
    Route(
        "POST",
        "/api/session",
        sign_in,
        answers.ME,
        _SIGN_IN,
        errors=("wrong-password", "not-for-bots"),
    ),
    Route("DELETE", "/api/session", sign_out, "", errors=_IN, status=204),
    Route("DELETE", "/api/sessions", sign_out_everywhere, "", errors=_IN, status=204),
    Route(
        "POST",
        "/api/account/password",
        change_password,
        answers.ME,
        _CHANGE,
        errors=(*_IN, "wrong-password", "weak-password"),
    ),
    Route("GET", "/api/me/data", export_data, answers.DATA),
    Route(
        "POST",
        "/api/me/delete",
        delete_me,
        "",
        _DELETE,
        errors=("wrong-password", "not-for-bots"),
        status=204,
    ),
    Route("GET", "/api/tokens", list_bots, answers.BOTS, errors=("not-for-bots",)),
    Route(
        "POST",
        "/api/tokens",
        make_token,
        answers.TOKEN,
        NAME,
        errors=(*_NAMES, "too-many-bots"),
        status=201,
    ),
    Route("DELETE", "/api/tokens", drop_token, "", status=204),
    Route(
        "DELETE",
        "/api/tokens/{bot}",
        drop_bot,
        "",
        errors=("no-such-bot", "not-for-bots"),
        status=204,
    ),
)
