"""States, which look up what the judge said before, say what the judge says, for every book."""

from __future__ import annotations

from random import Random

import numpy
import pytest

from contract.test_encoding import GAMES, load
from contract.test_vector import RARE
from ninefold.core.errors import Illegal, Unreadable
from ninefold.core.game import Game
from ninefold.core.moves import LOST, Declare
from ninefold.core.position import Position
from ninefold.core.state import State, States
from ninefold.encoding import encoding_for
from ninefold.envs.episode import EncodedState, encoded_states_for


def judge_states(states: States[State], games: int, seed: int = 1) -> None:
    """Play random games through states and through the judge, side by side."""
    chance = Random(seed)
    for number in range(games):
        first = 1 + number % 2
        state, position = states.start(first), states.game.start(first)
        for _ in range(40):
            agree(state, position)
            if state.over:
                break
            move = chance.choice(state.legal)
            state, position = state.play(move), position.play(move)


def agree(state: State, position: Position) -> None:
    """The state says all of a position that the judge says."""
    assert state.turn == position.turn
    assert list(state.legal) == position.legal
    assert state.over == (position.outcome is not None)
    if position.outcome is not None:
        assert (state.winner, state.reason) == position.outcome[:2]
    assert state.position.masks == position.masks
    assert state.position.key == position.key


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), [*GAMES, *RARE])
def test_states_say_what_the_judge_says(name: str, reading: str | None) -> None:
    """Whose turn it is, what is legal, who has won and why, whoever begins."""
    judge_states(States(load(name, reading), State), 300)


@pytest.mark.parametrize(("name", "reading"), GAMES[:6])
def test_past_the_bound_the_judge_is_asked_again(name: str, reading: str | None) -> None:
    """No more states are kept than allowed, and all is as before."""
    states = States(load(name, reading), State, most=30)
    judge_states(states, 100)
    assert len(states) == 30


def test_a_judgement_that_is_kept_wrongly_would_be_found() -> None:
    """One wrong state among those kept, and the comparison fails."""
    states = States(load("magic-fifteen", None), State)
    wrong = states.start().play(5)
    wrong.legal = wrong.legal[1:]
    with pytest.raises(AssertionError):
        judge_states(states, 100)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), [*GAMES, *RARE])
def test_encoded_states_show_what_the_encoding_shows(name: str, reading: str | None) -> None:
    """Both observations, the mask and the rewards, also of the last position."""
    game = load(name, reading)
    encoding, chance = encoding_for(game), Random(2)
    for _ in range(150):
        node, position = encoded_states_for(game).start(), game.start()
        for _ in range(40):
            assert node.mask.tolist() == encoding.mask(position).tolist()
            for seat in (1, 2):
                expected = encoding.observe(position, seat)
                assert node.views[seat - 1].tolist() == expected.tolist()
                assert node.rewards[seat - 1] == encoding.reward(position, seat)
            if node.over:
                break
            action = chance.choice(numpy.flatnonzero(node.mask).tolist())
            move, node = node.act(action)
            assert move == encoding.move(position, action)
            position = position.play(move)


def test_a_state_is_there_once() -> None:
    """However it is come to; another first player makes another one."""
    game = load("magic-fifteen", None)
    assert game.state().play(5).play(1).play(2) is game.state().play(2).play(1).play(5)
    assert game.state() is game.state(1) is not game.state(2)
    with pytest.raises(ValueError, match="first must be 1 or 2"):
        game.state(3)


def test_what_is_illegal_is_refused_by_the_judge() -> None:
    """Every time, and whatever else was played before."""
    state = load("magic-fifteen", None).state().play(5)
    for _ in range(2):
        with pytest.raises(Illegal, match="5 is already taken"):
            state.play(5)
        with pytest.raises(Illegal, match="12 is not in the pool"):
            state.play(12)
        with pytest.raises(Illegal, match="nothing to declare"):
            state.play(Declare((1, 5, 9)))
        with pytest.raises(TypeError, match="not a move"):
            state.play(None)  # type: ignore[arg-type]
        with pytest.raises(Unreadable, match="'five' is not a move"):
            state.play("five")
        with pytest.raises(Illegal, match="5 is already taken"):
            state.play("5")
    assert state.play(LOST).turn == 1


def test_a_number_is_the_same_in_any_dress() -> None:
    """Whether it was played before or not."""
    for before in ((), (3,)):
        state = Fresh().state()
        for move in before:
            state.play(move)
        assert state.play(numpy.int64(3)).position.hands == ((3,), ())
        assert type(state.play(numpy.int64(3)).position.hands[0][0]) is int


class Fresh(Game):
    """A game that nobody has played yet."""

    def __init__(self) -> None:
        super().__init__(load("magic-fifteen", None).rules)


def test_what_encoded_states_show_is_read_only() -> None:
    """Everybody shares it."""
    state: EncodedState = encoded_states_for(load("magic-fifteen", None)).start()
    for array in (*state.views, state.mask):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
