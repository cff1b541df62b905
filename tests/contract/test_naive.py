"""The engine agrees with the naive definition in every reachable position of every reading."""

from __future__ import annotations

import pytest

from contract import naive_readings
from contract.walks import READINGS, WITH_LOST_TURNS, Case, engine_view, explored, naive_view
from ninefold import books

ONE_TO_EIGHT = tuple(range(1, 9))

PROGRESSIONS = "arithmetic geometric"

# How games end, on the book's own pool and, where that adds an ending, on one number less.
ENDINGS = {
    Case("magic-fifteen", "default"): "sum draw",
    Case("pattern-builder", "automatic"): PROGRESSIONS,
    Case("pattern-builder", "automatic", ONE_TO_EIGHT): PROGRESSIONS + " draw",
    Case("pattern-builder", "declare"): PROGRESSIONS + " first-complete",
    Case("pattern-builder", "declare", ONE_TO_EIGHT): PROGRESSIONS + " first-complete draw",
    Case("sequence-builder", "open-hand"): PROGRESSIONS,
    Case("sequence-builder", "open-hand", ONE_TO_EIGHT): PROGRESSIONS + " hand-sum last-pick",
    Case("sequence-builder", "three-slots"): PROGRESSIONS + " hand-sum last-pick",
    Case("sequence-builder", "three-slots-in-order"): PROGRESSIONS + " hand-sum last-pick",
    Case("sequence-capture", "default"): "consecutive longest-run run-start",
    Case("sequence-duel-arithmetic", "default"): "arithmetic",
    Case("sequence-duel-arithmetic", "default", ONE_TO_EIGHT): "arithmetic last-pick",
    Case("sequence-duel-sum", "retry"): "sum-triple",
    Case("sequence-duel-sum", "retry", ONE_TO_EIGHT): "sum-triple draw",
    Case("sequence-duel-sum", "lose-turn"): "sum-triple",
    Case("sequence-duel-sum", "lose-turn", ONE_TO_EIGHT): "sum-triple draw",
}

# Any turn may be lost, whatever the reading: by running out of time, for instance.
LOST_TURNS = [
    *(case._replace(pool=WITH_LOST_TURNS, lost=True) for case in READINGS),
    Case("sequence-builder", "three-slots", lost=True),
]


def test_every_reading_is_defined() -> None:
    """The naive definition knows exactly the books and readings the engine offers."""
    offered = {
        (name, reading)
        for name in books.names()
        for reading in books.load_book(name).readings or ["default"]
    }
    assert offered == set(naive_readings.READINGS)


@pytest.mark.parametrize(("case", "reasons"), ENDINGS.items(), ids=str)
def test_the_engine_agrees(case: Case, reasons: str) -> None:
    """Wherever play can lead, turn, moves and outcome are the naive ones.

    Each of the listed endings is reached by some game, and none ends in any other way.
    """
    rules = case.rules
    reached = set()
    for state, position, *_ in explored(case):
        assert engine_view(position) == naive_view(rules, state)
        if position.outcome:
            reached.add(position.outcome.reason)
    assert reached == set(reasons.split())


@pytest.mark.slow
@pytest.mark.parametrize("case", LOST_TURNS, ids=str)
def test_the_engine_agrees_about_lost_turns(case: Case) -> None:
    """Turn, moves and outcome are the naive ones even if any turn may be lost."""
    rules = case.rules
    for state, position, *_ in explored(case):
        assert engine_view(position) == naive_view(rules, state)


@pytest.mark.parametrize(
    ("book", "reading", "moves", "expected"),
    [
        ("sequence-duel-arithmetic", None, "4 6 5 7 3", (1, "arithmetic", ((3, 4, 5),))),
        ("sequence-duel-arithmetic", None, "2 5 4 7 6", (1, "arithmetic", ((2, 4, 6),))),
        (
            "sequence-duel-arithmetic",
            None,
            "1 3 2 4 8 7 9 6 5",
            (1, "arithmetic", ((1, 5, 9), (2, 5, 8))),
        ),
        ("sequence-capture", None, "5 6 4 7 3 8 2", (1, "consecutive", ((2, 3, 4, 5),))),
        ("sequence-capture", None, "1 2 3 4 6 5 8 7 9 10", (2, "run-start", ())),
        ("sequence-duel-sum", None, "5 3 2 7 4 6 9", (1, "sum-triple", ((4, 5, 9),))),
        ("sequence-builder", None, "5 3 7 6 9", (1, "arithmetic", ((5, 7, 9),))),
        ("sequence-builder", "three-slots", "2 4 6 5 3 7", (2, "hand-sum", ())),
        ("sequence-builder", "three-slots", "1 2 5 3 6 7", (1, "last-pick", ())),
        ("sequence-builder", "three-slots", "4 1 6 2 9", (1, "geometric", ((4, 6, 9),))),
        ("sequence-builder", "three-slots-in-order", "8 1 4 3 2", (1, "geometric", ((2, 4, 8),))),
        ("sequence-builder", "three-slots-in-order", "4 1 2 3 6 7", (1, "hand-sum", ())),
        ("pattern-builder", None, "5 4 7 6 9", (1, "arithmetic", ((5, 7, 9),))),
        ("pattern-builder", None, "9 1 6 2 4", (1, "geometric", ((4, 6, 9),))),
        ("magic-fifteen", None, "2 9 1 6 7 3 8 5 4", (None, "draw", ())),
    ],
)
def test_the_rulings(
    book: str, reading: str | None, moves: str, expected: tuple[int | None, str, object]
) -> None:
    """The examples of the books, and cases the readings rule on, come out as written."""
    outcome = books.load_book(book, reading).game.play(moves).outcome
    assert outcome
    assert (outcome.winner, outcome.reason, outcome.sets) == expected
