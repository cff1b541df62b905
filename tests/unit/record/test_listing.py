"""How records are listed: dates in local time, games, players and results in words."""

import time
from calendar import timegm
from collections.abc import Iterator

import pytest

from ninefold import books
from ninefold.record.listing import local_time, players, title, unfinished
from ninefold.record.text import format_settings, parse_record
from ninefold.session import new_settings

NOON = "2026-03-02T12:00:00Z"


@pytest.fixture(autouse=True)
def tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nine hours ahead of records."""
    monkeypatch.setenv("TZ", "JST-9")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ("2026-03-02T13:00:00Z", "today 21:00"),
        ("2026-03-02T16:00:00Z", "yesterday 21:00"),  # past midnight there
        ("2026-03-09T12:00:00Z", "2 Mar 21:00"),
        ("2027-03-02T12:00:00Z", "2 Mar 2026"),
    ],
)
def test_dates_are_local_and_short(now: str, words: str) -> None:
    """Today and yesterday by name, and no time of day for other years."""
    seconds = timegm(time.strptime(now, "%Y-%m-%dT%H:%M:%SZ"))
    assert local_time(NOON, seconds) == words


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"seat2": "perfect"}, "Magic Fifteen vs Perfect, move 2, 2 Mar 2020"),
        ({"seat1": "level:2"}, "Magic Fifteen vs Level 2, move 2, 2 Mar 2020"),
        ({}, "Magic Fifteen, move 2, 2 Mar 2020"),
        (
            {"player1": "Ann", "player2": "Bob"},
            "Magic Fifteen, move 2, 2 Mar 2020, Ann vs Bob",
        ),
    ],
)
def test_an_unfinished_game_is_told_from_others(given: dict[str, str], words: str) -> None:
    """Nothing that tells games apart comes after names, which may be long or say nothing."""
    settings = new_settings(books.load_book("magic-fifteen"), seed=1, **given)
    text = format_settings(settings._replace(date="2020-03-02T12:00:00Z")) + "\n1. 5\n"
    assert unfinished(parse_record(text.encode(), "test")) == words


@pytest.mark.parametrize("date", ["", "soon", "2026-13-02T12:00:00Z"])
def test_a_date_that_is_none_stays_as_it_is(date: str) -> None:
    """It comes from a stranger's record."""
    assert local_time(date) == date


@pytest.mark.parametrize(
    ("game", "reading", "changes", "words"),
    [
        ("magic-fifteen", None, (), "Magic Fifteen"),
        ("pattern-builder", "declare", (), "Pattern Builder (declare)"),
        ("magic-fifteen", None, ("pool=1-12",), "Magic Fifteen [pool=1-12]"),
    ],
)
def test_a_game_is_named_with_its_variant(
    game: str, reading: str | None, changes: tuple[str, ...], words: str
) -> None:
    """A variant is named only if there are several."""
    assert title(new_settings(books.load_book(game, reading, changes))) == words


def test_a_computer_without_a_name_is_called_what_it_is() -> None:
    """A name that was given stays."""
    book = books.load_book("magic-fifteen")
    assert players(new_settings(book, seat2="level:3")) == ("Player 1", "Level 3")
    named = new_settings(book, seat2="level:3", player2="Hal")
    assert players(named) == ("Player 1", "Hal")
    program = new_settings(book, seat2="program:/opt/bots/mybot --fast")
    assert players(program) == ("Player 1", "mybot")
