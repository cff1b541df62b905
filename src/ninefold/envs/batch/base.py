"""Many games in step, as arrays: what every kind of batch is given, does and tells."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy

from ninefold.core.game import Game
from ninefold.envs.batch.chance import Words
from ninefold.envs.batch.outcomes import TERMINATED, TRUNCATED
from ninefold.envs.encoding import Array, Encoding
from ninefold.envs.seats import SELF


class Settings(NamedTuple):
    """What all games of a batch have in common."""

    game: Game
    opponent: str = SELF
    limit: int | None = None
    illegal: str = "lose"
    flips: bool = False  # whether the agent changes seats from game to game
    width: int = 0  # how many moves of each game are recorded


class Told(NamedTuple):
    """What is told of one step, an entry a game; ``finals`` are valid where ``ended`` is true."""

    views: Array
    masks: Array
    rewards: numpy.ndarray[Any, numpy.dtype[numpy.float64]]
    terminated: Any
    truncated: Any
    ended: Any
    faults: Any
    finals: Array

    @classmethod
    def empty(cls, count: int, encoding: Encoding) -> "Told":
        """Room for so many games."""
        views = numpy.empty((count, *encoding.shape), numpy.int8)
        masks = numpy.empty((count, len(encoding.actions)), numpy.int8)
        terminated, truncated, ended, faults = (numpy.empty(count, bool) for _ in range(4))
        # Where no game has ended nothing is written, and chance must not be seen there.
        finals = numpy.zeros_like(views)
        rewards = numpy.empty(count)
        return cls(views, masks, rewards, terminated, truncated, ended, faults, finals)


class Batch(ABC):
    """So many games of one kind.

    ``agent`` is the seat of the agent in each, ``actor`` whose turn it is, ``words`` their chance;
    ``rewards``, ``ends`` and ``faults`` tell what the last step brought.
    """

    def __init__(self, settings: Settings, count: int) -> None:
        self.settings, self.count = settings, count
        self.actor: Array = numpy.ones(count, numpy.int8)
        self.agent: Array = numpy.ones(count, numpy.int8)
        self.words: Words = numpy.zeros(count, numpy.uint64)
        self.plies = numpy.zeros(count, numpy.int32)
        # The actions of each game; -1 where there was none yet.
        self.moves: Array = numpy.full((count, settings.width), -1, numpy.int8)
        self.rewards = numpy.zeros(count)
        self.ends: Array = numpy.zeros(count, numpy.int8)
        self.faults = numpy.zeros(count, bool)
        # Whether the viewer is the one whose turn it is.
        self.seen = numpy.ones(count, bool)

    def step(self, actions: Any, fresh: Any, again: bool, told: Told) -> tuple[int, int]:
        """Advance all games and tell it all; how many ended, and how many actions were illegal.

        With ``again``, those that ended begin anew at once.
        """
        self.advance(actions, fresh)
        told.rewards[:], told.faults[:], told.ended[:] = self.rewards, self.faults, self.ends
        told.terminated[:], told.truncated[:] = self.ends == TERMINATED, self.ends == TRUNCATED
        ended, faults = int(told.ended.sum()), int(told.faults.sum())
        if again and ended:
            self.show_ends(told.ended, told.finals)
            self.begin(told.ended)
            self.faults[:] = told.faults
        self.show(told.views, told.masks)
        return ended, faults

    @abstractmethod
    def advance(self, actions: Any, fresh: Any) -> None:
        """Play one action of the agent in each game, and the answers; begin the fresh ones anew."""

    @abstractmethod
    def begin(self, which: Any) -> None:
        """Begin these games anew, up to the agent's turn; the others are left alone."""

    @abstractmethod
    def show(self, views: Any, allowed: Any) -> None:
        """Write the observations and the masks of all games."""

    @abstractmethod
    def show_ends(self, which: Any, views: Any) -> None:
        """Write the observations of these games, which are over, and of no others."""

    @abstractmethod
    def allows(self, actions: Any) -> Any:
        """Whether each action is legal in its game; also where the game is over."""

    @abstractmethod
    def any_action(self, words: Words) -> Any:
        """A random legal action of each game, by these streams; 0 where it is over."""
