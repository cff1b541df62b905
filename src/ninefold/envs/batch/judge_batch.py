"""Many games of any kind: each is a position, played by the judge itself.

This is slow, and right by definition. The tests compare the other batches with it.
"""

from typing import Any

import numpy

from ninefold import players
from ninefold.core.errors import Illegal
from ninefold.core.position import Position
from ninefold.encoding import encoding_for
from ninefold.envs.batch.base import GOES_ON, TERMINATED, TRUNCATED, Batch, BatchSettings
from ninefold.envs.batch.random_streams import Streams, draw
from ninefold.envs.settings import require_opponent
from ninefold.reachable import lost_turn


class JudgeBatch(Batch):
    """Games that advance position by position."""

    def __init__(self, settings: BatchSettings, count: int) -> None:
        super().__init__(settings, count)
        require_opponent(settings.opponent, settings.game)
        self.encoding = encoding_for(settings.game)
        self._player = None if self.plays_itself else players.make(settings.opponent)
        self.positions: list[Position] = [settings.game.start()] * count
        # Who saw the last step of each game.
        self._seen_by = [1] * count

    def _start(self, which: Any) -> None:
        for at in numpy.flatnonzero(which).tolist():
            self.positions[at] = self.settings.game.start()
            self._reply(at, None)

    def _play(self, actions: Any, going: Any) -> None:
        for at in numpy.flatnonzero(going).tolist():
            self._step(at, int(actions[at]))

    def _step(self, at: int, action: int) -> None:
        viewer = self._seen_by[at] = int(self.viewers()[at])
        if self.positions[at].outcome is None and not self._act(at, action):
            self.rewards[at], self.ends[at] = -1, TERMINATED
            return
        self._reply(at, self.settings.limit)
        position = self.positions[at]
        if position.outcome is not None:
            self.rewards[at], self.ends[at] = self.encoding.reward(position, viewer), TERMINATED
        elif self.settings.limit is not None and self.plies[at] >= self.settings.limit:
            self.ends[at] = TRUNCATED

    def _act(self, at: int, action: int) -> bool:
        """Play an action of the agent; false if it was illegal and loses the game."""
        position = self.positions[at]
        try:
            after = self.encoding.play(position, action)
        except Illegal:
            self.faults[at] = True
            if self.settings.illegal == "lose":
                return False
            after, action = position.play(lost_turn(position)), len(self.encoding.actions)
        self._advance(at, action, after)
        return True

    def _advance(self, at: int, action: int, after: Position) -> None:
        if self.plies[at] < self.settings.width:
            self.moves[at, self.plies[at]] = action
        self.plies[at] += 1
        self.positions[at] = after
        if after.outcome is None:
            self.actor[at] = after.turn

    def _reply(self, at: int, limit: int | None) -> None:
        """Let the opponent move until it is the agent's turn, the end, or the limit."""
        while self._player is not None and self.positions[at].turn != self.agent[at]:
            position = self.positions[at]
            if position.outcome is not None or (limit is not None and self.plies[at] >= limit):
                return
            moves = self._player.candidates(position)
            actions = sorted({self.encoding.action(move) for move in moves})
            drawn = int(draw(self.streams[at : at + 1], numpy.array([len(actions)]))[0])
            self._advance(at, actions[drawn], self.encoding.play(position, actions[drawn]))

    def show(self, views: Any, masks: Any) -> None:
        """Write the observations and the action masks of all games."""
        viewers = self.viewers()
        for at, position in enumerate(self.positions):
            over = self.ends[at] != GOES_ON
            views[at] = self.encoding.observe(position, self._seen_by[at] if over else viewers[at])
            masks[at] = 0 if over else self.encoding.mask(position)

    def _show_finals(self, which: Any, views: Any) -> None:
        for at in numpy.flatnonzero(which).tolist():
            views[at] = self.encoding.observe(self.positions[at], self._seen_by[at])

    def allows(self, actions: Any) -> Any:
        """Whether each action is legal in its game, or that game is over."""
        pairs = zip(self.positions, actions, strict=True)
        return numpy.array(
            [
                position.outcome is not None or action in self.encoding.moves(position)
                for position, action in pairs
            ]
        )

    def sample(self, streams: Streams) -> Any:
        """A random legal action for each game, from these streams; 0 for a game that is over."""
        legal = [numpy.flatnonzero(self.encoding.mask(position)) for position in self.positions]
        drawn = draw(streams, numpy.array([len(actions) for actions in legal]))
        pairs = zip(legal, drawn.tolist(), strict=True)
        return numpy.array([actions[at] if len(actions) else 0 for actions, at in pairs])
