"""What is said to whoever waits."""

from threading import Event

import pytest

from ninefold.line import wrap
from ninefold.line.wrap import patience


@pytest.fixture
def notes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was printed on standard error."""
    printed: list[str] = []
    monkeypatch.setattr(wrap, "note", printed.append)
    return printed


def test_a_long_stage_is_explained_once(notes: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """While the work goes on, and each stage only once."""
    told = Event()

    def note(text: str) -> None:
        notes.append(text)
        told.set()

    monkeypatch.setattr(wrap, "note", note)
    with patience("Working", seconds=0.01) as say:
        assert told.wait(60)
        told.clear()
        say("Still working")
        assert told.wait(60)
    assert notes == ["Working", "Still working"]


def test_a_short_wait_is_not_explained(notes: list[str]) -> None:
    """Nothing is said, not even later: nothing is left running."""
    with patience("Working", seconds=3600):
        pass
    assert notes == []


def test_nothing_is_said_after_a_failure(notes: list[str]) -> None:
    """A refusal ends the wait too."""
    with pytest.raises(ValueError, match="refused"), patience("Working", seconds=3600):
        raise ValueError("refused")
    assert notes == []
