"""The games as PettingZoo environments: two agents that take turns (AEC).

Importing this module registers them, for ``pettingzoo.make("aec", "ninefold/SequenceCapture-v0")``.
"""

from ninefold.envs.extras import require

require("pettingzoo", "pettingzoo")

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
from ninefold.envs import picture
from ninefold.envs.encoding import Array
from ninefold.envs.layout import VERSION
from ninefold.envs.names import arguments
from ninefold.envs.node import Course
from ninefold.envs.seats import (
    ILLEGAL_POLICIES,
    IllegalPolicy,
    game_from,
    limit_from,
    require_one_of,
)

AGENTS = ("player_1", "player_2")
SEAT_OF = {agent: seat for seat, agent in enumerate(AGENTS, 1)}
RENDER_MODES = ("human", "ansi", "rgb_array")


def env(*values: Any, **settings: Any) -> Any:
    """The environment with PettingZoo's own checks of how it is used."""
    checked = wrappers.AssertOutOfBoundsWrapper(raw_env(*values, **settings))
    return wrappers.OrderEnforcingWrapper(checked)


class raw_env(Course, AECEnv):  # type: ignore[misc] # noqa: N801 - the name PettingZoo gives it
    """A game of a rule book, in the encoding of ``ninefold.envs.encoding``."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - the interface prescribes it
        "render_modes": list(RENDER_MODES),
        "name": f"ninefold_v{VERSION}",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        book: str | os.PathLike[str] = "sequence-capture",
        reading: str | None = None,
        changes: Iterable[str] = (),
        illegal: IllegalPolicy = "lose",
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        require_one_of("illegal", illegal, ILLEGAL_POLICIES)
        require_one_of("render_mode", render_mode, (None, *RENDER_MODES))
        AECEnv.__init__(self)
        Course.__init__(self, game_from(book, reading, changes))
        self.illegal, self.render_mode = illegal, render_mode
        self.max_plies = limit_from(max_plies, self.encoding, illegal)
        # Whether more can follow from an action than the next turn, or the end.
        self._is_careful = self.max_plies is not None or illegal == "lose-turn"
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._space() for agent in AGENTS}
        count = len(self.encoding.actions)
        self._nothing: Array = numpy.zeros(count, numpy.int8)
        self.action_spaces = {agent: spaces.Discrete(count) for agent in AGENTS}

    def _space(self) -> spaces.Dict:
        planes = spaces.Box(0, self.encoding.high, self.encoding.shape, numpy.int8)
        mask = spaces.Box(0, 1, (len(self.encoding.actions),), numpy.int8)
        return spaces.Dict({"observation": planes, "action_mask": mask})

    def observation_space(self, agent: str) -> Any:
        """What this agent can see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What this agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - there is no chance in these games
        """Begin a game; there is no chance in it that a seed could settle."""
        self._begin_course()
        one, two = AGENTS
        self.agents = [one, two]
        self.agent_selection = one
        self.rewards = {one: 0.0, two: 0.0}
        self._cumulative_rewards = {one: 0.0, two: 0.0}
        self.terminations = {one: False, two: False}
        self.truncations = {one: False, two: False}
        self.infos: dict[str, dict[str, Any]] = {one: {}, two: {}}

    def observe(self, agent: str) -> dict[str, Any]:
        """The planes as this agent sees them, and what it may do: nothing unless it is to act."""
        node, seat = self._node, SEAT_OF[agent]
        # A game can also end by a limit, or by an illegal action.
        over = self.terminations[agent] or self.truncations[agent]
        mask = node.mask if node.turn == seat and not over else self._nothing
        return {"observation": node.views[seat - 1].copy(), "action_mask": mask.copy()}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the agent selected sees now, and what it was paid since it last acted."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action: Any) -> None:
        """Play an action of the agent selected; raises Illegal where that is the policy."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            self._take(index(action))
            fault = None
        except Illegal as refusal:
            if self.illegal == "raise":
                raise
            fault = refusal
        node = self._node
        if self._is_careful or fault or node.over:
            self._settle(agent, fault)
        else:
            # Nobody is paid before the end, and nothing was illegal: all else is as it was.
            self.agent_selection = AGENTS[node.turn - 1]

    def _settle(self, agent: str, fault: Illegal | None) -> None:
        """What follows from an end, an illegal action, or a limit: rewards, and who is next."""
        self.infos = {other: {} for other in AGENTS}
        if fault:
            self.infos[agent] = {"illegal_action": fault.message}
            if self.illegal == "lose":
                self._end(agent, (-1.0, 1.0) if agent == AGENTS[0] else (1.0, -1.0))
                return
            self._play(self.encoding.lost_move(self._node.position))
        node = self._node
        if node.over:
            self._end(agent, node.rewards)
            return
        self.agent_selection = AGENTS[node.turn - 1]
        if self.max_plies is not None:
            self.truncations = dict.fromkeys(AGENTS, len(self.moves) >= self.max_plies)

    def _end(self, agent: str, paid: tuple[float, float]) -> None:
        one, two = AGENTS
        self.rewards = {one: paid[0], two: paid[1]}
        self._cumulative_rewards = {one: paid[0], two: paid[1]}
        self.terminations = {one: True, two: True}
        self.agent_selection = two if agent == one else one

    def render(self) -> Any:
        """The position as text or as a picture, by the render mode; for a human, it is printed."""
        if self.render_mode == "human":
            print(picture.text(self.position))
        if self.render_mode == "ansi":
            return picture.text(self.position)
        return picture.picture(self.position) if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Nothing is held open."""


def register() -> None:
    """Make every environment known to PettingZoo; what is known already stays."""
    for name, settings in arguments().items():
        if name not in aec_registry:
            register_one("aec", name, "ninefold.envs.zoo:env", kwargs=dict(settings))


register()
