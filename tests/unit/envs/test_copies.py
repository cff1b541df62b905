"""Environments, states and games can be copied and sent to other processes, wherever they stand."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy
import pytest

import ninefold
from ninefold.envs import gym as registered
from ninefold.envs import pettingzoo_env

COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
}
ID = "ninefold/SequenceDuelSum-LoseTurn-v0"
registered.register()


def played(env: Any, seed: int | None = None) -> list[Any]:
    """A game with the first legal actions to its end, and the beginning of the next one."""
    seen = []
    if seed is not None:
        env.reset(seed=seed)
    while True:
        action = int(env.unwrapped.action_masks().argmax())
        observation, reward, terminated, truncated, info = env.step(action)
        seen.append((observation.tolist(), reward, terminated, truncated))
        if terminated or truncated:
            return [*seen, info["moves"], env.reset()[0].tolist()]


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("opponent", ["self", "random", "greedy", "level:2", "perfect"])
def test_a_copy_of_one_game_goes_on_alike_and_alone(how: str, opponent: str) -> None:
    """Also after many games, when most states of the game have been seen."""
    env: Any = gymnasium.make(ID, opponent=opponent, seat="alternate")
    for seed in range(20):
        played(env, seed)
    env.reset(seed=7)
    env.step(4)
    before = env.unwrapped.position
    other = COPIES[how](env)
    after = played(other)
    assert env.unwrapped.position == before
    assert played(env) == after


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("changes", [[], ["pool=1-20"]], ids=["table", "no table"])
def test_a_copy_of_many_games_goes_on_alike_and_alone(
    how: str, compiled: bool, changes: list[str]
) -> None:
    """Whatever plays them: compiled tables, tables, bits or the judge."""
    games: Any = gymnasium.make_vec(
        "ninefold/SequenceDuelSum-v0", 8, seat="alternate", changes=changes, compiled=compiled
    )
    games.reset(seed=3)
    games.step(games.unwrapped.sample_actions())
    other = COPIES[how](games)
    for _ in range(8):
        one, two = (each.step(each.unwrapped.sample_actions()) for each in (games, other))
        assert all(numpy.array_equal(one[at], two[at]) for at in range(4))


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_of_a_pettingzoo_game_goes_on_alone(how: str) -> None:
    """The one copied stays where it was."""
    env = pettingzoo_env.env("magic-fifteen", illegal="raise")
    env.reset()
    for action in (4, 0, 7):
        env.step(action)
    other = COPIES[how](env)
    other.step(2)
    other.step(1)
    assert other.terminations == {"player_1": True, "player_2": True}
    assert other.rewards == {"player_1": 1.0, "player_2": -1.0}
    assert env.agent_selection == "player_2"
    assert env.last()[0]["action_mask"].tolist() == [0, 1, 1, 1, 0, 1, 1, 0, 1]


def test_a_copy_of_a_state_is_the_state_itself() -> None:
    """Nothing of it can change; only what is sent away comes back as another one."""
    state = ninefold.load("magic-fifteen").state().play(5).play(1)
    assert copy.deepcopy(state) is state and copy.copy(state) is state
    again = pickle.loads(pickle.dumps(state))
    assert again.position.hands == ((5,), (1,)) and again.turn == 1
    assert again.play(8).play(3).play(2).winner == 1
