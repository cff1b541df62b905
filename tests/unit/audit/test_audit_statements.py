"""Every kind of statement comes out true and false, and not settled where that is so."""

from typing import Any

import pytest
from unit.audit.auditing import book_with, subject

from ninefold import books
from ninefold.audit.claims import judge_statement
from ninefold.audit.figures import Chances
from ninefold.audit.subject import Subject
from ninefold.books.claims import KINDS

STATEMENTS: list[tuple[str, tuple[str, ...], dict[str, Any], bool | None]] = [
    ("magic-fifteen", (), {"kind": "no-draws"}, False),
    ("magic-fifteen", (), {"kind": "draws-happen"}, True),
    ("magic-fifteen", (), {"kind": "nobody-wins-by-force"}, True),
    ("magic-fifteen", (), {"kind": "first-player-wins"}, False),
    ("magic-fifteen", (), {"kind": "first-player-does-not-win"}, True),
    ("sequence-capture", (), {"kind": "first-player-wins"}, True),
    ("sequence-capture", (), {"kind": "second-player-wins"}, False),
    ("sequence-capture", (), {"kind": "second-player-does-not-win"}, True),
    ("sequence-capture", (), {"kind": "every-rule-can-happen"}, True),
    ("sequence-capture", (), {"kind": "set-can-happen", "set": [4, 3, 2, 5]}, True),
    ("sequence-capture", (), {"kind": "set-can-happen", "set": [2, 3, 4]}, False),
    ("sequence-capture", (), {"kind": "set-can-happen", "set": [8, 9, 10, 11]}, False),
    ("magic-fifteen", (), {"kind": "skill-beats-luck"}, True),
    ("magic-fifteen", (), {"kind": "skill-beats-luck", "at-least": 99}, False),
    ("magic-fifteen", (), {"kind": "equal-chances"}, False),
    ("magic-fifteen", (), {"kind": "equal-chances", "within": 30}, True),
    ("magic-fifteen", (), {"kind": "at-most-moves", "moves": 9}, True),
    ("magic-fifteen", (), {"kind": "at-most-moves", "moves": 8}, False),
    ("magic-fifteen", (), {"kind": "at-least-moves", "moves": 5}, True),
    ("magic-fifteen", (), {"kind": "at-least-moves", "moves": 6}, False),
    ("magic-fifteen", (), {"kind": "at-most-numbers", "numbers": 4}, False),
    ("magic-fifteen", (), {"kind": "passing-never-helps"}, True),
    ("sequence-duel-sum", ("misere=true",), {"kind": "passing-never-helps"}, False),
    ("sequence-capture", (), {"kind": "good-openings", "openings": [9]}, False),
    ("sequence-capture", (), {"kind": "best-openings", "openings": [1, 2, 3, 4, 5, 6, 7, 8]}, True),
    ("sequence-capture", (), {"kind": "best-openings", "openings": [5, 6]}, False),
    ("magic-fifteen", (), {"kind": "sets-decide"}, False),
    ("sequence-duel-sum", (), {"kind": "sets-decide"}, True),
    ("sequence-duel-sum", (), {"kind": "every-number-counts"}, True),
    ("sequence-duel-sum", ("pool=[1, 2, 3, 9]",), {"kind": "every-number-counts"}, False),
    ("sequence-duel-sum", (), {"kind": "any-split"}, True),
    ("sequence-duel-sum", ("pool=1-8",), {"kind": "any-split"}, False),
    ("sequence-duel-sum", (), {"kind": "any-hand", "numbers": 6}, True),
    ("sequence-duel-sum", (), {"kind": "any-hand", "numbers": 4}, False),
    ("sequence-capture", (), {"kind": "ending-decides"}, True),
    ("sequence-duel-sum", (), {"kind": "ending-decides"}, False),
    ("sequence-capture", (), {"kind": "in-most-sets", "numbers": [5, 6]}, True),
    ("sequence-capture", (), {"kind": "in-most-sets", "numbers": [3]}, False),
    ("sequence-duel-arithmetic", (), {"kind": "example", "name": "Example 1"}, True),
    ("sequence-duel-arithmetic", (), {"kind": "example", "name": "Example 2"}, False),
    # Too large to count: what a search or every split settles is settled, nothing else.
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "no-draws"}, True),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "skill-beats-luck"}, None),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "equal-chances"}, None),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "at-most-moves", "moves": 29}, None),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "at-most-moves", "moves": 30}, True),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "at-most-moves", "moves": 5}, False),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "at-most-numbers", "numbers": 15}, True),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "passing-never-helps"}, None),
    ("sequence-capture", ("pool=1-40",), {"kind": "no-draws"}, None),
    ("magic-fifteen", ("pool=1-40",), {"kind": "no-draws"}, False),
    # Hardly ever drawn by chance, but a split without a set is found.
    ("sequence-capture", ("pool=1-40", "ending=[]"), {"kind": "no-draws"}, False),
]


@pytest.mark.parametrize(("name", "changes", "statement", "holds"), STATEMENTS, ids=str)
def test_statements(
    name: str, changes: tuple[str, ...], statement: dict[str, Any], holds: bool | None
) -> None:
    """Each kind of statement comes out true and false, and not settled where that is so."""
    found = judge_statement(subject(name, *changes), statement)
    assert found.holds is holds
    assert found.evidence


def test_every_kind_of_statement_was_tried() -> None:
    """None is left out above, but for contradictions, which have tests of their own."""
    assert {item[2]["kind"] for item in STATEMENTS} == {*KINDS} - {"contradiction"}


def test_an_estimate_proves_nothing() -> None:
    """Not even that a perfect player, who won all games of a sample, beats a random one."""
    known = subject("magic-fifteen")
    perfect = Chances(1.0, 0.0, 0.0, 5.0, trials=4_000), Chances(0.0, 1.0, 0.0, 6.0, trials=4_000)
    vars(known)["figures"] = known.figures._replace(perfect=perfect)
    found = judge_statement(known, {"kind": "skill-beats-luck"})
    assert found.holds is None
    assert "estimate, 95% interval 99.9 to 100.0" in found.evidence[0].text


def test_what_a_search_cannot_settle_in_time_is_not_settled() -> None:
    """With no time at all nobody wins by force, as far as is known."""
    book = books.load_book("sequence-capture", None, ("pool=1-40", "wins.consecutive.length=5"))
    hurried = Subject(book.game, lambda _: None, 1, 0.0, book)
    for kind in ("first-player-wins", "nobody-wins-by-force", "first-player-does-not-win"):
        assert judge_statement(hurried, {"kind": kind}).holds is None
    assert judge_statement(hurried, {"kind": "good-openings", "openings": [5]}).holds is None


@pytest.mark.parametrize(
    ("rules", "statement", "holds", "text"),
    [
        (
            {"pool": "1-17", "wins": {"sets": {"sets": [[1, n] for n in range(2, 18)]}}},
            {"kind": "any-split"},
            False,
            "Neither part holds a set in this split: "
            "1 and 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17.",
        ),
        (
            {"pool": "1-17", "wins": {"sets": {"sets": [[1, n] for n in range(2, 18)]}}},
            {"kind": "no-draws"},
            True,
            "In every split of the pool into halves, one half holds a set.",
        ),
        (
            {"pool": "-3-3", "wins": {"sum": {"whole-hand": True, "equals": 100}}},
            {"kind": "every-number-counts"},
            False,
            "In no winning set, and in no hand that wins: -3 -2 -1 0 1 2 3.",
        ),
        (
            {"pool": "-3-3", "wins": {"sum": {"whole-hand": True, "equals": -3}}},
            {"kind": "every-number-counts"},
            True,
            "Each belongs to a winning set, or to a hand that wins as a whole.",
        ),
        (
            {"pool": "-3-3", "wins": {"sum": {"whole-hand": True, "equals": -5}}},
            {"kind": "set-can-happen", "negative": True},
            True,
            "-3 -2 decides this game.",
        ),
        (
            {"pool": "-3-3", "wins": {"sum": {"whole-hand": True, "equals": 100}}},
            {"kind": "set-can-happen", "negative": True},
            False,
            "No winning set that a hand has room for has a negative number.",
        ),
        (
            {"pool": "1-5", "hand-limit": 2, "wins": {"arithmetic": {"length": 3}}},
            {"kind": "set-can-happen", "set": [1, 2, 3]},
            False,
            "A hand has at most 2 numbers.",
        ),
        (
            {"pool": "1-3", "wins": {"arithmetic": {"length": 3}}},
            {"kind": "set-can-happen", "set": [1, 2, 3]},
            False,
            "1 2 3 cannot decide the game from any of 10 positions.",
        ),
    ],
    ids=str,
)
def test_statements_about_sets(
    rules: dict[str, Any], statement: dict[str, Any], holds: bool | None, text: str
) -> None:
    """All splits, all hands, and not only the likely ones."""
    book = book_with(rules)
    found = judge_statement(Subject(book.game, lambda _: None, 1, 1.0, book), statement)
    assert found.holds is holds
    assert found.evidence[0].text == text
