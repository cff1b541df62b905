"""Players as tables: the actions that each player chooses between, for every state of a game."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy

from ninefold import players
from ninefold.encoding import Array
from ninefold.encoding.state_table import OPEN, Indices, StateTable
from ninefold.reachable import Reachable
from ninefold.require import WrongSetting
from ninefold.solver.policy import perfect_choices, traps

LEGAL = "legal"


class Policy(NamedTuple):
    """The actions of state s are ``counts[s]`` entries of ``actions`` from ``starts[s]`` on."""

    starts: Indices
    counts: Indices
    actions: Array


def policy_for(table: StateTable, kind: str) -> Policy:
    """The policy of a built-in player, by its name, or of all legal actions."""
    return table.keep(("policy", kind), lambda table: _policy(table, kind))


def _policy(table: StateTable, kind: str) -> Policy:
    if kind == LEGAL:
        return _from_mask(table.masks)
    if kind == "perfect":
        return _from_mask(_mask_of(table, _perfect(table.graph)))
    player = players.make(kind)
    if player is None or players.is_program(kind):
        raise WrongSetting("setting", f"{kind!r} cannot play many games at once.")
    action = table.encoding.action
    chosen = (
        (state, map(action, player.candidates(table.positions[state])))
        for state in numpy.flatnonzero(table.ends == OPEN).tolist()
    )
    return _from_mask(_mask_of(table, chosen))


def _mask_of(table: StateTable, chosen: Iterable[tuple[int, Iterable[int]]]) -> Array:
    """1 for the chosen actions of each state, else 0."""
    mask = numpy.zeros_like(table.masks)
    for state, actions in chosen:
        for action in actions:
            mask[state, action] = 1
    return mask


def _from_mask(mask: Array) -> Policy:
    counts = mask.sum(axis=1, dtype=numpy.int32)
    starts = numpy.concatenate([[0], numpy.cumsum(counts)[:-1]]).astype(numpy.int32)
    return Policy(starts, counts, numpy.nonzero(mask)[1].astype(numpy.int8))


def _perfect(graph: Reachable) -> Iterator[tuple[int, list[int]]]:
    """What the perfect player chooses between in every unfinished state."""
    scores = [graph.move_scores(at) for at in range(len(graph.nodes))]
    traps_at = [*map(traps, scores)]
    for at, actions in enumerate(graph.actions):
        if actions:
            behind = [traps_at[child] for child in graph.children[at]]
            yield at, [actions[place] for place in perfect_choices(scores[at], behind.__getitem__)]
