"""What masked PPO asks for: ``action_masks()``, through whatever is wrapped around."""

import gymnasium
import numpy

import ninefold.envs.gym  # noqa: F401 - registers the environments
from ninefold.envs.gym.vector import NinefoldVectorEnv


def test_the_masks_are_found_behind_the_wrappers() -> None:
    """As booleans, the same as in the info, before and after each move."""
    env = gymnasium.make("ninefold/MagicFifteen-v0", opponent="perfect", seat=2)
    _, info = env.reset(seed=1)
    ended = False
    while not ended:
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.dtype == bool and masks.shape == (9,)
        assert numpy.array_equal(masks, info["action_mask"] == 1)
        _, _, ended, _, info = env.step(int(masks.argmax()))
    assert not env.get_wrapper_attr("action_masks")().any()


def test_the_masks_of_many_games_are_found_too() -> None:
    """One row a game."""
    games = NinefoldVectorEnv(5, "magic-fifteen", opponent="random", seat="alternate")
    _, info = games.reset(seed=1)
    for _ in range(12):
        masks = games.action_masks()
        assert masks.dtype == bool and masks.shape == (5, 9)
        assert numpy.array_equal(masks, info["action_mask"] == 1)
        _, _, _, _, info = games.step(masks.argmax(axis=1))


def test_who_acts_is_told_of_every_game() -> None:
    """In self-play the players take turns, also where each has two picks; else it is the agent."""
    changes = ["pool=1-7", "picks-per-turn=2"]
    games = NinefoldVectorEnv(3, "magic-fifteen", changes=changes, opponent="self")
    games.reset(seed=1)
    told = []
    for action in range(5):
        told.append(games.seats().tolist())
        games.step(numpy.full(3, action))
    assert told == [[1] * 3, [1] * 3, [2] * 3, [2] * 3, [1] * 3]
    games = NinefoldVectorEnv(3, "magic-fifteen", seat="alternate")
    games.reset(seed=1)
    assert games.seats().tolist() == [1, 2, 1]
