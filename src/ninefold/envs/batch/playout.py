"""Random games and nothing else: how they end, as quickly as the machine allows."""

from ninefold.envs.extras import require

require("numpy", "gym")

from typing import Any

import numpy

from ninefold.core.game import Game
from ninefold.envs.batch.chance import draw, streams
from ninefold.envs.encoding import Array
from ninefold.envs.extras import is_installed
from ninefold.envs.seats import WrongSetting
from ninefold.envs.tables.machine import machine_for
from ninefold.envs.tables.policy import LEGAL, policy_for


class Playout:
    """So many random games at a time, every legal move as likely as any other.

    Raises TooLarge, and WrongSetting for games that need not end.
    """

    def __init__(self, game: Game, count: int, seed: int, compiled: bool | None = None) -> None:
        self.machine = machine_for(game)
        if self.machine.encoding.is_endless:
            raise WrongSetting("setting", "Random games of these rules need not end.")
        self.compiled = is_installed("numba") if compiled is None else compiled
        self.words = streams(seed, count)
        self.results: Array = numpy.zeros(count, numpy.int8)
        policy = policy_for(self.machine, LEGAL)
        owners = numpy.repeat(numpy.arange(len(self.machine)), policy.counts)
        self._edges = self.machine.edges[owners, policy.actions]
        self._starts, self._counts = policy.starts, policy.counts

    def run(self) -> Array:
        """Play the next games to their end: 1, 0 or -1 for the player who began each."""
        tables = (self.machine.ends, self.results, self._starts, self._counts, self._edges)
        if self.compiled:
            from ninefold.envs.batch import kernels

            kernels.play_out(self.words, *tables)
        else:
            self._run()
        return self.results.copy()

    def _run(self) -> None:
        state = numpy.zeros(len(self.words), numpy.int32)
        turn = numpy.zeros(len(self.words), numpy.int32)
        at: Any = numpy.arange(len(self.words))
        while len(at):
            words = self.words[at]
            drawn = draw(words, self._counts[state[at]]).astype(numpy.int64)
            self.words[at] = words
            edges = self._edges[self._starts[state[at]] + drawn]
            state[at] = edges >> 1
            turn[at] ^= edges & 1
            at = at[self._counts[state[at]] > 0]
        ends = self.machine.ends[state]
        self.results[:] = numpy.where(turn == 0, ends, -ends)
