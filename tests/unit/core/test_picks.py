"""Which numbers may be taken, and the sentences that refuse the others."""

from __future__ import annotations

import pytest
from contract.rules import game_of

from ninefold.core.errors import Illegal
from ninefold.core.game import Game
from ninefold.core.moves import LOST


def refusal(game: Game, moves: str, number: int) -> str:
    """Why a number is refused after these moves."""
    with pytest.raises(Illegal) as caught:
        game.play(moves).play(number)
    assert caught.value.code == "restricted"
    return caught.value.message


def restricted(**told: object) -> Game:
    """A game on 1 to 12 with one restriction."""
    return game_of(pool="1-12", restrictions=[{k.replace("_", "-"): v for k, v in told.items()}])


LAST = {"compared_with": "last"}
REFUSALS = [
    (
        restricted(must="divisor-or-multiple", **LAST),
        "12",
        7,
        "7 is not allowed: it must divide 12 or be a multiple of it. Choose one of: 1 2 3 4 6",
    ),
    (
        restricted(must="common-factor", compared_with="taken"),
        "4 6 9",
        11,
        "11 is not allowed: it must share a factor with at least one of 4 6 9. "
        "Choose one of: 2 3 8 10 12",
    ),
    (
        restricted(must="divisor-or-multiple", compared_with="own"),
        "4 8 12 2",
        5,
        "5 is not allowed: it must divide at least one of 4 12 or be a multiple of one of them. "
        "Choose one of: 1 3 6",
    ),
    (
        restricted(must_not="multiple", compared_with="taken"),
        "3 5 4 11",
        12,
        "12 is not allowed: it must not be a multiple of any of 3 4. Choose one of: 1 2 7",
    ),
    (
        restricted(must="difference", by=3, **LAST),
        "5",
        6,
        "6 is not allowed: it must differ from 5 by exactly 3. Choose one of: 2 8",
    ),
    (
        restricted(must="same-parity", **LAST),
        "11",
        2,
        "2 is not allowed: it must have the same parity (even or odd) as 11. "
        "Choose one of: 1 3 5 7 9",
    ),
    (
        game_of(pool="1-9", caps=[{"total": "sum", "of": "own", "at-most": 10}]),
        "6 1",
        5,
        "5 is not allowed: it would bring the sum of your numbers above 10. Choose one of: 2 3 4",
    ),
    (
        game_of(pool="1-9", **{"row-ends": True}),
        "1",
        5,
        "5 is not allowed: only the lowest and the highest number left may be taken. "
        "Choose one of: 2 9",
    ),
]


@pytest.mark.parametrize(("game", "moves", "number", "told"), REFUSALS)
def test_a_refusal_says_what_the_number_must_do(
    game: Game, moves: str, number: int, told: str
) -> None:
    """With the numbers it is compared with, and what may be taken instead."""
    assert refusal(game, moves, number) == told


def test_a_barred_number_loses_the_turn_where_invalid_ones_do() -> None:
    """Choosing it is the move ``lost``, as choosing a taken number is."""
    game = game_of(pool="1-6", invalid="lose-turn", **{"row-ends": True})
    position = game.play("1")
    assert [position.attempt(number) for number in (1, 2, 3, 6, 7)] == [LOST, 2, LOST, 6, LOST]
    assert game.play("1 3").turn == 1


def test_who_is_stuck() -> None:
    """Only a player with room in the hand for whom no number left is allowed."""
    rules = {"restrictions": [{"must": "common-factor", "compared-with": "own"}], "stuck": "skip"}
    position = game_of(pool="2-8", **rules).play("5 2")
    assert position.is_stuck(1) and not position.is_stuck(2)
    assert position.turn == 2
    full = game_of(pool="2-8", **rules, **{"hand-limit": 1}).play("5")
    assert not full.is_stuck(1)


def test_a_set_of_one_hand_is_not_named_after_a_shared_total() -> None:
    """3 7 wins by its product, although its sum is what all numbers taken should have."""
    wins = {"sum": {"shared": True, "equals": 10}, "product": {"count": 2, "equals": 21}}
    game = game_of(wins=wins)
    alone = game.play("3 1 7")
    assert alone.outcome and alone.outcome.reason == "product"
    assert game.deciding_pattern(alone).family == "product"
    shared = game.play("9 1")
    assert shared.outcome and (shared.outcome.reason, shared.outcome.winner) == ("sum", 2)


def test_a_whole_hand_is_named_even_if_it_has_grown() -> None:
    """1 5 was complete first, and the game ended with more numbers."""
    wins = {"sum": {"whole-hand": True, "equals": 6}}
    ending = [{"measure": "first-complete", "prefer": "higher"}]
    game = game_of(pool="1-5", wins=wins, declare=True, ending=ending)
    position = game.play("1 2 5 3 4")
    assert position.outcome and position.outcome.sets == ((1, 5),)
    assert game.deciding_pattern(position).family == "sum"


def test_sums_of_any_numbers_with_values() -> None:
    """4 counts 1 and 3 counts 0, so 1 4 has the sum 2 and nothing with 3 is needed."""
    game = game_of(pool="1-4", wins={"sum": {"equals": 2}}, values={"4": 1, "3": 0})
    assert game.sets == ((1, 4), (2,))


def test_a_wrong_declaration_is_told_what_its_numbers_count() -> None:
    """9 counts 1."""
    game = game_of(wins={"sum": {"count": 2, "equals": 15}}, values={"9": 1}, declare=True)
    with pytest.raises(Illegal, match="it adds up to 7"):
        game.play("9 1 6").play("declare:6:9")
