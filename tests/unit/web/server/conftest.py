"""The databases that the tests of the server run on."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from postgres import running_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server."""
    with running_postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind: the name of a file, or a URL."""
    if request.param == "sqlite":
        return str(tmp_path / "games.sqlite")
    return new_database(request.getfixturevalue("postgres"), tmp_path)


def new_database(server: str, folder: Path) -> str:
    """The URL of an empty database on this server, named after a folder of the test."""
    name = f"test_{abs(hash(str(folder)))}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return server.removesuffix("postgres") + name
