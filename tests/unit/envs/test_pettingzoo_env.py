"""The PettingZoo environments."""

import warnings
from importlib import import_module
from random import Random
from typing import Any

import numpy
import pytest

from ninefold import books
from ninefold.core.errors import Illegal
from ninefold.envs.settings import registered_arguments

pytest.importorskip("pettingzoo")

import pettingzoo
from pettingzoo.test import api_test, render_test, seed_test

from ninefold.envs import pettingzoo_env

STATE_TEST = import_module("pettingzoo.test.state_test")
READINGS = [(name, reading) for name in books.names() for reading in books.load_book(name).readings]


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_pettingzoo_finds_nothing_to_complain_about(name: str, reading: str) -> None:
    """Its own tests for games of turns pass, checked and raw."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # PettingZoo makes these remarks on every observation with a mask that is not its own.
        for remark in ("Observation space for each agent", "Observation is not a NumPy array"):
            warnings.filterwarnings("ignore", remark)
        api_test(pettingzoo_env.env(name, reading), num_cycles=300)
        api_test(pettingzoo_env.raw_env(name, reading), num_cycles=300)
        seed_test(lambda: pettingzoo_env.env(name, reading), num_cycles=200)
        make = pettingzoo_env.env
        render_test(lambda render_mode=None: make(name, reading, render_mode=render_mode))


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_the_state_is_a_global_view(name: str, reading: str) -> None:
    """PettingZoo's own test passes; it does not depend on who looks, and it is a copy."""
    env = pettingzoo_env.env(name, reading)
    STATE_TEST.test_state_space(env)
    STATE_TEST.test_state(env, 20)
    env.reset()
    first = env.state()
    assert first[-1].tolist() == [1] * len(env.unwrapped.game.pool)
    env.step(0)
    second = env.state()
    own = env.observe("player_1")["observation"]
    assert numpy.array_equal(second[:-1], own)
    assert second[-1].any() == (env.agent_selection == "player_1")
    second[:] = 0
    assert env.state().any()


def test_pettingzoo_makes_every_one_of_them() -> None:
    """By the ids of the Gymnasium environments."""
    for name, arguments in registered_arguments().items():
        book = arguments.get("book") or "sequence-capture"
        env = pettingzoo.make("aec", name, book=book)
        assert env.unwrapped.game is books.load_book(book, arguments.get("reading")).game


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_the_judge_says_the_same_of_every_game(name: str, reading: str) -> None:
    """The recorded moves, judged again, bring each player what the environment paid."""
    env, chance = pettingzoo_env.env(name, reading), Random(1)
    for _ in range(60):
        env.reset()
        paid = dict.fromkeys(pettingzoo_env.AGENTS, 0.0)
        for agent in env.agent_iter():
            observation, reward, over, cut, _ = env.last()
            paid[agent] += reward
            free = observation["action_mask"].nonzero()[0].tolist()
            assert bool(free) != (over or cut)
            env.step(chance.choice(free) if free else None)
        raw = env.unwrapped
        position = raw.game.start()
        for move in raw.moves:
            position = position.play(move)
        winner = position.outcome and position.outcome.winner
        expected = {1: [1, -1], 2: [-1, 1], None: [0, 0]}[winner]
        assert list(paid.values()) == expected


def test_illegal_actions_are_never_silent() -> None:
    """They raise, lose the game or lose the turn, and the info tells it."""
    env: Any = pettingzoo_env.raw_env("magic-fifteen", illegal="raise")
    env.reset()
    env.step(4)
    with pytest.raises(Illegal, match="5 is already taken"):
        env.step(4)
    env = pettingzoo_env.raw_env("magic-fifteen")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.rewards == {"player_1": 1, "player_2": -1} and all(env.terminations.values())
    assert "taken" in env.infos["player_2"]["illegal_action"]
    env = pettingzoo_env.raw_env("magic-fifteen", illegal="lose-turn")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.agent_selection == "player_1" and not any(env.terminations.values())


def test_an_illegal_action_is_told_once() -> None:
    """The info of the next step says nothing of it, with a limit or without."""
    for limit in (None, 0):
        env: Any = pettingzoo_env.raw_env("magic-fifteen", illegal="lose-turn", max_plies=limit)
        env.reset()
        env.step(4)
        env.step(4)
        assert "illegal_action" in env.infos["player_2"]
        env.step(1)
        assert env.infos == {"player_1": {}, "player_2": {}}


def test_what_was_observed_is_the_users_own() -> None:
    """It may be kept and written on: no other observation changes."""
    env: Any = pettingzoo_env.raw_env("magic-fifteen")
    env.reset()
    env.step(4)
    kept = env.last()[0]
    for array in kept.values():
        array[:] = 7
    env.step(0)
    env.reset()
    env.step(4)
    seen = env.last()[0]
    assert seen["action_mask"].tolist() == [1, 1, 1, 1, 0, 1, 1, 1, 1]
    assert seen["observation"].sum() == 9
    assert kept["observation"].min() == 7


def test_the_position_has_its_hands_in_the_order_picked() -> None:
    """Also where another game came to the same state first."""
    env: Any = pettingzoo_env.raw_env("magic-fifteen")
    for actions, hands in (([4, 0, 1], ((5, 2), (1,))), ([1, 0, 4], ((2, 5), (1,)))):
        env.reset()
        for action in actions:
            env.step(action)
        assert env.position.hands == hands


def test_an_illegal_action_that_raises_changes_nothing() -> None:
    """Neither whose turn it is nor what was told before."""
    env: Any = pettingzoo_env.raw_env("magic-fifteen", illegal="raise")
    env.reset()
    env.step(4)
    before = (env.agent_selection, env.moves[:], env.rewards, env.infos)
    with pytest.raises(Illegal):
        env.step(4)
    assert (env.agent_selection, env.moves, env.rewards, env.infos) == before
