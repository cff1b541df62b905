"""What is said to whoever waits."""

from threading import Timer
from threading import enumerate as running_threads

import pytest

from ninefold.cli.common import patience


def finish_timers() -> None:
    """Wait for every notice that is still to come; one that was cancelled ends at once."""
    for thread in running_threads():
        if isinstance(thread, Timer):
            thread.join(60)
            assert not thread.is_alive()


def test_a_long_wait_is_explained_once(capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error, while the work goes on."""
    with patience("Working ...", seconds=0):
        finish_timers()
        assert capsys.readouterr() == ("", "Working ...\n")
    assert capsys.readouterr() == ("", "")


def test_a_short_wait_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is said, not even later, and nothing is left running."""
    with patience("Working ...", seconds=3600):
        pass
    finish_timers()
    assert capsys.readouterr() == ("", "")


def test_nothing_is_said_after_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    """A refusal ends the wait too."""
    with pytest.raises(ValueError, match="refused"), patience("Working ...", seconds=3600):
        raise ValueError("refused")
    finish_timers()
    assert capsys.readouterr() == ("", "")
