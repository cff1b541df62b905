"""Bots: players with a token instead of a cookie, which belong to whoever made them."""

from typing import Any

from starlette.requests import HTTPConnection

from ninefold.core.errors import NinefoldError
from ninefold.web.server.database import Connection
from ninefold.web.server.identity import Identity, digest_of, new_bot, new_secret
from ninefold.web.server.store import ENDED, Store, wall_time

_BEARER = "bearer "


def token_of(asking: HTTPConnection) -> str:
    """The token that a bot has sent; nothing if there is none."""
    given = asking.headers.get("authorization", "")
    return given[len(_BEARER) :].strip() if given.lower().startswith(_BEARER) else ""


async def make_bot(store: Store, owner: str, name: str, most: int) -> tuple[str, Identity]:
    """A new bot with this name, and the token that proves it; raises NinefoldError."""
    bot, token = new_bot(name), f"ninefold_{new_secret()}"

    def work(connection: Connection) -> bool:
        if len(_bots_of(connection, owner)) >= most:
            return False
        sql = "INSERT INTO tokens (digest, who, name, owner, created) VALUES (?, ?, ?, ?, ?)"
        connection.execute(sql, (digest_of(token), bot.who, bot.name, owner, wall_time()))
        return True

    if not await store.database.run(work):
        raise NinefoldError("too-many-bots", f"You have {most} bots.", "Delete one first.")
    return token, bot


async def bot_of(store: Store, token: str) -> Identity | None:
    """The bot with this token."""
    sql, given = "SELECT who, name FROM tokens WHERE digest = ?", (digest_of(token),)
    row = await store.database.run(lambda it: it.execute(sql, given).fetchone())
    return None if row is None else Identity(*row)


async def bots_of(store: Store, owner: str) -> list[dict[str, Any]]:
    """The bots that somebody has made, the newest first."""
    rows = await store.database.run(lambda connection: _bots_of(connection, owner))
    return [{"id": row[0], "name": row[1], "created": row[2]} for row in rows]


async def delete_token(store: Store, bot: str) -> None:
    """Forget the token of a bot, which is no longer ready to play."""

    def work(connection: Connection) -> None:
        for table in ("tokens", "ready_bots"):
            connection.execute(f"DELETE FROM {table} WHERE who = ?", (bot,))
        store.announce(connection, [f"{ENDED} {bot}"])

    await store.database.run(work)


def _bots_of(connection: Connection, owner: str) -> list[Any]:
    sql = "SELECT who, name, created FROM tokens WHERE owner = ? ORDER BY created DESC"
    return connection.execute(sql, (owner,)).fetchall()
