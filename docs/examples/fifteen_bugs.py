"""The environment of fifteen.py with three bugs in it."""

from typing import Any

import gymnasium
import numpy as np

LINES = [{1, 5, 9}, {1, 6, 8}, {2, 4, 9}, {2, 5, 8}, {2, 6, 7}, {3, 4, 8}, {4, 5, 6}]


class Fifteen(gymnasium.Env[np.ndarray, int]):
    """Action 0 claims the number 1, action 8 the number 9; the reward is that of the mover."""

    action_space = gymnasium.spaces.Discrete(9)
    observation_space = gymnasium.spaces.Box(-1, 1, (9,), np.int8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """An empty table; player 1 begins."""
        super().reset(seed=seed)
        self.board = np.zeros(9, np.int8)
        self.current_player = 1
        return self.board * self.current_player, {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Claim a number."""
        reward, over = -1.0, False
        if self.board[action] == 0:
            self.board[action] = self.current_player
            reward, over = self.judge()
        self.current_player = -self.current_player
        return self.board * self.current_player, reward, over, False, {}

    def valid_moves(self) -> list[int]:
        """The actions that are still to be had."""
        return list(np.flatnonzero(self.board == 0).tolist())

    def judge(self) -> tuple[float, bool]:
        """The reward of the mover, and whether the game is over."""
        if self.board.all():
            return 0.0, True
        numbers = {*(np.flatnonzero(self.board == self.current_player) + 1).tolist()}
        won = any(line <= numbers for line in LINES)
        return float(won), won
