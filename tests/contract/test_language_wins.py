"""Pools and patterns by example: every family, and what is refused."""

from __future__ import annotations

import pytest

from contract.rules import game_of
from ninefold.books.faults import BookError


def sets_of(pool: object, family: str, **parameters: object) -> list[tuple[int, ...]]:
    """The winning sets of one pattern; a hyphen is written as an underscore."""
    named = {key.replace("_", "-"): value for key, value in parameters.items()}
    return list(game_of(pool=pool, wins={family: named}).sets)


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        ("1-4", (1, 2, 3, 4)),
        ("2-10 step 2", (2, 4, 6, 8, 10)),
        ("1-10 step 4", (1, 5, 9)),
        ("-2-1", (-2, -1, 0, 1)),
        ("-4--2", (-4, -3, -2)),
        ([7, -3, 5], (-3, 5, 7)),
    ],
)
def test_pools(pool: object, expected: tuple[int, ...]) -> None:
    """A range, a range with a step, or a list in any order, played in ascending order."""
    assert game_of(pool=pool).pool == expected


@pytest.mark.parametrize(
    "pool", ["1-199", "1-9 step 0", "1-9step 2", "9-1", "1-101", [1, 2, 2], [1.5]]
)
def test_pools_that_are_refused(pool: object) -> None:
    """Too many numbers, no step, no range, one of them twice, no whole number."""
    with pytest.raises(BookError, match=r"rules.pool(\[0\])?: "):
        game_of(pool=pool)


def test_a_number_that_cannot_be_written_is_refused() -> None:
    """A move has at most 18 digits."""
    with pytest.raises(BookError, match=r"rules.pool\[0\]: must have at most 18 digits"):
        game_of(pool=[10**18])


@pytest.mark.parametrize(
    ("pool", "family", "parameters", "expected"),
    [
        ("1-5", "arithmetic", {"length": 4}, [(1, 2, 3, 4), (2, 3, 4, 5)]),
        ([-4, -1, 2, 3], "geometric", {"length": 3}, [(-4, -1, 2)]),
        ([4, 6, 9, 10], "geometric", {"length": 3}, [(4, 6, 9)]),
        ("-2-2", "geometric", {"length": 3}, []),
        ([1, 3, 9, 20], "consecutive", {"length": 3}, [(1, 3, 9), (3, 9, 20)]),
        ([-3, 0, 3, 4], "sum-triple", {}, [(-3, 0, 3)]),
        ([-5, 1, 2, 4], "sum-triple", {}, []),
        ("1-9", "sum", {"count": 2, "equals": 4}, [(1, 3)]),
        ("-2-2", "sum", {"count": 3, "equals": 0}, [(-2, 0, 2), (-1, 0, 1)]),
        ("1-5", "sum", {"equals": 5}, [(1, 4), (2, 3), (5,)]),
        ("-2-2", "sum", {"equals": 0}, [(-2, 2), (-1, 1), (0,)]),
        ("-1-2", "sum", {"equals": 2}, [(2,)]),
        ([1, 2, 4], "sum", {"count": 2, "multiple_of": 3}, [(1, 2), (2, 4)]),
        ([1, 2, 4, 7], "sum", {"multiple_of": 3}, [(1, 2), (1, 4, 7), (2, 4), (2, 7)]),
        ([-3, 0, 1], "sum", {"multiple_of": 3}, [(-3,), (0,)]),
        ("1-6", "product", {"count": 2, "equals": 6}, [(1, 6), (2, 3)]),
        ("1-6", "product", {"equals": 6}, [(2, 3), (6,)]),
        ([-3, -2, 0, 1, 6], "product", {"equals": 6}, [(-3, -2), (6,)]),
        ([-1, 0, 1, 2], "product", {"count": 2, "equals": 0}, [(-1, 0), (0, 1), (0, 2)]),
        ([-1, 0, 1, 2], "product", {"equals": 0}, [(0,)]),
        ([-1, 1, 2], "product", {"equals": -2}, [(-1, 2)]),
        ([2, 3, 4, 5], "product", {"count": 2, "multiple_of": 6}, [(2, 3), (3, 4)]),
        ([2, 3, 4, 5], "product", {"multiple_of": 6}, [(2, 3), (3, 4)]),
        ([0, 5, 7], "product", {"multiple_of": 10}, [(0,)]),
        ("-2-2", "kind", {"kind": "even", "count": 2}, [(-2, 0), (-2, 2), (0, 2)]),
        ("-3-2", "kind", {"kind": "odd", "count": 3}, [(-3, -1, 1)]),
        ("-3-7", "kind", {"kind": "prime", "count": 4}, [(2, 3, 5, 7)]),
        ("-4-4", "kind", {"kind": "square", "count": 3}, [(0, 1, 4)]),
        ("-3-3", "kind", {"kind": "multiple", "of": 3, "count": 3}, [(-3, 0, 3)]),
        ([2, 3, 4, 6, 12], "chain", {"length": 3}, [(2, 4, 12), (2, 6, 12), (3, 6, 12)]),
        ([0, 2, 5], "chain", {"length": 2}, [(0, 2), (0, 5)]),
        ([-4, -2, 2, 3], "chain", {"length": 3}, [(-4, -2, 2)]),
        ("1-5", "sets", {"sets": [[5, 1], [2, 3, 4]]}, [(1, 5), (2, 3, 4)]),
    ],
)
def test_families(
    pool: object, family: str, parameters: dict[str, object], expected: list[tuple[int, ...]]
) -> None:
    """Zero is in no geometric progression, is even, a square and a multiple, and ends any chain.

    A sum or product without a count leaves no number to spare.
    """
    assert sets_of(pool, family, **parameters) == expected


def test_a_large_prime_and_a_large_square() -> None:
    """Numbers of 18 digits are told apart at once."""
    prime, square, product = 999_999_999_999_999_989, 999_999_999**2, 999_999_937 * 999_999_929
    pool = [prime, square, product, 2]
    assert sets_of(pool, "kind", kind="prime", count=2) == [(2, prime)]
    assert sets_of(pool, "kind", kind="square", count=1) == [(square,)]


@pytest.mark.parametrize(
    ("wins", "fault"),
    [
        ({"sum": {}}, "rules.wins.sum: needs a total: one of equals, multiple-of"),
        ({"sum": {"equals": 1, "multiple-of": 2}}, "equals and multiple-of cannot be combined"),
        (
            {"sum": {"equals": 1, "count": 2, "whole-hand": True}},
            "count and whole-hand cannot be combined",
        ),
        (
            {"product": {"multiple-of": 0}},
            "product.multiple-of: must be a whole number, at least 1",
        ),
        ({"kind": {"kind": "even", "count": 2, "of": 2}}, "of belongs to the kind"),
        ({"kind": {"kind": "multiple", "count": 2}}, "of belongs to the kind"),
        ({"kind": {"kind": "evn", "count": 2}}, "did you mean even?"),
        ({"sets": {"sets": [[1, 99]]}}, r"sets\[0\]: must be a list of different numbers"),
        ({"sets": {"sets": [[1, 1]]}}, "a list of different numbers of the pool"),
        ({"odd ones": {"family": "kind"}}, "up to 40 letters, digits and hyphens"),
        ({"x": {"family": "kid"}}, "did you mean kind?"),
        ({"sum": {"equals": 10**18}}, "must have at most 18 digits"),
    ],
)
def test_patterns_that_are_refused(wins: dict[str, object], fault: str) -> None:
    """With the place, and what was expected."""
    with pytest.raises(BookError, match=fault):
        game_of(wins=wins)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("sum", {"count": 16, "equals": 300}),
        ("sum", {"count": 32, "multiple-of": 1_000_003}),
        ("sum", {"multiple-of": 999_983}),
        ("sum", {"equals": 500}),
        ("product", {"count": 32, "multiple-of": 10**17}),
        ("product", {"multiple-of": 2**50}),
        ("kind", {"kind": "multiple", "of": 1, "count": 32}),
    ],
)
def test_what_cannot_be_listed_is_refused(family: str, parameters: dict[str, object]) -> None:
    """On 64 numbers, from both sides of zero or not, with one clear sentence."""
    for pool in ("1-64", "-31-32"):
        with pytest.raises(BookError, match=r"takes too long|more than 100000 winning sets"):
            game_of(pool=pool, wins={family: parameters})


def test_two_patterns_of_one_family_and_one_taken_away() -> None:
    """Names are free; false takes a pattern away, and the reason is the family."""
    primes = {"family": "kind", "kind": "prime", "count": 3}
    game = game_of(wins={"primes": primes, "kind": {"kind": "even", "count": 3}, "sum": False})
    assert [(p.label, p.family) for p in game.rules.wins] == [("primes", "kind"), ("kind", "kind")]
    outcome = game.play("2 1 3 4 5").outcome
    assert outcome
    assert (outcome.reason, game.wins.pattern((2, 3, 5)).label) == ("kind", "primes")


def test_the_whole_hand_counts_at_the_moment_of_the_pick() -> None:
    """4 and 6 do not win as a part of 1, 4 and 6, but 3 and 7 do as a whole."""
    game = game_of(wins={"sum": {"whole-hand": True, "equals": 10}})
    assert game.sets == ()
    assert game.play("1 2 4 3 6").outcome is None
    outcome = game.play("1 3 4 7").outcome
    assert outcome == (2, "sum", ((3, 7),))
    product = game_of(wins={"product": {"whole-hand": True, "multiple-of": 7}})
    assert product.play("7").outcome == (1, "product", ((7,),))


@pytest.mark.parametrize(
    ("wins", "limit", "moves", "won"),
    [
        ({"chain": {"length": 3}}, 3, "2 1 4 3 8", True),
        ({"chain": {"length": 3}}, 3, "8 1 4 3 2", False),
        ({"sets": {"sets": [[3, 1, 2]]}}, 3, "3 4 1 5 2", True),
        ({"sets": {"sets": [[3, 1, 2]]}}, 3, "1 4 2 5 3", False),
        ({"sum": {"count": 2, "equals": 9}}, 2, "8 2 1", True),
        ({"kind": {"kind": "odd", "count": 2}}, 2, "8 3 1 5", True),
    ],
)
def test_in_the_order_picked(wins: dict[str, object], limit: int, moves: str, won: bool) -> None:
    """A chain upwards, a set as listed; sums and kinds have no order."""
    game = game_of(wins=wins, in_order=True, hand_limit=limit)
    assert (game.play(moves).outcome is not None) == won


@pytest.mark.parametrize(
    "aggregate", [{"equals": 9}, {"equals": 9, "whole-hand": True}, {"equals": 9, "count": 2}]
)
def test_sums_of_no_fixed_size_have_no_order(aggregate: dict[str, object]) -> None:
    """In order needs a hand limit equal to the size, which these do not have."""
    with pytest.raises(BookError, match=r"rules.in-order: needs a hand-limit equal to the size"):
        game_of(wins={"sum": aggregate}, in_order=True, hand_limit=3)
