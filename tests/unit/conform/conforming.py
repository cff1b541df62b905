"""Environments put before the judge, for the tests of conform."""

from pathlib import Path
from typing import Any

from ninefold import books
from ninefold.conform.check import Terms, examine
from ninefold.conform.environment import EnvironmentSettings
from ninefold.conform.report import Report

TESTS = Path(__file__).resolve().parents[2]
DUEL = "sequence-duel-arithmetic"


def settings(env: str, **kwargs: Any) -> EnvironmentSettings:
    """With patience for a busy machine."""
    return EnvironmentSettings(env, kwargs, "", None, None, 2 << 30, 30.0, 300.0, 1)


def check(fault: str = "", env: str = "Faulty", **terms: Any) -> Report:
    """The report on the faulty environment, after every position and a few random games."""
    book = books.load_book(DUEL, None, ("pool=1-6",))
    examined = Terms(**{"games": 20, **terms})
    return examine(book, settings(f"environments.faulty:{env}", fault=fault), examined)


def seen(report: Report) -> list[tuple[str, str]]:
    """The kind of each difference, and the game that shows it."""
    return [(row["kind"], row["game"]) for row in report.as_data()["differences"]]
