"""What clients never should send does no harm to the server, nor to the games of others."""

import pytest
from postgres import running_postgres

from tools.fuzz_server import run

KINDS = ("requests", "frames", "streams of bytes", "actions", "messages of slow clients")


@pytest.mark.parametrize("cases", [100, pytest.param(5_000, marks=pytest.mark.long)])
def test_nothing_that_clients_send_does_harm(cases: int) -> None:
    """No 5xx, no move for somebody else, bounded memory; ``python3 dev fuzz-server`` is longer."""
    tried = run(cases, seed=7)
    assert all(tried[kind] for kind in KINDS)


@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize("cases", [40, pytest.param(5_000, marks=pytest.mark.long)])
def test_nor_with_the_other_database(cases: int) -> None:
    """PostgreSQL refuses texts that SQLite keeps."""
    with running_postgres() as url:
        tried = run(cases, seed=8, database=url)
    assert all(tried[kind] for kind in KINDS)
