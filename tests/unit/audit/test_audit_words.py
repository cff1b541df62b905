"""Moves that are no numbers, in the words of a report."""

import pytest

from ninefold import books
from ninefold.audit import Report, audit
from ninefold.audit.pages.document import documents
from ninefold.audit.pages.html import html
from ninefold.audit.words import would_open
from ninefold.books import read_book
from ninefold.pages.text import text
from ninefold.pages.words import move_words


@pytest.fixture(scope="module")
def lost() -> Report:
    """A book in which a turn may be lost on purpose."""
    return audit(books.load_book("sequence-duel-sum", "lose-turn"))


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        (("3",), "open with 3"),
        (("3", "4"), "open with 3 or 4"),
        (("3", "4", "lost"), "open with 3 or 4, or lose the turn"),
        (("lost",), "lose the turn"),
        (("pass", "lost"), "pass or lose the turn"),
    ],
)
def test_how_somebody_would_open(moves: tuple[str, ...], said: str) -> None:
    """A number is opened with; a turn is lost or passed."""
    assert would_open(moves) == said


def test_names_of_moves() -> None:
    """As something one can begin with."""
    assert [*map(move_words, ("-3", "lost", "pass", "swap"))] == [
        "-3",
        "losing the turn",
        "passing",
        "swapping",
    ]


def test_a_report_speaks_of_losing_the_turn(lost: Report) -> None:
    """In the pie sentence, in the lists of openings, in the tables, and in the chart."""
    shown = text(documents(lost), 400)
    assert "the first player would lose the turn, and with best play the game never ends." in shown
    assert "Openings that lose: losing the turn." in shown
    assert "At the start, losing the turn is possible only with it" in shown
    assert "\n  losing the turn  loses in 6  33.8%\n" in shown
    assert "with lost" not in shown
    assert '<span class="num">losing the turn</span>' in html(documents(lost), lost)


def test_data_keep_the_one_notation(lost: Report) -> None:
    """For programs a lost turn is ``lost``."""
    (found,) = lost.audits
    assert found.openings[-1].move == "lost"
    assert found.pie is not None
    assert found.pie.good == ("lost",)


def test_a_report_speaks_of_passing() -> None:
    """Where a turn may be passed and that is as good as any number."""
    rules = {"pool": "1-4", "passing": True, "wins": {"sum": {"count": 3, "equals": 15}}}
    shown = text(documents(audit(read_book({"id": "own", "rules": rules}))), 400)
    assert "passing" in shown
    assert "\n  passing  draws" in shown
