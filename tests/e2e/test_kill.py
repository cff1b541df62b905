"""SIGKILL at a random moment loses no move that was shown."""

import pytest

from tools.kill_games import run


@pytest.mark.parametrize("kills", [20, pytest.param(400, marks=pytest.mark.long)])
def test_a_killed_game_can_be_resumed(kills: int) -> None:
    """Every move that was shown is on record; ``python3 dev kill`` runs for longer."""
    tally = run(kills, seed=7)
    assert tally.kills == kills
    assert tally.mid_game > 5
    assert tally.resumed > 5
    assert tally.shown > 10
