"""The full-screen app in a real terminal, and what is on record meanwhile."""

import random
from collections.abc import Sequence
from pathlib import Path

from e2e.program import Ninefold
from e2e.terminal import Terminal

from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.record.replay import Replay
from ninefold.record.text import read_record

CTRL_C, CTRL_D, ESCAPE, ENTER = "\x03", "\x04", "\x1b", "\r"


class AppTerminal(Terminal):
    """The app; a move counts as made when it is in the list of moves."""

    def take(self, number: int, plies: int) -> None:
        """Type a number, and wait until it is shown as the move of this number."""
        self.type(f"{number}{ENTER}")
        self.wait_for_moves(plies)

    def wait_for_moves(self, plies: int) -> None:
        """Wait until so many moves are listed."""
        self.wait_for(f"│ {plies}. ")

    def leave(self, key: str = CTRL_D) -> int:
        """Leave the app; the exit code."""
        self.type(key)
        return self.wait_for_end()


def position_of(path: Path) -> Position:
    """The position on record, which is judged again."""
    return Replay(read_record(str(path))).run().position


def recorded_position(ninefold: Ninefold) -> Position:
    """The position of the only game on record."""
    (path,) = ninefold.records()
    return position_of(path)


def game_with(game: Game, winner: int | None, first: int) -> Sequence[Move]:
    """The moves of a random game with this winner."""
    for seed in range(10_000):
        chance, position, moves = random.Random(seed), game.play("", first), list[Move]()
        while position.outcome is None:
            moves.append(chance.choice(position.picks))
            position = position.play(moves[-1])
        if position.outcome.winner == winner:
            return moves
    raise AssertionError(f"no game with the winner {winner}")
