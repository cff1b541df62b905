"""The games as PettingZoo environments: two agents that take turns (AEC).

Importing this module registers them, for ``pettingzoo.make("aec", "ninefold/SequenceCapture-v0")``.
"""

from collections.abc import Iterable
from typing import Any

from ninefold import books
from ninefold.core.errors import Illegal
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.envs import picture
from ninefold.envs.encoding import VERSION, encoding_for
from ninefold.envs.extras import require
from ninefold.envs.names import arguments
from ninefold.envs.seats import ILLEGAL_POLICIES, IllegalPolicy, limit_from, require_one_of

require("pettingzoo", "pettingzoo")

import numpy  # noqa: E402 - only after a helpful line where it is missing
from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv, aec_registry  # noqa: E402
from pettingzoo import register as register_one  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

AGENTS = ("player_1", "player_2")
RENDER_MODES = ("human", "ansi", "rgb_array")


def env(*values: Any, **settings: Any) -> Any:
    """The environment with PettingZoo's own checks of how it is used."""
    checked = wrappers.AssertOutOfBoundsWrapper(raw_env(*values, **settings))
    return wrappers.OrderEnforcingWrapper(checked)


class raw_env(AECEnv):  # type: ignore[misc] # noqa: N801 - the name PettingZoo gives it
    """A game of a rule book, in the encoding of ``ninefold.envs.encoding``."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - the interface prescribes it
        "render_modes": list(RENDER_MODES),
        "name": f"ninefold_v{VERSION}",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        book: str = "sequence-capture",
        reading: str | None = None,
        changes: Iterable[str] = (),
        illegal: IllegalPolicy = "lose",
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        require_one_of("illegal", illegal, ILLEGAL_POLICIES)
        require_one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.game = books.load(book, reading, tuple(changes)).game
        self.encoding = encoding_for(self.game)
        self.illegal, self.render_mode = illegal, render_mode
        self.max_plies = limit_from(max_plies, self.encoding, illegal)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.position: Position = self.game.start()
        self.moves: list[Move] = []
        self.observation_spaces = {agent: self._space() for agent in AGENTS}
        count = len(self.encoding.actions)
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
        self.position, self.moves = self.game.start(), []
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}

    def observe(self, agent: str) -> dict[str, Any]:
        """The planes as this agent sees them, and what it may do: nothing unless it is to act."""
        viewer = 1 if agent == AGENTS[0] else 2
        # A game can also end by a limit, or by an illegal action.
        over = self.terminations[agent] or self.truncations[agent]
        mask = self.encoding.mask(self.position, 0 if over else viewer)
        return {"observation": self.encoding.observe(self.position, viewer), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play an action of the agent selected; raises Illegal where that is the policy."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self.infos = {AGENTS[0]: {}, AGENTS[1]: {}}
        try:
            self._play(self.encoding.move(self.position, int(action)))
        except Illegal as refusal:
            self._fault(agent, refusal)
        self._end()
        if self.position.outcome is None and not self.terminations[agent]:
            self.agent_selection = AGENTS[self.position.turn - 1]
        else:
            self.agent_selection = AGENTS[agent == AGENTS[0]]
        self._accumulate_rewards()

    def _play(self, move: Move) -> None:
        self.position = self.position.play(move)
        self.moves.append(move)

    def _fault(self, agent: str, refusal: Illegal) -> None:
        """Let an illegal action raise, lose the game, or lose the turn; and tell it."""
        if self.illegal == "raise":
            raise refusal
        self.infos[agent] = {"illegal_action": refusal.message}
        if self.illegal == "lose":
            self.rewards = {other: -1.0 if other == agent else 1.0 for other in AGENTS}
            self.terminations = dict.fromkeys(AGENTS, True)
        else:
            self._play(self.encoding.lost_move(self.position))

    def _end(self) -> None:
        position = self.position
        if position.outcome is not None:
            for seat, agent in enumerate(AGENTS, 1):
                self.rewards[agent] = self.encoding.reward(position, seat)
            self.terminations = dict.fromkeys(AGENTS, True)
        elif self.max_plies is not None and not self.terminations[AGENTS[0]]:
            self.truncations = dict.fromkeys(AGENTS, len(self.moves) >= self.max_plies)

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
