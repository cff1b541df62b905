"""Proof of an agent: does it keep what positions are worth, whatever the opponent replies?

Any player can be examined. One that draws its moves from stated probabilities gets the exact
value of the best replies to it. One that answers a question in two ways cannot be examined.
"""

from ninefold.require import require_one_of, require_package

require_package("numpy", "gym")

from collections.abc import Iterable, Mapping
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from operator import mul
from typing import Any

import numpy

from ninefold.agent_proof.questions import EXACT, Questions
from ninefold.agent_proof.questions import Inconsistent as Inconsistent
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, Move
from ninefold.core.position import Position
from ninefold.core.text import NamedTuple
from ninefold.encoding import encoding_for
from ninefold.players import Who
from ninefold.reachable import TooLarge
from ninefold.solver import is_small, solver_for
from ninefold.solver.breadth_first import BreadthFirst, legal_steps, position_key
from ninefold.solver.scores import sign_of
from ninefold.state_table import MOST_NUMBERS, OPEN, StateTable, state_table_for

_NEVER = 2


class NotProvable(NinefoldError):
    """The exact value of this agent is not known."""

    def __init__(self) -> None:
        reason = "The agent may lose turns at random, so its games need not end."
        super().__init__("not-provable", reason, "Its exact value is not known.")


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

    ``value`` is the solver's value of its seat: 1 won, 0 drawn or endless, -1 lost. ``worst`` is
    what it gets against the best replies: its worst end or, if it ``is_random``, its exact average.
    ``slip`` is a shortest game that ends with a mistake of the agent, if it may make any: it gives
    up a win or a draw, or goes round in circles in a won position.
    """

    value: int
    worst: float
    decisions: int
    ends: int
    slip: tuple[Move, ...]
    is_random: bool = False

    @property
    def holds(self) -> bool:
        """Whether the agent never gives up a result that it has or is given."""
        return not self.slip and self.worst >= self.value - EXACT


class Examiner:
    """Marks agents in every position of one game; raises TooLarge."""

    def __init__(self, game: Game) -> None:
        if len(game.pool) > MOST_NUMBERS:
            raise TooLarge(f"A game of more than {MOST_NUMBERS} numbers has too many positions.")
        self._table = state_table_for(game)
        self._open = self._table.ends == OPEN
        self._values = numpy.sign(self._table.graph.scores)
        self._worth = self._open & (self._values >= 0)

    def mark(self, agent: Who) -> Mark:
        """Let the agent choose in all positions, and play all its games out.

        Raises Illegal, Inconsistent, NotProvable, WrongAnswer.
        """
        asked = Questions(self._table.game, agent)
        try:
            chances = asked.table(self._table)
        finally:
            asked.player.close()
        acting, waiting = _guaranteed(self._table, chances)
        kept = self._worth & (acting >= self._values - EXACT)
        first, second = acting[0] - self._values[0], waiting[0] + self._values[0]
        seats = bool(first >= -EXACT), bool(second >= -EXACT)
        return Mark(int(self._worth.sum()), int(kept.sum()), seats)


def _guaranteed(table: StateTable, chances: Any) -> tuple[Any, Any]:
    """What the agent gets against the best replies, if it acts in a state, and if the other does.

    Carried back step by step, averages are exact only if games must end; raises NotProvable.
    """
    words, is_random = table.encoding.words, ((chances > 0) & (chances < 1)).any(axis=1)
    if LOST.value in words and chances[is_random, table.encoding.action(LOST)].any():
        raise NotProvable
    edges, is_open = table.edges[:, :-1], table.ends == OPEN
    after, switches, legal = edges >> 1, edges & 1 == 1, edges >= 0
    acting = numpy.where(is_open, 0, table.ends).astype(float)
    waiting = -acting
    while True:  # carry results back one move at a time, until nothing changes any more
        own = numpy.where(switches, waiting[after], acting[after])
        other = numpy.where(switches, acting[after], waiting[after])
        chosen = (own * chances).sum(axis=1)
        replied = numpy.where(legal, other, _NEVER).min(axis=1)
        before = acting, waiting
        acting = numpy.where(is_open, chosen, acting)
        waiting = numpy.where(is_open, replied, waiting)
        if all(map(numpy.array_equal, before, (acting, waiting))):
            return acting, waiting


def prove(game: Game, agent: Who, seat: int) -> Proof:
    """Follow the agent in this seat from the start, against every reply.

    Raises Illegal, Inconsistent, NoMove, NotProvable, TooLarge, WrongAnswer.
    """
    require_one_of("seat", seat, (1, 2))
    if not is_small(game):
        raise TooLarge("This game is too large to follow every reply.")
    asked = Questions(game, agent)
    try:
        return _AgentGames(game, asked, seat).proof()
    finally:
        asked.player.close()


class _AgentGames:
    """All games that an agent can be led into, by the judge and the solver alone: no tables."""

    def __init__(self, game: Game, asked: Questions, seat: int) -> None:
        self.asked, self.seat = asked, seat
        self.encoding, self.solver = encoding_for(game), solver_for(game)
        self.slip: tuple[Move, ...] = ()
        self.walk = BreadthFirst(game.start(), self._steps, position_key)
        # The agent's moves in each position in which it acts, with their probabilities.
        self.chosen: dict[int, Mapping[Move, float]] = {}

    def proof(self) -> Proof:
        nodes = [self.walk.nodes[at] for at in self.walk]
        results: list[float] = [self._value(node) for node in nodes if node.outcome is not None]
        is_random = any(len(policy) > 1 for policy in self.chosen.values())
        endless = _endless(dict(enumerate(self.walk.children)))
        if endless and is_random:
            raise NotProvable
        if endless:
            results.append(0)
            self._find_circle(endless)
        value = self._value(nodes[0])
        worst = self._average(nodes) if is_random else min(results)
        return Proof(value, worst, len(self.chosen), len(results), self.slip, is_random)

    def _steps(self, position: Position) -> Iterable[tuple[Move, Position]]:
        if position.outcome is not None or position.turn != self.seat:
            return legal_steps(position)
        at = self.walk.index(position)
        assert at is not None
        path = self.walk.path(at)
        policy = self.chosen[at] = self.asked.policy(position, path)
        steps = [(move, position.play(move)) for move in policy]
        for move, child in steps:
            if not self.slip and self._value(child) < self._value(position):
                self.slip = (*path, move)
        return steps

    def _average(self, nodes: list[Position]) -> float:
        """What the agent gets on average against the best replies, from the ends backwards."""
        values = [0.0] * len(nodes)
        children = self.walk.children
        for at in TopologicalSorter(dict(enumerate(children))).static_order():
            below = [values[child] for child in children[at]]
            if nodes[at].outcome is not None:
                values[at] = self._value(nodes[at])
            elif at in self.chosen:
                values[at] = sum(map(mul, below, self.chosen[at].values()))
            else:
                values[at] = min(below)
        return values[0]

    def _find_circle(self, endless: set[int]) -> None:
        """A won position that the agent may come back to is a mistake, if there is no other."""
        for at, (move, *_) in self.chosen.items():
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
