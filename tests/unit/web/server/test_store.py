"""One contract for every kind of database: durable, in order, nothing lost and nothing doubled."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from ninefold.core.errors import NinefoldError
from ninefold.web.server.database import Connection, Cursor
from ninefold.web.server.open_store import is_postgres, open_store
from ninefold.web.server.sqlite import SqliteConnection, back_up
from ninefold.web.server.store import Append, Appended, GameRow, Store, StoredEvent

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


def moved(seq: int, body: str = "5", key: str | None = None) -> Append:
    """The append of one event to the game."""
    return Append(GAME, [StoredEvent(seq, 7, "fact", body, key)])


def test_a_game_comes_back_with_all_its_events(database: str) -> None:
    """What was stored is there in another process."""

    async def write(store: Store) -> Appended:
        await store.add(GAME)
        events = [StoredEvent(1, 10, "fact", "1. 5"), StoredEvent(2, 20, "fact", "2. ünï")]
        return await store.append(Append(GAME, events))

    async def read(store: Store) -> object:
        return await store.load("a"), await store.load("b")

    assert with_store(database, write) == Appended(2)
    events = [StoredEvent(1, 10, "fact", "1. 5"), StoredEvent(2, 20, "fact", "2. ünï")]
    assert with_store(database, read) == ((GAME, events), None)


def test_only_the_first_of_two_appends_after_the_same_event_wins(database: str) -> None:
    """An append after an event that is no longer the last one is lost, and changes nothing."""

    async def work(store: Store) -> tuple[tuple[Appended, ...], Appended, object]:
        await store.add(GAME)
        answers = await asyncio.gather(store.append(moved(1)), store.append(moved(1, "6")))
        changed = Append(GAME._replace(state="over"), [StoredEvent(1, 1, "fact", "x")], True)
        return tuple(answers), await store.append(changed), await store.load("a")

    answers, late, loaded = with_store(database, work)
    assert answers == (Appended(1), Appended(0, lost=True))
    assert late == Appended(0, lost=True)
    assert loaded == (GAME, [StoredEvent(1, 7, "fact", "5")])


def test_a_repeated_key_adds_nothing_and_gets_the_earlier_answer(database: str) -> None:
    """A client that asks again after a lost connection learns what happened."""

    async def work(store: Store) -> object:
        await store.add(GAME)
        first = await store.append(moved(1, key="k"))
        again = await store.append(moved(1, key="k"))
        later = await store.append(moved(2, key="k"))
        other = GAME._replace(id="b")
        await store.add(other)
        elsewhere = await store.append(Append(other, [StoredEvent(1, 1, "fact", "5", "k")]))
        loaded = await store.load("a")
        return first, again, later, elsewhere, loaded and len(loaded[1])

    repeated = Appended(1, repeated=True)
    assert with_store(database, work) == (Appended(1), repeated, repeated, Appended(1), 1)


def test_an_append_changes_the_row_and_begins_the_next_game_at_once(database: str) -> None:
    """All of it is one transaction."""
    following = GAME._replace(id="b", winners="1")
    over = GAME._replace(state="over", wake=None)

    async def work(store: Store) -> tuple[object, object]:
        await store.add(GAME._replace(wake=5))
        await store.append(Append(over, [StoredEvent(1, 1, "next", "b")], True, (following, [])))
        return await store.load("a"), await store.load("b")

    first, second = with_store(database, work)
    assert first == (over, [StoredEvent(1, 1, "next", "b")])
    assert second == (following, [])


def test_work_that_fails_does_not_harm_what_is_committed_with_it(database: str) -> None:
    """Only the one who asked for it gets the error."""

    def broken(connection: Connection) -> None:
        connection.execute("INSERT INTO nowhere VALUES (1)")

    async def work(store: Store) -> object:
        await store.add(GAME)
        jobs = [store.append(moved(1)), store.database.run(broken), store.append(moved(2))]
        answers = await asyncio.gather(*jobs, return_exceptions=True)
        loaded = await store.load("a")
        return answers[0], isinstance(answers[1], Exception), answers[2], loaded and loaded[1]

    events = [StoredEvent(1, 7, "fact", "5"), StoredEvent(2, 7, "fact", "5")]
    assert with_store(database, work) == (Appended(1), True, Appended(2), events)


def test_lists_of_games(database: str) -> None:
    """Open games that are listed; the games of a player; those in which the server must act."""
    rows = [
        GAME,
        GAME._replace(id="b", created=2, state="open", listed=True, who2=None),
        GAME._replace(id="c", created=3, state="open", who1="cleo", who2=None),
        GAME._replace(id="d", created=4, who1="bob", who2="dora", wake=100),
        GAME._replace(id="e", created=5, who1="dora", who2=None, wake=50),
    ]

    async def work(store: Store) -> object:
        for row in rows:
            await store.add(row)
        return (
            [row.id for row in await store.open_games(10)],
            [row.id for row in await store.games_of("bob", 10)],
            [row.id for row in await store.games_of("dora", 1)],
            await store.to_wake(),
            await store.to_wake(99),
        )

    assert with_store(database, work) == (["b"], ["d", "a"], ["e"], ["e", "d"], ["e"])


def test_a_secret_stays_the_same(database: str) -> None:
    """Cookies are valid after a restart."""

    async def work(store: Store) -> str:
        return await store.secret("cookies")

    first = with_store(database, work)
    assert len(first) == 64 and with_store(database, work) == first


def test_tokens_are_found_by_their_digest(database: str) -> None:
    """A token that was deleted is unknown."""

    async def work(store: Store) -> object:
        await store.add_token("digest", "bot-1", "Bot")
        found = await store.find_token("digest")
        await store.delete_token("digest")
        return found, await store.find_token("digest"), await store.find_token("other")

    assert with_store(database, work) == (("bot-1", "Bot"), None, None)


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
        await store.add(GAME)
        await store.append(moved(1))
        await asyncio.to_thread(back_up, path, copy)
        await store.append(moved(2))

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
            await one.add(GAME)
            answers = await asyncio.gather(one.append(moved(1)), other.append(moved(1, "6")))
            while not heard:
                await asyncio.sleep(0.01)
            return sorted(answers), one.idle == other.idle
        finally:
            other.close()

    assert with_store(postgres, work) == ([Appended(0, lost=True), Appended(1)], True)
    assert heard == ["a 1"]


def test_an_unknown_database_is_refused() -> None:
    """A mistyped URL does not become the name of a file."""
    with pytest.raises(NinefoldError, match="Unknown kind of database: mysql"):
        open_store("mysql://host/games", lambda _: None)


def test_no_question_reads_every_game(tmp_path: Path) -> None:
    """The cost of each is the same with many stored games: SQLite plans a search, never a scan."""
    asked: list[str] = []

    class Spy(SqliteConnection):
        def execute(self, sql: str, parameters: Sequence[object] = ()) -> Cursor:
            asked.append(sql)
            return super().execute(sql, parameters)

    async def work(store: Store) -> list[str]:
        await store.add(GAME)
        await store.append(moved(1, key="k"))
        await store.append(moved(1, key="k"))
        await store.append(Append(GAME, [StoredEvent(2, 1, "fact", "")], True))
        await store.load("a")
        await store.open_games(5)
        await store.games_of("ann", 5)
        await store.to_wake()
        await store.to_wake(9)
        await store.find_token("x")
        questions = {one for one in asked if one.startswith(("SELECT", "UPDATE games"))}

        def explain(connection: Connection) -> list[str]:
            found = []
            for sql in sorted(questions - {"SELECT max(number) FROM version"}):
                marks = [0] * sql.count("?")
                plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}", marks).fetchall()
                found += [f"{sql}: {row[3]}" for row in plan if "SCAN" in row[3]]
            assert len(questions) >= 8
            return [one for one in found if "USING INDEX" not in one]

        return await store.database.run(explain)

    async def run() -> list[str]:
        store = Store(lambda: Spy(str(tmp_path / "games.sqlite")))
        try:
            return await work(store)
        finally:
            store.close()

    assert asyncio.run(run()) == []
