"""Every book in every reading as an environment, judged by the naive definitions alone."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from contract import naive, naive_readings

RAISE, LOSE, REFUSE = "raise", "lose", "refuse"


class Space:
    """So many actions, from 0 on."""

    def __init__(self, n: int) -> None:
        self.n = n


class Honest:
    """The pool in ascending order, then the pass, then every set that can be declared."""

    def __init__(self, game: str, reading: str, size: int = 9, illegal: str = LOSE) -> None:
        self.rules = naive_readings.READINGS[game, reading](tuple(range(1, size + 1)))
        self.illegal = illegal
        self.moves = moves_of(self.rules)
        self.action_space = Space(len(self.moves))
        self.reset()

    def reset(self) -> tuple[Any, dict[str, Any]]:
        """Two empty hands."""
        self.state = naive.start(1)
        return self.state.hands, {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The next state, and who has gained what."""
        move, mover = self.moves[action], self.state.turn
        if move not in naive.legal(self.rules, self.state):
            if not self.rules.forfeits:
                return self.refuse()
            move = naive.LOST
        self.state = naive.play(self.rules, self.state, move)
        result = naive.result(self.rules, self.state)
        winner = result.winner if result else None
        reward = 0.0 if winner is None else 1.0 if winner == mover else -1.0
        return self.state.hands, reward, result is not None, False, {}

    def refuse(self) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What an illegal action amounts to."""
        if self.illegal == RAISE:
            raise ValueError("that is not legal")
        return self.state.hands, -1.0, self.illegal == LOSE, False, {}

    def valid_moves(self) -> list[int]:
        """The actions of the legal moves."""
        legal = naive.legal(self.rules, self.state)
        return [action for action, move in enumerate(self.moves) if move in legal]

    @property
    def current_player(self) -> int:
        """1 or 2."""
        return self.state.turn


def moves_of(rules: naive.Rules) -> list[naive.Move]:
    """The moves in the order of their actions."""
    if not rules.asks_from:
        return [*rules.pool]
    sets = [
        numbers
        for numbers in combinations(rules.pool, 3)
        if any(family.test(numbers) for family in rules.families)
    ]
    return [*rules.pool, naive.PASS, *sets]


def actions_of(game: str, reading: str, size: int) -> str:
    """The same, as ``--actions`` takes it."""
    moves = moves_of(naive_readings.READINGS[game, reading](tuple(range(1, size + 1))))
    return " ".join(
        "declare:" + ":".join(map(str, move)) if isinstance(move, tuple) else str(move)
        for move in moves
    )
