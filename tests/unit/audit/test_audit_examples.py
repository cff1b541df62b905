"""The examples of a book, replayed by the judge: where each goes wrong first."""

from typing import Any

import pytest
from unit.audit.auditing import book_with

from ninefold import books
from ninefold.audit import audit
from ninefold.audit.examples import replay
from ninefold.core.position import Position

FALSE_EXAMPLES = {
    ("sequence-duel-arithmetic", "default"): {
        "Example 2": ("move", "2 5 4 7 6", "Player 1 wins with 2 4 6 (arithmetic)")
    },
    ("sequence-capture", "default"): {},
    ("sequence-duel-sum", "retry"): {},
    ("sequence-duel-sum", "lose-turn"): {
        "Example game": ("choice", "5 3 2 7", "choosing 7 loses the turn")
    },
    **{
        ("sequence-builder", reading): {
            "Scenario 2": ("move", "1 2 4 5 7", "Player 1 wins with 1 4 7 (arithmetic)"),
            "Scenario 3": ("statement", "2 4", "2 belongs to Player 1"),
            "Sample interaction": ("result", "3 6 9 2 5", "7 is not among 3 9 5"),
        }
        for reading in ("open-hand", "three-slots", "three-slots-in-order")
    },
    ("pattern-builder", "automatic"): {},
    ("pattern-builder", "declare"): {},
    ("magic-fifteen", "default"): {},
}


@pytest.mark.parametrize(("name", "reading"), FALSE_EXAMPLES)
def test_every_false_example_is_found_and_no_other(name: str, reading: str) -> None:
    """Where it goes wrong first, after which moves, and the truth at that point."""
    book = books.load(name, reading)
    found = [replay(book, told) for told in book.examples]
    wrong = {item.name: item for item in found if not item.right}
    expected = FALSE_EXAMPLES[name, reading]
    assert set(wrong) == set(expected)
    for title, (kind, line, truth) in expected.items():
        assert (wrong[title].wrong, wrong[title].shown.line) == (kind, line)
        assert truth in wrong[title].truth


def test_every_reading_of_every_book_was_looked_at() -> None:
    """No reading is left out above."""
    named = {(name, reading) for name in books.names() for reading in books.load(name).readings}
    assert set(FALSE_EXAMPLES) == named


def test_in_misere_the_set_of_an_example_is_the_losers() -> None:
    """Whoever completes it has lost."""
    told = {"name": "A", "moves": "4 8 7 2 1", "says": {"winner": 2, "set": [1, 4, 7]}}
    rules = {"pool": "1-8", "misere": True, "wins": {"arithmetic": {"length": 3}}}
    (found,) = audit(books.read_book({"rules": rules, "examples": [told]}, stem="own")).audits
    assert found.examples[0].right
    told["says"] = {"winner": 2, "set": [2, 4, 6]}
    (found,) = audit(books.read_book({"rules": rules, "examples": [told]}, stem="own")).audits
    assert found.examples[0].told == "Player 1 forms 2 4 6"
    assert found.examples[0].truth.startswith("2 is not among 4 7 1; Player 2 wins")


def test_in_misere_a_set_is_compared_with_those_that_decide() -> None:
    """The last number taken need not be the largest of the set."""
    rules = {"pool": "1-6", "misere": True, "wins": {"arithmetic": {"length": 3}}}
    told = {"name": "A", "moves": "1 4 2 6 3", "says": {"winner": 2, "set": [1, 2, 3]}}
    book = book_with(rules, examples=[told])
    assert replay(book, book.examples[0]).right


def test_a_set_that_nobody_forms_is_nobodys() -> None:
    """There is no Player 0 who could have formed it."""
    rules = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}}
    told = {"name": "A", "moves": "1 2 3", "says": {"winner": 0, "set": [1, 3]}}
    book = book_with(rules, examples=[told])
    found = replay(book, book.examples[0])
    assert (found.told, found.truth) == ("1 3 decides", "nobody has won yet.")


@pytest.mark.parametrize(
    ("reason", "right"), [("evens", True), ("kind", True), ("odds", False), ("sum", False)]
)
def test_a_pattern_may_be_called_what_the_book_calls_it(reason: str, right: bool) -> None:
    """Or by its family."""
    kinds = [("evens", "even"), ("odds", "odd")]
    wins = {name: {"family": "kind", "kind": kind, "count": 3} for name, kind in kinds}
    told = {"name": "A", "moves": "2 1 4 3 6", "says": {"winner": 1, "reason": reason}}
    book = book_with({"pool": "1-9", "wins": wins}, examples=[told])
    assert replay(book, book.examples[0]).right is right


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
        assert replay(book, book.examples[0]).wrong == "move"
    assert len(played) < 20


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
    found = replay(book, book.examples[0])
    assert found.wrong == wrong
    assert found.right == (wrong is None)
    assert bool(found.told) == (wrong is not None)
