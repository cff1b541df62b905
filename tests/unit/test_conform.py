"""An environment with one fault: what is found, in which game, and that nothing is left behind."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ninefold import books
from ninefold.conform.check import Terms, examine
from ninefold.conform.link import Settings
from ninefold.conform.report import Report

TESTS = Path(__file__).resolve().parents[1]
DUEL = "sequence-duel-arithmetic"


@pytest.fixture(autouse=True)
def _beside_the_environments(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """They are found because they are here."""
    monkeypatch.chdir(TESTS)
    yield
    with pytest.raises(ChildProcessError):  # nobody is left
        os.waitpid(-1, os.WNOHANG)


def settings(env: str, **kwargs: Any) -> Settings:
    """Quick to lose patience."""
    return Settings(env, kwargs, "", None, None, 2 << 30, 2.0, 60.0, 1)


def check(fault: str = "", env: str = "Faulty", **terms: Any) -> Report:
    """The report on the faulty environment."""
    book = books.load(DUEL, None, ("pool=1-6",))
    return examine(book, settings(f"environments.faulty:{env}", fault=fault), Terms(**terms))


def seen(report: Report) -> list[tuple[str, str]]:
    """The kind of each difference, and the game that shows it."""
    return [(row["kind"], row["game"]) for row in report.as_data()["differences"]]


@pytest.mark.parametrize(
    "habit",
    [
        "",
        "old-api",
        "raise",
        "refuse",
        "no-list",
        "no-turn",
        "mask-in-info",
        "mask-in-observation",
        "masks",
        "masked",
        "legal-actions",
        "available",
        "from-one",
        "pair",
        "no-copy",
        "shared-state",
    ],
)
def test_habits_are_no_faults(habit: str) -> None:
    """Whatever the usual ways of telling things are, the game is the same."""
    report = check(habit)
    assert seen(report) == []
    assert report.complete
    assert report.positions == 1 + 6 + 30 + 60 + 90 + 14 * 3  # 14 of 20 triples do not win


def test_agents_take_turns_as_in_pettingzoo() -> None:
    """With a mask in the observation, and a reward for each."""
    assert seen(check(env="Agents")) == []
    assert seen(check("missed-end", env="Agents")) == [("missed-end", "1 2 3 4 5")]
