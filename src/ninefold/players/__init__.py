"""Players: who sits in a seat, and how a computer chooses. Chance comes only from the seed."""

from collections.abc import Sequence
from typing import TypeAlias

from ninefold.core.errors import NinefoldError
from ninefold.core.moves import PASS, Declare, Move
from ninefold.core.position import Position

HUMAN = "human"
KINDS = (HUMAN, "random")


class UnknownPlayer(NinefoldError):
    """There is no such kind of player."""


class Chance:
    """Chance that depends on the seed and the moment alone, so a resumed game draws the same."""

    def __init__(self, seed: int, game_number: int = 1) -> None:
        self.seed = seed
        self.game_number = game_number

    def draw(self, numbers: Sequence[int], ply: int) -> int:
        """One of the numbers, for the decision at this ply."""
        from random import Random

        return Random(f"{self.seed}:{self.game_number}:{ply}").choice(numbers)


class RandomPlayer:
    """Picks any available number; answers a question by declaring whenever there is a set."""

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:
        """A legal move for the player to act."""
        if position.asking:
            sets = position.sets_of(position.turn)
            return Declare(sets[0]) if sets else PASS
        return chance.draw(position.available, ply)


Player: TypeAlias = RandomPlayer


def make(kind: str) -> Player | None:
    """The computer player of this kind; None for a person. Raises UnknownPlayer."""
    if kind == HUMAN:
        return None
    if kind == "random":
        return RandomPlayer()
    raise UnknownPlayer(
        "unknown-player", f"There is no player {kind!r}; choose one of: {', '.join(KINDS)}"
    )
