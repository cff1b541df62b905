"""The rule language by example: every family, measure and limit, and the rulings about them."""

from __future__ import annotations

import json

import pytest

from contract import naive
from contract.brute import BruteForce
from contract.walks import Drawn
from ninefold.books import read_book
from ninefold.books.exchange import format_game, parse_game
from ninefold.books.faults import BookError
from ninefold.core.errors import Illegal
from ninefold.core.game import Game
from ninefold.core.moves import PASS, SWAP, Move
from ninefold.solver import Solver, is_small


def game_of(**rules: object) -> Game:
    """The game with these rules, named as in a rule book but with underscores."""
    named = {key.replace("_", "-"): value for key, value in rules.items()}
    named.setdefault("pool", "1-9")
    return read_book({"id": "x", "title": "X", "summary": "X", "rules": named}).game


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
    "pool", ["1-99", "1-9 step 0", "1-9step 2", "9-1", "1-65", [1, 2, 2], [1.5]]
)
def test_pools_that_are_refused(pool: object) -> None:
    """Too many numbers, no step, no range, one of them twice, no whole number."""
    with pytest.raises(BookError, match=r"rules.pool: "):
        game_of(pool=pool)


def test_a_number_that_cannot_be_written_is_refused() -> None:
    """A move has at most 18 digits."""
    with pytest.raises(BookError, match=r"rules.pool\[0\]: a whole number of at most 18 digits"):
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
        ({"sum": {}}, "rules.wins.sum: either equals or multiple-of is expected"),
        ({"sum": {"equals": 1, "multiple-of": 2}}, "either equals or multiple-of"),
        ({"sum": {"equals": 1, "count": 2, "whole-hand": True}}, "either count or whole-hand"),
        ({"product": {"multiple-of": 0}}, "wins.product.multiple-of: a number from 1"),
        ({"kind": {"kind": "even", "count": 2, "of": 2}}, "of belongs to the kind"),
        ({"kind": {"kind": "multiple", "count": 2}}, "of belongs to the kind"),
        ({"kind": {"kind": "evn", "count": 2}}, "did you mean even?"),
        ({"sets": {"sets": [[1, 99]]}}, r"sets\[0\]: a list of different numbers of the pool"),
        ({"sets": {"sets": [[1, 1]]}}, "a list of different numbers of the pool"),
        ({"odd ones": {"family": "kind"}}, "a name of letters, digits and hyphens"),
        ({"x": {"family": "kid"}}, "did you mean kind?"),
        ({"sum": {"equals": 10**18}}, "a whole number of at most 18 digits"),
    ],
)
def test_patterns_that_are_refused(wins: dict[str, object], fault: str) -> None:
    """With the place, and what was expected."""
    with pytest.raises(BookError, match=fault):
        game_of(wins=wins)


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
    assert (outcome.reason, game.pattern((2, 3, 5)).label) == ("kind", "primes")


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


@pytest.mark.parametrize(
    ("link", "moves", "winner"),
    [
        ({"measure": "hand-sum", "prefer": "higher"}, "1 2 3 4", 2),
        ({"measure": "longest-run", "prefer": "higher"}, "1 3 2 4", None),
        ({"measure": "run-start", "prefer": "lower"}, "1 3 2 4", 1),
        ({"measure": "run-sum", "prefer": "higher"}, "1 3 2 4", 2),
        ({"measure": "run-sum", "prefer": "lower"}, "1 2 3 4", 1),
        ({"measure": "highest", "prefer": "higher"}, "1 2 3 4", 2),
        ({"measure": "lowest", "prefer": "higher"}, "1 2 3 4", 2),
        ({"measure": "count", "prefer": "higher"}, "1 2 3 4", None),
        ({"measure": "last-pick", "prefer": "lower"}, "1 2 3 4", 1),
        ({"measure": "distance", "prefer": "lower", "target": 5}, "1 2 3 4", None),
        ({"measure": "distance", "prefer": "lower", "target": 4}, "1 2 3 4", 1),
        ({"measure": "distance", "prefer": "higher", "target": 4}, "1 2 3 4", 2),
        (
            {"measure": "distance", "prefer": "lower", "target": 5, "exceeding": False},
            "1 2 3 4",
            1,
        ),
        (
            {"measure": "distance", "prefer": "lower", "target": 3, "exceeding": False},
            "1 2 3 4",
            None,
        ),
    ],
)
def test_measures(link: dict[str, object], moves: str, winner: int | None) -> None:
    """What each compares, on four numbers; whoever exceeds the target measures nothing."""
    outcome = game_of(pool="1-4", ending=[link]).play(moves).outcome
    assert outcome
    assert outcome.winner == winner
    assert outcome.reason == (link["measure"] if winner else "draw")


def test_without_a_number_there_is_nothing_to_measure() -> None:
    """Neither highest, lowest nor a run: whoever holds a number wins, whatever is preferred."""
    for measure in ("highest", "lowest", "run-start", "run-sum"):
        for prefer in ("higher", "lower"):
            link = {"measure": measure, "prefer": prefer}
            outcome = game_of(ending=[link], passing=True).play("3 pass pass").outcome
            assert outcome == (1, measure, ())


@pytest.mark.parametrize(("otherwise", "winner"), [("draw", None), ("first", 2), ("second", 1)])
def test_otherwise(otherwise: str, winner: int | None) -> None:
    """Where the ending does not decide: the player who began, or the other one."""
    game = game_of(pool="1-3", otherwise=otherwise)
    assert game.play("1 2 3", first=2).outcome == (winner, otherwise, ())


def test_passing() -> None:
    """Two turns in a row end the game; a pick in between begins anew."""
    game = game_of(passing=True, ending=[{"measure": "count", "prefer": "higher"}])
    position = game.play("1 pass 2 pass 3 4")
    assert PASS in position.legal
    assert position.turn == 1
    assert game.play("1 pass pass").outcome == (1, "count", ())
    assert game.play("pass pass").outcome == (None, "draw", ())
    assert game.play("1 pass 2 pass").outcome is None


def test_a_turn_of_two_picks() -> None:
    """The same player goes on; the rest of a turn may be passed, and does not count as passed."""
    game = game_of(picks_per_turn=2, passing=True)
    assert [game.play(moves).turn for moves in ("1", "1 2", "1 2 3", "1 2 3 4")] == [1, 2, 2, 1]
    assert game.play("1 pass").turn == 2
    assert game.play("1 pass pass").outcome is None
    assert game.play("1 pass pass pass").outcome is not None
    odd = game_of(pool="1-3", picks_per_turn=2)
    assert odd.play("1 2 3").outcome is not None


def test_a_limited_opening() -> None:
    """Only the very first number is limited, and the refusal says to what."""
    game = game_of(opening=[4, 5], wins={"sum": {"count": 1, "equals": 9}})
    assert game.start().legal == [4, 5]
    assert game.start().threats(1) == ()
    with pytest.raises(Illegal) as refused:
        game.play("9")
    assert refused.value.code == "opening"
    assert refused.value.message == ("9 is not allowed as the first number. Choose one of: 4 5")
    assert game.play("4 9").outcome == (2, "sum", ((9,),))
    with pytest.raises(BookError, match=r"rules.opening: a list of numbers of the pool"):
        game_of(opening=[10])


def test_the_pie_rule() -> None:
    """The hands change owners, with the role of who began, and the other player is to act."""
    game = game_of(pie=True, otherwise="first", pool="1-3")
    position = game.play("1 swap")
    assert (position.hands, position.turn, position.last_picker) == (((), (1,)), 1, 2)
    assert position.legal == [2, 3]
    assert game.play("1 swap 2 3").outcome == (2, "first", ())
    assert game.play("1 2 3").outcome == (1, "first", ())


@pytest.mark.parametrize(
    ("rules", "moves", "move", "code", "reason"),
    [
        ({}, "1", SWAP, "no-swap", "Hands are not swapped in this game."),
        ({"pie": True}, "", SWAP, "no-swap", "only in answer to the turn of the first number"),
        ({"pie": True}, "1 2", SWAP, "no-swap", "only in answer"),
        ({"pie": True}, "1 swap", SWAP, "no-swap", "only in answer"),
        ({"pie": True, "picks-per-turn": 2}, "1", SWAP, "no-swap", "only in answer"),
        ({"pie": True, "passing": True}, "pass", SWAP, "no-swap", "only in answer"),
        ({}, "1", PASS, "no-pass", "Passing is not allowed."),
    ],
)
def test_what_is_refused(
    rules: dict[str, object], moves: str, move: Move, code: str, reason: str
) -> None:
    """Swapping and passing where the rules do not allow it, each with its reason."""
    named = {key.replace("-", "_"): value for key, value in rules.items()}
    with pytest.raises(Illegal, match=reason) as refused:
        game_of(**named).play(moves).play(move)
    assert refused.value.code == code


def test_rules_that_contradict_each_other() -> None:
    """A turn is either passed or lost by a wrong number, not both."""
    with pytest.raises(BookError, match=r"rules.passing: cannot be combined with invalid"):
        game_of(passing=True, invalid="lose-turn")


EVERYTHING: list[dict[str, object]] = [
    {"wins": {"a": {"family": "sum", "whole-hand": True, "multiple-of": 7}}},
    {"wins": {"sets": {"sets": [[2, 1], [3, 4, 5]]}}, "passing": True, "otherwise": "second"},
    {"wins": {"k": {"family": "kind", "kind": "multiple", "of": 3, "count": 2}}, "pie": True},
    {"opening": [1, 5], "picks-per-turn": 2, "wins": {"chain": {"length": 3}}},
    {"ending": [{"measure": "distance", "prefer": "lower", "target": 20, "exceeding": False}]},
]


@pytest.mark.parametrize("rules", EVERYTHING)
def test_the_rules_as_json(rules: dict[str, object]) -> None:
    """Every field survives the line that other programs are told."""
    named = {key.replace("-", "_"): value for key, value in rules.items()}
    game = game_of(**named)
    again = parse_game(format_game(game))
    assert again.rules == game.rules
    assert again.fingerprint == game.fingerprint
    assert json.loads(format_game(game))["rules"].keys() >= rules.keys()


def test_every_rule_has_its_fingerprint() -> None:
    """No two of these are the same game, and none is the game without them."""
    named = [{key.replace("-", "_"): value for key, value in rules.items()} for rules in EVERYTHING]
    plain = game_of()
    games = [plain, *(game_of(**rules) for rules in named)]
    more: list[dict[str, object]] = [
        {"passing": True},
        {"pie": True},
        {"opening": [1]},
        {"picks_per_turn": 2},
    ]
    games += [game_of(**rules) for rules in more] + [game_of(otherwise="first")]
    assert len({game.fingerprint for game in games}) == len(games)


def test_the_pie_rule_and_the_opening_change_who_wins() -> None:
    """On 1-7 the first player wins by three openings, which brute force finds as well.

    Nothing is drawn, so whoever may swap takes the better side of any opening and wins; and
    whoever may open with nothing but 1 or 7 loses.
    """
    pool = tuple(range(1, 8))
    progression = {"arithmetic": {"length": 3}}
    ending = [{"measure": "last-pick", "prefer": "lower"}]
    plain = game_of(pool="1-7", wins=progression, ending=ending)
    family = naive.Family("arithmetic", 3, naive.arithmetic)
    rules = naive.Rules(pool, (family,), naive.last_picker_loses)
    found = BruteForce(Drawn(plain, rules)).values(naive.start(1))
    assert {move: value[0] for move, value in found.items()} == {
        number: "win" if number in (3, 4, 5) else "loss" for number in pool
    }
    assert Solver(plain).value(plain.start()).result == "win"
    pie = game_of(pool="1-7", wins=progression, ending=ending, pie=True)
    assert Solver(pie).value(pie.start()).result == "loss"
    for number in pool:
        swapped = Solver(pie).move_value(pie.play([number]), SWAP).result
        assert swapped == ("win" if number in (3, 4, 5) else "loss")
    limited = game_of(pool="1-7", wins=progression, ending=ending, opening=[1, 7])
    assert Solver(limited).value(limited.start()).result == "loss"


@pytest.mark.parametrize(
    ("rules", "small"),
    [
        ({"pool": "1-10", "passing": True}, True),
        ({"pool": "1-11", "passing": True}, False),
        ({"pool": "1-11", "picks_per_turn": 2}, True),
        ({"pool": "1-12", "picks_per_turn": 2}, False),
        ({"pool": "1-14", "pie": True, "opening": [3]}, True),
    ],
)
def test_what_is_solved_without_a_wait(rules: dict[str, object], small: bool) -> None:
    """Players and coach are offered for these, and for no larger ones."""
    assert is_small(game_of(**rules)) == small
