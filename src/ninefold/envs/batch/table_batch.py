"""Many games in step by table look-up, in plain NumPy: one table of the game, one state each."""

from typing import Any

import numpy

from ninefold.envs.batch.base import Batch, BatchSettings
from ninefold.envs.batch.random_streams import Streams, draw
from ninefold.state_table import LEGAL, policy_for, state_table_for


class TableBatch(Batch):
    """Games that advance by table look-up, in plain NumPy; raises TooLarge."""

    def __init__(self, settings: BatchSettings, count: int) -> None:
        super().__init__(settings, count)
        self.table = state_table_for(settings.game, settings.illegal == "lose-turn")
        self.policy = policy_for(self.table, LEGAL if self.plays_itself else settings.opponent)
        self.state = numpy.zeros(count, numpy.int32)
        self._own = self.table.own_views.reshape(len(self.table), -1)
        self._other = self.table.other_views.reshape(len(self.table), -1)

    def _set_up(self, which: Any) -> None:
        self.state[which] = 0

    def _is_legal(self, at: Any, actions: Any) -> Any:
        return self.table.masks[self.state[at], actions] == 1

    def _choose(self, at: Any, streams: Streams) -> Any:
        state, policy = self.state[at], self.policy
        return policy.actions[policy.starts[state] + draw(streams, policy.counts[state])]

    def _move(self, at: Any, chosen: Any) -> None:
        edges = self.table.edges[self.state[at], chosen]
        state = self.state[at] = edges >> 1
        self.actor[at] = numpy.where(edges & 1, 3 - self.actor[at], self.actor[at])
        self._results[at] = self.table.ends[state]

    def _observe(self, at: Any, views: Any) -> None:
        flat, state, waiting = views.reshape(len(views), -1), self.state[at], ~self.viewer_acts[at]
        numpy.take(self._own, state, axis=0, out=flat, mode="clip")
        flat[waiting] = self._other[state[waiting]]

    def _mask(self, masks: Any) -> None:
        numpy.take(self.table.masks, self.state, axis=0, out=masks, mode="clip")
