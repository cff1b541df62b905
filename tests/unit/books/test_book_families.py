"""A win says what makes its numbers a set, in whatever family and of whatever sign."""

from typing import Any

import pytest

from ninefold.books import read_book
from ninefold.books.families import FAMILIES as FAMILY_WORDS
from ninefold.books.families import why
from ninefold.core.patterns import FAMILIES, Pattern
from ninefold.narration import View

LENGTH: dict[str, Any] = {"length": 3}
CASES: list[tuple[str, dict[str, Any], tuple[int, ...], str]] = [
    ("arithmetic", LENGTH, (1, 4, 7), "steps of 3"),
    ("arithmetic", LENGTH, (7, 4, 1), "steps of -3"),
    ("geometric", LENGTH, (4, 6, 9), "factors of 3/2"),
    ("geometric", LENGTH, (2, -4, 8), "factors of -2"),
    ("consecutive", LENGTH, (8, 10, 12), "three neighbours"),
    ("sum-triple", {}, (2, 5, 7), "2 + 5 = 7"),
    ("sum-triple", {}, (-3, 2, 5), "-3 + 5 = 2"),
    ("sum-triple", {}, (-5, -3, 2), "-5 + 2 = -3"),
    ("sum-triple", {}, (-5, -3, -2), "-3 + (-2) = -5"),
    ("sum", {"count": 2, "equals": 10}, (3, 7), "3 + 7 = 10"),
    ("sum", {"multiple-of": 7}, (7,), "a multiple of 7"),
    ("sum", {"equals": 7}, (7,), "just 7"),
    ("sum", {"multiple-of": 7, "whole-hand": True}, (4, 10), "the whole hand, 4 + 10 = 14, a mul"),
    ("sum", {"at-least": 7, "whole-hand": True}, (3, 8), "the whole hand, 3 + 8 = 11, at least 7"),
    ("sum", {"kind": "prime", "count": 2}, (3, 8), "3 + 8 = 11, a prime number"),
    ("sum", {"equals": 9, "shared": True}, (1, 8), "the numbers of both players, 1 + 8 = 9"),
    ("product", {"equals": 24}, (3, 8), "3 x 8 = 24"),
    ("product", {"equals": 8}, (-4, -2), "-4 x (-2) = 8"),
    ("kind", {"kind": "prime", "count": 1}, (3,), "one prime number"),
    ("kind", {"kind": "multiple", "of": 3, "count": 2}, (3, 9), "two multiples of 3"),
    ("chain", LENGTH, (2, 4, 8), "each divides the next"),
    ("sets", {"sets": ((1, 2),)}, (1, 2), "a set of the list"),
]


@pytest.mark.parametrize(("family", "parameters", "numbers", "told"), CASES, ids=str)
def test_a_set_is_explained(
    family: str, parameters: dict[str, Any], numbers: tuple[int, ...], told: str
) -> None:
    """As somebody at the table would."""
    assert why(Pattern(family, tuple(parameters.items())), numbers).startswith(told)


def test_every_family_is_explained() -> None:
    """And there is a case for each."""
    assert {*FAMILY_WORDS} == {*FAMILIES} == {case[0] for case in CASES}


def ended(rules: dict[str, Any], moves: str) -> str:
    """What is shown at the end of a game of these rules."""
    book = read_book({"rules": {"pool": "1-9", **rules}}, stem="own")
    position = book.game.play(moves)
    assert position.outcome is not None
    return View(book, ("Ann", "Bob"), (True, True)).ended(position.outcome, position)


def test_a_progression_with_negative_terms_is_shown_as_one() -> None:
    """By size, not from the lowest number up; the step is the factor."""
    rules = {"pool": [-4, 0, 1, 2, 5, 8], "wins": {"geometric": {"length": 3}}}
    assert "\nAnn holds 2 -4 8: factors of -2.\n" in ended(rules, "2 0 -4 1 8")


def test_the_order_taken_is_shown_where_it_counts() -> None:
    """Down as well as up."""
    rules = {"hand-limit": 3, "in-order": True, "wins": {"arithmetic": {"length": 3}}}
    assert "\nAnn holds 5 3 1: steps of -2.\n" in ended(rules, "5 9 3 8 1")


@pytest.mark.parametrize(
    ("target", "moves", "told"),
    [
        ({"target": 10}, "1 2 3", "Sums: 4 and 2. The target is 10."),
        ({"target": 3, "exceeding": False}, "1 2 3", "Sums: 4 and 2. The target is 3, and not m"),
    ],
)
def test_a_distance_names_its_target(target: dict[str, Any], moves: str, told: str) -> None:
    """And whether it may be exceeded; of several, the one that decided."""
    link = {"measure": "distance", "prefer": "lower"}
    undecided = {**link, "target": 3}
    rules = {"pool": "1-3", "ending": [undecided, {**link, **target}]}
    assert f"\n{told}" in ended(rules, moves)


def test_a_hand_of_no_numbers_says_so() -> None:
    """In the words of the book, if it has any."""
    data: dict[str, Any] = {"rules": {"pool": "1-3"}}
    for words, shown in (({}, "none"), ({"no-numbers": "-"}, "-"), ({"no-numbers": ""}, "")):
        book = read_book({**data, "words": words}, stem="own")
        view = View(book, ("Ann", "Bob"), (True, True))
        assert f"Ann's numbers: {shown}\n" in view.text("board", book.game.start())
        assert f"Available numbers: {shown}\n" in view.text("board", book.game.play("1 2 3"))
