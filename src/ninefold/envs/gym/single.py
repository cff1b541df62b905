"""One game at a time, as a Gymnasium environment: one agent against a player, or in self-play."""

import os
from collections.abc import Iterable
from operator import index
from typing import Any

import gymnasium
import numpy
from gymnasium import spaces

from ninefold import players
from ninefold.core.errors import Illegal
from ninefold.core.moves import format_move, parse_moves
from ninefold.encoding import Array
from ninefold.envs.episode import Episode
from ninefold.envs.settings import SEATS, IllegalPolicy, Seat, game_from, opponent_from
from ninefold.players import Chance, NoMove, Player, Who
from ninefold.require import WrongSetting, require_one_of

_OPTIONS = ("seat", "moves")


class NinefoldEnv(Episode, gymnasium.Env[Array, numpy.int64]):
    """A game of a rule book, in the encoding of ``ninefold.encoding``.

    ``opponent`` is any player, by its name or as an object, or ``self``: then each step is for the
    player to act.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - required by the interface
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 2,
    }

    def __init__(
        self,
        book: str | os.PathLike[str] | None = None,
        reading: str | None = None,
        changes: Iterable[str] = (),
        opponent: Who = "random",
        seat: Seat = 1,
        illegal: IllegalPolicy = "lose",
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        require_one_of("seat", seat, SEATS)
        game = game_from(book, reading, changes)
        super().__init__(game, illegal, max_plies, render_mode)
        self.seat = seat
        self.observation_space = spaces.Box(0, self.encoding.high, self.encoding.shape, numpy.int8)
        self.action_space = spaces.Discrete(len(self.encoding.actions))
        self._opponent = opponent_from(opponent, game)
        named = opponent if isinstance(opponent, str) else ""
        self._limitation = players.limitation(named, game)
        self._chance = Chance(0)
        self._episode = 0
        self._agent = self._seen_by = 1
        self._ended = True
        self._forfeit = ""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start a game, by the options ``seat`` and ``moves``; a seed decides all that follows."""
        self._ended = True  # if an argument is refused, there is no half-made game
        super().reset(seed=seed)
        options = dict(options or {})
        for name in options:
            require_one_of("an option", name, _OPTIONS)
        self._episode = 1 if seed is not None else self._episode + 1
        seat = options.get("seat", self.seat)
        require_one_of("seat", seat, SEATS)
        self._agent = 2 - self._episode % 2 if seat == "alternate" else seat
        self._begin(options.get("moves", ""))
        if self._opponent is not None:
            self._chance = Chance(int(self.np_random.integers(1 << 62)))
            self._opponent.begin(self.game, None)
            self._reply(self._opponent, begins=True)
        self._ended = False
        self._seen_by = self._viewer()
        info = self._info()
        if self._limitation:
            info["limitation"] = self._limitation
        return self._observation(), info

    def step(self, action: numpy.int64 | int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Play one action; raises Illegal after the end, and if illegal actions should."""
        if self._ended:
            raise Illegal("game-over", "The game is over.", "Call reset().")
        viewer = self._seen_by = self._viewer()
        fault = self._try(index(action)) if self._is_open() else None
        lost = fault is not None and self.illegal == "lose"
        if self._opponent is not None and not lost:
            self._reply(self._opponent)
        terminated = lost or not self._is_open()
        truncated = not terminated and self._is_cut_off()
        reward = -1.0 if lost else 1.0 if self._forfeit else self._state.rewards[viewer - 1]
        self._ended = terminated or truncated
        if not self._ended:
            self._seen_by = self._viewer()
        info = self._info(lost)
        if fault is not None:
            info["illegal_action"] = fault.message
        return self._observation(), reward, terminated, truncated, info

    def action_masks(self) -> numpy.ndarray[Any, numpy.dtype[numpy.bool_]]:
        """Which actions are legal now, as masked PPO expects it."""
        return self._mask().astype(bool)

    def close(self) -> None:
        """End the opponent's process, if it has one."""
        if self._opponent is not None:
            self._opponent.close()

    def _begin(self, moves: str) -> None:
        """Set up the position after these moves, in the usual notation."""
        self._forfeit = ""
        self._begin_episode()
        if not isinstance(moves, str):
            raise WrongSetting("setting", f"moves must be text such as '5 3', not {moves!r}.")
        for move in parse_moves(moves):
            self._play(move)
        if self._state.over:
            raise WrongSetting("setting", "The game is over after these moves.")

    def _reply(self, opponent: Player, begins: bool = False) -> None:
        """Let the opponent move until it is the agent's turn, the end, or the limit."""
        while self._state.turn != self._agent:
            if not self._is_open() or (self._is_cut_off() and not begins):
                return
            try:
                opponent.follow(1, self.moves)
                self._play(opponent.choose(self.position, len(self.moves), self._chance))
            except (NoMove, Illegal) as failure:
                self._forfeit = failure.message

    def _is_open(self) -> bool:
        return not self._state.over and not self._forfeit

    def _viewer(self) -> int:
        """Who sees the observation and gets the reward: the agent, or in self-play the actor."""
        return self._state.turn if self._opponent is None else self._agent

    def _observation(self) -> Array:
        return self._state.views[self._seen_by - 1].copy()

    def _mask(self) -> Array:
        state = self._state
        shown = not (state.over or self._ended or self._forfeit) and state.turn == self._viewer()
        return (state.mask if shown else self._no_actions).copy()

    def _info(self, lost: bool = False) -> dict[str, Any]:
        """The mask, who sees the observation, and at the end the moves and the result."""
        info: dict[str, Any] = {"action_mask": self._mask(), "seat": self._seen_by}
        if self._ended:
            info["moves"] = " ".join(map(format_move, self.moves))
            info |= self._result(lost)
        return info

    def _result(self, lost: bool) -> dict[str, Any]:
        """Who has won and why; empty if the game was cut off."""
        if self._forfeit:
            return {"winner": self._agent, "reason": "forfeit", "forfeit": self._forfeit}
        if lost:
            return {"winner": 3 - self._seen_by, "reason": "illegal-action"}
        state = self._state
        return {"winner": state.winner or 0, "reason": state.reason} if state.over else {}
