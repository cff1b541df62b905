"""Where the order of a hand counts: which patterns decide, and which never do so alone."""

from typing import Any

from ninefold.audit import audit
from ninefold.audit.figures import PATTERN, Decider, deciders
from ninefold.audit.finding import RuleFinding
from ninefold.books import Book, read_book

ROWS = {
    "arithmetic": {"length": 3},
    "six": {"family": "sum", "count": 3, "equals": 6},
    "odd-ones": {"family": "kind", "kind": "odd", "count": 3},
}


def book(wins: dict[str, Any]) -> Book:
    """Three numbers each, in the order picked."""
    rules = {"pool": "1-6", "hand-limit": 3, "in-order": True, "wins": wins}
    return read_book({"id": "own", "rules": rules})


def rules_of(found: Book) -> dict[str, RuleFinding]:
    """The patterns of a book, as the audit finds them."""
    rules = audit(found).audits[0].rules
    return {rule.name.split(" ")[0]: rule for rule in rules if rule.kind == "pattern"}


def test_all_patterns_that_match_in_the_order_picked_decide() -> None:
    """A sum in any order, a progression only as it goes: the judge names just one of them."""
    game = book(ROWS).game
    both = deciders(game.play("1 4 2 6 3"))
    assert both == [Decider(PATTERN, 0), Decider(PATTERN, 1)]
    assert deciders(game.play("2 4 1 6 3")) == [Decider(PATTERN, 1)]
    assert deciders(game.play("5 4 1 6 3")) == [Decider(PATTERN, 2)]


def test_a_pattern_that_never_decides_alone_is_idle_also_in_order() -> None:
    """Every listed row is a progression in that order; the progressions are not all listed."""
    wins = {
        "listed": {"family": "sets", "sets": [[1, 2, 3], [4, 5, 6]]},
        "arithmetic": ROWS["arithmetic"],
    }
    found = rules_of(book(wins))
    assert found["listed"].can_matter is False
    assert found["listed"].finals
    assert found["listed"].alone == 0
    assert found["listed"].text.endswith("Whenever it decides, another pattern does too.")
    assert found["arithmetic"].can_matter is True
    assert found["arithmetic"].alone


def test_an_idle_pattern_is_found_whichever_comes_first() -> None:
    """The family that the judge names is the first one of the book."""
    wins = {"arithmetic": ROWS["arithmetic"], "listed": {"family": "sets", "sets": [[1, 2, 3]]}}
    found = rules_of(book(wins))
    assert (found["arithmetic"].can_matter, found["listed"].can_matter) == (True, False)
    assert found["listed"].finals


def test_patterns_that_differ_in_their_orders_are_both_alive() -> None:
    """Each of them decides some game alone."""
    found = rules_of(book(ROWS))
    assert {name: rule.can_matter for name, rule in found.items()} == dict.fromkeys(ROWS, True)
