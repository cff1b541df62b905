"""A whole game as arrays: every state, where each action leads, and what each player would do.

The judge plays every position once. From then on, a million games advance by table look-up. A
state is seen by the player to act, so both seats share it; a finished one by whoever moved last.
"""

from ninefold.require import require_package

require_package("numpy", "gym")

from collections.abc import Callable, Hashable, Iterator
from itertools import chain
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy

from ninefold import players
from ninefold.core.game import Game
from ninefold.encoding import Array, encoding_for
from ninefold.reachable import Reachable, Reached
from ninefold.solver.scores import perfect_choices, traps

Kept = TypeVar("Kept")
Indices: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.int32]]

MAX_STATES = 400_000
# Larger pools have more states than that, so environments do not even try to build their table.
MOST_NUMBERS = 12
# The policy of all legal actions, besides those of the players.
LEGAL = "legal"
# The entry of an unfinished state in ``ends``; the others are 1, 0 or -1 for who moved last.
OPEN = 2
# The codes of reasons that no position has; those of a game follow.
REASONS = ("", "illegal-action", "forfeit")
NO_REASON, ILLEGAL_ACTION, FORFEIT = range(3)

# Games with equal rules share a table, even if their book was loaded twice.
_TABLES: dict[tuple[str, bool], "StateTable"] = {}
# A state takes about a kilobyte. This many are kept in total, besides the table used last.
MOST_KEPT = 1 << 19


def state_table_for(game: Game, may_lose_turn: bool = False) -> "StateTable":
    """The state table of a game, shared by its environments; raises TooLarge."""
    key = game.fingerprint, may_lose_turn
    table = _TABLES.pop(key, None) or StateTable(game, may_lose_turn)
    _TABLES[key] = table
    while len(_TABLES) > 1 and sum(map(len, _TABLES.values())) > MOST_KEPT:
        del _TABLES[next(iter(_TABLES))]  # the least recently used one
    return table


class StateTable:
    """Every reachable state; with ``may_lose_turn``, also those that illegal actions lead to."""

    def __init__(self, game: Game, may_lose_turn: bool = False) -> None:
        self.game = game
        self.encoding = encoding_for(game)
        self.may_lose_turn = may_lose_turn
        self.graph = Reachable(game, self._key, MAX_STATES, may_lose_turn)
        # A position for each state, for players and the solver.
        nodes, observe = self.graph.nodes, self.encoding.observe
        self.positions = [node.position for node in nodes]
        ends = [OPEN if node.position.outcome is None else node.result for node in nodes]
        self.ends: Array = numpy.array(ends, numpy.int8)
        # Why each finished state ended, as an index into the names.
        why = [position.outcome.reason if position.outcome else "" for position in self.positions]
        self.reason_names = (*REASONS, *dict.fromkeys(filter(None, why)))
        self.reasons: Array = numpy.array([*map(self.reason_names.index, why)], numpy.int8)
        self.masks: Array = numpy.zeros((len(self), len(self.encoding.actions)), numpy.int8)
        owners = numpy.repeat(numpy.arange(len(self)), [*map(len, self.graph.actions)])
        self.masks[owners, [*chain.from_iterable(self.graph.actions)]] = 1
        self.edges = self._edges()
        own_views = [observe(position, player) for position, player in nodes]
        other_views = [observe(position, 3 - player) for position, player in nodes]
        self.own_views, self.other_views = numpy.array(own_views), numpy.array(other_views)
        self._kept: dict[object, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return state_table_for, (self.game, self.may_lose_turn)  # rebuilt or found, not copied

    def arrays(self) -> dict[str, Any]:
        """The table as plain arrays, for other programs; docs/tables.md describes them."""
        edges = self.edges[:, :-1]
        scores = numpy.array(self.graph.scores)
        return {
            "next_state": numpy.where(edges < 0, -1, edges >> 1).astype(numpy.int32),
            "switches": numpy.where(edges < 0, 0, edges & 1).astype(numpy.int8),
            "legal": self.masks,
            "over": (self.ends != OPEN).astype(numpy.int8),
            "reward": numpy.where(self.ends == OPEN, 0, self.ends).astype(numpy.int8),
            "reason": self.reasons,
            "observation": self.own_views,
            "other_observation": self.other_views,
            "value": numpy.sign(scores).astype(numpy.int8),
            "reasons": numpy.array(self.reason_names),
            "actions": numpy.array(self.encoding.actions),
            "planes": numpy.array(self.encoding.planes),
            "rules": numpy.array(self.game.fingerprint),
        }

    def __len__(self) -> int:
        return len(self.positions)

    def keep(self, name: object, make: Callable[["StateTable"], Kept]) -> Kept:
        """What ``make`` derives from this table, made once and kept as long as the table."""
        if name not in self._kept:
            self._kept[name] = make(self)
        found: Kept = self._kept[name]
        return found

    def _key(self, node: Reached) -> Hashable:
        position, player = node
        if position.outcome is None:
            return position.key
        return bytes(self.encoding.flat(position, player)), node.result, position.outcome.reason

    def _edges(self) -> Indices:
        """Twice the next state, plus 1 if the other player acts there; -1 for illegal actions."""
        lost = (self.ends == OPEN) & self.may_lose_turn
        taken = numpy.column_stack([self.masks == 1, lost])
        edges: Indices = numpy.full(taken.shape, -1, numpy.int32)
        # The children are in the order of their actions, the one after a lost turn is the last.
        children = numpy.fromiter(chain.from_iterable(self.graph.children), numpy.int32)
        switches = numpy.fromiter(chain.from_iterable(self.graph.switches), numpy.int32)
        edges[taken] = 2 * children + switches
        return edges


class Policy(NamedTuple):
    """The actions of state s are ``counts[s]`` entries of ``actions`` from ``starts[s]`` on."""

    starts: Indices
    counts: Indices
    actions: Array


def policy_for(table: StateTable, kind: str) -> Policy:
    """The policy of a built-in player, by its name, or of all legal actions."""
    return table.keep(("policy", kind), lambda table: _policy(table, kind))


def _policy(table: StateTable, kind: str) -> Policy:
    mask = table.masks
    if kind != LEGAL:
        mask = numpy.zeros_like(table.masks)
        for state, actions in _perfect(table) if kind == "perfect" else _chosen(table, kind):
            mask[state, actions] = 1
    counts = mask.sum(axis=1, dtype=numpy.int32)
    starts = numpy.concatenate([[0], numpy.cumsum(counts)[:-1]]).astype(numpy.int32)
    return Policy(starts, counts, numpy.nonzero(mask)[1].astype(numpy.int8))


def _perfect(table: StateTable) -> Iterator[tuple[int, list[int]]]:
    """What the perfect player chooses between in every unfinished state."""
    graph = table.graph
    scores = [graph.move_scores(at) for at in range(len(table))]
    traps_at = [*map(traps, scores)]
    for at, actions in enumerate(graph.actions):
        if actions:
            behind = [traps_at[child] for child in graph.children[at]]
            yield at, [actions[place] for place in perfect_choices(scores[at], behind.__getitem__)]


def _chosen(table: StateTable, kind: str) -> Iterator[tuple[int, list[int]]]:
    """What another player chooses between in every unfinished state."""
    player = players.make(kind)
    assert player is not None
    for state in numpy.flatnonzero(table.ends == OPEN).tolist():
        moves = player.candidates(table.positions[state])
        yield state, [*map(table.encoding.action, moves)]
