"""Many games of a kind that no table holds: each is a position, played by the judge itself.

It is slow, and right by definition; the tests hold the tables to it.
"""

from typing import Any

import numpy

from ninefold import players
from ninefold.core.errors import Illegal
from ninefold.core.position import Position
from ninefold.envs.batch.base import Batch, Settings
from ninefold.envs.batch.chance import Words, draw
from ninefold.envs.batch.outcomes import GOES_ON, TERMINATED, TRUNCATED
from ninefold.envs.encoding import encoding_for
from ninefold.envs.seats import SELF, require_opponent


class LooseBatch(Batch):
    """Games that go on by playing."""

    def __init__(self, settings: Settings, count: int) -> None:
        super().__init__(settings, count)
        require_opponent(settings.opponent, settings.game)
        self.encoding = encoding_for(settings.game)
        self._player = None if settings.opponent == SELF else players.make(settings.opponent)
        self.positions: list[Position] = [settings.game.start()] * count
        self._viewers = [1] * count

    def advance(self, actions: Any, fresh: Any) -> None:
        """Play one action of the agent in each game, and the answers; begin the fresh ones anew."""
        self.rewards[:], self.ends[:], self.faults[:] = 0, GOES_ON, False
        for at in range(self.count):
            if fresh[at]:
                self._begin(at)
            else:
                self._step(at, int(actions[at]))

    def begin(self, which: Any) -> None:
        """Begin these games anew, up to the agent's turn; the others are left alone."""
        self.rewards[which], self.ends[which], self.faults[which] = 0, GOES_ON, False
        for at in numpy.flatnonzero(which).tolist():
            self._begin(at)

    def _begin(self, at: int) -> None:
        self.positions[at] = self.settings.game.start()
        self.plies[at], self.actor[at], self.moves[at] = 0, 1, -1
        if self.settings.flips:
            self.agent[at] = 3 - self.agent[at]
        self._answer(at, None)

    def _step(self, at: int, action: int) -> None:
        position = self.positions[at]
        viewer = position.turn if self._player is None else int(self.agent[at])
        self._viewers[at] = viewer
        if position.outcome is None and not self._act(at, action):
            self.rewards[at], self.ends[at] = -1, TERMINATED
            return
        self._answer(at, self.settings.limit)
        position = self.positions[at]
        if position.outcome is not None:
            self.rewards[at], self.ends[at] = self.encoding.reward(position, viewer), TERMINATED
        elif self.settings.limit is not None and self.plies[at] >= self.settings.limit:
            self.ends[at] = TRUNCATED

    def _act(self, at: int, action: int) -> bool:
        """Play an action of the agent; false if it was illegal and that loses the game."""
        position = self.positions[at]
        try:
            after = self.encoding.play(position, action)
        except Illegal:
            self.faults[at] = True
            if self.settings.illegal == "lose":
                return False
            after, action = (
                position.play(self.encoding.lost_move(position)),
                len(self.encoding.actions),
            )
        self._play(at, action, after)
        return True

    def _play(self, at: int, action: int, after: Position) -> None:
        if self.plies[at] < self.settings.width:
            self.moves[at, self.plies[at]] = action
        self.plies[at] += 1
        self.positions[at] = after
        if after.outcome is None:
            self.actor[at] = after.turn

    def _answer(self, at: int, limit: int | None) -> None:
        """Let the opponent move until it is the agent's turn, or the end."""
        while self._player is not None and self.positions[at].turn != self.agent[at]:
            position = self.positions[at]
            if position.outcome is not None or (limit is not None and self.plies[at] >= limit):
                return
            moves = self._player.candidates(position)
            actions = sorted({self.encoding.action(move) for move in moves})
            drawn = int(draw(self.words[at : at + 1], numpy.array([len(actions)]))[0])
            self._play(at, actions[drawn], self.encoding.play(position, actions[drawn]))

    def show(self, views: Any, allowed: Any) -> None:
        """Write the observations and the masks of all games."""
        for at, position in enumerate(self.positions):
            over = self.ends[at] != GOES_ON
            viewer = self._viewers[at] if over else int(self.agent[at])
            if self._player is None and not over:
                viewer = position.turn
            views[at] = self.encoding.observe(position, viewer)
            allowed[at] = 0 if over else self.encoding.mask(position)

    def show_ends(self, which: Any, views: Any) -> None:
        """Write the observations of these games, which are over, and of no others."""
        for at in numpy.flatnonzero(which).tolist():
            views[at] = self.encoding.observe(self.positions[at], self._viewers[at])

    def allows(self, actions: Any) -> Any:
        """Whether each action is legal in its game; also where the game is over."""
        size = len(self.encoding.actions)
        return numpy.array(
            [
                position.outcome is not None
                or (0 <= action < size and self.encoding.mask(position)[action] == 1)
                for position, action in zip(self.positions, actions, strict=True)
            ]
        )

    def any_action(self, words: Words) -> Any:
        """A random legal action of each game, by these streams; 0 where it is over."""
        legal = [numpy.flatnonzero(self.encoding.mask(position)) for position in self.positions]
        drawn = draw(words, numpy.array([len(actions) for actions in legal]))
        pairs = zip(legal, drawn.tolist(), strict=True)
        return numpy.array([actions[at] if len(actions) else 0 for actions, at in pairs])
