"""What is stored for somebody who practises, in every kind of database."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TypeVar

import pytest
from unit.web.server.tables import ANN, BOB, begin, on_server, play

from ninefold.record.text import parse_record
from ninefold.web.server import practice
from ninefold.web.server.actions import Action
from ninefold.web.server.database import Connection, Cursor
from ninefold.web.server.games import Games
from ninefold.web.server.open_store import open_store
from ninefold.web.server.practice import PracticeStore
from ninefold.web.server.sqlite import SqliteConnection
from ninefold.web.server.store import Store

T = TypeVar("T")
pytestmark = pytest.mark.xdist_group("postgres")


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that ticks with every answer."""
    monkeypatch.setattr(practice, "wall_time", count(1).__next__)


def with_answers(database: str, work: Callable[[PracticeStore], Awaitable[T]]) -> T:
    """What the work returns, with a store of its own."""

    async def run() -> T:
        store = open_store(database, lambda _: None)
        try:
            return await work(PracticeStore(store.database))
        finally:
            store.close()

    return asyncio.run(run())


async def answers(store: PracticeStore) -> list[list[str]]:
    """The answers of Ann, Bob and Eve."""
    return [await store.answers_of(who) for who in ("ann", "bob", "eve")]


def test_only_the_first_answer_of_an_attempt_counts(database: str) -> None:
    """For each person; answers are there after a restart, the oldest first."""

    async def work(store: PracticeStore) -> None:
        for who, attempt, line in (
            ("ann", "2", "one"),
            ("ann", "2", "again"),
            ("ann", "1", "two"),
            ("bob", "2", "three"),
        ):
            await store.add(who, attempt, line)

    with_answers(database, work)
    assert with_answers(database, answers) == [["one", "two"], ["three"], []]


def test_the_oldest_answers_of_a_person_are_forgotten(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody else's."""
    monkeypatch.setattr(practice, "MAX_ANSWERS", 2)

    async def work(store: PracticeStore) -> object:
        for who, line in (("bob", "b1"), ("ann", "a1"), ("ann", "a2"), ("ann", "a3")):
            await store.add(who, line, line)
        return await answers(store)

    assert with_answers(database, work) == [["a2", "a3"], ["b1"], []]


def test_no_question_reads_what_belongs_to_others(tmp_path: Path) -> None:
    """SQLite plans a search in every table, never a scan."""
    asked: list[str] = []

    class Spy(SqliteConnection):
        def execute(self, sql: str, parameters: Sequence[object] = ()) -> Cursor:
            asked.append(sql)
            return super().execute(sql, parameters)

    async def run() -> list[str]:
        store = Store(lambda: Spy(str(tmp_path / "games.sqlite")))
        answers = PracticeStore(store.database)
        await store.database.run(lambda it: it.execute(_GAME))
        asked.clear()
        await answers.add("ann", "1", "line")
        await answers.answers_of("ann")
        await answers.games_of("ann")
        questions = [one for one in asked if one.startswith(("SELECT", "DELETE"))]
        assert len(questions) == 4
        plans = await store.database.run(lambda it: [*_plans(it, questions)])
        store.close()
        return plans

    tables = "games|events|answers"
    assert not [plan for plan in asyncio.run(run()) if re.match(f"SCAN ({tables})", plan)]


_GAME = (
    "INSERT INTO games (id, created, state, listed, who1, settings, winners) "
    "VALUES ('a', 1, 'over', false, 'ann', '', '')"
)


def _plans(connection: Connection, questions: Iterable[str]) -> Iterator[str]:
    for sql in questions:
        rows = connection.execute(f"EXPLAIN QUERY PLAN {sql}", [0] * sql.count("?")).fetchall()
        yield from (row[3] for row in rows)


def test_only_finished_games_can_be_learned_from(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In either seat, with what was taken back; the newest, the oldest of them first."""

    async def work(games: Games) -> tuple[list[list[tuple[int, int]]], list[int]]:
        store = PracticeStore(games.store.database)
        tables = [await begin(games) for _ in range(3)]
        over, resigned, going = tables
        await play(over, 4, 1, 5, 2, 6)
        await play(resigned, 4, 1)
        await resigned.act(ANN.who, Action("undo"))
        await resigned.act(BOB.who, Action("accept-undo"))
        await resigned.act(BOB.who, Action("resign"))
        await play(going, 5)
        ids = {table.game.row.id: at for at, table in enumerate(tables)}
        both = [await store.games_of(who.who) for who in (ANN, BOB)]
        monkeypatch.setattr(practice, "MAX_GAMES", 1)
        (newest,) = await store.games_of(BOB.who)
        assert newest == both[1][-1]
        return [[(ids[game.id], game.seat) for game in found] for found in both], [
            len(parse_record(game.record.encode(), "a game").entries) for game in both[0]
        ]

    seats, facts = on_server(database, work)
    assert [sorted(one) for one in seats] == [[(0, 1), (1, 1)], [(0, 2), (1, 2)]]
    assert sorted(facts) == [4, 5]
