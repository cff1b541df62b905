"""What a whole book may cost is bounded, however many small things it is made of."""

from typing import Any

import pytest

from ninefold.books import read_book
from ninefold.books.check import _readings
from ninefold.books.faults import BookError

LINK = {"measure": "hand-sum", "prefer": "higher"}
SLOW = {"family": "sum", "count": 5, "multiple-of": 99999}
MANY = {"family": "kind", "kind": "multiple", "of": 1, "count": 3}
WHOLE = {"family": "sum", "whole-hand": True, "multiple-of": 999}


def fault_of(rules: dict[str, Any]) -> str:
    """The one fault of a book with these rules."""
    with pytest.raises(BookError) as caught:
        read_book({"rules": rules}, stem="book")
    (fault,) = caught.value.faults
    return f"{fault.path}: {fault.expected}"


def many(pattern: dict[str, Any], number: int) -> dict[str, Any]:
    """So many patterns, each under a name of its own."""
    return {f"p{at}": pattern for at in range(number)}


def test_there_are_at_most_32_ways_to_win_and_16_links() -> None:
    """One more is a fault that says how many there may be."""
    small = {"family": "sum", "count": 2, "equals": 3}
    read_book(
        {"rules": {"pool": "1-3", "wins": many(small, 32), "ending": [LINK] * 16}}, stem="book"
    )
    told = fault_of({"pool": "1-3", "wins": many(small, 33)})
    assert told == "rules.wins: at most 32 ways to win are expected, not 33"
    told = fault_of({"pool": "1-3", "ending": [LINK] * 17})
    assert told == "rules.ending: at most 16 links are expected, not 17"


def test_the_ways_to_win_share_one_budget() -> None:
    """One of them is fine; several are refused together: searched, found again, or whole hands."""
    for pool, pattern, number in (("1-60", SLOW, 2), ("1-64", MANY, 32), ("1-16", WHOLE, 32)):
        if pattern is not SLOW:
            read_book({"rules": {"pool": pool, "wins": many(pattern, 1)}}, stem="book")
        assert "takes too long" in fault_of({"pool": pool, "wins": many(pattern, number)})


def test_no_more_readings_are_examined_than_there_may_be() -> None:
    """The default, and 24 others."""
    assert len(_readings({"readings": {f"r{at}": {} for at in range(7_000)}})) == 25
