"""Random games and their results, as fast as the machine allows."""

from typing import Any

import numpy

from ninefold.core.game import Game
from ninefold.encoding import Array
from ninefold.envs.batch.random_streams import draw, seeded_streams
from ninefold.require import WrongSetting, is_installed
from ninefold.state_table import LEGAL, policy_for, state_table_for


class Playout:
    """Random games, many at a time, all moves equally likely; raises TooLarge, WrongSetting."""

    def __init__(self, game: Game, count: int, seed: int, compiled: bool | None = None) -> None:
        self.table = state_table_for(game)
        if self.table.encoding.is_endless:
            raise WrongSetting("setting", "Random games under these rules need not end.")
        self.compiled = is_installed("numba") if compiled is None else compiled
        self.streams = seeded_streams(seed, count)
        self.results: Array = numpy.zeros(count, numpy.int8)
        policy = policy_for(self.table, LEGAL)
        owners = numpy.repeat(numpy.arange(len(self.table)), policy.counts)
        self._edges = self.table.edges[owners, policy.actions]
        self._starts, self._counts = policy.starts, policy.counts

    def run(self) -> Array:
        """Play the next games to their end: 1, 0 or -1 for the player who began each."""
        tables = (self.table.ends, self.results, self._starts, self._counts, self._edges)
        if self.compiled:
            from ninefold.envs.batch import table_kernels

            table_kernels.play_out(self.streams, *tables)
        else:
            self._run()
        return self.results.copy()

    def _run(self) -> None:
        state = numpy.zeros(len(self.streams), numpy.int32)
        turn = numpy.zeros(len(self.streams), numpy.int32)
        at: Any = numpy.arange(len(self.streams))
        while len(at):
            streams = self.streams[at]
            drawn = draw(streams, self._counts[state[at]])
            self.streams[at] = streams
            edges = self._edges[self._starts[state[at]] + drawn]
            state[at] = edges >> 1
            turn[at] ^= edges & 1
            at = at[self._counts[state[at]] > 0]
        ends = self.table.ends[state]
        self.results[:] = numpy.where(turn == 0, ends, -ends)
