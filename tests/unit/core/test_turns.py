"""Turns as data: what each kind of move leads to, and what a position tells of it."""

import pytest

import ninefold
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, SWAP
from ninefold.core.patterns import Pattern
from ninefold.core.rules import Rules
from ninefold.core.turns import (
    ENDING,
    SET,
    End,
    Fact,
    Phase,
)

THREE = Pattern("arithmetic", (("length", 3),))
POOL = tuple(range(1, 10))


def test_an_ordinary_pick_hands_the_turn_on_or_ends_the_game() -> None:
    """Nothing happened, a set was completed, or no number is left."""
    turns = Game(Rules(POOL, (THREE,))).turns
    assert turns.start() == Phase(1)
    assert turns.picked[Phase(1)][0] == Phase(2)
    assert turns.picked[Phase(2)][Fact.COMPLETE] == End(2, SET)
    assert turns.picked[Phase(1)][Fact.EXHAUSTED] == End(2, ENDING, left=1)


def test_only_facts_that_the_rules_look_at_are_asked_for() -> None:
    """A hand limit asks for full hands, the pie rule for the first turn."""
    assert Game(Rules(POOL, (THREE,))).turns.facts == Fact.COMPLETE | Fact.EXHAUSTED
    limited = Game(Rules(POOL, (THREE,), hand_limit=3)).turns
    assert limited.facts == Fact.COMPLETE | Fact.EXHAUSTED | Fact.OWN_FULL | Fact.OTHER_FULL
    assert (
        Game(Rules(POOL, (THREE,), pie=True)).turns.facts
        == Fact.COMPLETE | Fact.EXHAUSTED | Fact.FIRST_TURN
    )


def test_a_full_hand_is_skipped_and_two_end_the_game() -> None:
    """The turn stays where the other hand is full."""
    turns = Game(Rules(POOL, (THREE,), hand_limit=3)).turns
    assert turns.picked[Phase(1)][Fact.OTHER_FULL] == Phase(1)
    assert turns.picked[Phase(1)][Fact.OWN_FULL] == Phase(2)
    assert turns.picked[Phase(1)][Fact.OWN_FULL | Fact.OTHER_FULL] == End(1, ENDING, left=1)


def test_several_picks_and_passing() -> None:
    """A turn lasts as long as it has picks; two passed turns in a row end the game."""
    turns = Game(Rules(POOL, (THREE,), picks_per_turn=2, passing=True)).turns
    assert turns.picked[Phase(1, left=2)][0] == Phase(1, left=1)
    assert turns.picked[Phase(1, left=1)][0] == Phase(2, left=2)
    assert turns.after_special(Phase(1, left=2), PASS, 0) == Phase(2, left=2, passed=True)
    # A turn that has taken a number was not passed.
    assert turns.after_special(Phase(1, left=1), PASS, 0) == Phase(2, left=2)
    assert turns.after_special(Phase(2, left=2, passed=True), PASS, 0) == End(
        1, ENDING, left=2, passed=True
    )
    assert [*turns.special_moves(Phase(1, left=2))] == [PASS]


def test_a_swap_is_offered_once_and_takes_everything_along() -> None:
    """After the turn of the first number, who began changes with the hand."""
    turns = Game(Rules(POOL, (THREE,), pie=True, otherwise="first")).turns
    offered = turns.picked[Phase(1)][Fact.FIRST_TURN]
    assert offered == Phase(2, swap=True)
    assert [*turns.special_moves(offered)] == [SWAP]
    assert turns.after_special(offered, SWAP, 0) == Phase(1, began=2)
    assert turns.picked[offered][0] == Phase(1)


def test_a_position_tells_its_phase_by_name() -> None:
    """How many picks are left and were made, whether the last turn was passed, and so on."""
    game = Game(Rules(POOL, (THREE,), picks_per_turn=2, passing=True, pie=True))
    position = game.play([1])
    assert (position.turn, position.picks_left, position.picked) == (1, 1, 1)
    position = position.play(2)
    assert (position.turn, position.may_swap, position.passed) == (2, True, False)
    position = position.play(PASS)
    assert (position.turn, position.may_swap, position.passed) == (1, False, True)


def test_moves_may_be_given_as_any_integer_or_in_writing() -> None:
    """Everywhere a move is accepted."""
    numpy = pytest.importorskip("numpy")
    game = ninefold.load("sequence-duel-sum")
    played = game.play([5, 3, 2])
    assert game.start().play("5").play(numpy.int64(3)).play(numpy.uint8(2)) == played
    assert game.play(["5", numpy.int32(3), 2]) == played
    assert game.start().play("lost") == game.start().play(LOST)
    assert game.state().play("5").play(numpy.int64(3)).turn == 1
    with pytest.raises(ninefold.Unreadable, match="'five' is not a move"):
        game.start().play("five")
    for wrong in (None, 5.0, True, [5]):
        with pytest.raises(TypeError, match="not a move"):
            game.start().play(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [0, -1, 3, "1", None])
def test_a_wrong_seat_is_refused(seat: object) -> None:
    """A seat is 1 or 2; nothing else stands for one of them."""
    position = ninefold.load("sequence-duel-sum").play("5 3 2 7 4 6")
    assert position.threats(1) == (1, 9)
    for ask in (position.threats, position.sets_of, position.order_of):
        with pytest.raises(ValueError, match="a seat is 1 or 2, not"):
            ask(seat)  # type: ignore[arg-type]


def test_tab_completion_shows_what_users_need() -> None:
    """No tables of the judge, and nothing that only tuples have."""
    game = ninefold.load("sequence-duel-sum")
    shown = [name for name in dir(game) if not name.startswith("_")]
    assert {"play", "start", "state", "pool", "rules", "sets", "fingerprint"} <= {*shown}
    assert not {"bits", "ranks", "plain", "table", "turns", "endings"} & {*shown}
    shown = [name for name in dir(game.start()) if not name.startswith("_")]
    assert {"play", "legal", "available", "turn", "outcome", "threats", "hands"} <= {*shown}
    assert not {"count", "index", "masks"} & {*shown}
    assert len(repr(game)) < 100 and len(repr(game.play("5 3 2"))) < 100
