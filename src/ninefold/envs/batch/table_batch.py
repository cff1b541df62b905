"""Many games in step by table look-up, in plain NumPy: one table of the game, one state each."""

from typing import Any

import numpy

from ninefold.encoding.policies import LEGAL, policy_for
from ninefold.encoding.state_table import OPEN, state_table_for
from ninefold.envs.batch.base import GOES_ON, TERMINATED, TRUNCATED, Batch, BatchSettings
from ninefold.envs.batch.random_streams import Streams, draw


class TableBatch(Batch):
    """Games that advance by table look-up, in plain NumPy; raises TooLarge."""

    def __init__(self, settings: BatchSettings, count: int) -> None:
        super().__init__(settings, count)
        self.table = state_table_for(settings.game, settings.illegal == "lose-turn")
        self.legal = policy_for(self.table, LEGAL)
        self.policy = self.legal if self.plays_itself else policy_for(self.table, settings.opponent)
        self.state = numpy.zeros(count, numpy.int32)
        # Whether the viewer of each game is the player to act.
        self.viewer_acts = numpy.ones(count, bool)
        self._own = self.table.own_views.reshape(len(self.table), -1)
        self._other = self.table.other_views.reshape(len(self.table), -1)

    def _start(self, which: Any) -> None:
        self.state[which] = 0
        self._reply(which, None)
        self.viewer_acts[which] = (self.viewers() == self.actor)[which]

    def _play(self, actions: Any, going: Any) -> None:
        viewers = self.viewers().copy()
        self._act(going & (self.table.ends[self.state] == OPEN), actions)
        going = going & (self.ends == GOES_ON)
        self._reply(going, self.settings.limit)
        self._end(going, viewers)
        if self.plays_itself:
            viewers = numpy.where(self.ends == GOES_ON, self.actor, viewers)
        self.viewer_acts[:] = viewers == self.actor

    def _act(self, acting: Any, actions: Any) -> None:
        """Play the actions of the agent; an illegal one loses the game, or the turn."""
        at = numpy.flatnonzero(acting)
        size = self.table.masks.shape[1]
        chosen = numpy.asarray(actions)[at]
        # The last column is legal only as a turn lost.
        chosen = numpy.where((chosen >= 0) & (chosen < size), chosen, size)
        legal = (chosen < size) & (self.table.edges[self.state[at], chosen] >= 0)
        self.faults[at] = ~legal
        if self.settings.illegal == "lose":
            self.rewards[at[~legal]], self.ends[at[~legal]] = -1, TERMINATED
            at, chosen = at[legal], chosen[legal]
        else:
            chosen = numpy.where(legal, chosen, size)
        self._advance(at, chosen)

    def _advance(self, at: Any, chosen: Any) -> None:
        edges = self.table.edges[self.state[at], chosen]
        room = self.plies[at] < self.settings.width
        self.moves[at[room], self.plies[at[room]]] = chosen[room]
        self.plies[at] += 1
        self.state[at] = edges >> 1
        self.actor[at] = numpy.where(edges & 1, 3 - self.actor[at], self.actor[at])

    def _reply(self, going: Any, limit: int | None) -> None:
        """Let the opponents move until it is the agent's turn, the end, or the limit."""
        at = numpy.flatnonzero(going & (self.actor != self.agent) & (not self.plays_itself))
        while True:
            waiting = (self.table.ends[self.state[at]] == OPEN) & (self.actor[at] != self.agent[at])
            if limit is not None:
                waiting &= self.plies[at] < limit
            at = at[waiting]
            if not len(at):
                return
            state, streams = self.state[at], self.streams[at]
            drawn = draw(streams, self.policy.counts[state])
            self.streams[at] = streams
            self._advance(at, self.policy.actions[self.policy.starts[state] + drawn])

    def _end(self, going: Any, viewers: Any) -> None:
        results = self.table.ends[self.state]
        over = going & (results != OPEN)
        self.ends[over] = TERMINATED
        signed = numpy.where(self.actor == viewers, results, -results)
        self.rewards[over] = signed[over]
        if self.settings.limit is not None:
            self.ends[going & ~over & (self.plies >= self.settings.limit)] = TRUNCATED

    def show(self, views: Any, masks: Any) -> None:
        """Write the observations and the action masks of all games."""
        flat = views.reshape(self.count, -1)
        numpy.take(self._own, self.state, axis=0, out=flat, mode="clip")
        numpy.take(self.table.masks, self.state, axis=0, out=masks, mode="clip")
        flat[~self.viewer_acts] = self._other[self.state[~self.viewer_acts]]
        masks[self.ends != GOES_ON] = 0

    def _show_finals(self, which: Any, views: Any) -> None:
        for seen, acts in ((self._own, self.viewer_acts), (self._other, ~self.viewer_acts)):
            at = numpy.flatnonzero(which & acts)
            views.reshape(self.count, -1)[at] = seen[self.state[at]]

    def allows(self, actions: Any) -> Any:
        """Whether each action is legal in its game, or that game is over."""
        inside = (actions >= 0) & (actions < self.table.masks.shape[1])
        chosen = numpy.where(inside, actions, 0)
        legal = inside & (self.table.masks[self.state, chosen] == 1)
        return legal | (self.table.ends[self.state] != OPEN)

    def sample(self, streams: Streams) -> Any:
        """A random legal action for each game, from these streams; 0 for a game that is over."""
        counts = self.legal.counts[self.state]
        at = self.legal.starts[self.state] + draw(streams, counts)
        actions = self.legal.actions[numpy.minimum(at, len(self.legal.actions) - 1)]
        return numpy.where(counts > 0, actions, 0).astype(numpy.int64)
