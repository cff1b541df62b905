"""Environments can be copied and written down in the midst of a game, as searches do."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import ninefold
from ninefold.envs.gym.single import NinefoldEnv
from ninefold.envs.zoo import raw_env

COPIES: dict[str, Callable[[Any], Any]] = {
    "copied": copy.deepcopy,
    "written": lambda value: pickle.loads(pickle.dumps(value)),
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("kind", [NinefoldEnv, raw_env])
def test_a_copy_goes_on_by_itself(kind: Callable[..., Any], way: str) -> None:
    """Both come to the end they play for; neither sees what the other does."""
    settings = {"opponent": "self"} if kind is NinefoldEnv else {}
    env = kind("magic-fifteen", **settings)
    for actions in ((8, 7, 6, 5, 4, 3), (4, 0, 7, 2)):  # the first of them only fill what is kept
        env.reset(seed=1)
        for action in actions:
            env.step(action)
    other = COPIES[way](env)
    env.step(1)  # 5, 8 and 2: a total of 15
    assert env.position.outcome == (1, "sum", ((2, 5, 8),))
    assert (other.moves, other.position.outcome) == ([5, 1, 8, 3], None)
    for action in (5, 1):
        other.step(action)
    assert other.moves == [5, 1, 8, 3, 6, 2]
    assert env.moves == [5, 1, 8, 3, 2]


@pytest.mark.parametrize("way", COPIES)
def test_a_state_with_many_behind_it_is_copied(way: str) -> None:
    """However far it was played from there."""
    start = ninefold.load("magic-fifteen").state()
    todo = [start]
    for state in todo:
        todo += [state.play(move) for move in state.legal] if len(todo) < 3000 else []
    again = COPIES[way](start)
    assert again.play(5).play(1).legal == (2, 3, 4, 6, 7, 8, 9)
