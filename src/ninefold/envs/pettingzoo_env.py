"""PettingZoo environments, two agents that take turns (AEC): importing this registers them."""

from ninefold.require import require_package

require_package("pettingzoo", "pettingzoo")

import os
from collections.abc import Iterable
from operator import index
from typing import Any

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv, aec_registry
from pettingzoo import register as register_one
from pettingzoo.utils import wrappers

from ninefold.core.errors import Illegal
from ninefold.encoding import Array
from ninefold.envs.episode import Episode
from ninefold.envs.settings import IllegalPolicy, game_from, registered_arguments
from ninefold.layout import VERSION

AGENTS = ("player_1", "player_2")
SEAT_OF = {agent: seat for seat, agent in enumerate(AGENTS, 1)}


def env(*values: Any, **settings: Any) -> Any:
    """The environment, wrapped in PettingZoo's own checks of its use."""
    checked = wrappers.AssertOutOfBoundsWrapper(raw_env(*values, **settings))
    return wrappers.OrderEnforcingWrapper(checked)


class raw_env(Episode, AECEnv):  # type: ignore[misc] # noqa: N801 - PettingZoo's name for it
    """A game of a rule book, in the encoding of ``ninefold.encoding``."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - required by the interface
        "render_modes": ["human", "ansi", "rgb_array"],
        "name": f"ninefold_v{VERSION}",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        book: str | os.PathLike[str] | None = None,
        reading: str | None = None,
        changes: Iterable[str] = (),
        illegal: IllegalPolicy = "lose",
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        AECEnv.__init__(self)
        game = game_from(book, reading, changes)
        Episode.__init__(self, game, illegal, max_plies, render_mode)
        # Whether an action can lead to more than the next turn or the end.
        self._needs_care = self.max_plies is not None or illegal == "lose-turn"
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._space() for agent in AGENTS}
        count = len(self.encoding.actions)
        self.action_spaces = {agent: spaces.Discrete(count) for agent in AGENTS}
        planes, size = self.encoding.shape
        self.state_space = spaces.Box(0, self.encoding.high, (planes + 1, size), numpy.int8)

    def _space(self) -> spaces.Dict:
        planes = spaces.Box(0, self.encoding.high, self.encoding.shape, numpy.int8)
        mask = spaces.Box(0, 1, (len(self.encoding.actions),), numpy.int8)
        return spaces.Dict({"observation": planes, "action_mask": mask})

    def observation_space(self, agent: str) -> Any:
        """The observations and masks of this agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The actions of this agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - nothing here is random
        """Start a game; a seed changes nothing, because nothing here is random."""
        self._begin_episode()
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}

    def observe(self, agent: str) -> dict[str, Any]:
        """The planes as this agent sees them, and its mask: all 0 unless it is to act."""
        state, seat = self._state, SEAT_OF[agent]
        # A limit or an illegal action can end the game, too.
        over = self.terminations[agent] or self.truncations[agent]
        mask = state.mask if state.turn == seat and not over else self._no_actions
        return {"observation": state.views[seat - 1].copy(), "action_mask": mask.copy()}

    def state(self) -> Array:
        """The planes as player_1 sees them, and one more that is 1 while player_1 is to act."""
        acts = numpy.full((1, self.encoding.shape[1]), self._state.turn == 1, numpy.int8)
        return numpy.concatenate([self._state.views[0], acts])

    def step(self, action: Any) -> None:
        """Play an action of the selected agent; raises Illegal if illegal actions should."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        fault = self._try(index(action))
        state = self._state
        if self._needs_care or fault or state.over:
            self._settle(agent, fault)
        else:
            # There are no rewards before the end and nothing was illegal, so the rest is unchanged.
            self.agent_selection = AGENTS[state.turn - 1]

    def _settle(self, agent: str, fault: Illegal | None) -> None:
        """Handle an end, an illegal action or a limit: rewards, and who is next."""
        one, two = AGENTS
        state, loses = self._state, fault is not None and self.illegal == "lose"
        self.infos = {one: {}, two: {}}
        if fault:
            self.infos[agent] = {"illegal_action": fault.message}
        if loses or state.over:
            first, second = state.rewards
            if loses:
                first, second = (-1.0, 1.0) if agent == one else (1.0, -1.0)
            self.rewards = {one: first, two: second}
            self._cumulative_rewards = {one: first, two: second}
            self.terminations = {one: True, two: True}
            self.agent_selection = two if agent == one else one
        else:
            self.agent_selection = AGENTS[state.turn - 1]
            self.truncations = dict.fromkeys(AGENTS, self._is_cut_off())

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def register() -> None:
    """Register every environment with PettingZoo that is not registered yet."""
    for name, settings in registered_arguments().items():
        if name not in aec_registry:
            register_one("aec", name, "ninefold.envs.pettingzoo_env:env", kwargs=dict(settings))


register()
