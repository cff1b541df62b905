"""The inner loop over many games, compiled by Numba; only table look-ups, no rules.

``ninefold.envs.batch`` says the same in NumPy, and the tests hold the two together.
"""

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy

from ninefold.envs.chance import (
    HALF,
    MIX_ONE,
    MIX_TWO,
    SHIFT_ONE,
    SHIFT_THREE,
    SHIFT_TWO,
    STRIDE,
)
from ninefold.envs.machine import OPEN

GOES_ON, TERMINATED, TRUNCATED = 0, 1, 2


def is_available() -> bool:
    """Whether Numba is installed."""
    return find_spec("numba") is not None


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, compiled on its first call; other threads run meanwhile."""
    from numba import njit

    made: Callable[..., Any]
    try:
        made = njit(cache=True, nogil=True)(function)
    except RuntimeError:
        # There is no folder to keep it in: it is compiled in every process then.
        made = njit(nogil=True)(function)
    return made


def advance(
    actions: Any,
    fresh: Any,
    state: Any,
    actor: Any,
    agent: Any,
    plies: Any,
    words: Any,
    moves: Any,
    rewards: Any,
    ends: Any,
    faults: Any,
    seen: Any,
    edges: Any,
    results: Any,
    starts: Any,
    counts: Any,
    choices: Any,
    plays_itself: bool,
    flips: bool,
    limit: int,
    loses: bool,
    only_fresh: bool,
) -> None:
    """One step of every game, as the Batch describes it; everything is written in place.

    With ``only_fresh``, the fresh games begin, and the others are left alone.
    """
    size = edges.shape[1] - 1
    width = moves.shape[1]
    for i in range(state.shape[0]):
        if only_fresh and not fresh[i]:
            continue
        s = state[i]
        mover = actor[i]
        ply = plies[i]
        faults[i] = False
        rewards[i] = 0.0
        ends[i] = GOES_ON
        if fresh[i]:
            s = 0
            mover = 1
            ply = 0
            for at in range(width):
                moves[i, at] = -1
            if flips:
                agent[i] = 3 - agent[i]
        viewer = mover if plays_itself else agent[i]
        if not fresh[i] and results[s] == OPEN:
            action = actions[i]
            edge = edges[s, action] if 0 <= action < size else -1
            if edge < 0:
                faults[i] = True
                if loses:
                    rewards[i] = -1.0
                    ends[i] = TERMINATED
                    seen[i] = True
                    continue
                action = size
                edge = edges[s, size]
            if ply < width:
                moves[i, ply] = action
            ply += 1
            s = edge >> 1
            if edge & 1:
                mover = 3 - mover
        while (
            not plays_itself
            and results[s] == OPEN
            and mover != agent[i]
            and (fresh[i] or limit == 0 or ply < limit)
        ):
            word = words[i] + STRIDE
            words[i] = word
            word = (word ^ (word >> SHIFT_ONE)) * MIX_ONE
            word = (word ^ (word >> SHIFT_TWO)) * MIX_TWO
            word = word ^ (word >> SHIFT_THREE)
            drawn = numpy.int64(((word >> HALF) * numpy.uint64(counts[s])) >> HALF)
            action = choices[starts[s] + drawn]
            edge = edges[s, action]
            if ply < width:
                moves[i, ply] = action
            ply += 1
            s = edge >> 1
            if edge & 1:
                mover = 3 - mover
        if not fresh[i]:
            if results[s] != OPEN:
                ends[i] = TERMINATED
                rewards[i] = results[s] if mover == viewer else -results[s]
            elif limit != 0 and ply >= limit:
                ends[i] = TRUNCATED
        if ends[i] == GOES_ON and plays_itself:
            viewer = mover
        seen[i] = viewer == mover
        state[i] = s
        actor[i] = mover
        plies[i] = ply


def show(
    state: Any, ends: Any, seen: Any, own: Any, other: Any, masks: Any, views: Any, allowed: Any
) -> None:
    """Write what each game looks like, and what is allowed in it: nothing after the end."""
    for i in range(state.shape[0]):
        s = state[i]
        if seen[i]:
            for at in range(own.shape[1]):
                views[i, at] = own[s, at]
        else:
            for at in range(own.shape[1]):
                views[i, at] = other[s, at]
        if ends[i] == GOES_ON:
            for at in range(masks.shape[1]):
                allowed[i, at] = masks[s, at]
        else:
            for at in range(masks.shape[1]):
                allowed[i, at] = 0


def sample(words: Any, state: Any, starts: Any, counts: Any, choices: Any, actions: Any) -> None:
    """Draw an action of each state from those listed for it; 0 where there is none."""
    for i in range(state.shape[0]):
        s = state[i]
        word = words[i] + STRIDE
        words[i] = word
        word = (word ^ (word >> SHIFT_ONE)) * MIX_ONE
        word = (word ^ (word >> SHIFT_TWO)) * MIX_TWO
        word = word ^ (word >> SHIFT_THREE)
        drawn = numpy.int64(((word >> HALF) * numpy.uint64(counts[s])) >> HALF)
        actions[i] = choices[starts[s] + drawn] if counts[s] > 0 else 0


def play_out(
    words: Any,
    results: Any,
    first: Any,
    starts: Any,
    counts: Any,
    edges: Any,
) -> None:
    """Play a random game with each stream to its end; what it brought the player who began."""
    for i in range(words.shape[0]):
        word = words[i]
        s = 0
        turn = 0
        while counts[s] > 0:
            word = word + STRIDE
            mixed = (word ^ (word >> SHIFT_ONE)) * MIX_ONE
            mixed = (mixed ^ (mixed >> SHIFT_TWO)) * MIX_TWO
            mixed = mixed ^ (mixed >> SHIFT_THREE)
            at = numpy.int64(((mixed >> HALF) * numpy.uint64(counts[s])) >> HALF)
            edge = edges[starts[s] + at]
            s = edge >> 1
            turn ^= edge & 1
        words[i] = word
        first[i] = results[s] if turn == 0 else -results[s]
