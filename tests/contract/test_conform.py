"""Every book in every reading as an environment made of the naive definitions: no difference."""

from pathlib import Path

import pytest
from environments.honest import actions_of

from contract import naive_readings
from ninefold import books
from ninefold.conform.check import Terms, examine
from ninefold.conform.environment import EnvironmentSettings

TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), sorted(naive_readings.READINGS))
def test_judge_and_definition_agree_in_every_position(
    monkeypatch: pytest.MonkeyPatch, name: str, reading: str
) -> None:
    """Legal moves, turns, ends, rewards, and what illegal actions do, without an exception."""
    monkeypatch.chdir(TESTS)
    book = books.load_book(name, reading, ("pool=1-6",))
    kwargs = {"game": name, "reading": reading, "size": 6, "illegal": "refuse"}
    settings = EnvironmentSettings(
        "environments.honest:Honest", kwargs, "", None, None, 2 << 30, 30.0, 300.0, 1
    )
    report = examine(book, settings, Terms(actions=actions_of(name, reading, 6), games=20))
    assert report.differences == ()
    assert report.complete
    assert report.positions >= 200
