"""One contract for every kind of database: durable, in order, nothing lost and nothing doubled."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from ninefold.core.errors import NinefoldError
from ninefold.web.server.accounts import Accounts
from ninefold.web.server.bots import bot_of, bots_of, delete_token, make_bot
from ninefold.web.server.database import Connection, Cursor
from ninefold.web.server.identity import Identity, digest_of
from ninefold.web.server.limits import Limits
from ninefold.web.server.migrations import MIGRATIONS
from ninefold.web.server.my_data import take_along
from ninefold.web.server.open_store import is_postgres, open_store
from ninefold.web.server.sqlite import SqliteConnection, back_up
from ninefold.web.server.store import Changes, GameRow, Store, StoredEvent

T = TypeVar("T")
pytestmark = pytest.mark.xdist_group("postgres")

GAME = GameRow("a", 1, "playing", False, "ann", "bob", "settings", None, None, "", None)


def with_store(
    database: str,
    work: Callable[[Store], Awaitable[T]],
    report: Callable[[str], None] = lambda _: None,
) -> T:
    """What the work returns, with a store of its own."""

    async def run() -> T:
        store = open_store(database, report)
        try:
            return await work(store)
        finally:
            store.close()

    return asyncio.run(run())


NEW = Changes([], [], [GAME])


def moved(seq: int, body: str = "5", key: str | None = None) -> Changes:
    """One more event of the game."""
    return Changes([], [("a", StoredEvent(seq, 7, "fact", body, key))])


def test_a_game_comes_back_with_all_its_events(database: str) -> None:
    """What was stored is there in another process."""
    events = [StoredEvent(1, 10, "fact", "1. 5"), StoredEvent(2, 20, "fact", "2. ünï", "key")]

    async def write(store: Store) -> bool:
        await store.write(NEW)
        return await store.write(Changes([], [("a", event) for event in events]))

    async def read(store: Store) -> object:
        return await store.load("a"), await store.load("b")

    assert with_store(database, write)
    assert with_store(database, read) == ((GAME, events), None)


def test_only_the_first_of_two_appends_after_the_same_event_wins(database: str) -> None:
    """An append after an event that is no longer the last one is lost, and changes nothing."""

    async def work(store: Store) -> tuple[list[bool], bool, object]:
        await store.write(NEW)
        answers = await asyncio.gather(store.write(moved(1)), store.write(moved(1, "6")))
        events = [("a", StoredEvent(seq, 1, "fact", "x")) for seq in (1, 2)]
        changed = Changes([GAME._replace(state="over")], events)
        return [*answers], await store.write(changed), await store.load("a")

    answers, late, loaded = with_store(database, work)
    assert (answers, late) == ([True, False], False)
    assert loaded == (GAME, [StoredEvent(1, 7, "fact", "5")])


def test_an_append_changes_the_row_and_begins_the_next_game_at_once(database: str) -> None:
    """All of it is one transaction."""
    following = GAME._replace(id="b", winners="1")
    over = GAME._replace(state="over", wake=None)

    async def work(store: Store) -> tuple[object, object]:
        await store.write(Changes([GAME._replace(wake=5)], []))
        events = [("b", StoredEvent(1, 1, "begun", "")), ("a", StoredEvent(1, 1, "next", "b"))]
        await store.write(Changes([over, following], events))
        return await store.load("a"), await store.load("b")

    first, second = with_store(database, work)
    assert first == (over, [StoredEvent(1, 1, "next", "b")])
    assert second == (following, [StoredEvent(1, 1, "begun", "")])


def test_work_that_fails_does_not_harm_what_is_committed_with_it(database: str) -> None:
    """Only the one who asked for it gets the error."""

    def broken(connection: Connection) -> None:
        connection.execute("INSERT INTO nowhere VALUES (1)")

    async def work(store: Store) -> object:
        await store.write(NEW)
        jobs = [store.write(moved(1)), store.database.run(broken), store.write(moved(2))]
        answers = await asyncio.gather(*jobs, return_exceptions=True)
        loaded = await store.load("a")
        return answers[0], isinstance(answers[1], Exception), answers[2], loaded and loaded[1]

    events = [StoredEvent(1, 7, "fact", "5"), StoredEvent(2, 7, "fact", "5")]
    assert with_store(database, work) == (True, True, True, events)


def test_lists_of_games(database: str) -> None:
    """Open games that are listed; the games of a player; those in which the server must act."""
    rows = [
        GAME,
        GAME._replace(id="b", created=2, state="open", listed=True, who2=None),
        GAME._replace(id="c", created=3, state="open", who1="cleo", who2=None),
        GAME._replace(id="d", created=4, who1="bob", who2="dora", wake=100),
        GAME._replace(id="e", created=5, who1="dora", who2=None, wake=50),
        GAME._replace(id="f", created=6, who1="dora", who2=None, state="withdrawn", listed=True),
        GAME._replace(id="g", created=1, who1="eve", who2=None),
        *(
            GAME._replace(id=name, created=at, who2="eve", state="over", winner=0)
            for at, name in enumerate("hij", 7)
        ),
    ]

    async def work(store: Store) -> object:
        await store.write(Changes(rows, []))
        return (
            [row.id for row in await store.open_games(10)],
            [row.id for row in await store.games_of("bob", 10)],
            [row.id for row in await store.games_of("dora", 1)],
            [row.id for row in await store.games_of("eve", 2)],
            await store.ids_of("dora"),
            await store.to_wake(),
            await store.to_wake(99),
        )

    all_of_dora = [("f", "withdrawn"), ("e", "playing"), ("d", "playing")]
    assert with_store(database, work) == (
        ["b"],
        ["d", "a"],
        ["e"],
        ["g", "j", "i"],
        all_of_dora,
        ["e", "d"],
        ["e"],
    )


def test_a_secret_stays_the_same(database: str) -> None:
    """Cookies are valid after a restart."""

    async def work(store: Store) -> str:
        return await store.secret("cookies")

    first = with_store(database, work)
    assert len(first) == 64 and with_store(database, work) == first


def test_tokens_belong_to_who_made_them(database: str) -> None:
    """They are found by their text alone; one that was deleted is unknown."""

    async def work(store: Store) -> None:
        token, bot = await make_bot(store, "v-ann", "Bot", 2)
        other, _ = await make_bot(store, "v-ann", "Other", 2)
        with pytest.raises(NinefoldError, match="You have 2 bots"):
            await make_bot(store, "v-ann", "Third", 2)
        assert await bot_of(store, token) == bot and bot.name == "Bot"
        assert {one["name"] for one in await bots_of(store, "v-ann")} == {"Bot", "Other"}
        assert await bots_of(store, "v-bob") == []
        await delete_token(store, bot.who)
        assert await bot_of(store, token) is None
        assert await bot_of(store, other) is not None
        assert [one["name"] for one in await bots_of(store, "v-ann")] == ["Other"]

    with_store(database, work)


def test_an_older_database_is_upgraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game without a winner, and a bot without an owner, are still known."""
    path = str(tmp_path / "games.sqlite")

    async def old(store: Store) -> None:
        rows = {"games": GAME[:-2], "tokens": (digest_of("token"), "b-old", "Old")}

        def work(connection: Connection) -> None:
            for table, row in rows.items():
                marks = ", ".join("?" * len(row))
                connection.execute(f"INSERT INTO {table} VALUES ({marks})", row)

        await store.database.run(work)

    async def new(store: Store) -> object:
        return await store.load("a"), await bot_of(store, "token"), await bots_of(store, "")

    with monkeypatch.context() as context:
        context.setattr("ninefold.web.server.migrations.MIGRATIONS", MIGRATIONS[:1])
        with_store(path, old)
    assert with_store(path, new) == ((GAME, []), Identity("b-old", "Old"), [])


def test_a_change_of_seats_is_an_event_that_older_knowledge_cannot_follow(database: str) -> None:
    """Whoever does not know of it loses the append; no change is no event."""
    heard: list[str] = []

    async def work(store: Store) -> object:
        await store.write(NEW)
        await store.write(moved(1))
        await store.change_seats("a", lambda row: row._replace(who1="account", settings="new"))
        late = await store.write(Changes([GAME], [("a", StoredEvent(2, 7, "fact", "6"))]))
        await store.change_seats("a", lambda row: row)
        await store.change_seats("nowhere", lambda row: row._replace(who1="account"))
        while "a 2" not in heard:
            await asyncio.sleep(0.01)
        loaded = await store.load("a")
        assert loaded is not None
        return late, loaded[0], [(event.seq, event.kind) for event in loaded[1]]

    assert with_store(database, work, heard.append) == (
        False,
        GAME._replace(who1="account", settings="new"),
        [(1, "fact"), (2, "seats")],
    )


@pytest.mark.slow
def test_seats_change_while_another_process_stores_events(postgres: str) -> None:
    """Both succeed in the end, and every event has a number of its own."""

    async def work(one: Store) -> object:
        other = open_store(postgres, lambda _: None)
        try:
            row = GAME._replace(id="busy")
            await one.write(Changes([], [], [row]))
            for number in range(20):
                name = f"account-{number}"

                def change(row: GameRow, name: str = name) -> GameRow:
                    return row._replace(who1=name)

                event = StoredEvent(2 * number + 1, 7, "fact", "5")
                is_stored, _ = await asyncio.gather(
                    other.write(Changes([], [("busy", event)])), one.change_seats("busy", change)
                )
                if not is_stored:
                    event = event._replace(seq=event.seq + 1)
                    assert await other.write(Changes([], [("busy", event)]))
            loaded = await one.load("busy")
            assert loaded is not None
            return loaded[0].who1, [event.seq for event in loaded[1]]
        finally:
            other.close()

    assert with_store(postgres, work) == ("account-19", [*range(1, 41)])


def test_the_clock_stands_still_while_nobody_serves(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An hour without a server is no time at all; an hour with one is an hour."""
    wall = [1_000_000]
    monkeypatch.setattr("ninefold.web.server.store.wall_time", lambda: wall[0])

    async def begin(store: Store) -> int:
        await store.beat()
        return store.now()

    async def serve(store: Store) -> tuple[int, int]:
        await store.beat()
        before = store.now()
        wall[0] += 3_600_000
        await store.beat()
        return before, store.now()

    assert with_store(database, begin) == 1_000_000
    wall[0] += 3_600_000
    assert with_store(database, serve) == (1_000_000, 4_600_000)
    wall[0] += 5
    assert with_store(database, begin) == 4_600_000


def test_a_newer_database_is_refused(database: str) -> None:
    """An old program must not write to tables it does not know."""

    async def work(store: Store) -> None:
        await store.database.run(lambda it: it.execute("INSERT INTO version VALUES (99)"))

    with_store(database, work)
    with pytest.raises(NinefoldError, match="The database has version 99"):
        with_store(database, work)


def test_one_file_has_one_server(tmp_path: Path) -> None:
    """A second process is told so at once."""
    path = str(tmp_path / "games.sqlite")

    async def work(_store: Store) -> None:
        open_store(path, lambda _: None)

    with pytest.raises(NinefoldError, match="Another server uses"):
        with_store(path, work)


def test_a_backup_is_whole_while_the_server_writes(tmp_path: Path) -> None:
    """The copy can be used at once; an existing file is never replaced."""
    path, copy = str(tmp_path / "games.sqlite"), str(tmp_path / "copy.sqlite")

    async def work(store: Store) -> None:
        await store.write(NEW)
        await store.write(moved(1))
        await asyncio.to_thread(back_up, path, copy)
        await store.write(moved(2))

    async def read(store: Store) -> object:
        return await store.load("a")

    with_store(path, work)
    assert with_store(copy, read) == (GAME, [StoredEvent(1, 7, "fact", "5")])
    with pytest.raises(NinefoldError, match="already exists"):
        back_up(path, copy)


@pytest.mark.slow
def test_processes_that_share_a_database_hear_of_each_other(postgres: str) -> None:
    """Every append is reported with its game and number; both processes use one clock."""
    heard: list[str] = []
    assert is_postgres(postgres)

    async def work(one: Store) -> object:
        other = open_store(postgres, heard.append)
        try:
            await one.beat()
            await other.beat()
            await one.write(NEW)
            answers = await asyncio.gather(one.write(moved(1)), other.write(moved(1, "6")))
            while not heard:
                await asyncio.sleep(0.01)
            return sorted(answers), one.idle == other.idle
        finally:
            other.close()

    assert with_store(postgres, work) == ([False, True], True)
    assert heard == ["a 1"]


def test_an_unknown_database_is_refused() -> None:
    """A mistyped URL does not become the name of a file."""
    with pytest.raises(NinefoldError, match="Unknown kind of database: mysql"):
        open_store("mysql://host/games", lambda _: None)


async def use_accounts(store: Store) -> None:
    """Ask every question about accounts."""
    accounts = Accounts(store, Limits())
    who = await accounts.register("Ann", "correct horse", "")
    await accounts.of_session(who.session)
    await accounts.rename(who.who, "Anne")
    who = await accounts.sign_in("Anne", "correct horse", "")
    await accounts.sign_out(who)
    await accounts.change_password(who.who, "correct horse", "battery staple", "")
    await accounts.sign_out_everywhere(who.who)
    await accounts.delete(who.who)
    accounts.passwords.close()


def test_no_question_reads_every_game(tmp_path: Path) -> None:
    """The cost of each is the same with many stored games: SQLite plans a search, never a scan."""
    asked: list[str] = []

    class Spy(SqliteConnection):
        def execute(self, sql: str, parameters: Sequence[object] = ()) -> Cursor:
            asked.append(sql)
            return super().execute(sql, parameters)

    async def work(store: Store) -> list[str]:
        await store.write(NEW)
        await store.write(moved(1, key="k"))
        await store.write(moved(1, key="k"))
        await store.write(NEW)
        await store.load("a")
        await store.open_games(5)
        await store.games_of("ann", 5)
        await store.to_wake()
        await store.to_wake(9)
        await store.ids_of("ann")
        await store.change_seats("a", lambda row: row._replace(who1="eve"))
        await bot_of(store, "x")
        await bots_of(store, "ann")
        await delete_token(store, "b-x")
        await use_accounts(store)
        await take_along(store, "ann", "a-ann")
        kinds = ("SELECT", "INSERT INTO games", "UPDATE games", "UPDATE tokens", "DELETE")
        questions = {one for one in asked if one.startswith(kinds)}

        def explain(connection: Connection) -> list[str]:
            found = []
            for sql in sorted(questions - {"SELECT max(number) FROM version"}):
                marks = [0] * sql.count("?")
                plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}", marks).fetchall()
                found += [f"{sql}: {row[3]}" for row in plan if "SCAN" in row[3]]
            assert len(questions) >= 20
            return [one for one in found if "USING INDEX" not in one]

        return await store.database.run(explain)

    async def run() -> list[str]:
        store = Store(lambda: Spy(str(tmp_path / "games.sqlite")))
        try:
            return await work(store)
        finally:
            store.close()

    assert asyncio.run(run()) == []
