"""Many games in step for Stable-Baselines3: its ``VecEnv`` over the native batch.

>>> from sb3_contrib import MaskablePPO
>>> from ninefold.envs.sb3 import NinefoldVecEnv
>>> model = MaskablePPO("MlpPolicy", NinefoldVecEnv(64, "magic-fifteen", opponent="perfect"))
"""

from ninefold.require import WrongSetting, require_package

require_package("stable_baselines3", "sb3")

from typing import Any

import numpy
from stable_baselines3.common.vec_env import VecEnv

from ninefold.envs.gym.vector import NinefoldVectorEnv
from ninefold.envs.settings import SELF

# What the info of a game holds besides what Stable-Baselines3 asks for.
_SHOWN = ("seat", "winner", "reason")


class NinefoldVecEnv(VecEnv):  # type: ignore[misc]
    """Many games of one agent against an opponent; the settings are those of NinefoldVectorEnv."""

    def __init__(self, num_envs: int, book: Any = None, **settings: Any) -> None:
        if settings.get("opponent") == SELF:
            reason = "Stable-Baselines3 trains one agent, so it needs an opponent."
            raise WrongSetting("setting", reason)
        self.games = NinefoldVectorEnv(num_envs, book, autoreset_mode="SameStep", **settings)
        self._actions: Any = None
        spaces = self.games.single_observation_space, self.games.single_action_space
        super().__init__(num_envs, *spaces)

    def reset(self) -> Any:
        """Start all games, from the seed if one was set since the last time."""
        views, info = self.games.reset(seed=self._seeds[0])
        self.reset_infos = [{"seat": int(seat)} for seat in info["seat"]]
        self._reset_seeds()
        self._reset_options()
        return views

    def step_async(self, actions: Any) -> None:
        """Keep the actions for the step."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """One step of all games; a game that ends restarts at once."""
        views, rewards, terminated, truncated, info = self.games.step(self._actions)
        done = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game in numpy.flatnonzero(done).tolist():
            infos[game] = _final(info, game) | {"TimeLimit.truncated": bool(truncated[game])}
        if "illegal_action" in info:
            for game in numpy.flatnonzero(info["_illegal_action"]).tolist():
                infos[game]["illegal_action"] = info["illegal_action"][game]
        return views, rewards.astype(numpy.float32), done, infos

    def action_masks(self) -> Any:
        """Which actions are legal now in each game."""
        return self.games.action_masks()

    def env_method(
        self, method_name: str, *arguments: Any, indices: Any = None, **named: Any
    ) -> list[Any]:
        """The masks of these games, one array each: all that masked PPO asks for."""
        if method_name != "action_masks" or arguments or named:
            raise AttributeError(f"the games have no method {method_name!r}")
        masks = self.action_masks()
        return [masks[game] for game in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute that all games share, once for each of these."""
        shared = getattr(self.games, attr_name)
        return [shared for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:  # noqa: ARG002 - refused
        """Refuse: all games share their settings."""
        raise AttributeError(f"{attr_name!r} cannot be set: all games share their settings")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:  # noqa: ARG002 - none is
        """No game has a wrapper of its own."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """End the opponent's process, if it has one."""
        self.games.close()


def _final(info: dict[str, Any], game: int) -> dict[str, Any]:
    """What Stable-Baselines3 wants to know about a game that ended, and its result."""
    last = info["final_info"]
    shown = [name for name in _SHOWN if f"_{name}" in last and last[f"_{name}"][game]]
    found = {name: last[name][game] for name in shown}
    return {"terminal_observation": info["final_obs"][game].copy(), **found}
