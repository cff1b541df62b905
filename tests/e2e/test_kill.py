"""SIGKILL at a random moment loses no move that was shown."""

from tools.kill_games import run


def test_a_killed_game_can_be_resumed() -> None:
    """The short run; ``python3 dev kill`` is the long one."""
    tally = run(kills=40, seed=7)
    assert tally.kills == 40
    assert tally.mid_game > 5
    assert tally.resumed > 5
    assert tally.shown > 20
