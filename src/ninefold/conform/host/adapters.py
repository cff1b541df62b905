"""Adapters: one interface to any environment, Gymnasium or PettingZoo."""

from __future__ import annotations

import inspect
from typing import Any

from .plain import MAX_ACTION, Unusable, actions, digest, label, last_line, reward, show

# Where environments list their legal actions, in the order in which they are tried.
LISTS = tuple(
    f"{prefix}{kind}_{word}"
    for kind in ("valid", "legal", "available", "possible")
    for word in ("moves", "actions")
    for prefix in ("", "get_")
)
MASKS = ("action_mask action_masks get_action_mask valid_action_mask legal_actions_mask").split()
TURNS = (
    "agent_selection current_player to_play player_to_move current_agent active_player "
    "current_player_num current_player_index"
).split()
PLACES = ("env", "info", "observation")


class Adapter:
    """An environment in the middle of a game; ``hints`` may name where its answers are."""

    def __init__(self, env: Any, hints: dict[str, Any]) -> None:
        self.env = env
        self.hints = hints
        self.observation: Any = None
        self.info: Any = {}
        self.over = False
        self.sources: tuple[tuple[str, str], ...] = ()
        self.turn: tuple[str, str] | None = None
        self.count, self.start = _discrete(self.space())
        self._seeded = _takes_seed(env.reset)

    def space(self) -> Any:
        """The action space; None if there is none."""
        return getattr(self.env, "action_space", None)

    def reset(self, seed: int) -> None:
        """Begin a new game."""
        answer = self.env.reset(seed=seed) if self._seeded else self.env.reset()
        self.over = False
        self.take_observation(answer)

    def take_observation(self, answer: Any) -> None:
        """Keep the result of reset(): an observation, alone or with an info."""
        pair = isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], dict)
        self.observation, self.info = answer if pair else (answer, {})

    def step(self, action: int) -> dict[str, Any]:
        """The result of this action; exceptions pass through."""
        answer = self.env.step(action)
        if not isinstance(answer, (tuple, list)) or len(answer) not in (4, 5):
            raise Unusable(f"step() returns {show(answer)}, not 4 or 5 values")
        self.observation, given, *ends, self.info = answer
        return self.result(given, *map(_truth, ends))

    def result(self, given: Any, terminated: bool, truncated: bool = False) -> dict[str, Any]:
        """The result of a step, which may have ended the game."""
        self.over = terminated or truncated
        ended = "terminated" if terminated else "truncated" if truncated else ""
        return {"reward": reward(given), "ended": ended}

    def find_sources(self) -> None:
        """Find out where it says what is legal and whose turn it is."""
        legal, turns = self._places("legal", [*LISTS, *MASKS]), self._places("turn", TURNS)
        self.sources = tuple(each for each in legal if isinstance(self._legal(*each), list))
        self.turn = next((each for each in turns if self._turn(*each) is not None), None)

    def _places(self, hint: str, names: list[str]) -> list[tuple[str, str]]:
        """Where to look for these names, or for the one the user gave, which may be none."""
        wanted = self.hints.get(hint)
        places = () if wanted == "none" else PLACES
        return [(place, name) for name in ([wanted] if wanted else names) for place in places]

    def opponent(self) -> str:
        """The name of a parameter or attribute that sounds like an opponent; empty if none does."""
        inner = getattr(self.env, "unwrapped", self.env)
        try:
            names = [*inspect.signature(type(inner)).parameters, *vars(inner)]
        except (TypeError, ValueError):
            return ""
        return next((name for name in names if "opponent" in name.lower()), "")

    def state(self) -> dict[str, Any]:
        """What it says about the position: legal actions by source, whose turn, the observation."""
        seen = {"digest": digest(self.observation)}
        if self.over:
            return seen
        legal = [self._legal(*source) for source in self.sources]
        return {**seen, "legal": legal, "turn": self._turn(*self.turn) if self.turn else None}

    def _legal(self, place: str, name: str) -> Any:
        try:
            value = self._look(place, name)
        except Exception as error:
            return last_line(error)
        mask = "mask" in name
        return "nothing" if value is None else actions(value, self.count, self.start, mask)

    def _turn(self, place: str, name: str) -> Any:
        try:
            return label(self._look(place, name))
        except Exception:
            return None

    def _look(self, place: str, name: str) -> Any:
        """The value found there, or None; a function is called."""
        if place != "env":
            values = self.info if place == "info" else self.observation
            return values.get(name) if isinstance(values, dict) else None
        for env in (self.env, getattr(self.env, "unwrapped", None)):
            value = getattr(env, name, None)
            if value is not None:
                return value() if callable(value) else value
        return None


class AgentsAdapter(Adapter):
    """A turn-based environment for several agents, as in PettingZoo."""

    def space(self) -> Any:
        """The action space of the first agent."""
        agent = self.env.possible_agents[0]
        space = getattr(self.env, "action_space", None)
        return space(agent) if callable(space) else self.env.action_spaces[agent]

    def step(self, action: int) -> dict[str, Any]:
        """The rewards of both agents, and whether the game is over for all."""
        env = self.env
        env.step(action)
        given = [env.rewards.get(agent, 0) for agent in env.possible_agents]
        truncated = bool(env.truncations) and all(env.truncations.values())
        terminated = not env.agents or all(env.terminations.values())
        result = self.result(given, terminated, truncated)
        self.take_observation()
        return result

    def take_observation(self, _: Any = None) -> None:
        """Look at what the agent to move sees; reset() itself returns nothing."""
        agent = self.env.agent_selection
        self.info = self.env.infos.get(agent, {})
        self.observation = self.env.observe(agent)


def adapt(env: Any, hints: dict[str, Any]) -> Adapter:
    """The adapter for this environment; raises Unusable if it has no known interface."""
    if not callable(getattr(env, "step", None)) or not callable(getattr(env, "reset", None)):
        raise Unusable(f"{show(env)} has no step() and reset(), so it is not an environment")
    several = hasattr(env, "agent_selection") or callable(getattr(env, "agent_iter", None))
    if hasattr(env, "possible_agents") and not several:
        reason = "its agents act at the same time"
        raise Unusable(f"{reason}; only turn-based environments can be compared")
    if several and len(env.possible_agents) != 2:
        raise Unusable(f"it has {len(env.possible_agents)} agents, not 2")
    return (AgentsAdapter if several else Adapter)(env, hints)


def _discrete(space: Any) -> tuple[int | None, int]:
    """The number of actions and the first of them; raises Unusable if not discrete."""
    if space is None:
        return None, 0
    count = getattr(space, "n", None)
    if count is None or type(space).__name__ == "MultiBinary":
        raise Unusable(f"its actions are {show(space)}; only discrete actions are supported")
    count, start = int(count), int(getattr(space, "start", 0))
    if not 0 < count <= MAX_ACTION or abs(start) > MAX_ACTION:
        raise Unusable(f"its actions are {show(space)}; 1 to {MAX_ACTION} are supported")
    return count, start


def _takes_seed(reset: Any) -> bool:
    try:
        parameters = inspect.signature(reset).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(each.name == "seed" or each.kind is each.VAR_KEYWORD for each in parameters)


def _truth(value: Any) -> bool:
    try:
        return bool(value)
    except Exception:
        raise Unusable(f"step() says {show(value)} instead of True or False") from None
