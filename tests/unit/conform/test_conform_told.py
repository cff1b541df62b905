"""What a report tells beside the differences: chance, noise, and what was not compared."""

import pytest
from unit.conform.conforming import DUEL, check, seen, settings

from ninefold import books
from ninefold.conform.check import Terms, examine

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("beside_the_environments")]


def test_the_time_for_everything_has_an_end() -> None:
    """It is not the time for one answer that stops it here."""
    book = books.load_book(DUEL, None, ("pool=1-6",))
    where = settings("environments.faulty:Faulty", fault="hangs")
    report = examine(book, where._replace(seconds=60.0, budget=8.0), Terms())
    assert report.notes == ("stopped after 8 s (--time-budget).",)
    assert not report.complete


def test_chance_at_the_beginning_is_told() -> None:
    """And nothing else is compared."""
    report = check("random-start")
    assert seen(report) == [("repeat", "before the first move")]
    assert report.notes == ("stopped, because it does not always start the same way.",)


def test_what_reset_leaves_behind_is_told() -> None:
    """Whatever it spoils is one finding."""
    (row,) = check(env="Leftover").as_data()["differences"]
    assert row["kind"] == "repeat"


def test_chance_in_the_middle_is_told() -> None:
    """Not as a difference of rules, though it looked like one when it was first seen."""
    (row,) = check("lottery").as_data()["differences"]
    assert row["kind"] == "repeat"


def test_a_reset_that_fails_later_is_told() -> None:
    """With its last line, and without what a terminal might obey."""
    (row,) = check("late-reset").as_data()["differences"]
    assert row["kind"] == "repeat"
    assert row["environment"].endswith("reset() raises RuntimeError: no more ?[31mgames")


def test_noise_in_observations_is_a_note() -> None:
    """The rules are not touched by it."""
    report = check("noisy")
    assert seen(report) == []
    assert report.notes == ("its observations of the same game differ from time to time.",)


def test_printing_is_a_note() -> None:
    """It does not reach anybody's standard output."""
    report = check("prints")
    assert seen(report) == []
    assert report.notes == ('it prints to standard output: "Player takes 1"',)


def test_what_is_not_told_is_noted() -> None:
    """A report says what was not compared."""
    assert "does not list its legal actions" in check("no-list").notes[0]
    assert check("no-turn").notes == (
        "it does not say whose turn it is (current_player and so on).",
    )


def test_the_first_line_names_the_changes_to_the_rules() -> None:
    """A report on changed rules cannot be mistaken for one on the book's own rules."""
    first = check(games=20).lines()[0]
    assert first == (
        "environments.faulty:Faulty and sequence-duel-arithmetic (default; pool=1-6): "
        "no differences in any of 229 positions or 20 random games."
    )
