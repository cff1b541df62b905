"""A game as one table: every position there is, and where each action leads.

The judge plays every position once, and its answers are kept as arrays, so that a million games go
on by looking up. Positions are seen by the player to act, so both seats share them; a finished
position is seen by whoever made the last move.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numpy

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.envs.encoding import Array, encoding_for

Kept = TypeVar("Kept")
Indices: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.int32]]

MAX_STATES = 400_000
# A pool with more numbers has more positions than that; for an environment it is not even tried.
MOST_NUMBERS = 12
# What ``ends`` holds for a position that is not finished; else 1, 0 or -1 for who moved last.
OPEN = 2


class TooLarge(NinefoldError):
    """There are more positions than a table holds."""


# Equal rules share a machine, also where their book was read from its file again.
_MACHINES: dict[tuple[str, bool], "Machine"] = {}
# A state takes about a kilobyte. So many are kept in all, beside the machine asked for last.
MOST_KEPT = 1 << 19


def machine_for(game: Game, may_lose_turn: bool = False) -> "Machine":
    """The one machine of a game that its environments share; raises TooLarge."""
    key = game.fingerprint, may_lose_turn
    machine = _MACHINES.pop(key, None) or Machine(game, may_lose_turn)
    _MACHINES[key] = machine
    while len(_MACHINES) > 1 and sum(map(len, _MACHINES.values())) > MOST_KEPT:
        del _MACHINES[next(iter(_MACHINES))]  # the one that was not asked for the longest time
    return machine


class Machine:
    """Every position that can be reached; with ``may_lose_turn``, also by illegal actions.

    ``edges[state, action]`` is twice the state it leads to, plus 1 if the other player acts there;
    -1 if it is illegal. The last column is a turn lost by an illegal action.
    """

    def __init__(self, game: Game, may_lose_turn: bool = False) -> None:
        self.game = game
        self.encoding = encoding_for(game)
        self.may_lose_turn = may_lose_turn
        # A position for each state, by which players and solver are asked.
        self.positions: list[Position] = [game.start()]
        self._movers = [1]
        self._known: dict[object, int] = {self._key(self.positions[0], 1): 0}
        self._rows: list[list[int]] = []
        self._explore()
        self.edges: Indices = numpy.array(self._rows, numpy.int32)
        self._rows, self._known = [], {}
        self.masks: Array = (self.edges[:, :-1] >= 0).astype(numpy.int8)
        self.ends: Array = numpy.array(
            [_end(*seen) for seen in zip(self.positions, self._movers, strict=True)], numpy.int8
        )
        # What the player to act sees, and what the other one does.
        self.own_views = self._views(0)
        self.other_views = self._views(1)
        self._kept: dict[object, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return machine_for, (self.game, self.may_lose_turn)  # made again, or found, not carried

    def __len__(self) -> int:
        return len(self.positions)

    def keep(self, name: object, make: Callable[["Machine"], Kept]) -> Kept:
        """What is made of this machine, once: it is kept as long as the machine is, no longer."""
        if name not in self._kept:
            self._kept[name] = make(self)
        found: Kept = self._kept[name]
        return found

    def _explore(self) -> None:
        """Play every position once, in the order found."""
        at = 0
        while at < len(self.positions):
            self._rows.append(self._edges_of(self.positions[at]))
            at += 1

    def _edges_of(self, position: Position) -> list[int]:
        encoding = self.encoding
        row = [-1] * (len(encoding.actions) + 1)
        if position.outcome is not None:
            return row
        for action, legal in enumerate(encoding.mask(position).tolist()):
            if legal:
                row[action] = self._edge(position, encoding.play(position, action))
        if self.may_lose_turn:
            row[-1] = self._edge(position, position.play(encoding.lost_move(position)))
        return row

    def _edge(self, before: Position, after: Position) -> int:
        mover = after.turn if after.outcome is None else before.turn
        key = self._key(after, mover)
        state = self._known.get(key)
        if state is None:
            state = self._known[key] = len(self.positions)
            if state >= MAX_STATES:
                raise TooLarge("too-large", f"This game has more than {MAX_STATES:,} positions.")
            self.positions.append(after)
            self._movers.append(mover)
        return 2 * state + (mover != before.turn)

    def _key(self, position: Position, mover: int) -> object:
        if position.outcome is None:
            return position.key
        return *self.encoding.observe(position, mover).tobytes(), _end(position, mover)

    def _views(self, other: int) -> Array:
        observe = self.encoding.observe
        seen = zip(self.positions, self._movers, strict=True)
        views = [observe(position, 3 - mover if other else mover) for position, mover in seen]
        return numpy.array(views, numpy.int8)


def _end(position: Position, mover: int) -> int:
    if position.outcome is None:
        return OPEN
    winner = position.outcome.winner
    return 0 if winner is None else 1 if winner == mover else -1
