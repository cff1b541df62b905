"""Three numbers with a total of 15, as a Gymnasium environment for two players who share it."""

from itertools import combinations
from typing import Any

import gymnasium
import numpy as np


class Fifteen(gymnasium.Env[np.ndarray, int]):
    """Action 0 claims the number 1, action 8 the number 9; the reward is that of the mover."""

    action_space = gymnasium.spaces.Discrete(9)
    observation_space = gymnasium.spaces.Box(-1, 1, (9,), np.int8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """An empty table; player 1 begins."""
        super().reset(seed=seed)
        self.board = np.zeros(9, np.int8)  # 1: player 1, -1: player 2
        self.current_player = 1
        return self.board * self.current_player, {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Claim a number; an illegal action loses the game."""
        if self.board[action] != 0:
            return self.board * self.current_player, -1.0, True, False, {}
        self.board[action] = self.current_player
        won = self.has_won(self.current_player)
        over = won or bool(self.board.all())
        self.current_player = -self.current_player
        return self.board * self.current_player, float(won), over, False, {}

    def valid_moves(self) -> list[int]:
        """The actions that are still to be had."""
        return list(np.flatnonzero(self.board == 0).tolist())

    def has_won(self, player: int) -> bool:
        """Whether three numbers of this player have a total of 15."""
        numbers = (np.flatnonzero(self.board == player) + 1).tolist()
        return any(sum(three) == 15 for three in combinations(numbers, 3))
