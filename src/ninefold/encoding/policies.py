"""Players as tables: the actions that each player chooses between, for every state of a game."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy

from ninefold import players
from ninefold.encoding import Array
from ninefold.encoding.state_table import OPEN, Indices, StateTable
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
    if player is None or players.is_program(kind):
        raise WrongSetting("setting", f"{kind!r} cannot play many games at once.")
    for state in numpy.flatnonzero(table.ends == OPEN).tolist():
        moves = player.candidates(table.positions[state])
        yield state, [*map(table.encoding.action, moves)]
