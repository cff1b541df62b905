"""Many games in step by looking up: one table of the game, and a state for each of them."""

from typing import Any

import numpy

from ninefold.envs.batch.base import Batch, Settings
from ninefold.envs.batch.chance import Words, draw
from ninefold.envs.batch.outcomes import GOES_ON, TERMINATED, TRUNCATED
from ninefold.envs.seats import SELF
from ninefold.envs.tables.machine import OPEN, machine_for
from ninefold.envs.tables.policy import LEGAL, policy_for


class TableBatch(Batch):
    """Games that go on by looking up, in plain NumPy; raises TooLarge."""

    def __init__(self, settings: Settings, count: int) -> None:
        super().__init__(settings, count)
        self.machine = machine_for(settings.game, settings.illegal == "lose-turn")
        kind = LEGAL if settings.opponent == SELF else settings.opponent
        self.policy = policy_for(self.machine, kind)
        self.legal = policy_for(self.machine, LEGAL)
        self.state = numpy.zeros(count, numpy.int32)
        self._own = self.machine.own_views.reshape(len(self.machine), -1)
        self._other = self.machine.other_views.reshape(len(self.machine), -1)

    def advance(self, actions: Any, fresh: Any) -> None:
        """Play one action of the agent in each game, and the answers; begin the fresh ones anew."""
        self._begin(fresh)
        viewer = self.actor.copy() if self.settings.opponent == SELF else self.agent
        self.rewards[:], self.ends[:], self.faults[:] = 0, GOES_ON, False
        acting = ~fresh & (self.machine.ends[self.state] == OPEN)
        self._act(acting, actions)
        lost = self.ends == TERMINATED
        if self.settings.opponent != SELF:
            self._answer(fresh, ~lost)
        self._end(~fresh & ~lost, viewer)
        viewer = numpy.where(self.ends == GOES_ON, self.actor, viewer)
        self.seen[:] = (self.agent if self.settings.opponent != SELF else viewer) == self.actor

    def begin(self, which: Any) -> None:
        """Begin these games anew, up to the agent's turn; the others are left alone."""
        self._begin(which)
        self.rewards[which], self.ends[which], self.faults[which] = 0, GOES_ON, False
        if self.settings.opponent != SELF:
            self._answer(which, which)
        viewer = self.actor if self.settings.opponent == SELF else self.agent
        self.seen[which] = (viewer == self.actor)[which]

    def _begin(self, fresh: Any) -> None:
        self.state[fresh], self.actor[fresh], self.plies[fresh] = 0, 1, 0
        self.moves[fresh] = -1
        if self.settings.flips:
            self.agent[fresh] = 3 - self.agent[fresh]

    def _act(self, acting: Any, actions: Any) -> None:
        """Play the actions of the agent; an illegal one loses the game, or the turn."""
        at = numpy.flatnonzero(acting)
        size = self.machine.edges.shape[1] - 1
        chosen = numpy.asarray(actions)[at]
        chosen = numpy.where((chosen >= 0) & (chosen < size), chosen, size)
        legal = chosen < size
        legal[legal] = self.machine.edges[self.state[at[legal]], chosen[legal]] >= 0
        self.faults[at] = ~legal
        if self.settings.illegal == "lose":
            self.rewards[at[~legal]], self.ends[at[~legal]] = -1, TERMINATED
            at, chosen = at[legal], chosen[legal]
        else:
            chosen = numpy.where(legal, chosen, size)
        self._play(at, chosen)

    def _play(self, at: Any, chosen: Any) -> None:
        edges = self.machine.edges[self.state[at], chosen]
        room = self.plies[at] < self.settings.width
        self.moves[at[room], self.plies[at[room]]] = chosen[room]
        self.plies[at] += 1
        self.state[at] = edges >> 1
        self.actor[at] = numpy.where(edges & 1, 3 - self.actor[at], self.actor[at])

    def _answer(self, fresh: Any, going: Any) -> None:
        """Let the opponents move until it is the agent's turn everywhere, or the end."""
        limit = self.settings.limit
        while True:
            open_ = going & (self.machine.ends[self.state] == OPEN) & (self.actor != self.agent)
            if limit is not None:
                open_ &= fresh | (self.plies < limit)
            at = numpy.flatnonzero(open_)
            if not len(at):
                return
            state, words = self.state[at], self.words[at]
            drawn = draw(words, self.policy.counts[state]).astype(numpy.int64)
            self.words[at] = words
            self._play(at, self.policy.actions[self.policy.starts[state] + drawn])

    def _end(self, going: Any, viewer: Any) -> None:
        results = self.machine.ends[self.state]
        over = going & (results != OPEN)
        self.ends[over] = TERMINATED
        signed = numpy.where(self.actor == viewer, results, -results)
        self.rewards[over] = signed[over]
        if self.settings.limit is not None:
            self.ends[going & ~over & (self.plies >= self.settings.limit)] = TRUNCATED

    def show(self, views: Any, allowed: Any) -> None:
        """Write the observations and the masks of all games."""
        flat = views.reshape(self.count, -1)
        numpy.take(self._own, self.state, axis=0, out=flat, mode="clip")
        numpy.take(self.machine.masks, self.state, axis=0, out=allowed, mode="clip")
        flat[~self.seen] = self._other[self.state[~self.seen]]
        allowed[self.ends != GOES_ON] = 0

    def show_ends(self, which: Any, views: Any) -> None:
        """Write the observations of these games, which are over, and of no others."""
        for table, seen in ((self._own, self.seen), (self._other, ~self.seen)):
            at = numpy.flatnonzero(which & seen)
            views.reshape(self.count, -1)[at] = table[self.state[at]]

    def allows(self, actions: Any) -> Any:
        """Whether each action is legal in its game; also where the game is over."""
        inside = (actions >= 0) & (actions < self.machine.masks.shape[1])
        chosen = numpy.where(inside, actions, 0)
        legal = inside & (self.machine.masks[self.state, chosen] == 1)
        return legal | (self.machine.ends[self.state] != OPEN)

    def any_action(self, words: Words) -> Any:
        """A random legal action of each game, by these streams; 0 where it is over."""
        counts = self.legal.counts[self.state]
        at = self.legal.starts[self.state] + draw(words, counts).astype(numpy.int64)
        last = len(self.legal.actions) - 1
        return numpy.where(counts > 0, self.legal.actions[numpy.minimum(at, last)], 0).astype(
            numpy.int64
        )
