"""The adapter for Stable-Baselines3: over a stand-in for its base class, and over itself."""

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy
import pytest

from ninefold.core.errors import NinefoldError
from ninefold.envs.gym.single import NinefoldEnv

THERE = find_spec("stable_baselines3") is not None


class StandIn:
    """What the adapter uses of ``stable_baselines3.common.vec_env.VecEnv``."""

    def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
        self.num_envs = num_envs
        self.observation_space, self.action_space = observation_space, action_space
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]
        self._reset_seeds()
        self._reset_options()

    def _reset_seeds(self) -> None:
        self._seeds: list[int | None] = [None] * self.num_envs

    def _reset_options(self) -> None:
        self._options: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]

    def seed(self, seed: int) -> None:
        """Use these seeds at the next reset."""
        self._seeds = [seed + at for at in range(self.num_envs)]

    def step(self, actions: Any) -> Any:
        """Both halves of a step."""
        self.step_async(actions)  # type: ignore[attr-defined]
        return self.step_wait()  # type: ignore[attr-defined]

    def _get_indices(self, indices: Any) -> Any:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else indices


@pytest.fixture(params=["stand-in", "itself"])
def sb3(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The adapter, over the stand-in or over the installed package."""
    if request.param == "itself":
        if not THERE:
            pytest.skip("stable-baselines3 is not installed: it needs PyTorch")
        yield import_module("ninefold.envs.sb3")
        return
    names = ["stable_baselines3", "stable_baselines3.common", "stable_baselines3.common.vec_env"]
    for name in names:
        module = ModuleType(name)
        module.__spec__ = ModuleSpec(name, None)
        module.__dict__["VecEnv"] = StandIn
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "ninefold.envs.sb3", raising=False)
    yield import_module("ninefold.envs.sb3")
    sys.modules.pop("ninefold.envs.sb3", None)


def highest(_: Any, masks: Any) -> Any:
    """The last legal action of each."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def test_each_game_is_that_of_the_single_environment(sb3: Any) -> None:
    """Observations, rewards, ends and infos; a game that ends restarts in the same step."""
    env = sb3.NinefoldVecEnv(4, "magic-fifteen", opponent=highest, seat=2)
    singles = [NinefoldEnv("magic-fifteen", opponent=highest, seat=2) for _ in range(4)]
    env.seed(1)
    views = env.reset()
    assert env.reset_infos == [{"seat": 2}] * 4
    assert views.dtype == numpy.int8 and views[0] in env.observation_space
    for one in singles:
        one.reset(seed=1)
    chance, ends = numpy.random.default_rng(1), 0
    for _ in range(30):
        masks = numpy.stack(env.env_method("action_masks"))
        actions = (chance.random(masks.shape) * masks).argmax(axis=1)
        actions[0] = 8  # sooner or later, that is illegal
        views, rewards, dones, infos = env.step(actions)
        assert rewards.dtype == numpy.float32
        for game, one in enumerate(singles):
            view, reward, terminated, truncated, info = one.step(actions[game])
            assert (rewards[game], dones[game]) == (reward, terminated or truncated)
            assert infos[game].get("illegal_action") == info.get("illegal_action")
            if terminated:
                ends += 1
                assert infos[game]["TimeLimit.truncated"] is False
                assert numpy.array_equal(infos[game]["terminal_observation"], view)
                told = [infos[game][name] for name in ("seat", "winner", "reason")]
                assert told == [info[name] for name in ("seat", "winner", "reason")]
                view, _ = one.reset()
            assert numpy.array_equal(views[game], view)
    assert ends > 10
    env.close()


def test_masked_ppo_finds_the_masks(sb3: Any) -> None:
    """As sb3-contrib asks for them."""
    env = sb3.NinefoldVecEnv(3, "magic-fifteen")
    env.reset()
    assert len(env.get_attr("action_masks")) == 3
    masks = env.env_method("action_masks", indices=[0, 2])
    assert [mask.tolist() for mask in masks] == [[True] * 9] * 2
    assert env.env_is_wrapped(object) == [False] * 3
    with pytest.raises(AttributeError):
        env.get_attr("nothing")
    with pytest.raises(AttributeError):
        env.env_method("nothing")
    with pytest.raises(AttributeError):
        env.set_attr("illegal", "raise")


def test_a_limit_is_a_truncation(sb3: Any) -> None:
    """So that the value of what comes after is not taken for nothing."""
    env = sb3.NinefoldVecEnv(2, "magic-fifteen", opponent=highest, max_plies=2)
    env.seed(1)
    env.reset()
    _, _, dones, infos = env.step(numpy.array([0, 1]))
    assert dones.tolist() == [True, True]
    assert [info["TimeLimit.truncated"] for info in infos] == [True, True]
    assert "winner" not in infos[0]


def test_self_play_is_refused(sb3: Any) -> None:
    """Its agent would play for both sides without knowing."""
    with pytest.raises(NinefoldError, match="needs an opponent"):
        sb3.NinefoldVecEnv(2, "magic-fifteen", opponent="self")


@pytest.mark.slow
@pytest.mark.skipif(not THERE, reason="stable-baselines3 is not installed: it needs PyTorch")
def test_stable_baselines3_learns_on_it() -> None:
    """PPO takes its steps, and a model plays on."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import VecMonitor

    from ninefold.envs.sb3 import NinefoldVecEnv

    env = VecMonitor(NinefoldVecEnv(8, "sequence-duel-sum", opponent="random"))
    model = PPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(256)
    actions, _ = model.predict(env.reset(), deterministic=True)
    assert actions.shape == (8,)
    assert model.ep_info_buffer is not None and len(model.ep_info_buffer) > 0
