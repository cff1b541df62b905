"""Stored rule books and the games by them: bounded, compiled beside the event loop, kept."""

import asyncio
import gc
import json
import threading
from typing import Any

import pytest
from unit.web.server.tables import ANN, BOB, Eyes, begin, on_server, play, refusal, serving
from unit.web.server.test_store import with_store

from ninefold.record.replay import Replay
from ninefold.record.text import parse_record
from ninefold.web.server import book_store, game_books
from ninefold.web.server.actions import Action
from ninefold.web.server.book_store import StoredBook, id_of
from ninefold.web.server.games import Games
from ninefold.web.server.requests import NewGame, read_new_game
from ninefold.web.server.store import Changes, GameRow, Store
from ninefold.web.server.work.given import load_spec

pytestmark = pytest.mark.xdist_group("postgres")
TEXT = """
id = "mine"
title = "Mine"
[rules]
pool = "1-6"
wins.arithmetic = {{ length = 3 }}
[readings.first]
rules.opening = [{0}]
"""


def book_of(number: int = 1, created: int = 5) -> StoredBook:
    """A book that is different for each number."""
    text = TEXT.format(number)
    return StoredBook(id_of(text), created, "Mine", text, load_spec({"text": text}).copy)


def wanted(**fields: object) -> NewGame:
    """A new game by the first book."""
    return read_new_game({"book": book_of().id, **fields})


# The store


def test_books_are_kept_once_and_for_everybody_who_saved_them(database: str) -> None:
    """In the order in which they were saved."""
    one, two = book_of(1), book_of(2, created=6)

    async def work(store: Store) -> object:
        for who, book in (("ann", one), ("ann", two), ("bob", one), ("ann", one)):
            await store.books.add(who, book)
        return (
            await store.books.find(one.id),
            await store.books.find("none"),
            await store.books.books_of("ann"),
            await store.books.books_of("bob"),
        )

    with_store(database, work)
    found = with_store(database, work)
    assert found == (
        one,
        None,
        [(two.id, "Mine", 6), (one.id, "Mine", 5)],
        [(one.id, "Mine", 5)],
    )


def test_a_book_that_nobody_needs_is_deleted(database: str) -> None:
    """Somebody else's shelf or a game by it keeps it."""
    one, two, three = (book_of(number) for number in (1, 2, 3))

    async def work(store: Store) -> list[bool]:
        for who, book in (("ann", one), ("bob", one), ("ann", two), ("ann", three)):
            await store.books.add(who, book)
        row = GameRow("a", 1, "over", False, "bob", None, "settings", two.id, None, "", None)
        await store.write(Changes([], [], [row]))
        for book in (one, two, three):
            await store.books.drop("ann", book.id)
        assert await store.books.books_of("ann") == []
        return [await store.books.find(book.id) is not None for book in (one, two, three)]

    assert with_store(database, work) == [True, True, False]


def test_books_are_bounded(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many for one person, so many bytes for all; what is there can be saved again."""
    books = [book_of(number) for number in (1, 2, 3)]
    size = len(books[0].text) + len(books[0].copy)
    monkeypatch.setattr(book_store, "MAX_EACH", 1)
    monkeypatch.setattr(book_store, "MAX_BYTES", 2 * size)

    async def work(store: Store) -> list[str]:
        await store.books.add("ann", books[0])
        await store.books.add("ann", books[0])
        codes = [await refusal(store.books.add("ann", books[1]))]
        await store.books.add("bob", books[1])
        codes.append(await refusal(store.books.add("cleo", books[2])))
        await store.books.add("cleo", books[0])
        await store.books.drop("bob", books[1].id)
        await store.books.add("dora", books[2])
        return codes

    assert with_store(database, work) == ["too-many-books", "books-full"]


def test_only_so_much_is_copied_at_once(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many or long books, those that are named first and fit; what is gone is left out."""
    one, two, three = (book_of(number) for number in (1, 2, 3))
    size = len(one.text) + len(one.copy)

    async def work(store: Store) -> list[dict[str, str]]:
        for book in (one, two, three):
            await store.books.add("ann", book)
        named = ["gone", two.id, three.id, one.id]
        found = [await store.books.copies(named)]
        monkeypatch.setattr(book_store, "MAX_USED", 3)
        found.append(await store.books.copies(named))
        monkeypatch.setattr(book_store, "MAX_USED_BYTES", 2 * size - 1)
        return [*found, await store.books.copies(named)]

    all_of_them, some, short = with_store(database, work)
    assert all_of_them == {book.id: book.copy for book in (one, two, three)}
    assert ([*some], [*short]) == ([two.id, three.id], [two.id])


def test_only_the_newest_audits_are_kept(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And none that is too long."""
    monkeypatch.setattr(book_store, "MAX_AUDITS", 2)
    monkeypatch.setattr(book_store, "MAX_RESULT", 3)

    async def work(store: Store) -> list[str | None]:
        for at, result in enumerate(("one", "two", "three", "six", "ten"), 1):
            await store.books.add_audit(f"a{at}", result, at)
        return [await store.books.audit(f"a{at}") for at in range(1, 6)]

    assert with_store(database, work) == [None, None, None, "six", "ten"]


# Games


def test_a_game_by_a_stored_book_goes_on_after_a_restart(database: str) -> None:
    """With its reading, and by the judge of its own rules; its record can be judged again."""

    async def first(games: Games) -> str:
        await games.store.books.add(ANN.who, book_of())
        table = await games.begin(ANN, wanted(reading="first"))
        await games.join(table.game.row.id, BOB)
        assert await refusal(play(table, 2)) == "opening"
        await play(table, 1)
        return table.game.row.id

    async def second(games: Games) -> None:
        table = await games.find(game)
        eyes = Eyes(ANN)
        await table.watch(eyes, ANN.who, 0)
        assert eyes.view["title"] == "Mine · first"
        await play(table, 6, 3, 5, 2, first=2)
        assert eyes.view["over"] == {"winner": 1, "text": eyes.view["over"]["text"]}
        record = parse_record((await table.record()).encode(), "test")
        assert record.settings.book == load_spec({"copy": book_of().copy}).digest
        assert Replay(record, table.game.book).run().outcome == table.game.referee.outcome
        assert [one["title"] for one in await games.games_of(ANN.who)] == ["Mine · first"]
        await table.act(ANN.who, Action("rematch"))
        await table.act(BOB.who, Action("rematch"))
        following = table.game.next_game
        assert following is not None
        assert (await games.find(following)).game.book is table.game.book

    game = on_server(database, first)
    on_server(database, second)


def test_computers_play_and_games_are_reviewed_by_stored_books(database: str) -> None:
    """The copy of the book goes to the worker with the record."""

    async def work(games: Games) -> dict[str, Any]:
        await games.store.books.add(ANN.who, book_of())
        table = await games.begin(ANN, wanted(opponent="perfect", changes=["pool=1-7"]))
        eyes = Eyes(ANN)
        await table.watch(eyes, ANN.who, 0)
        await play(table, 4)
        await eyes.until(lambda message: message["seq"] == 3)
        given = {"record": await table.record(), "copy": table.game.copy}
        found: dict[str, Any] = await games.workers.run("review", {"game": given})
        return found

    found = on_server(database, work)
    assert found["moves"][0]["number"] == 4
    assert len(found["moves"]) == 2


def test_a_strange_book_is_compiled_beside_the_event_loop(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other games go on meanwhile; two games by the same book share it."""
    compile_book, go_on, threads = game_books._compile, threading.Event(), list[str]()

    def slowly(key: game_books.BookKey, stored: StoredBook | None) -> Any:
        threads.append(threading.current_thread().name)
        go_on.wait()
        return compile_book(key, stored)

    monkeypatch.setattr(game_books, "_compile", slowly)

    async def work(games: Games) -> None:
        await games.store.books.add(ANN.who, book_of())
        beginning = [asyncio.create_task(games.begin(ANN, wanted())) for _ in range(2)]
        while not threads:
            await asyncio.sleep(0.01)
        other = await begin(games)
        await play(other, 5, 1)
        assert not any(one.done() for one in beginning)
        go_on.set()
        one, two = [await each for each in beginning]
        assert one.game.book is two.game.book

    on_server(database, work)
    assert len(threads) == 1
    assert threads[0] != threading.main_thread().name


def test_the_memory_of_strange_books_is_bounded(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games that nobody looks at make room, and come back; those that are watched stay."""
    weight = game_books.weigh(load_spec({"copy": book_of().copy}))
    monkeypatch.setattr(game_books, "MAX_WEIGHT", 2 * weight)

    async def work(games: Games) -> None:
        found = []
        for number in (1, 2, 3, 4):
            book = book_of(number)
            await games.store.books.add(ANN.who, book)
            table = await games.begin(ANN, wanted(book=book.id))
            found.append(table.game.row.id)
        assert [*games.tables] == found[2:]
        eyes = Eyes(ANN)
        for game in found[:2]:
            await (await games.find(game)).watch(eyes, ANN.who, 0)
        assert [*games.tables] == found[:2]
        assert await refusal(games.find(found[3])) == "busy"
        assert await refusal(games.begin(ANN, wanted(book=book.id))) == "busy"
        await begin(games)
        games.tables[found[0]].leave(eyes)
        assert (await games.find(found[3])).game.row.id == found[3]

    on_server(database, work)


def test_too_many_cannot_wait_for_strange_books(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest is refused at once."""
    monkeypatch.setattr(game_books, "MAX_WAITING", 0)

    async def work(games: Games) -> str:
        await games.store.books.add(ANN.who, book_of())
        return await refusal(games.begin(ANN, wanted()))

    assert on_server(database, work) == "busy"


def test_the_clock_of_a_game_that_was_sent_away_runs_on(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked for, and ends in time, although nobody watches."""
    monkeypatch.setattr(
        game_books, "MAX_WEIGHT", game_books.weigh(load_spec({"copy": book_of().copy}))
    )
    monkeypatch.setattr("ninefold.web.server.games.SWEEP_SECONDS", 0.05)

    async def work(games: Games) -> None:
        await games.store.books.add(ANN.who, book_of(1))
        await games.store.books.add(ANN.who, book_of(2))
        clock = {"opponent": "level:1", "time_limit": 1, "on_timeout": "lose"}
        table = await games.begin(ANN, wanted(**clock))
        game = table.game.row.id
        await games.begin(ANN, wanted(book=book_of(2).id))
        assert game not in games.tables
        while True:
            loaded = await games.store.load(game)
            assert loaded is not None
            if loaded[0].state == "over":
                break
            await asyncio.sleep(0.05)
        assert loaded[1][-1].body == "timeout:1"

    on_server(database, work)


def test_changes_leave_nothing_in_the_caches_of_the_library(database: str) -> None:
    """A stranger's changes are as many as a stranger likes."""
    from ninefold import books

    async def work(games: Games) -> None:
        for most in (9, 10, 11, 12):
            await begin(games, changes=[f"pool=1-{most}"])

    books.load_book("magic-fifteen")
    books.load_book("magic-fifteen", "default")
    gc.collect()
    before = books._load_own.cache_info().currsize, len(books._books)
    on_server(database, work)
    gc.collect()
    assert (books._load_own.cache_info().currsize, len(books._books)) <= before


def test_a_copy_is_judged_again_if_a_process_reads_the_game(database: str) -> None:
    """Rules that are not those of the game are refused."""

    async def work(games: Games) -> str:
        await games.store.books.add(ANN.who, book_of())
        table = await games.begin(ANN, wanted())
        row = table.game.row
        other = json.loads(book_of().copy)
        other["rules"]["pool"] = "1-9"
        await games.store.books.add(ANN.who, book_of()._replace(id="x", copy=json.dumps(other)))
        others = [row._replace(id="changed", book="x"), row._replace(id="gone", book="y")]
        await games.store.write(Changes([], [], others))
        assert await refusal(games.find("gone")) == "no-such-book"
        return await refusal(games.find("changed"))

    assert on_server(database, work) == "rules-changed"


def test_two_processes_share_a_stored_book(database: str) -> None:
    """One begins the game, the other one is asked for it (with SQLite, one after the other)."""

    async def work() -> None:
        async with serving(database) as games:
            await games.store.books.add(ANN.who, book_of())
            game = (await games.begin(ANN, wanted())).game.row.id
            if not games.store.is_shared:
                return
            async with serving(database) as others:
                await others.join(game, BOB)
                await play(await others.find(game), 1)
                assert (await games.find(game)).game.book.title == "Mine"

    asyncio.run(work())
