"""SIGKILL of the server at random moments loses no move that was acknowledged."""

import asyncio
from pathlib import Path

import pytest
from postgres import running_postgres

from tools.kill_server import TOLERANCE, run


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.long)])
def test_a_killed_server_goes_on_where_it_was(tmp_path: Path, kills: int) -> None:
    """Nothing is lost or doubled, and every game replays; ``python3 dev kill-server`` is longer."""
    tally = asyncio.run(run(kills, str(tmp_path / "games.sqlite"), games=4, seed=7))
    assert tally.games >= 4 and tally.moves > 4
    # A busy machine stops the heart of a server for longer.
    assert tally.clock_error < 50 * TOLERANCE


@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize("kills", [4, pytest.param(50, marks=pytest.mark.long)])
def test_one_of_two_servers_can_be_killed(kills: int) -> None:
    """The other one serves all games meanwhile."""
    with running_postgres() as url:
        tally = asyncio.run(run(kills, url, servers=2, games=4, seed=7))
    assert tally.games >= 4 and tally.moves > 4
    assert tally.clock_error < 50 * TOLERANCE
