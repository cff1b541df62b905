"""What a report says of readings and fairness, and how it is written down."""

import pytest
from unit.audit.auditing import book_with, subject

from ninefold import books
from ninefold.audit import audit
from ninefold.audit.finding import Shown
from ninefold.audit.pages.document import documents
from ninefold.audit.pages.drawing import number_line
from ninefold.audit.pages.html import html
from ninefold.audit.pages.markdown import markdown
from ninefold.audit.pages.text import text
from ninefold.audit.report import pie_finding
from ninefold.books import read_book


def test_the_set_that_decides_is_outlined_alone() -> None:
    """The last number completes 2 3 4 and 3 4 5; the words name the first, and so does the line."""
    game = books.load("sequence-duel-arithmetic").game
    drawn = number_line(Shown(game, (2, 1, 3, 9, 5, 8, 4)))
    assert drawn.count('class="p1 set"') == 3


def test_readings_are_compared() -> None:
    """Who wins and which openings are good, reading by reading, with what each changes."""
    report = audit(books.load("sequence-builder"))
    assert [(row.reading, row.result, row.plies, row.good) for row in report.readings] == [
        ("open-hand", "win", 5, tuple("123456789")),
        ("three-slots", "win", 5, tuple("13456789")),
        ("three-slots-in-order", "win", 6, tuple("16789")),
    ]
    shown = text(documents(report))
    assert "three-slots does not change who wins, but the good openings: 2 no longer." in shown
    assert len(report.audits) == 1


def test_the_pie_rule() -> None:
    """What best play comes to with it, by solving the game with it; not by a guess."""
    capture = text(documents(audit(books.load("sequence-capture"))), 1000)
    assert "The pie rule: whatever the first player opened with, the second player wins" in capture
    magic = text(documents(audit(books.load("magic-fifteen"))), 1000)
    assert "would open with any opening, and best play is a draw." in magic
    rules = {
        "pool": [3, 5, 9],
        "picks-per-turn": 3,
        "ending": [{"measure": "hand-sum", "prefer": "higher"}],
    }
    whole = text(documents(audit(book_with(rules))), 1000)
    assert "The pie rule: the first player would open with any opening, and the first " in whole
    large = pie_finding(subject("sequence-duel-sum", "pool=1-20"))
    assert large is not None
    assert large.result == "unknown"
    own = text(documents(audit(book_with({**rules, "pie": True}))), 1000)
    assert "The pie rule: the book has it already." in own


def test_a_match_goes_as_the_program_plays_it() -> None:
    """The loser starts the next game, so where the second player wins, one wins them all."""
    capture = text(documents(audit(books.load("sequence-capture"))), 1000)
    assert (
        "whoever starts wins; as the loser starts the next game, a race to 3 wins goes to "
        "whoever starts in the first game, 3 to 2." in capture
    )
    rules = {"pool": "1-4", "ending": [{"measure": "last-pick", "prefer": "higher"}]}
    last = text(documents(audit(book_with(rules))), 1000)
    assert (
        "whoever does not start wins; as the loser starts the next game, a race to 3 wins goes to "
        "whoever does not start in the first game, 3 to 0." in last
    )
    magic = text(documents(audit(books.load("magic-fifteen"))), 1000)
    assert "every game is drawn, whoever starts." in magic


def test_level_chances_are_told_as_level() -> None:
    """Nobody is 0.0 percentage points behind, and no opening is fair that wins every game."""
    rules = {"pool": "1-4", "ending": [{"measure": "hand-sum", "prefer": "higher"}]}
    assert "whoever starts is as well off as the other one." in text(
        documents(audit(book_with(rules))), 1000
    )
    last = {"pool": "1-4", "ending": [{"measure": "last-pick", "prefer": "higher"}]}
    assert "most even opening" not in text(documents(audit(book_with(last))), 1000)


@pytest.mark.parametrize("width", [40, 79])
def test_text_keeps_to_its_width(width: int) -> None:
    """In every reading of a book with much to say."""
    shown = text(documents(audit(books.load("sequence-builder"))), width)
    assert max(map(len, shown.splitlines())) <= width


def test_markdown_and_html_hold_no_markup_of_a_book() -> None:
    """A stranger's title, claim, reason and example stay text."""
    evil = '<script>alert(1)</script> [x](javascript:y) `z` **b** &amp; "q"'
    book = read_book(
        {
            "id": "own",
            "title": evil,
            "summary": evil,
            "default-reading": "r",
            "readings": {"r": {"summary": evil}},
            "rules": {"pool": "1-5", "wins": {"consecutive": {"length": 2}}},
            "claims": [
                {"kind": "no-draws", "says": evil, "because": evil},
                {"kind": "no-draws", "says": evil, "because": {"kind": "any-split", "says": evil}},
            ],
            "examples": [{"name": evil, "moves": "1 3 2"}],
        }
    )
    report = audit(book)
    page = html(documents(report), report)
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 6
    written = markdown(documents(report))
    assert "<script" not in written.replace("\\<", "")
    assert "\\[x\\](javascript" in written
