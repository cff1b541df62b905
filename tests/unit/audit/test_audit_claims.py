"""The claims of the books: the verdict on each, and whether its reason carries it."""

from typing import Any

import pytest
from unit.audit.auditing import audited, book_with

from ninefold.audit.claims import claim_findings
from ninefold.audit.subject import Subject

VERDICTS = {
    ("sequence-duel-arithmetic", None): {
        "2 4 6 wins, with a difference of 2.": "proved",
        "9 6 3 wins, with a difference of -3.": "proved",
        "5 5 5 wins, with a difference of zero.": "refuted",
        "A draw is impossible.": "proved",
        "Each rule has its use: a game can be lost by picking last.": "refuted",
        "A skilled player consistently outperforms an unskilled one.": "proved",
    },
    ("sequence-capture", None): {
        "2 3 4 5 wins.": "proved",
        "There are no draws.": "proved",
        "Middle numbers, such as 5 and 6, are good openings.": "other-reason",
    },
    ("sequence-duel-sum", None): {
        "There are no draws.": "other-reason",
        "A difference may be negative.": "refuted",
        "After an unavailable number, a player both chooses again and loses the turn.": (
            "contradiction"
        ),
    },
    ("sequence-builder", "open-hand"): {
        "2 4 6 wins, as an arithmetic progression.": "proved",
        "2 4 8 wins, as a geometric progression.": "proved",
        "There are no draws.": "proved",
        "Each rule has its use: the sums, too, can decide a game.": "refuted",
        "A sequence has room for three numbers, and a game goes on when both players hold three.": (
            "contradiction"
        ),
    },
    ("sequence-builder", "three-slots"): {
        "2 4 6 wins, as an arithmetic progression.": "proved",
        "2 4 8 wins, as a geometric progression.": "proved",
        "There are no draws.": "proved",
        "Each rule has its use: the sums, too, can decide a game.": "other-reason",
        "A sequence holds at most three numbers.": "proved",
        "A sequence has room for three numbers, and a game goes on when both players hold three.": (
            "contradiction"
        ),
    },
    ("pattern-builder", None): {
        "2 4 6 wins, as an arithmetic sequence.": "proved",
        "2 4 8 wins, as a geometric sequence.": "proved",
        "There are no draws.": "other-reason",
        "A player collects at most five numbers.": "proved",
        "Skill counts for more than chance.": "proved",
    },
    ("magic-fifteen", None): {"A game can be drawn.": "proved"},
}


@pytest.mark.parametrize(("name", "reading"), VERDICTS)
def test_every_claim_has_its_verdict(name: str, reading: str | None) -> None:
    """All the claims of the books, and no others."""
    found = {claim.says: claim.verdict for claim in audited(name, reading).claims}
    assert found == VERDICTS[name, reading]


@pytest.mark.parametrize(
    ("name", "hand_or_draw"),
    [
        ("sequence-duel-sum", "1 3 2 5 4 6 8 7"),
        ("pattern-builder", "3 1 4 2 7 5 8 6"),
    ],
)
def test_a_reason_that_proves_nothing_is_answered_with_a_counterexample(
    name: str, hand_or_draw: str
) -> None:
    """The same argument fits 1 to 8, and there is a draw, which the judge confirms."""
    claim = next(item for item in audited(name).claims if item.kind == "no-draws")
    assert claim.reason is not None
    assert claim.reason.holds is False
    shown = claim.reason.evidence[-1].shown
    assert shown is not None
    assert shown.line == hand_or_draw
    assert shown.game.pool == tuple(range(1, 9))
    assert shown.position.outcome == (None, "draw", ())
    assert "1 to 8" in claim.reason.evidence[-1].text


def test_no_draws_confirms_a_theorem() -> None:
    """The count, and the theorem it confirms."""
    claim = next(
        item for item in audited("sequence-duel-arithmetic").claims if item.kind == "no-draws"
    )
    assert [evidence.text for evidence in claim.evidence] == [
        "None of 1,341 final positions is a draw.",
        "In all 512 ways to split 1 to 9 into two parts, one part holds a set. "
        "This confirms van der Waerden's theorem, W(3;2) = 9.",
    ]


def test_a_reason_can_be_any_statement() -> None:
    """It is tested by itself; a false one does not carry a true claim."""
    rules = {"pool": "1-9", "wins": {"sum": {"count": 3, "equals": 15}}}
    claims = [
        {"kind": "draws-happen", "because": {"kind": "nobody-wins-by-force"}},
        {"kind": "draws-happen", "because": {"kind": "first-player-wins"}},
        {"kind": "draws-happen", "because": "It was always so."},
        {"kind": "no-draws", "because": {"kind": "any-pool"}},
    ]
    book = book_with(rules, claims=claims)
    found = claim_findings(Subject(book.game, lambda _: None, 1, 1.0, book), {})
    verdicts = [claim.verdict for claim in found]
    assert verdicts == ["proved", "other-reason", "proved", "refuted"]
    assert found[2].reason is None


NINE = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}}


@pytest.mark.parametrize(
    ("claim", "because", "verdict"),
    [
        ({"kind": "no-draws"}, {"kind": "at-most-moves", "moves": 9}, "other-reason"),
        ({"kind": "no-draws"}, {"kind": "any-split"}, "proved"),
        ({"kind": "no-draws"}, {"kind": "sets-decide"}, "proved"),
        ({"kind": "no-draws"}, {"kind": "any-hand", "numbers": 6}, "other-reason"),
        (
            {"kind": "at-most-moves", "moves": 9},
            {"kind": "at-most-moves", "moves": 10},
            "other-reason",
        ),
        ({"kind": "at-most-moves", "moves": 9}, {"kind": "at-most-moves", "moves": 9}, "proved"),
        (
            {"kind": "at-most-moves", "moves": 9},
            {"kind": "at-most-numbers", "numbers": 5},
            "other-reason",
        ),
        (
            {"kind": "at-most-moves", "moves": 10},
            {"kind": "at-most-numbers", "numbers": 5},
            "proved",
        ),
        ({"kind": "example", "name": "x"}, {"kind": "any-pool"}, "other-reason"),
    ],
    ids=str,
)
def test_a_claim_must_follow_from_its_reason(
    claim: dict[str, Any], because: dict[str, Any], verdict: str
) -> None:
    """A reason that is true and proves nothing does not carry a true claim."""
    claims = [{**claim, "because": because}]
    book = book_with(NINE, claims=claims, examples=[{"name": "x", "moves": "5"}])
    (found,) = claim_findings(Subject(book.game, lambda _: None, 1, 1.0, book), {})
    assert found.verdict == verdict
    assert found.reason is not None
    told = [evidence.text for evidence in found.reason.evidence]
    assert ("The claim does not follow from it." in told) == (verdict == "other-reason")
