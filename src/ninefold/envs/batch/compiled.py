"""Games that go on by looking up, compiled: the same as in NumPy, many times as fast."""

from typing import Any, NamedTuple

import numpy

from ninefold.envs.batch import kernels
from ninefold.envs.batch.base import Settings, Told
from ninefold.envs.batch.chance import Words
from ninefold.envs.batch.crew import share
from ninefold.envs.batch.table import TableBatch
from ninefold.envs.encoding import Array
from ninefold.envs.seats import SELF
from ninefold.envs.tables.machine import OPEN, Indices, Machine
from ninefold.envs.tables.policy import Policy


class Packed(NamedTuple):
    """The tables of a machine as the kernels read them.

    An edge is 8 times the state it leads to, plus 2 times 0 if the game goes on there, or else 1,
    2 or 3 for a loss, a draw or a win of whoever moved last, plus 1 if the other player acts there.
    A row holds an observation and a mask: first for each state as the player to act sees it, then
    an empty one, then as the other player does. ``sizes`` are the length of an observation, that
    of a mask, and how many rows the first half has.
    """

    edges: Indices
    rows: Array
    sizes: tuple[int, int, int]


def packed_for(machine: Machine) -> Packed:
    """The tables of a machine, which its batches share."""
    return machine.keep("packed", _pack)


def _pack(machine: Machine) -> Packed:
    codes = numpy.where(machine.ends == OPEN, 0, machine.ends + 2).astype(numpy.int32)
    target, turns = machine.edges >> 1, machine.edges & 1
    edges = numpy.where(machine.edges < 0, -1, 8 * target + 2 * codes[target] + turns)
    view, mask, half = machine.own_views[0].size, machine.masks.shape[1], len(machine) + 1
    rows = numpy.zeros((2 * half, view + mask), numpy.int8)
    for begin, seen in ((0, machine.own_views), (half, machine.other_views)):
        some = rows[begin : begin + len(machine)]
        some[:, :view], some[:, view:] = seen.reshape(len(machine), -1), machine.masks
    return Packed(edges.astype(numpy.int32), rows.ravel(), (view, mask, half))


def _spans(policy: Policy) -> Indices:
    """Where the actions of each state begin, and how many there are, side by side."""
    return numpy.ascontiguousarray(numpy.stack([policy.starts, policy.counts], axis=1))


class CompiledBatch(TableBatch):
    """The games of a TableBatch, by the kernels; raises TooLarge."""

    def __init__(self, settings: Settings, count: int) -> None:
        super().__init__(settings, count)
        self.packed = packed_for(self.machine)
        self._choices = _spans(self.policy), self.policy.actions
        self._legal = _spans(self.legal), self.legal.actions
        games = (self.state, self.actor, self.agent, self.plies, self.words, self.moves)
        self._games = (*games, self.ends, self.seen)

    def step(self, actions: Any, fresh: Any, again: bool, told: Told) -> tuple[int, int]:
        """Advance all games and tell it all; how many ended, and how many actions were illegal."""
        packed, settings = self.packed, self.settings
        results = (told.rewards, told.terminated, told.truncated, told.ended, told.faults)
        shown = (told.views.reshape(-1), told.masks.reshape(-1), told.finals.reshape(-1))
        tables = (packed.edges, self.machine.ends, packed.rows, *self._choices)
        rules = (settings.opponent == SELF, settings.flips, settings.limit or 0)
        batched = (actions, fresh, again, *self._games, *results, *shown)
        values = (*batched, *tables, packed.sizes, *rules, settings.illegal == "lose")
        counts = share(lambda first, last: kernels.step(first, last, *values), self.count)
        self.rewards, self.faults = told.rewards, told.faults
        return sum(ended for ended, _ in counts), sum(faults for _, faults in counts)

    def begin(self, which: Any) -> None:
        """Begin these games anew, up to the agent's turn; the others are left alone."""
        rules = self.settings.opponent == SELF, self.settings.flips
        values = (which, *self._games, self.faults, self.packed.edges, *self._choices, *rules)
        share(lambda first, last: kernels.begin(first, last, *values), self.count)

    def show(self, views: Any, allowed: Any) -> None:
        """Write the observations and the masks of all games."""
        packed, batched = self.packed, (self.state, self.ends, self.seen)
        values = (*batched, packed.rows, packed.sizes, views.reshape(-1), allowed.reshape(-1))
        share(lambda first, last: kernels.show(first, last, *values), self.count)

    def any_action(self, words: Words) -> Any:
        """A random legal action of each game, by these streams; 0 where it is over."""
        actions = numpy.empty(self.count, numpy.int64)
        values = (words, self.state, *self._legal, actions)
        share(lambda first, last: kernels.sample(first, last, *values), self.count)
        return actions
