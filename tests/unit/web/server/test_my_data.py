"""What belongs to somebody: taken along, exported, and deleted, on every kind of database."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from unit.web.server.tables import ANN, BOB, EVE, Eyes, begin, on_server, play, refusal, serving

from ninefold.record.replay import Replay
from ninefold.record.text import parse_record
from ninefold.web.server import my_data
from ninefold.web.server.accounts import Accounts
from ninefold.web.server.actions import Action
from ninefold.web.server.book_store import StoredBook
from ninefold.web.server.bots import bot_of, bots_of, make_bot
from ninefold.web.server.games import Games
from ninefold.web.server.identity import Identity
from ninefold.web.server.limits import Limits
from ninefold.web.server.my_data import Owned, delete_data, export, give_up, take_along
from ninefold.web.server.requests import read_new_game
from ninefold.web.server.store import Store
from ninefold.web.server.table import Table

pytestmark = pytest.mark.xdist_group("postgres")
ACCOUNT = Identity("a-ann", "Ann", "session")
RESIGN = Action("resign")
TABLES = ("accounts", "sessions", "tokens", "ready_bots", "games", "events", "books", "shelves")


def with_accounts(database: str, work: Callable[[Games, Accounts], Awaitable[None]]) -> None:
    """Do this on a server of its own."""

    async def run(games: Games) -> None:
        accounts = Accounts(games.store, Limits())
        try:
            await work(games, accounts)
        finally:
            accounts.passwords.close()

    on_server(database, run)


async def exported(games: Games, accounts: Accounts, who: Identity) -> Any:
    """The file with somebody's data."""
    return json.loads("".join([part async for part in export(games, accounts, who)]))


async def everything(store: Store) -> str:
    """All that the database holds."""
    found = []
    for table in TABLES:
        sql = f"SELECT * FROM {table}"
        found += await store.database.run(lambda it, sql=sql: it.execute(sql).fetchall())  # type: ignore[misc]
    return str(found)


def test_an_account_takes_over_the_games_of_a_visitor(database: str) -> None:
    """At once, in the middle of them, whoever else is there; the visitor has none any more."""

    async def work(games: Games) -> None:
        running, over = await begin(games), await begin(games)
        await over.act(BOB.who, RESIGN)
        waiting = await games.begin(ANN, read_new_game({"game": "magic-fifteen"}))
        await play(running, 5)
        eyes = Eyes(BOB)
        await running.watch(eyes, BOB.who, 2)
        await take_along(games.store, ANN.who, ACCOUNT.who)
        assert {one["id"] for one in await games.games_of(ACCOUNT.who)} == {
            one.game.row.id for one in (running, over, waiting)
        }
        assert await games.games_of(ANN.who) == []
        await running.act(BOB.who, Action("move", "1"))
        assert await refusal(running.act(ANN.who, Action("move", "4"))) == "not-a-player"
        assert await running.act(ACCOUNT.who, Action("move", "4")) == 5
        assert [one["seq"] for message in eyes.seen for one in message["events"]] == [3, 4, 5]
        await over.act(ACCOUNT.who, Action("rematch"))
        await over.act(BOB.who, Action("rematch"))
        assert over.game.next_game is not None
        following = await games.find(over.game.next_game)
        assert (following.game.row.who1, following.game.row.who2) == (ACCOUNT.who, BOB.who)
        await games.join(waiting.game.row.id, BOB)
        assert waiting.game.row.who1 == ACCOUNT.who and waiting.game.row.state == "playing"

    on_server(database, work)


def test_nobody_plays_both_seats(database: str) -> None:
    """Whoever played against himself as a visitor keeps one seat; the other one stays."""

    async def work(games: Games) -> None:
        table = await begin(games)
        await take_along(games.store, ANN.who, ACCOUNT.who)
        await take_along(games.store, BOB.who, ACCOUNT.who)
        loaded = await games.store.load(table.game.row.id)
        assert loaded is not None and loaded[0][4:6] == (ACCOUNT.who, BOB.who)
        assert await refusal(games.join(table.game.row.id, ACCOUNT)) == "own-game"

    on_server(database, work)


@pytest.mark.slow
def test_another_process_learns_whose_seat_it_is(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if it has not heard of it, it stores nothing for who has left."""

    async def work(one: Games) -> None:
        async with serving(postgres) as other:
            there = await begin(other)
            here = await one.find(there.game.row.id)
            monkeypatch.setattr(one, "reported", lambda _: None)
            await take_along(other.store, ANN.who, ACCOUNT.who)
            assert await refusal(here.act(ANN.who, Action("move", "5"))) == "not-a-player"
            assert await here.act(ACCOUNT.who, Action("move", "5")) == 3
            await there.act(BOB.who, RESIGN)
            assert there.game.row.who1 == ACCOUNT.who

    on_server(postgres, work)


def test_an_account_keeps_its_own_of_what_there_is_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as the progress with a puzzle; the rest is taken along, exported and deleted."""
    progress = Owned("progress", "progress", "who", ("puzzle", "level"), ("puzzle",))
    monkeypatch.setattr(my_data, "OWNED", (*my_data.OWNED, progress))
    rows = [("v-ann", "p1", 1), ("v-ann", "p2", 2), ("a-ann", "p1", 5), ("v-bob", "p1", 3)]

    async def work(games: Games, accounts: Accounts) -> None:
        run = games.store.database.run
        await run(lambda it: it.execute("CREATE TABLE progress (who TEXT, puzzle TEXT, level INT)"))
        for row in rows:
            await run(lambda it, row=row: it.execute("INSERT INTO progress VALUES (?, ?, ?)", row))  # type: ignore[misc]
        await make_bot(games.store, ANN.who, "Bot", 5)
        await take_along(games.store, ANN.who, ACCOUNT.who)
        found = await exported(games, accounts, ACCOUNT)
        assert sorted(found["progress"], key=lambda row: str(row["puzzle"])) == [
            {"puzzle": "p1", "level": 5},
            {"puzzle": "p2", "level": 2},
        ]
        assert [bot["name"] for bot in found["bots"]] == ["Bot"]
        await delete_data(games, accounts, ACCOUNT.who)
        left = await run(lambda it: it.execute("SELECT * FROM progress").fetchall())
        assert [tuple(row) for row in left] == [("v-bob", "p1", 3)]

    with_accounts(str(tmp_path / "games.sqlite"), work)


def test_the_export_has_every_game_as_a_record_and_no_secret(database: str) -> None:
    """Who I am, my sessions and bots, and games of mine and theirs that can be replayed."""

    async def work(games: Games, accounts: Accounts) -> None:
        ann = await accounts.register("Ann", "correct horse", "")
        token, bot = await make_bot(games.store, ann.who, "Ann's bot", 5)
        over, running = await begin(games), await begin(games)
        await play(over, 5, 1, 4, 2, 6)
        await take_along(games.store, ANN.who, ann.who)
        stranger = await games.begin(EVE, read_new_game({"game": "magic-fifteen"}))
        theirs = await games.begin(bot, read_new_game({"game": "magic-fifteen"}))
        await games.join(theirs.game.row.id, BOB)
        parts = [part async for part in export(games, accounts, ann)]
        found = json.loads("".join(parts))
        row = await accounts.find(ann.who)
        assert row is not None and (found["name"], found["registered"]) == ("Ann", row.created)
        assert [bot["name"] for bot in found["bots"]] == ["Ann's bot"]
        by_id = {game["id"]: game for game in found["games"]}
        assert by_id.keys() == {one.game.row.id for one in (over, running, theirs)}
        assert by_id[over.game.row.id]["state"] == "over" and len(parts) == 6
        assert [game["bot"] for game in found["games"]] == [None, None, "Ann's bot"]
        assert by_id[theirs.game.row.id]["record"] == await theirs.record()
        assert [[*session] for session in found["sessions"]] == [["created"]]
        record = by_id[over.game.row.id]["record"]
        assert record == await over.record() and by_id[over.game.row.id]["seat"] == 1
        outcome = Replay(parse_record(record.encode(), "test")).run().outcome
        assert outcome == over.game.referee.outcome
        for secret in (token, ann.session, "argon2", ann.who, BOB.who, stranger.game.row.id):
            assert secret not in "".join(parts)

    with_accounts(database, work)


def test_a_game_whose_rules_have_changed_is_exported_as_it_was_stored(tmp_path: Path) -> None:
    """Without a result, which nobody can tell; with the copy of its book."""

    async def work(games: Games, accounts: Accounts) -> None:
        table = await begin(games)
        await play(table, 5, 1)
        row = table.game.row
        settings = row.settings.replace(table.game.settings.rules, "0" * 16)
        await games.store.books.add(BOB.who, StoredBook("b", 1, "A book", "", "text"))
        sql, given = "UPDATE games SET settings = ?, book = 'b'", (settings,)
        await games.store.database.run(lambda it: it.execute(sql, given))
        (game,) = (await exported(games, accounts, ANN))["games"]
        assert game["record"] == f"{settings}1. 5\n2. 1\n*\n" and game["book"] == "text"
        games.tables.clear()
        await delete_data(games, accounts, ANN.who)
        assert "Ann" not in await everything(games.store)

    with_accounts(str(tmp_path / "games.sqlite"), work)


def test_rule_books_are_taken_along_exported_and_deleted(database: str) -> None:
    """With their texts; a book that somebody else has, too, stays."""
    own, shared = (StoredBook(name, 1, name, f"text of {name}", "{}") for name in ("own", "shared"))

    async def work(games: Games, accounts: Accounts) -> None:
        store = games.store.books
        for who, book in ((ANN, own), (ANN, shared), (BOB, shared), (ACCOUNT, shared)):
            await store.add(who.who, book)
        await take_along(games.store, ANN.who, ACCOUNT.who)
        assert await store.books_of(ANN.who) == []
        found = await exported(games, accounts, ACCOUNT)
        assert {row["book"] for row in found["rule_books"]} == {"own", "shared"}
        assert found["texts"] == {"own": "text of own", "shared": "text of shared"}
        await delete_data(games, accounts, ACCOUNT.who)
        assert await store.find("own") is None
        assert await store.find("shared") == shared
        assert await store.books_of(ACCOUNT.who) == []

    with_accounts(database, work)


def test_a_deleted_book_stays_only_for_games_of_others(database: str) -> None:
    """Neither for one that was withdrawn, nor for one against the computer."""
    text = 'title = "Ann Smith, Main Street"\n[rules]\npool = "1-9"\nwins.arithmetic.length = 3\n'
    alone, played = (StoredBook(name, 1, name, text, "{}") for name in ("alone", "played"))

    async def work(games: Games, accounts: Accounts) -> None:
        async def use(table: Table, book: StoredBook) -> None:
            sql, given = "UPDATE games SET book = ? WHERE id = ?", (book.id, table.game.row.id)
            await games.store.database.run(lambda it: it.execute(sql, given))

        for book in (alone, played):
            await games.store.books.add(ANN.who, book)
        await use(await games.begin(ANN, read_new_game({"game": "magic-fifteen"})), alone)
        await use(await begin(games, opponent="random"), alone)
        await use(await begin(games), played)
        await delete_data(games, accounts, ANN.who)
        assert await games.store.books.find("alone") is None
        assert await games.store.books.find("played") == played
        await delete_data(games, accounts, BOB.who)
        assert await games.store.books.find("played") is None

    with_accounts(database, work)


def test_deleted_data_is_nowhere_any_more(database: str) -> None:
    """Account, sessions, bots and names; what is not over is given up, and others keep theirs."""

    async def work(games: Games, accounts: Accounts) -> None:
        ann = await accounts.register("Ann Example", "correct horse", "")
        token, bot = await make_bot(games.store, ann.who, "Ann's bot", 5)
        wanted = read_new_game({"game": "magic-fifteen", "opponent": "anyone"})
        tables = [await games.begin(ann, wanted) for _ in range(3)]
        over, running, _ = tables
        for table in (over, running):
            await games.join(table.game.row.id, BOB)
        await over.act(BOB.who, RESIGN)
        await games.bots.add(bot, Eyes(bot), [])
        theirs = await games.begin(BOB, wanted)
        await games.join(theirs.game.row.id, bot)
        against = await games.begin(
            ann, read_new_game({"game": "magic-fifteen", "opponent": "level:1"})
        )
        eyes = Eyes(BOB)
        await running.watch(eyes, BOB.who, 0)
        assert "Ann" in await everything(games.store)
        await delete_data(games, accounts, ann.who)

        left = await everything(games.store)
        for gone in ("Ann", "ann example", ann.who, bot.who, "argon2"):
            assert gone not in left
        assert left.count("Bob") == 3
        assert await accounts.of_session(ann.session) is None
        assert await bot_of(games.store, token) is None
        assert await refusal(accounts.sign_in("Ann Example", "correct horse", "")) == (
            "wrong-password"
        )
        assert (await accounts.register("Ann Example", "correct horse", "")).who != ann.who
        await eyes.until(lambda message: message["view"]["names"] == ["Player 1", "Bob"])
        assert eyes.view["status"] == "You win!" and eyes.seen[-1]["state"] == "over"
        assert eyes.seen[-1]["events"][-1]["text"] == ""
        states = {}
        for table in (*tables, theirs, against):
            loaded = await games.store.load(table.game.row.id)
            assert loaded is not None
            states[table.game.row.id] = loaded[0].state
            assert (await games.find(table.game.row.id)).game.settings.player1 in (
                "Player 1",
                "Bob",
            )
        assert [*states.values()] == ["over", "over", "withdrawn", "over", "over"]
        assert (await games.lobby.games(None))["games"] == []
        assert (await games.find(theirs.game.row.id)).game.settings.players == ("Bob", "Player 2")
        record = await over.record()
        assert '[Player1 "Player 1"]' in record and Replay(parse_record(record.encode(), "x")).run()

    with_accounts(database, work)


def test_a_neutral_name_differs_from_the_other_one(tmp_path: Path) -> None:
    """A record with two players of one name could not be read."""
    namesake = Identity("v-name", "player 1")

    async def work(games: Games, accounts: Accounts) -> None:
        table = await games.begin(ANN, read_new_game({"game": "magic-fifteen"}))
        await games.join(table.game.row.id, namesake)
        await delete_data(games, accounts, ANN.who)
        found = await games.find(table.game.row.id)
        while found.game.settings.player1 == "Ann":
            await asyncio.sleep(0.01)
        assert found.game.settings.players == ("Player 1 (2)", "player 1")
        assert parse_record((await found.record()).encode(), "test")

    with_accounts(str(tmp_path / "games.sqlite"), work)


def test_a_bot_that_is_deleted_gives_up_its_games(database: str) -> None:
    """Nobody has to wait for it; other games go on."""

    async def work(games: Games) -> None:
        _, bot = await make_bot(games.store, ANN.who, "Bot", 5)
        wanted = read_new_game({"game": "magic-fifteen"})
        playing, waiting = await games.begin(BOB, wanted), await games.begin(bot, wanted)
        other = await begin(games)
        await games.join(playing.game.row.id, bot)
        await give_up(games, bot.who)
        assert playing.game.row.state == "over" and waiting.game.row.state == "withdrawn"
        assert playing.game.settings.player2 == "Bot" and other.game.row.state == "playing"
        assert len(await bots_of(games.store, ANN.who)) == 1

    on_server(database, work)


def test_a_visitor_with_many_games_takes_all_along(tmp_path: Path) -> None:
    """Some at a time."""

    async def work(games: Games) -> None:
        wanted = read_new_game({"game": "magic-fifteen"})
        for _ in range(230):
            await games.begin(ANN, wanted)
        await take_along(games.store, ANN.who, ACCOUNT.who)
        assert len(await games.store.ids_of(ACCOUNT.who)) == 230
        assert await games.store.ids_of(ANN.who) == []

    on_server(str(tmp_path / "games.sqlite"), work)
