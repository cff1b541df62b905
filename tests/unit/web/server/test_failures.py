"""A database that fails for a moment: nothing stops for good, and clients are not told why."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from unit.web.server.conftest import new_database
from unit.web.server.live import Client, live
from unit.web.server.tables import EVE, Eyes, begin, on_server, play

from ninefold.web.server import games as all_games
from ninefold.web.server import postgres as server_postgres
from ninefold.web.server import table as tables
from ninefold.web.server.database import StoreDown, public_message
from ninefold.web.server.games import Games
from ninefold.web.server.postgres import Listener


def failing_once(work: Callable[..., Any]) -> Callable[..., Any]:
    """The same, but the first time the disk is full."""
    failed = list[bool]()

    def run(*given: Any) -> Any:
        if not failed:
            failed.append(True)
            raise sqlite3.OperationalError("database or disk is full")
        return work(*given)

    return run


@pytest.mark.parametrize(
    "wanted", [{"time_limit": 1.0, "on_timeout": "lose"}, {"opponent": "random"}]
)
def test_what_the_server_could_not_store_is_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: dict[str, Any]
) -> None:
    """A clock that runs out, and a computer's move: who watches sees it without asking."""
    monkeypatch.setattr(tables, "THINK_AGAIN", 0.01)

    async def work(games: Games) -> None:
        table, eyes = await begin(games, **wanted), Eyes(EVE)
        await table.watch(eyes, EVE.who, 0)
        if "opponent" in wanted:
            await play(table, 5)
        database = games.store.database
        monkeypatch.setattr(database, "_write", failing_once(database._write))
        await eyes.until(lambda it: it["state"] == "over" or len(it["view"]["moves"]) == 2)

    on_server(str(tmp_path / "games.sqlite"), work)


def test_the_server_goes_on_after_any_error_of_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tasks that keep clocks right are still there."""
    monkeypatch.setattr(all_games, "BEAT_SECONDS", 0.01)

    async def work(games: Games) -> None:
        await begin(games, time_limit=3600.0)
        beaten, real = asyncio.Event(), games._beat

        async def beat() -> None:
            await real()
            beaten.set()

        forever = asyncio.create_task(games._forever(failing_once(beat), 0.0))
        await asyncio.wait(
            [forever, asyncio.ensure_future(beaten.wait())], return_when="FIRST_COMPLETED"
        )
        assert beaten.is_set()
        forever.cancel()

    on_server(str(tmp_path / "games.sqlite"), work)


def test_an_error_of_sqlite_means_that_the_database_is_down(tmp_path: Path) -> None:
    """So that clients are told to try again."""

    async def work(games: Games) -> None:
        with pytest.raises(StoreDown, match="no such table"):
            await games.store.database.run(lambda it: it.execute("SELECT * FROM missing"))

    on_server(str(tmp_path / "games.sqlite"), work)


def test_clients_do_not_learn_where_the_database_is() -> None:
    """The operator does."""
    error = StoreDown("connection to server at 10.0.0.5 failed")
    assert "10.0.0.5" in error.message
    assert public_message(error) == "The database is down."


def test_a_listener_connects_until_it_can_listen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the database ends a new connection before it listens."""
    made, heard = list[Any](), threading.Event()

    class Fake:
        def __init__(self) -> None:
            made.append(self)

        def execute(self, _sql: str) -> None:
            if len(made) == 2:
                raise psycopg.OperationalError("terminating connection")

        def notifies(self, timeout: float) -> list[Any]:
            threading.Event().wait(min(timeout, 0.01))
            if len(made) == 1:
                raise psycopg.OperationalError("connection lost")
            return []

        def close(self) -> None:
            pass

    monkeypatch.setattr(psycopg, "connect", lambda *_, **__: Fake())
    monkeypatch.setattr(server_postgres, "_RETRY_SECONDS", 0.01)
    listener = Listener("postgresql://nowhere", lambda _: heard.set())
    listener._thread.join(0.0)
    while listener._thread.is_alive() and not heard.wait(0.05):
        pass
    assert heard.is_set()
    listener.close()


@pytest.mark.slow
def test_an_audit_with_an_impossible_id_is_refused(postgres: str, tmp_path: Path) -> None:
    """PostgreSQL knows no null characters."""
    with live(new_database(postgres, tmp_path)) as port:
        assert Client(port).ask("GET", "/audit/%00").status == 400
