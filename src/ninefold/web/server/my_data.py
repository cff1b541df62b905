"""What belongs to somebody: taken along into an account, exported, or deleted."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from ninefold.core.errors import Illegal, NinefoldError
from ninefold.record.text import format_settings
from ninefold.web.server.accounts import Accounts
from ninefold.web.server.actions import Action
from ninefold.web.server.bots import bots_of, delete_token
from ninefold.web.server.database import Connection, StoreDown
from ninefold.web.server.game_rows import read_settings
from ninefold.web.server.games import Games
from ninefold.web.server.hosted import Hosted
from ninefold.web.server.identity import Identity
from ninefold.web.server.series import other_name
from ninefold.web.server.store import ENDED, GameRow, Store, StoredEvent
from ninefold.web.server.view import Json

# How many games are changed before others get their turn.
_AT_ONCE = 100


class Owned(NamedTuple):
    """Rows that belong to somebody, besides games; ``shown`` are the columns that are exported.

    ``once`` are columns whose values one owner has only once: an account keeps its own.
    """

    name: str
    table: str
    owner: str
    shown: tuple[str, ...]
    once: tuple[str, ...] = ()


OWNED = (
    Owned("bots", "tokens", "owner", ("name", "created")),
    Owned("sessions", "sessions", "who", ("created",)),
    Owned("answers", "answers", "who", ("at", "line"), once=("attempt",)),
    Owned("rule_books", "shelves", "who", ("book", "created"), once=("book",)),
)


async def take_along(store: Store, visitor: str, account: str) -> None:
    """Let an account have everything that an anonymous visitor had.

    If both play in the same game, the visitor's seat stays as it is.
    """

    def change(row: GameRow) -> GameRow:
        if account in (row.who1, row.who2):
            return row
        return _replaced(row, visitor, account)

    def work(connection: Connection) -> None:
        for owned in OWNED:
            _move(connection, owned, visitor, account)
        store.announce(connection, [f"{ENDED} {visitor}"])

    await _change_all(store, visitor, change)
    await store.database.run(work)


async def export(games: Games, accounts: Accounts, who: Identity) -> AsyncIterator[str]:
    """All data about somebody as parts of one JSON object, one game or rule book per line."""
    store = games.store
    account = await accounts.find(who.who)
    about: Json = {"name": who.name, "registered": account and account.created}
    for owned in OWNED:
        about[owned.name] = await _rows(store, owned, who.who)
    yield f'{_to_text(about)[:-1]}, "texts": {{'
    separator = "\n"
    for row in about["rule_books"]:
        if book := await store.books.find(row["book"]):
            yield f"{separator}{_to_text(book.id)}: {_to_text(book.text)}"
            separator = ",\n"
    yield '\n}, "games": ['
    separator = "\n"
    bots = [(bot["id"], bot["name"]) for bot in await bots_of(store, who.who)]
    for player, bot in [(who.who, None), *bots]:
        for game, _ in await store.ids_of(player):
            if loaded := await store.load(game):
                shown = {**await _exported(games, *loaded, player), "bot": bot}
                yield separator + _to_text(shown)
                separator = ",\n"
    yield "\n]}\n"


async def delete_data(games: Games, accounts: Accounts, who: str) -> None:
    """Forget somebody, and the bots: unfinished games are given up, and others lose the names."""
    store = games.store
    bots = [bot["id"] for bot in await bots_of(store, who)]

    def work(connection: Connection) -> None:
        for owned in OWNED:
            connection.execute(f"DELETE FROM {owned.table} WHERE {owned.owner} = ?", (who,))

    await _forget(games, [who, *bots])
    for bot in bots:
        await delete_token(store, bot)
    await store.database.run(work)
    await accounts.delete(who)
    await _forget(games, [who, *bots])  # what they began until then
    await store.books.drop_unused()


async def give_up(games: Games, who: str) -> None:
    """Withdraw the open games of somebody, and resign the others that are not over."""
    for game, state in await games.store.ids_of(who):
        if state not in ("open", "playing"):
            continue
        try:
            table = await games.find(game)
        except StoreDown:
            raise
        except NinefoldError:  # its rules have changed, so nobody can go on with it anyway
            continue
        for action in ("withdraw", "resign"):
            with suppress(Illegal):  # it has not begun, it has, or it is over by now
                await table.act(who, Action(action))
                break


async def _forget(games: Games, everybody: Iterable[str]) -> None:
    for who in everybody:
        await give_up(games, who)
        await _change_all(games.store, who, partial(_without, who=who))


async def _change_all(store: Store, who: str, change: Callable[[GameRow], GameRow]) -> None:
    ids = [game for game, _ in await store.ids_of(who)]
    for at in range(0, len(ids), _AT_ONCE):
        group = ids[at : at + _AT_ONCE]
        await asyncio.gather(*(store.change_seats(game, change) for game in group))


def _replaced(row: GameRow, old: str, new: str | None) -> GameRow:
    if row.who1 == old:
        return row._replace(who1=new)
    return row._replace(who2=new) if row.who2 == old else row


def _without(row: GameRow, who: str) -> GameRow:
    """A game in which this player has neither an identity nor a name."""
    settings = read_settings(row.settings)
    if row.who1 == who:
        settings = settings._replace(player1=other_name(settings.player2, "Player 1"))
    elif row.who2 == who:
        settings = settings._replace(player2=other_name(settings.player1, "Player 2"))
    return _replaced(row, who, None)._replace(settings=format_settings(settings))


def _move(connection: Connection, owned: Owned, old: str, new: str) -> None:
    table, owner = owned.table, owned.owner
    if owned.once:
        same = " AND ".join(f"own.{column} = {table}.{column}" for column in owned.once)
        own = f"SELECT 1 FROM {table} AS own WHERE own.{owner} = ? AND {same}"
        sql = f"DELETE FROM {table} WHERE {owner} = ? AND EXISTS ({own})"
        connection.execute(sql, (old, new))
    connection.execute(f"UPDATE {table} SET {owner} = ? WHERE {owner} = ?", (new, old))


async def _rows(store: Store, owned: Owned, who: str) -> list[Json]:
    sql = f"SELECT {', '.join(owned.shown)} FROM {owned.table} WHERE {owned.owner} = ?"
    rows = await store.database.run(lambda it: it.execute(sql, (who,)).fetchall())
    return [dict(zip(owned.shown, row, strict=True)) for row in rows]


async def _exported(games: Games, row: GameRow, events: Sequence[StoredEvent], who: str) -> Json:
    shown: Json = {"id": row.id, "created": row.created, "state": row.state}
    shown |= {"seat": 1 if row.who1 == who else 2, "record": await _record(games, row, events)}
    book = row.book and await games.store.books.find(row.book)
    return {**shown, "book": book.copy} if book else shown


async def _record(games: Games, row: GameRow, events: Sequence[StoredEvent]) -> str:
    try:
        return Hosted(row, events, await games.books.load(row)).record()
    except NinefoldError:  # the rules have changed, so nobody can say who won
        lines = [f"{event.body}\n" for event in events if event.kind == "fact"]
        return row.settings + "".join(lines) + "*\n"


def _to_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
