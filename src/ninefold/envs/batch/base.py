"""Many games in step, as arrays: what all kinds of batches have in common."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy

from ninefold.core.game import Game
from ninefold.encoding import Array, Encoding
from ninefold.envs.batch.random_streams import Streams
from ninefold.envs.settings import SELF

# How a step leaves a game.
GOES_ON, TERMINATED, TRUNCATED = 0, 1, 2


class BatchSettings(NamedTuple):
    """What all games of a batch have in common."""

    game: Game
    opponent: str = SELF
    limit: int | None = None
    illegal: str = "lose"
    alternates: bool = False  # whether the agent changes seats from game to game
    width: int = 0  # how many moves of each game are recorded


class StepResult(NamedTuple):
    """The results of one step, with one entry per game; ``finals`` are valid where ``ended``."""

    views: Array
    masks: Array
    rewards: numpy.ndarray[Any, numpy.dtype[numpy.float64]]
    terminated: Any
    truncated: Any
    ended: Any
    faults: Any
    finals: Array

    @classmethod
    def empty(cls, count: int, encoding: Encoding) -> "StepResult":
        """Arrays for this many games."""
        views = numpy.empty((count, *encoding.shape), numpy.int8)
        masks = numpy.empty((count, len(encoding.actions)), numpy.int8)
        terminated, truncated, ended, faults = (numpy.empty(count, bool) for _ in range(4))
        # Only ended games write here; the rest must not show uninitialised memory.
        finals = numpy.zeros_like(views)
        rewards = numpy.empty(count)
        return cls(views, masks, rewards, terminated, truncated, ended, faults, finals)


class Batch(ABC):
    """Games of one kind that advance together.

    For each game, ``agent`` is the seat of the agent, ``actor`` the player to act and ``streams``
    its random numbers. ``rewards``, ``ends`` and ``faults`` are the results of the last step.
    """

    def __init__(self, settings: BatchSettings, count: int) -> None:
        self.settings, self.count = settings, count
        self.plays_itself = settings.opponent == SELF
        self.actor: Array = numpy.ones(count, numpy.int8)
        self.agent: Array = numpy.ones(count, numpy.int8)
        self.streams: Streams = numpy.zeros(count, numpy.uint64)
        self.plies = numpy.zeros(count, numpy.int32)
        # The actions of each game so far, then -1.
        self.moves: Array = numpy.full((count, settings.width), -1, numpy.int8)
        self.rewards = numpy.zeros(count)
        self.ends: Array = numpy.zeros(count, numpy.int8)
        self.faults = numpy.zeros(count, bool)

    def step(
        self, actions: Any, restarting: Any, autoreset: bool, result: StepResult
    ) -> tuple[int, int]:
        """Play one action per game, or restart it; the numbers of ended games and of faults.

        With ``autoreset``, games that end are restarted within the same step.
        """
        self.rewards[:], self.ends[:], self.faults[:] = 0, GOES_ON, False
        if restarting.any():
            self.begin(restarting)
        self._play(actions, ~restarting)
        result.rewards[:], result.faults[:] = self.rewards, self.faults
        result.ended[:] = self.ends != GOES_ON
        result.terminated[:] = self.ends == TERMINATED
        result.truncated[:] = self.ends == TRUNCATED
        ended = int(result.ended.sum())
        if autoreset and ended:
            self.restart_ended(result)
        else:
            self.show(result.views, result.masks)
        return ended, int(result.faults.sum())

    def restart_ended(self, result: StepResult) -> None:
        """Restart the games that ended in this step; its rewards and faults stay as they are."""
        faults = result.faults.copy()
        self._show_finals(result.ended, result.finals)
        self.begin(result.ended)
        self.faults[:] = faults
        self.show(result.views, result.masks)

    def begin(self, which: Any) -> None:
        """Start these games over, up to the agent's turn; the others stay as they are."""
        self.rewards[which], self.ends[which], self.faults[which] = 0, GOES_ON, False
        self.actor[which], self.plies[which], self.moves[which] = 1, 0, -1
        if self.settings.alternates:
            self.agent[which] = 3 - self.agent[which]
        self._start(which)

    def viewers(self) -> Array:
        """The seat that sees each game: the player to act in self-play, else the agent."""
        return self.actor if self.plays_itself else self.agent

    @abstractmethod
    def _start(self, which: Any) -> None:
        """Set up these games and let the opponent move first, where it does."""

    @abstractmethod
    def _play(self, actions: Any, going: Any) -> None:
        """Play one action of the agent and the replies to it, in the games that are ``going``."""

    @abstractmethod
    def show(self, views: Any, masks: Any) -> None:
        """Write the observations and the action masks of all games."""

    @abstractmethod
    def _show_finals(self, which: Any, views: Any) -> None:
        """Write the observations of these games, which are over."""

    @abstractmethod
    def allows(self, actions: Any) -> Any:
        """Whether each action is legal in its game, or that game is over."""

    @abstractmethod
    def sample(self, streams: Streams) -> Any:
        """A random legal action for each game, from these streams; 0 for a game that is over."""
