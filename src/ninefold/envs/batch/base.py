"""Many games in step, as arrays: what all kinds of batches have in common."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from ninefold.core.errors import Illegal
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.encoding import Array, Encoding, encoding_for
from ninefold.envs.batch.random_streams import Streams, draw_marked
from ninefold.envs.settings import SELF
from ninefold.reachable import lost_turn
from ninefold.state_table import FORFEIT, ILLEGAL_ACTION, NO_REASON, OPEN, REASONS

if TYPE_CHECKING:
    from ninefold.envs.batch.outsiders import Outsider

# How a step leaves a game.
GOES_ON, TERMINATED, TRUNCATED = 0, 1, 2


class BatchSettings(NamedTuple):
    """What all games of a batch have in common."""

    game: Game
    opponent: str = SELF  # or the name of a built-in player
    limit: int | None = None
    illegal: str = "lose"
    alternates: bool = False  # whether the agent changes seats from game to game
    width: int = 0  # how many moves of each game are recorded
    outsider: "Outsider | None" = None  # plays instead of a built-in opponent


class StepResult(NamedTuple):
    """The results of one step, with one entry per game; ``finals`` are valid where ``ended``.

    ``seats`` see the observations. ``winners`` (0: nobody) and the codes in ``reasons`` are valid
    where ``terminated``.
    """

    views: Array
    masks: Array
    rewards: numpy.ndarray[Any, numpy.dtype[numpy.float64]]
    terminated: Any
    truncated: Any
    ended: Any
    faults: Any
    finals: Array
    seats: Array
    final_seats: Array
    winners: Array
    reasons: Array

    @classmethod
    def empty(cls, count: int, encoding: Encoding) -> "StepResult":
        """Arrays for this many games."""
        views = numpy.empty((count, *encoding.shape), numpy.int8)
        masks = numpy.empty((count, len(encoding.actions)), numpy.int8)
        terminated, truncated, ended, faults = (numpy.empty(count, bool) for _ in range(4))
        # Only ended games write here; the rest must not show uninitialised memory.
        finals = numpy.zeros_like(views)
        rewards = numpy.empty(count)
        small = (numpy.zeros(count, numpy.int8) for _ in range(4))
        return cls(views, masks, rewards, terminated, truncated, ended, faults, finals, *small)


class Batch(ABC):
    """Games of one kind that advance together."""

    def __init__(self, settings: BatchSettings, count: int) -> None:
        self.settings, self.count = settings, count
        self.encoding = encoding_for(settings.game)
        self.plays_itself = settings.opponent == SELF
        self.actor: Array = numpy.ones(count, numpy.int8)  # who is to act, or moved last
        self.agent: Array = numpy.ones(count, numpy.int8)  # the seat of the agent
        self.viewer_acts = numpy.ones(count, bool)  # whether the actor is who sees the game
        self.streams: Streams = numpy.zeros(count, numpy.uint64)
        self.plies = numpy.zeros(count, numpy.int32)
        # The actions of each game so far, then -1.
        self.moves: Array = numpy.full((count, settings.width), -1, numpy.int8)
        # What each game is worth to its actor once it is over, and OPEN before.
        self._results: Array = numpy.full(count, OPEN, numpy.int8)
        # The results of the last step.
        self.rewards = numpy.zeros(count)
        self.ends: Array = numpy.zeros(count, numpy.int8)
        self.faults = numpy.zeros(count, bool)
        self.winners: Array = numpy.zeros(count, numpy.int8)
        self.reasons: Array = numpy.zeros(count, numpy.int8)
        # Why each illegal action of the last step was refused, by game.
        self.complaints: dict[int, str] = {}
        # What the codes of reasons stand for.
        self.reason_names = [*REASONS]
        # Where the opponent made no legal move.
        self._forfeited = numpy.zeros(count, bool)

    def step(
        self, actions: Any, restarting: Any, autoreset: bool, result: StepResult
    ) -> tuple[int, int]:
        """Play one action per game, or restart it; the numbers of ended games and of faults."""
        self.rewards, self.faults = result.rewards, result.faults
        self.winners, self.reasons = result.winners, result.reasons
        self.rewards[:], self.ends[:], self.faults[:] = 0, GOES_ON, False
        self.winners[:], self.reasons[:], self.complaints = 0, NO_REASON, {}
        if restarting.any():
            self.begin(restarting)
        result.final_seats[:] = self._play(actions, ~restarting)
        result.ended[:] = self.ends != GOES_ON
        result.terminated[:] = self.ends == TERMINATED
        result.truncated[:] = self.ends == TRUNCATED
        ended = int(result.ended.sum())
        if autoreset and ended:
            self.restart_ended(result)
        else:
            self.show(result.views, result.masks)
        open_seats = self.actor if self.plays_itself else self.agent
        over = self.ends != GOES_ON
        result.seats[:] = numpy.where(over, result.final_seats, open_seats)
        return ended, int(result.faults.sum())

    def restart_ended(self, result: StepResult) -> None:
        """Restart the games that ended in this step; its rewards and faults stay as they are."""
        at = numpy.flatnonzero(result.ended)
        finals = numpy.empty((len(at), *self.encoding.shape), numpy.int8)
        self._observe(at, finals, self.viewer_acts[at])
        result.finals[at] = finals
        self.begin(result.ended)
        self.show(result.views, result.masks)
        result.seats[at] = self.viewers()[at]

    def begin(self, which: Any) -> None:
        """Start these games over, up to the agent's turn; the others stay as they are."""
        self.ends[which], self._results[which], self._forfeited[which] = GOES_ON, OPEN, False
        self.actor[which], self.plies[which], self.moves[which] = 1, 0, -1
        if self.settings.alternates:
            self.agent[which] = 3 - self.agent[which]
        self._set_up(which)
        self._reply(which, None)
        self.viewer_acts[which] = (self.viewers() == self.actor)[which]

    def viewers(self) -> Array:
        """The seat that sees each game: the player to act in self-play, else the agent."""
        return self.actor if self.plays_itself else self.agent

    def show(self, views: Any, masks: Any) -> None:
        """Write the observations and the action masks of all games."""
        self._observe(slice(None), views, self.viewer_acts)
        self._mask(slice(None), masks)
        masks[(self.ends != GOES_ON) | self._forfeited] = 0

    def offer(self, at: Any) -> tuple[Array, Array]:
        """The observations and masks of these games, as the player to act sees them."""
        views = numpy.empty((len(at), *self.encoding.shape), numpy.int8)
        masks = numpy.empty((len(at), len(self.encoding.actions)), numpy.int8)
        self._observe(at, views, numpy.ones(len(at), bool))
        self._mask(at, masks)
        return views, masks

    def played(self, at: int) -> list[Move]:
        """The recorded moves of one game."""
        position, found = self.settings.game.start(), list[Move]()
        for action in self.moves[at, : self.plies[at]].tolist():
            if action < len(self.encoding.actions):
                found.append(self.encoding.move(position, action))
            else:
                found.append(lost_turn(position))
            position = position.play(found[-1])
        return found

    def sample(self, streams: Streams) -> Any:
        """A random legal action for each game, from these streams; 0 for a game that is over."""
        masks = numpy.empty((self.count, len(self.encoding.actions)), numpy.int8)
        self._mask(slice(None), masks)
        return draw_marked(streams, masks)

    def _play(self, actions: Any, going: Any) -> Array:
        """Play one action and the replies to it, in the games that are ``going``; who saw each."""
        viewers = self.viewers().copy()
        self._act(numpy.flatnonzero(going & (self._results == OPEN)), actions)
        going = going & (self.ends == GOES_ON)
        self._reply(going, self.settings.limit)
        self._end(going, viewers)
        if self.plays_itself:
            viewers = numpy.where(self.ends == GOES_ON, self.actor, viewers)
        self.viewer_acts[:] = viewers == self.actor
        return viewers

    def _act(self, at: Any, actions: Any) -> None:
        """Play the actions of the agent; an illegal one loses the game, or the turn."""
        chosen, lost_turn = actions[at], len(self.encoding.actions)
        inside = (chosen >= 0) & (chosen < lost_turn)
        legal = inside & self._is_legal(at, numpy.where(inside, chosen, 0))
        self.faults[at], wrong = ~legal, at[~legal]
        for game in wrong.tolist():
            self.complaints[game] = self.complaint(self._position(game), int(actions[game]))
        if self.settings.illegal == "lose":
            self.rewards[wrong], self.ends[wrong] = -1, TERMINATED
            self.winners[wrong], self.reasons[wrong] = 3 - self.viewers()[wrong], ILLEGAL_ACTION
            self._advance(at[legal], chosen[legal])
        else:
            self._advance(at, numpy.where(legal, chosen, lost_turn))

    def _reply(self, going: Any, limit: int | None) -> None:
        """Let the opponents move until it is the agent's turn, the end, or the limit."""
        at = numpy.flatnonzero(going & (self.actor != self.agent) & (not self.plays_itself))
        while True:
            waiting = (self._results[at] == OPEN) & (self.actor[at] != self.agent[at])
            if limit is not None:
                waiting &= self.plies[at] < limit
            at = at[waiting]
            if not len(at):
                return
            streams = self.streams[at]
            outsider = self.settings.outsider
            chosen = self._choose(at, streams) if outsider is None else outsider(self, at, streams)
            self.streams[at] = streams
            if outsider is not None:
                at, chosen = self._accept(at, chosen)
            self._advance(at, chosen)

    def _accept(self, at: Any, chosen: Any) -> tuple[Any, Any]:
        """The games with a legal action of the outsider; it forfeits the others."""
        inside = (chosen >= 0) & (chosen < len(self.encoding.actions))
        legal = inside & self._is_legal(at, numpy.where(inside, chosen, 0))
        self._results[at[~legal]], self._forfeited[at[~legal]] = -1, True
        return at[legal], chosen[legal]

    def _advance(self, at: Any, chosen: Any) -> None:
        room = self.plies[at] < self.settings.width
        self.moves[at[room], self.plies[at[room]]] = chosen[room]
        self.plies[at] += 1
        self._move(at, chosen)

    def _end(self, going: Any, viewers: Any) -> None:
        over = going & (self._results != OPEN)
        self.ends[over] = TERMINATED
        signed = numpy.where(self.actor == viewers, self._results, -self._results)
        self.rewards[over] = signed[over]
        winners = numpy.where(self._results == 1, self.actor, 3 - self.actor)
        self.winners[over] = numpy.where(self._results == 0, 0, winners)[over]
        at = numpy.flatnonzero(over & ~self._forfeited)
        self.reasons[over] = FORFEIT
        self.reasons[at] = self._reasons(at)
        if self.settings.limit is not None:
            self.ends[going & ~over & (self.plies >= self.settings.limit)] = TRUNCATED

    def _code_of(self, reason: str) -> int:
        if reason not in self.reason_names:
            self.reason_names.append(reason)
        return self.reason_names.index(reason)

    def complaint(self, position: Position, action: int) -> str:
        """Why this action is illegal in this position."""
        try:
            position.play(self.encoding.move(position, action))
        except Illegal as refusal:
            return refusal.message
        return f"Action {action} is illegal."

    @abstractmethod
    def _position(self, at: int) -> Position:
        """A position with the same future as that of this unfinished game."""

    @abstractmethod
    def _reasons(self, at: Any) -> Any:
        """The codes of why these games ended."""

    @abstractmethod
    def _set_up(self, which: Any) -> None:
        """Put these games back to the start."""

    @abstractmethod
    def _is_legal(self, at: Any, actions: Any) -> Any:
        """Whether each of these actions is legal in its game."""

    @abstractmethod
    def _choose(self, at: Any, streams: Streams) -> Any:
        """An action of the opponent in each of these games, drawn from these streams."""

    @abstractmethod
    def _move(self, at: Any, chosen: Any) -> None:
        """Play legal actions, and set ``actor`` and ``_results``; one too many is a lost turn."""

    @abstractmethod
    def _observe(self, at: Any, views: Any, acting: Any) -> None:
        """Write the observations of these games, one per row, for who acts or for the other."""

    @abstractmethod
    def _mask(self, at: Any, masks: Any) -> None:
        """Write 1 for each legal action of each of these games, else 0."""
