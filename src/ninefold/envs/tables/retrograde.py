"""Every state of a machine solved at once: from the ends backwards, a ply at a time.

It shares nothing with the solver but the meaning of a score; the tests hold the two together.
"""

from typing import Any, NamedTuple

import numpy

from ninefold.envs.encoding import Array
from ninefold.envs.tables.machine import OPEN, Machine
from ninefold.solver.scores import BEST

# What a distance is where a draw need never end.
ENDLESS = -1
_ILLEGAL = -2 * BEST


class Solution(NamedTuple):
    """For each state: what it is worth to the player to act, how far the end is, what to do.

    A finished state is told for whoever made the last move; no action is left there.
    """

    values: Array
    distances: numpy.ndarray[Any, numpy.dtype[numpy.int16]]
    optimal: Array
    keeping: Array


def solution_of(machine: Machine) -> Solution:
    """The one solution of a machine, found when it is first asked for."""
    return machine.keep("solution", solve)


def solve(machine: Machine) -> Solution:
    """The exact values, distances and best actions of all states of a machine."""
    values, distances = _won_and_lost(machine)
    worth = _worth(machine, values, distances)
    best = worth.max(axis=1, keepdims=True)
    legal = machine.masks == 1
    optimal = legal & (worth == best)
    keeping = legal & (numpy.sign(worth) == numpy.sign(best))
    _measure_draws(machine, values, distances, worth)
    return Solution(values, distances, optimal.astype(numpy.int8), keeping.astype(numpy.int8))


def _won_and_lost(machine: Machine) -> tuple[Array, Any]:
    """What can be forced, nearest to the end first; what nobody can force stays a draw."""
    is_open = machine.ends == OPEN
    values: Array = numpy.where(is_open, 0, machine.ends).astype(numpy.int8)
    distances = numpy.zeros(len(machine), numpy.int16)
    todo = numpy.flatnonzero(is_open)
    for plies in range(1, BEST):
        after = _for_maker(machine.edges[todo, :-1], values)
        legal = machine.masks[todo] == 1
        won = (legal & (after == 1)).any(axis=1)
        lost = ~won & (~legal | (after == -1)).all(axis=1)
        decided = won | lost
        if not decided.any():
            break
        values[todo[won]], values[todo[lost]] = 1, -1
        distances[todo[decided]] = plies
        todo = todo[~decided]
    return values, distances


def _for_maker(edges: Any, values: Any) -> Any:
    """What is known of each state that edges lead to, told for whoever takes the edge."""
    after = values[edges >> 1]
    return numpy.where(edges & 1, -after, after)


def _worth(machine: Machine, values: Array, distances: Any) -> Any:
    """The score of each action for whoever takes it: more is better, as with the solver."""
    edges = machine.edges[:, :-1]
    scores = values.astype(numpy.int32) * (BEST - 1 - distances.astype(numpy.int32))
    return numpy.where(edges >= 0, _for_maker(edges, scores), _ILLEGAL)


def _measure_draws(machine: Machine, values: Array, distances: Any, worth: Any) -> None:
    """How long each draw takes if both players take the first move that holds it, as the solver.

    The solver says that it need never end after four moves for each number.
    """
    drawn = numpy.flatnonzero((machine.ends == OPEN) & (values == 0))
    first = (worth == 0).argmax(axis=1)
    follower = machine.edges[numpy.arange(len(machine)), first] >> 1
    at, going = drawn.copy(), numpy.ones(len(drawn), bool)
    for _ in range(4 * len(machine.game.pool) + 3):
        distances[drawn[going]] += 1
        at[going] = follower[at[going]]
        going &= machine.ends[at] == OPEN
        if not going.any():
            return
    distances[drawn[going]] = ENDLESS
