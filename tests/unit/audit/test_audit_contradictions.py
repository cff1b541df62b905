"""Two statements of a book that contradict each other, reported as that."""

from typing import Any

import pytest
from unit.audit.auditing import audited, book_with

from ninefold.audit import audit
from ninefold.books import Book
from ninefold.books.faults import BookError

RULES = {"pool": "1-6", "wins": {"arithmetic": {"length": 3}}}


def book_of(**fields: Any) -> Book:
    """A book with one contradiction."""
    claim = {"kind": "contradiction", "one": "This.", "two": "That.", **fields}
    return book_with(RULES, claims=[claim])


def texts(book: Book) -> tuple[str, list[str]]:
    """The verdict on the only claim of a book, and its evidence."""
    (claim,) = audit(book).audits[0].claims
    return claim.verdict, [evidence.text for evidence in claim.evidence]


def test_retry_or_lose_the_turn() -> None:
    """The two readings of sequence-duel-sum differ at once: only one lets a turn be lost."""
    for reading in ("retry", "lose-turn"):
        (claim,) = audited("sequence-duel-sum", reading).claims[-1:]
        assert claim.verdict == "contradiction"
        assert [evidence.text for evidence in claim.evidence] == [
            "The book says: Whoever chooses an unavailable number chooses again.",
            "The book also says: Whoever fails to choose a valid number loses the turn.",
            "They lead to different games: at the start, losing the turn is possible only under "
            "the second statement.",
        ]


def test_three_numbers_or_an_open_hand() -> None:
    """The shortest game that differs is the first in which both players hold three numbers."""
    (claim,) = audited("sequence-builder", "open-hand").claims[-1:]
    assert claim.verdict == "contradiction"
    shown = claim.evidence[-1].shown
    assert shown is not None
    assert [len(hand) for hand in shown.position.hands] == [3, 3]
    assert shown.position.outcome is not None
    assert "under the second nobody has won yet" in claim.evidence[-1].text


def test_a_statement_may_imply_a_change_of_the_rules() -> None:
    """Instead of a reading."""
    verdict, evidence = texts(book_of(**{"two-rules": "invalid=lose-turn"}))
    assert verdict == "contradiction"
    assert "losing the turn is possible only under the second statement" in evidence[-1]
    assert audit(book_of(**{"two-rules": "invalid=lose-turn"})).is_false


def test_statements_that_lead_to_the_same_game_agree() -> None:
    """That is no fault of the book: a hand of six numbers limits nothing on six numbers."""
    book = book_of(**{"two-rules": "hand-limit=6"})
    verdict, evidence = texts(book)
    assert (verdict, evidence[-1]) == ("agreement", "They agree: every game goes the same way.")
    assert not audit(book).is_false


def test_two_pools_differ_in_their_numbers() -> None:
    """Whatever is possible only on one of them is named."""
    _, evidence = texts(book_of(**{"one-rules": "pool=1-5", "two-rules": "pool=1-7"}))
    assert "6 and 7 are possible only under the second statement" in evidence[-1]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"one-reading": "none"}, "claims[0].one-reading"),
        ({"two-rules": "hand-limit=x"}, "claims[0].two-rules"),
        ({"two-rules": "handlimit=3"}, "claims[0].two-rules"),
        ({"two-rules": "3"}, "claims[0].two-rules"),
        ({"one": 3}, "claims[0].one"),
        ({"because": {"kind": "no-draws"}}, "claims[0].because"),
    ],
    ids=str,
)
def test_what_a_statement_implies_must_exist(fields: dict[str, Any], path: str) -> None:
    """A reading of the book, or a change of its rules that can be read."""
    with pytest.raises(BookError) as refused:
        book_of(**fields)
    assert [fault.path for fault in refused.value.faults] == [path]


def test_a_contradiction_is_never_a_reason() -> None:
    """Nothing follows from two statements that cannot both be true."""
    reason = {"kind": "contradiction", "one": "A", "two": "B"}
    with pytest.raises(BookError) as refused:
        book_with(RULES, claims=[{"kind": "no-draws", "because": reason}])
    assert [fault.path for fault in refused.value.faults] == ["claims[0].because.kind"]
