"""Many games in step by table look-up, in plain NumPy: one table of the game, one state each."""

from typing import Any

import numpy

from ninefold.core.position import Position
from ninefold.envs.batch.base import Batch, BatchSettings
from ninefold.envs.batch.random_streams import Streams, draw
from ninefold.state_table import LEGAL, Policy, policy_for, state_table_for


class TableBatch(Batch):
    """Games that advance by table look-up, in plain NumPy; raises TooLarge."""

    def __init__(self, settings: BatchSettings, count: int) -> None:
        super().__init__(settings, count)
        self.table = state_table_for(settings.game, settings.illegal == "lose-turn")
        self.legal = policy_for(self.table, LEGAL)
        self.reason_names = [*self.table.reason_names]
        asks = self.plays_itself or settings.outsider is not None
        self.policy = self.legal if asks else policy_for(self.table, settings.opponent)
        self.state = numpy.zeros(count, numpy.int32)
        self._own = self.table.own_views.reshape(len(self.table), -1)
        self._other = self.table.other_views.reshape(len(self.table), -1)

    def _set_up(self, which: Any) -> None:
        self.state[which] = 0

    def _is_legal(self, at: Any, actions: Any) -> Any:
        return self.table.masks[self.state[at], actions] == 1

    def _choose(self, at: Any, streams: Streams) -> Any:
        return _drawn(self.policy, self.state[at], streams)

    def _move(self, at: Any, chosen: Any) -> None:
        edges = self.table.edges[self.state[at], chosen]
        state = self.state[at] = edges >> 1
        self.actor[at] = numpy.where(edges & 1, 3 - self.actor[at], self.actor[at])
        self._results[at] = self.table.ends[state]

    def _position(self, at: int) -> Position:
        state: int = self.state[at]
        return self.table.positions[state]

    def _reasons(self, at: Any) -> Any:
        return self.table.reasons[self.state[at]]

    def _observe(self, at: Any, views: Any, acting: Any) -> None:
        flat, state, waiting = views.reshape(len(views), -1), self.state[at], ~acting
        numpy.take(self._own, state, axis=0, out=flat, mode="clip")
        flat[waiting] = self._other[state[waiting]]

    def _mask(self, at: Any, masks: Any) -> None:
        numpy.take(self.table.masks, self.state[at], axis=0, out=masks, mode="clip")

    def sample(self, streams: Streams) -> Any:
        """A random legal action for each game, from these streams; 0 for a game that is over."""
        actions = _drawn(self.legal, self.state, streams)
        return numpy.where(self.legal.counts[self.state] > 0, actions, 0).astype(numpy.int64)


def _drawn(policy: Policy, state: Any, streams: Streams) -> Any:
    """One of the policy's actions in each state; any action if there are none."""
    at = policy.starts[state] + draw(streams, policy.counts[state])
    return policy.actions[numpy.minimum(at, len(policy.actions) - 1)]
