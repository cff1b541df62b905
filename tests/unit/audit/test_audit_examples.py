"""The examples of a book, replayed by the judge: everything that is wrong with each."""

from typing import Any

import pytest
from unit.audit.auditing import book_with

from ninefold import books
from ninefold.audit import audit
from ninefold.audit.examples import Replay, example_findings
from ninefold.audit.pages.document import documents
from ninefold.audit.pages.html import html
from ninefold.core.position import Position
from ninefold.pages.markdown import markdown
from ninefold.pages.text import text

BUILDER = {
    "Scenario 2": [
        ("move", 5, "Player 1 wins with 1 4 7 (arithmetic)"),
        ("result", 6, "3 8 9 are still available"),
        ("result", 6, "Player 1 wins with 1 4 7 (arithmetic)"),
    ],
    "Scenario 3": [("statement", 2, "2 belongs to Player 1")],
    "Sample interaction": [
        ("result", 5, "7 is not among 3 9 5"),
        ("result", 5, "nobody has won yet"),
    ],
}
# With three slots the game of the third scenario is over when both hands are full.
SLOTS = {
    **BUILDER,
    "Scenario 3": [
        ("statement", 2, "2 belongs to Player 1"),
        ("result", 6, "Player 2 wins by hand-sum"),
    ],
}
FALSE_EXAMPLES: dict[tuple[str, str], dict[str, list[tuple[str, int, str]]]] = {
    ("sequence-duel-arithmetic", "default"): {
        "Example 2": [
            ("move", 5, "Player 1 wins with 2 4 6 (arithmetic)"),
            ("statement", 9, "Player 1 holds 2 4 6 8 9, and 2 4 6 is a set"),
            ("statement", 9, "Player 2 holds 5 7 1 3, and 1 3 5 is a set"),
            ("result", 9, "Player 1 wins with 2 4 6 (arithmetic)"),
        ]
    },
    ("sequence-capture", "default"): {},
    ("sequence-duel-sum", "retry"): {},
    ("sequence-duel-sum", "lose-turn"): {
        "Example game": [
            ("choice", 4, "choosing 7 loses the turn"),
            ("choice", 5, "choosing 2 loses the turn"),
        ]
    },
    ("sequence-builder", "open-hand"): BUILDER,
    ("sequence-builder", "three-slots"): SLOTS,
    ("sequence-builder", "three-slots-in-order"): SLOTS,
    ("pattern-builder", "automatic"): {},
    ("pattern-builder", "declare"): {},
    ("magic-fifteen", "default"): {},
}


@pytest.mark.parametrize(("name", "reading"), FALSE_EXAMPLES)
def test_every_fault_of_every_example_is_found_and_no_other(name: str, reading: str) -> None:
    """What kind it is, after how many moves, and the truth at that point."""
    book = books.load_book(name, reading)
    wrong = {item.name: item for item in example_findings(book) if not item.right}
    expected = FALSE_EXAMPLES[name, reading]
    assert set(wrong) == set(expected)
    for title, faults in expected.items():
        found = wrong[title].faults
        assert [(item.wrong, item.after) for item in found] == [item[:2] for item in faults]
        for fault, (_, _, truth) in zip(found, faults, strict=True):
            assert truth in fault.truth


@pytest.mark.parametrize(
    ("example", "truths"),
    [
        (  # An impossible move costs the turn, so the others are still made by whom they should be.
            {
                "moves": "5 5 4 6",
                "statements": [
                    {"after": 2, "player": 2, "hand": [5]},
                    {"after": 3, "player": 1, "hand": [5, 4]},
                    {"after": 4, "player": 2, "hand": [6]},
                ],
                "says": {"winner": 2},
            },
            ["5 is already taken.", "Player 2 holds nothing.", "nobody has won yet."],
        ),
        (  # After the end, numbers are handed out as the book says, and nothing else is judged.
            {
                "moves": "2 1 4 3 6 5 9",
                "attempts": [{"after": 6, "number": 7}],
                "statements": [
                    {"after": 6, "turn": 1},
                    {"after": 7, "player": 2, "hand": [1, 3, 5]},
                    {"after": 7, "player": 2, "threats": [8]},
                    {"after": 7, "player": 1, "with": 8, "could-form": [4, 6, 8]},
                    {"after": 7, "available": [7, 9]},
                ],
                "says": {"winner": 1, "sums": [21, 9], "pool-empty": True},
            },
            [
                "the game is over after 5 moves: Player 1 wins with 2 4 6 (arithmetic).",
                "it is 7.",
                "available are 7 8.",
                "7 8 are still available.",
            ],
        ),
        (  # Two wrong statements after the same move are two faults.
            {
                "moves": "5",
                "statements": [
                    {"after": 1, "turn": 1},
                    {"after": 1, "player": 1, "hand": [6]},
                ],
            },
            ["Player 2 is.", "Player 1 holds 5."],
        ),
    ],
    ids=("impossible move", "after the end", "two statements"),
)
def test_an_example_goes_on_after_a_fault(example: dict[str, Any], truths: list[str]) -> None:
    """The first fault does not hide the others."""
    rules = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}}
    book = book_with(rules, examples=[{"name": "One", **example}])
    found = Replay(book, book.examples[0]).run()
    assert [fault.truth for fault in found.faults] == truths
    assert found.truth == truths[0]


def test_a_turn_lost_to_an_impossible_move_is_told_in_words() -> None:
    """No notation stands in the report, in text or on the page: these games have no lost turns."""
    example = {"name": "One", "moves": "3 3 4 4 2", "says": {"winner": 2}}
    rules = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}}
    report = audit(book_with(rules, examples=[example]))
    pages = documents(report)
    for shown in (text(pages, 1000), markdown(pages), html(pages, report)):
        assert "After 3, a lost turn, 4, a lost turn and 2, the book says: Player 2 wins" in shown
        assert "3 lost" not in shown


def test_every_reading_of_every_book_was_looked_at() -> None:
    """No reading is left out above."""
    named = {
        (name, reading) for name in books.names() for reading in books.load_book(name).readings
    }
    assert set(FALSE_EXAMPLES) == named


def test_in_misere_the_set_of_an_example_is_the_losers() -> None:
    """Whoever completes it has lost."""
    told = {"name": "A", "moves": "4 8 7 2 1", "says": {"winner": 2, "set": [1, 4, 7]}}
    rules = {"pool": "1-8", "misere": True, "wins": {"arithmetic": {"length": 3}}}
    (found,) = audit(books.read_book({"rules": rules, "examples": [told]}, stem="own")).audits
    assert found.examples[0].right
    told["says"] = {"winner": 2, "set": [2, 4, 6]}
    (found,) = audit(books.read_book({"rules": rules, "examples": [told]}, stem="own")).audits
    assert found.examples[0].said == "Player 1 forms 2 4 6"
    assert found.examples[0].truth.startswith("2 is not among 4 7 1; Player 2 wins")


def test_in_misere_a_set_is_compared_with_those_that_decide() -> None:
    """The last number taken need not be the largest of the set."""
    rules = {"pool": "1-6", "misere": True, "wins": {"arithmetic": {"length": 3}}}
    told = {"name": "A", "moves": "1 4 2 6 3", "says": {"winner": 2, "set": [1, 2, 3]}}
    book = book_with(rules, examples=[told])
    assert Replay(book, book.examples[0]).run().right


def test_a_set_that_nobody_forms_is_nobodys() -> None:
    """There is no Player 0 who could have formed it."""
    rules = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}}
    told = {"name": "A", "moves": "1 2 3", "says": {"winner": 0, "set": [1, 3]}}
    book = book_with(rules, examples=[told])
    found = Replay(book, book.examples[0]).run()
    assert (found.said, found.truth) == ("1 3 decides", "nobody has won yet.")


@pytest.mark.parametrize(
    ("reason", "right"), [("evens", True), ("kind", True), ("odds", False), ("sum", False)]
)
def test_a_pattern_may_be_called_what_the_book_calls_it(reason: str, right: bool) -> None:
    """Or by its family."""
    kinds = [("evens", "even"), ("odds", "odd")]
    wins = {name: {"family": "kind", "kind": kind, "count": 3} for name, kind in kinds}
    told = {"name": "A", "moves": "2 1 4 3 6", "says": {"winner": 1, "reason": reason}}
    book = book_with({"pool": "1-9", "wins": wins}, examples=[told])
    assert Replay(book, book.examples[0]).run().right is right


def test_hands_that_cannot_come_about_are_seen_at_once() -> None:
    """Without trying the 3,628,800 orders of ten numbers: only ten can be the first."""
    rules = {"pool": "1-10", "wins": {"arithmetic": {"length": 9}}}
    told = {"name": "A", "hands": [list(range(1, 11)), []]}
    book = book_with(rules, examples=[told])
    played: list[Any] = []
    play = Position.play

    def counted(position: Position, move: Any) -> Position:
        played.append(move)
        return play(position, move)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Position, "play", counted)
        assert Replay(book, book.examples[0]).run().wrong == "move"
    assert len(played) < 20


def test_hands_with_too_many_orders_are_not_settled() -> None:
    """What was not found among the positions tried is neither right nor wrong."""
    rules = {"pool": "1-20", "wins": {"kind": {"kind": "even", "count": 9}}}
    told = {"name": "A", "hands": [list(range(2, 21, 2)), list(range(1, 21, 2))]}
    claim = {"kind": "example", "name": "A"}
    report = audit(book_with(rules, examples=[told], claims=[claim]), seconds=1.0)
    (found,) = report.audits[0].examples
    assert (found.right, found.wrong, found.faults) == (None, None, ())
    assert found.truth == "no order of picks that leads to them was found among 20,000 positions."
    assert not report.is_false
    assert report.audits[0].claims[0].verdict == "not-settled"
    page = " ".join(text(documents(report)).split())
    assert "Not settled: A The book says: the hands are 2 4 6 8 10 12 14 16 18 20 and 1 3 5" in page
    assert "Examples: 0 right, 0 wrong, 1 not settled." in page


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ({"moves": "5 5"}, "move"),
        ({"moves": "5 99"}, "move"),
        ({"moves": "2 1 4 3 6 5"}, "move"),
        ({"moves": "5 declare:1:2:3"}, "move"),
        ({"moves": "5", "attempts": [{"after": 1, "number": 6}]}, "choice"),
        ({"moves": "5", "attempts": [{"after": 1, "number": 5}]}, None),
        ({"moves": "5", "statements": [{"after": 1, "turn": 1}]}, "statement"),
        ({"moves": "2 1 4 3 6", "statements": [{"after": 5, "turn": 1}]}, "statement"),
        ({"moves": "2 1 4 3 6", "statements": [{"after": 5, "turn": 2}]}, "statement"),
        ({"moves": "2 1 4 3 6", "attempts": [{"after": 5, "number": 1}]}, "choice"),
        ({"moves": "5", "statements": [{"after": 1, "player": 1, "hand": [6]}]}, "statement"),
        ({"moves": "5 1 7", "statements": [{"after": 3, "player": 1, "threats": [3, 6, 9]}]}, None),
        (
            {"moves": "5 1 7", "statements": [{"after": 3, "player": 1, "threats": [9]}]},
            "statement",
        ),
        (
            {"moves": "5 1 7", "statements": [{"after": 3, "player": 1, "set": [5, 7, 9]}]},
            "statement",
        ),
        (
            {"moves": "2 1 4 3 6", "statements": [{"after": 5, "player": 1, "no-set": True}]},
            "statement",
        ),
        (
            {
                "moves": "2 1 4",
                "statements": [{"after": 3, "player": 1, "with": 6, "could-form": [2, 4, 6]}],
            },
            None,
        ),
        (
            {
                "moves": "2 1 4",
                "statements": [{"after": 3, "player": 1, "with": 1, "could-form": [1, 2, 4]}],
            },
            "statement",
        ),
        (
            {
                "moves": "2 1 4",
                "statements": [{"after": 3, "player": 1, "with": 5, "could-form": [2, 4, 5]}],
            },
            "statement",
        ),
        ({"moves": "2 1 4", "statements": [{"after": 3, "available": [3, 5, 6, 7, 8, 9]}]}, None),
        ({"moves": "2 1 4", "says": {"winner": 1}}, "result"),
        ({"moves": "2 1 4 3 6", "says": {"winner": 0}}, "result"),
        ({"moves": "2 1 4 3 6", "says": {"winner": 1, "reason": "geometric"}}, "result"),
        ({"moves": "2 1 4 3 6", "says": {"winner": 1, "sums": [12, 4]}}, None),
        ({"moves": "2 1 4 3 6", "says": {"winner": 1, "sums": [12, 5]}}, "result"),
        ({"moves": "2 1 4 3 6", "says": {"winner": 1, "pool-empty": True}}, "result"),
        ({"moves": "2 1 4 3 6", "first": 2, "says": {"winner": 2, "set": [2, 4, 6]}}, None),
        ({"hands": [[6, 2, 4], [1, 3]], "says": {"winner": 1, "set": [2, 4, 6]}}, None),
        ({"hands": [[2, 4], [1, 3, 5, 7]]}, "move"),
        ({"hands": [[2, 4], [2, 3]]}, "move"),
        # Only one order does not end the game too early: 5 comes last.
        ({"hands": [[1, 5, 9], [2, 8]], "says": {"winner": 1, "set": [1, 5, 9]}}, None),
    ],
    ids=str,
)
def test_examples_are_replayed_by_the_judge(told: dict[str, Any], wrong: str | None) -> None:
    """Whatever an example can tell, right or wrong."""
    rules = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}}
    book = book_with(rules, examples=[{"name": "One", **told}])
    found = Replay(book, book.examples[0]).run()
    assert found.wrong == wrong
    assert found.right == (wrong is None)
    assert bool(found.said) == (wrong is not None)
