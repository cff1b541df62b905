"""What the words of a book may name is filled in wherever it makes sense."""

from typing import Any

from ninefold.books import read_book
from ninefold.narration import View


def view_of(rules: dict[str, Any], **words: Any) -> View:
    """The screen of a book with these rules and words, for Ada and Ben."""
    book = read_book({"rules": rules, "words": words}, stem="book")
    return View(book, ("Ada", "Ben"), (True, True))


def test_sums_counts_and_runs_are_told_during_the_game() -> None:
    """In the prompt, above it, on the board, and in the phrase of victory."""
    told = "{sum1} {sum2} {count1} {count2} {highest1} {lowest2} {run1} {last} {target}"
    link = {"measure": "distance", "prefer": "lower", "target": 21}
    rules = {"pool": "1-9", "ending": [link]}
    view = view_of(rules, prompt=told, turn=[told], board=[told], victory="{sum1}")
    position = view.book.game.play("4 9 5")
    assert view.prompt(position) == "9 9 2 1 5 9 4-5 Ada 21"
    assert view.turn(position) == view.text("board", position) == "9 9 2 1 5 9 4-5 Ada 21\n"
    over = view.book.game.play("4 9 5 8 1 7 2 6 3")
    assert over.outcome is not None
    assert view.ended(over.outcome, over).endswith("\n15\n")


def test_after_a_swap_nobody_is_said_to_have_begun() -> None:
    """The role goes with the hand, and that is what is told."""
    view = view_of({"pool": "1-2", "pie": True, "otherwise": "first"})
    position = view.book.game.play("1 swap 2")
    assert position.outcome is not None
    shown = view.ended(position.outcome, position)
    assert "Nothing tells the players apart; Ben has the hand that began.\nBen wins!\n" in shown
