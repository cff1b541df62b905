"""An agent put to the test: does it keep what positions are worth, whatever the opponent replies?

An agent is a function: from a batch of observations and masks to an action for each. It has to
choose the same in the same position; then its games can be followed to all their ends.
"""

from ninefold.envs.extras import require

require("numpy", "gym")

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple, TypeAlias

import numpy

from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.envs.encoding import Array, encoding_for
from ninefold.envs.seats import require_one_of
from ninefold.envs.tables.machine import MOST_NUMBERS, OPEN, Machine, TooLarge, machine_for
from ninefold.envs.tables.policy import scores

Agent: TypeAlias = Callable[[Array, Array], Any]
# A game so far: where it stands, and how it got there.
Line: TypeAlias = tuple[Position, tuple[Move, ...]]
_NEVER = 2


class Mark(NamedTuple):
    """How an agent does in every position of a game in which it is to act.

    ``worth`` counts those that are won or drawn, ``kept`` those of them in which it gets what they
    are worth against every reply. ``seats`` says so of the start, in the first seat and the second.
    """

    worth: int
    kept: int
    seats: tuple[bool, bool]


class Proof(NamedTuple):
    """What came of following an agent from the start, against every reply.

    ``value`` is what the solver says of its seat and ``worst`` the worst end: 1 won, 0 drawn, -1
    lost; a game that need never end is drawn. ``slip`` is a shortest game whose last move, the
    agent's, throws something away, a win or a draw; else one whose last move goes round in circles
    in a won position, for ever if the opponent does; empty if there is none.
    """

    value: int
    worst: int
    decisions: int
    ends: int
    slip: tuple[Move, ...]

    @property
    def holds(self) -> bool:
        """Whether the agent never throws away what it has, nor what it is given."""
        return not self.slip and self.worst >= self.value


class Examiner:
    """Marks the agents of one game; what it asks the solver is asked once. Raises TooLarge."""

    def __init__(self, game: Game) -> None:
        if len(game.pool) > MOST_NUMBERS:
            reason = f"A game of more than {MOST_NUMBERS} numbers has too many positions to mark."
            raise TooLarge("too-large", reason)
        self._machine = machine_for(game)
        self._open = self._machine.ends == OPEN
        self._values = numpy.sign(scores(self._machine))
        self._worth = self._open & (self._values >= 0)

    def mark(self, agent: Agent) -> Mark:
        """Let the agent choose in every position at once, and play all of it out."""
        machine = self._machine
        actions = numpy.zeros(len(machine), numpy.int64)
        views, masks = machine.own_views[self._open], machine.masks[self._open]
        actions[self._open] = agent(views, masks)
        acting, waiting = _certain(machine, actions)
        kept = self._worth & (acting >= self._values)
        seats = bool(acting[0] >= self._values[0]), bool(waiting[0] >= -self._values[0])
        return Mark(int(self._worth.sum()), int(kept.sum()), seats)


def _certain(machine: Machine, actions: Any) -> tuple[Any, Any]:
    """What the agent is sure to get from each state: where it acts, and where the other one does.

    An end is carried back one move at a time, until nothing changes any more.
    """
    edges, open_ = machine.edges[:, :-1], machine.ends == OPEN
    after, turns, legal = edges >> 1, edges & 1 == 1, edges >= 0
    acting = numpy.where(open_, 0, machine.ends)
    waiting = -acting
    while True:
        own = numpy.where(turns, waiting[after], acting[after])
        other = numpy.where(turns, acting[after], waiting[after])
        chosen = numpy.take_along_axis(own, actions[:, None], axis=1)[:, 0]
        replied = numpy.where(legal, other, _NEVER).min(axis=1)
        before = acting, waiting
        acting = numpy.where(open_, chosen, acting)
        waiting = numpy.where(open_, replied, waiting)
        if all(map(numpy.array_equal, before, (acting, waiting))):
            return acting, waiting


def follow(game: Game, agent: Agent, seat: int) -> Proof:
    """Follow the agent in this seat from the start, against every legal reply.

    Judge and solver are asked about each position, and no table of moves is trusted. Raises Illegal
    if the agent makes an illegal move.
    """
    require_one_of("seat", seat, (1, 2))
    return _Walk(game, agent, seat).run()


class _Walk:
    """All games an agent can be led into, one move after the other."""

    def __init__(self, game: Game, agent: Agent, seat: int) -> None:
        from ninefold.solver import solver_for

        self.game, self.agent, self.seat = game, agent, seat
        self.encoding, self.solver = encoding_for(game), solver_for(game)
        self.slip: tuple[Move, ...] = ()
        self.decisions, self.results = 0, list[int]()
        self._seen = set[object]()
        # Where each position that goes on leads to, and the line that came to it first.
        self._after: dict[object, list[object]] = {}
        self._lines: dict[object, Line] = {}

    def run(self) -> Proof:
        start = self.game.start()
        level: list[Line] = [(start, ())]
        while level:
            own = [line for line in level if line[0].turn == self.seat]
            others = [line for line in level if line[0].turn != self.seat]
            played = [*(self._decide(own) if own else ()), *map(self._replies, others)]
            for line, lines in zip([*own, *others], played, strict=True):
                self._after[_key(line)], self._lines[_key(line)] = [*map(_key, lines)], line
            level = [line for lines in played for line in lines if self._is_new(*line)]
        self._go_round()
        worst = min(self.results, default=0)
        return Proof(self._value(start), worst, self.decisions, len(self.results), self.slip)

    def _go_round(self) -> None:
        """A game that need never end is a draw, and no win, however often the value is kept."""
        endless = _unsettled(self._after)
        if not endless:
            return
        self.results.append(0)
        for key in self._lines:
            if not self.slip and key in endless and self._goes_round(key):
                self.slip = self._decide([self._lines[key]])[0][0][1]
                self.decisions -= 1  # it was counted when it was made

    def _goes_round(self, key: object) -> bool:
        """Whether the agent, to act in a won position, may find itself in it again."""
        position, _ = self._lines[key]
        if position.turn != self.seat or self._value(position) < 1:
            return False
        reached, edge = set[object](), [key]
        while edge and key not in reached:
            edge = [one for last in edge for one in self._after.get(last, ()) if one not in reached]
            reached.update(edge)
        return key in reached

    def _decide(self, lines: list[Line]) -> list[list[Line]]:
        """The agent's moves, all at once."""
        views = numpy.stack([self.encoding.observe(position) for position, _ in lines])
        masks = numpy.stack([self.encoding.mask(position) for position, _ in lines])
        self.decisions += len(lines)
        chosen = numpy.asarray(self.agent(views, masks)).tolist()
        return [[self._move(*each)] for each in zip(lines, chosen, strict=True)]

    def _move(self, line: Line, action: int) -> Line:
        position, moves = line
        move = self.encoding.move(position, action)
        after = position.play(move)
        if not self.slip and self._value(after) < self._value(position):
            self.slip = (*moves, move)
        return after, (*moves, move)

    def _replies(self, line: Line) -> list[Line]:
        position, moves = line
        return [(position.play(move), (*moves, move)) for move in position.legal]

    def _is_new(self, position: Position, moves: tuple[Move, ...]) -> bool:
        """Whether the game goes on from here, and for the first time."""
        key = _key((position, moves))
        if key in self._seen:
            return False
        self._seen.add(key)
        if position.outcome is not None:
            self.results.append(self._value(position))
        return position.outcome is None

    def _value(self, position: Position) -> int:
        """What a position is worth to the agent: 1, 0 or -1."""
        if position.outcome is not None:
            return int(self.encoding.reward(position, self.seat))
        score = self.solver.score(position)
        sign = (score > 0) - (score < 0)
        return sign if position.turn == self.seat else -sign


def _key(line: Line) -> object:
    return line[0].turn, line[0].key


def _unsettled(after: Mapping[object, Iterable[object]]) -> set[object]:
    """The positions from which a game need not come to an end, by where each of them leads."""
    sorter, settled = TopologicalSorter(after), set[object]()
    with suppress(CycleError):  # it sorts those outside of circles all the same
        sorter.prepare()
    while ready := sorter.get_ready():
        settled.update(ready)
        sorter.done(*ready)
    return after.keys() - settled
