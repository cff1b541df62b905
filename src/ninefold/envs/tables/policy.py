"""Players as tables: for each position of a machine, the actions that are alike to a player."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from ninefold import players
from ninefold.core.position import Position
from ninefold.envs.encoding import Array
from ninefold.envs.seats import WrongSetting
from ninefold.envs.tables.machine import OPEN, Indices, Machine
from ninefold.envs.tables.retrograde import solution_of
from ninefold.solver.scores import BEST

LEGAL = "legal"


class Policy(NamedTuple):
    """The actions of state s are ``counts[s]`` entries of ``actions`` from ``starts[s]`` on."""

    starts: Indices
    counts: Indices
    actions: Array


def policy_for(machine: Machine, kind: str) -> Policy:
    """The table of a player of Ninefold, by its name, or of every legal action."""
    return machine.keep(("policy", kind), lambda machine: _policy(machine, kind))


def _policy(machine: Machine, kind: str) -> Policy:
    if kind == LEGAL:
        return _from_mask(machine.masks)
    if kind == "perfect":
        return _from_mask(perfect(machine))
    player = players.make(kind)
    if player is None or players.is_program(kind):
        raise WrongSetting("setting", f"{kind!r} cannot play many games at once.")
    return _from_mask(_asked(machine, player.candidates))


def _from_mask(mask: Array) -> Policy:
    counts = mask.sum(axis=1, dtype=numpy.int32)
    starts = numpy.concatenate([[0], numpy.cumsum(counts)[:-1]]).astype(numpy.int32)
    return Policy(starts, counts, numpy.nonzero(mask)[1].astype(numpy.int8))


def _asked(machine: Machine, candidates: Callable[[Position], Sequence[Any]]) -> Array:
    """The mask of what a player considers, asked in every unfinished position."""
    mask = numpy.zeros_like(machine.masks)
    action = machine.encoding.action
    for state in numpy.flatnonzero(machine.ends == OPEN).tolist():
        for move in candidates(machine.positions[state]):
            mask[state, action(move)] = 1
    return mask


def scores(machine: Machine) -> numpy.ndarray[Any, numpy.dtype[numpy.int64]]:
    """The exact score of each state for the player to act there.

    A finished one is scored for whoever made the last move, so that all moves compare alike.
    """
    values, distances, *_ = solution_of(machine)
    found: numpy.ndarray[Any, numpy.dtype[numpy.int64]] = values.astype(numpy.int64)
    return found * (BEST - distances)


def perfect(machine: Machine) -> Array:
    """The mask of the perfect player, from the scores of all states at once.

    It wins as soon as it can; else, of the moves that keep the value, it takes those after which
    most replies throw something away, and of these the ones that lose latest.
    """
    worth = _move_scores(machine, scores(machine))
    best = worth.max(axis=1, keepdims=True)
    legal = machine.masks == 1
    wins = legal & (worth == best)
    kept = legal & ((worth < 0) == (best < 0))
    traps = numpy.where(kept, _traps(machine, worth), -1)
    most = kept & (traps == traps.max(axis=1, keepdims=True))
    last = numpy.where(most, worth, _NEVER)
    kept = most & (last == last.max(axis=1, keepdims=True))
    mask: Array = numpy.where(best > 0, wins, kept).astype(numpy.int8)
    return mask


_NEVER = -(1 << 40)


def _move_scores(machine: Machine, score: Any) -> Any:
    """What each action is worth to whoever takes it; a win or loss is a ply further away."""
    edges = machine.edges[:, :-1]
    after = score[edges >> 1]
    after = numpy.where(edges & 1, -after, after)
    after -= numpy.sign(after)
    return numpy.where(edges >= 0, after, _NEVER)


def _traps(machine: Machine, worth: Any) -> Any:
    """After each action, how many replies throw away what the best ones keep."""
    legal = machine.masks == 1
    signs = numpy.where(legal, numpy.sign(worth), -2)
    thrown = (legal & (signs < signs.max(axis=1, keepdims=True))).sum(axis=1)
    return thrown[machine.edges[:, :-1] >> 1]
