"""The rule language by example: every measure and limit, and the rulings about them."""

from __future__ import annotations

import json

import pytest

from contract import naive, naive_endings, naive_sets
from contract.brute import BruteForce
from contract.rules import game_of
from contract.walks import Drawn
from ninefold.books.faults import BookError
from ninefold.books.rules import format_game, parse_game
from ninefold.core.errors import Illegal
from ninefold.core.moves import PASS, SWAP, Move
from ninefold.solver import Solver, is_small


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
    with pytest.raises(BookError, match=r"rules.opening: must be a list of numbers of the pool"):
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
    family = naive.Family("arithmetic", 3, naive_sets.arithmetic)
    rules = naive.Rules(pool, (family,), naive_endings.last_picker_loses)
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
