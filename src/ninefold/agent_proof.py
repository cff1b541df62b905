"""Proof of an agent: does it keep what positions are worth, whatever the opponent replies?"""

from ninefold.require import require_one_of, require_package

require_package("numpy", "gym")

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeAlias

import numpy

from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.core.text import NamedTuple
from ninefold.encoding import Array, encoding_for
from ninefold.reachable import TooLarge
from ninefold.solver import solver_for
from ninefold.solver.breadth_first import BreadthFirst, legal_steps, position_key
from ninefold.solver.scores import sign_of
from ninefold.state_table import MOST_NUMBERS, OPEN, StateTable, state_table_for

# From a batch of observations and masks to one action for each: always the same in a position.
Agent: TypeAlias = Callable[[Array, Array], Any]
_NEVER = 2


class Mark(NamedTuple):
    """How an agent does in all positions of a game in which it is to act.

    ``worth`` counts the positions that are won or drawn, ``kept`` those of them in which the agent
    gets that result against every reply. ``seats`` says whether it does so from the start, in the
    first and in the second seat.
    """

    worth: int
    kept: int
    seats: tuple[bool, bool]


class Proof(NamedTuple):
    """The result of following an agent from the start, against every reply.

    ``value`` is the solver's value of its seat and ``worst`` its worst end: 1 won, 0 drawn or
    endless, -1 lost. ``slip`` is a shortest game that ends with a mistake of the agent, if it makes
    any: it gives up a win or a draw, or goes round in circles in a won position.
    """

    value: int
    worst: int
    decisions: int
    ends: int
    slip: tuple[Move, ...]

    @property
    def holds(self) -> bool:
        """Whether the agent never gives up a result that it has or is given."""
        return not self.slip and self.worst >= self.value


class Examiner:
    """Marks agents in every position of one game; raises TooLarge."""

    def __init__(self, game: Game) -> None:
        if len(game.pool) > MOST_NUMBERS:
            raise TooLarge(f"A game of more than {MOST_NUMBERS} numbers has too many positions.")
        self._table = state_table_for(game)
        self._open = self._table.ends == OPEN
        self._values = numpy.sign(self._table.graph.scores)
        self._worth = self._open & (self._values >= 0)

    def mark(self, agent: Agent) -> Mark:
        """Let the agent choose in all positions at once, and play all its games out."""
        table = self._table
        actions = numpy.zeros(len(table), numpy.int64)
        actions[self._open] = agent(table.own_views[self._open], table.masks[self._open])
        acting, waiting = _guaranteed(table, actions)
        kept = self._worth & (acting >= self._values)
        seats = bool(acting[0] >= self._values[0]), bool(waiting[0] >= -self._values[0])
        return Mark(int(self._worth.sum()), int(kept.sum()), seats)


def _guaranteed(table: StateTable, actions: Any) -> tuple[Any, Any]:
    """The result the agent is sure of in each state: if it acts there, and if the other does."""
    edges, is_open = table.edges[:, :-1], table.ends == OPEN
    after, switches, legal = edges >> 1, edges & 1 == 1, edges >= 0
    acting = numpy.where(is_open, 0, table.ends)
    waiting = -acting
    while True:  # carry results back one move at a time, until nothing changes any more
        own = numpy.where(switches, waiting[after], acting[after])
        other = numpy.where(switches, acting[after], waiting[after])
        chosen = numpy.take_along_axis(own, actions[:, None], axis=1)[:, 0]
        replied = numpy.where(legal, other, _NEVER).min(axis=1)
        before = acting, waiting
        acting = numpy.where(is_open, chosen, acting)
        waiting = numpy.where(is_open, replied, waiting)
        if all(map(numpy.array_equal, before, (acting, waiting))):
            return acting, waiting


def prove(game: Game, agent: Agent, seat: int) -> Proof:
    """Follow the agent in this seat from the start, against every reply; raises Illegal."""
    require_one_of("seat", seat, (1, 2))
    return _AgentGames(game, agent, seat).proof()


class _AgentGames:
    """All games that an agent can be led into, by the judge and the solver alone: no tables."""

    def __init__(self, game: Game, agent: Agent, seat: int) -> None:
        self.agent, self.seat = agent, seat
        self.encoding, self.solver = encoding_for(game), solver_for(game)
        self.slip: tuple[Move, ...] = ()
        self.walk = BreadthFirst(game.start(), self._steps, position_key)
        # The agent's move in each position in which it acts.
        self.chosen: dict[int, Move] = {}

    def proof(self) -> Proof:
        nodes = [self.walk.nodes[at] for at in self.walk]
        results = [self._value(node) for node in nodes if node.outcome is not None]
        endless = _endless(dict(enumerate(self.walk.children)))
        if endless:
            results.append(0)
            self._find_circle(endless)
        value, worst = self._value(nodes[0]), min(results)
        return Proof(value, worst, len(self.chosen), len(results), self.slip)

    def _steps(self, position: Position) -> Iterable[tuple[Move, Position]]:
        if position.outcome is not None or position.turn != self.seat:
            return legal_steps(position)
        views, masks = self.encoding.observe(position), self.encoding.mask(position)
        move = self.encoding.move(position, int(self.agent(views[None], masks[None])[0]))
        child = position.play(move)
        at = self.walk.index(position)
        assert at is not None
        self.chosen[at] = move
        if not self.slip and self._value(child) < self._value(position):
            self.slip = (*self.walk.path(at), move)
        return [(move, child)]

    def _find_circle(self, endless: set[int]) -> None:
        """A won position that the agent may come back to is a mistake, if there is no other."""
        for at, move in self.chosen.items():
            won = self._value(self.walk.nodes[at]) > 0
            if not self.slip and at in endless and won and self._comes_back(at):
                self.slip = (*self.walk.path(at), move)

    def _comes_back(self, start: int) -> bool:
        children = self.walk.children
        around = BreadthFirst(start, lambda at: [(None, child) for child in children[at]], int)
        return any(start in children[around.nodes[at]] for at in around)

    def _value(self, position: Position) -> int:
        """1, 0 or -1: what a position is worth to the agent."""
        if position.outcome is not None:
            return int(self.encoding.reward(position, self.seat))
        sign = sign_of(self.solver.score(position))
        return sign if position.turn == self.seat else -sign


def _endless(children: Mapping[int, Iterable[int]]) -> set[int]:
    """The positions from which a game need not end."""
    sorter, settled = TopologicalSorter(children), set[int]()
    with suppress(CycleError):  # what is not in or before a cycle is sorted anyway
        sorter.prepare()
    while ready := sorter.get_ready():
        settled.update(ready)
        sorter.done(*ready)
    return children.keys() - settled
