"""The inner loops over many games, compiled by Numba; only look-ups in tables, no rules.

Import it only where Numba is installed. ``ninefold.envs.batch.table`` says the same in NumPy, and
the tests hold the two together. Games ``first`` to ``last`` are one thread's part of them.
"""

from collections.abc import Callable
from typing import Any

import numpy
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from ninefold.envs.batch.chance import (
    HALF,
    MIX_ONE,
    MIX_TWO,
    SHIFT_ONE,
    SHIFT_THREE,
    SHIFT_TWO,
    STRIDE,
)
from ninefold.envs.batch.outcomes import GOES_ON, TERMINATED, TRUNCATED
from ninefold.envs.tables.machine import OPEN


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, compiled on its first call; other threads run meanwhile."""
    made: Callable[..., Any]
    try:
        made = njit(cache=True, nogil=True)(function)
    except RuntimeError:
        # There is no folder to keep it in: it is compiled in every process then.
        made = njit(nogil=True)(function)
    return made


def _copying(_: Any, target: Any, at: Any, source: Any, begin: Any, size: Any) -> Any:  # noqa: ARG001 - Numba takes the names from here
    """Code that copies so many bytes at once; a loop over them takes several times as long."""
    signature = types.void(target, types.intp, source, types.intp, types.intp)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds, places = (signature.args[0], signature.args[2]), (values[:2], values[2:4])
        ends = []
        for kind, (array, place) in zip(kinds, places, strict=True):
            data = context.make_array(kind)(context, builder, array).data
            ends.append(builder.gep(data, [place]))
        memcpy: Any = cgutils.raw_memcpy
        memcpy(builder, *ends, values[4], 1)
        return context.get_dummy_value()

    return signature, generate


_copy: Callable[..., None] = intrinsic(_copying)


@compiled
def draw(word: Any, count: Any) -> Any:
    """One of so many indices, from a stream that has been moved on."""
    word = (word ^ (word >> SHIFT_ONE)) * MIX_ONE
    word = (word ^ (word >> SHIFT_TWO)) * MIX_TWO
    word = word ^ (word >> SHIFT_THREE)
    return numpy.int64(((word >> HALF) * numpy.uint64(count)) >> HALF)


@compiled
def _answer(
    i: Any,
    s: Any,
    code: Any,
    mover: Any,
    ply: Any,
    limit: Any,
    me: Any,
    words: Any,
    moves: Any,
    edges: Any,
    spans: Any,
    choices: Any,
) -> Any:
    """Let the opponent move until it is the agent's turn, the end, or the limit."""
    while code == 0 and mover != me and (limit == 0 or ply < limit):
        word = words[i] + STRIDE
        words[i] = word
        action = choices[spans[s, 0] + draw(word, spans[s, 1])]
        if ply < moves.shape[1]:
            moves[i, ply] = action
        ply += 1
        edge = edges[s, action]
        s = edge >> 3
        code = (edge >> 1) & 3
        if edge & 1:
            mover = 3 - mover
    return s, code, mover, ply


@compiled
def begin(
    first: int,
    last: int,
    which: Any,
    state: Any,
    actor: Any,
    agent: Any,
    plies: Any,
    words: Any,
    moves: Any,
    ends: Any,
    seen: Any,
    faults: Any,
    edges: Any,
    spans: Any,
    choices: Any,
    plays_itself: bool,
    flips: bool,
) -> None:
    """Begin these games anew, up to the agent's turn; the others are left alone."""
    for i in range(first, last):
        if not which[i]:
            continue
        for at in range(moves.shape[1]):
            moves[i, at] = -1
        if flips:
            agent[i] = 3 - agent[i]
        s, mover, ply = 0, 1, 0
        if not plays_itself:
            s, _, mover, ply = _answer(
                i, 0, 0, 1, 0, 0, agent[i], words, moves, edges, spans, choices
            )
        state[i], actor[i], plies[i] = s, mover, ply
        ends[i], faults[i] = GOES_ON, False
        seen[i] = plays_itself or mover == agent[i]


@compiled
def step(
    first: int,
    last: int,
    actions: Any,
    fresh: Any,
    again: bool,
    state: Any,
    actor: Any,
    agent: Any,
    plies: Any,
    words: Any,
    moves: Any,
    ends: Any,
    seen: Any,
    rewards: Any,
    terminated: Any,
    truncated: Any,
    ended: Any,
    faults: Any,
    views: Any,
    allowed: Any,
    finals: Any,
    edges: Any,
    results: Any,
    rows: Any,
    spans: Any,
    choices: Any,
    sizes: tuple[int, int, int],
    plays_itself: bool,
    flips: bool,
    limit: int,
    loses: bool,
) -> tuple[int, int]:
    """One step of every game, as the Batch describes it; how many ended, and illegal actions."""
    size = edges.shape[1] - 1
    width = moves.shape[1]
    view, mask, half = sizes
    row = view + mask
    all_ended = all_faults = 0
    for game in range(first, last):
        # What cannot be negative is looked up without asking whether it is.
        i = numpy.uintp(game)
        mover: Any = numpy.int64(actor[i])
        me = numpy.int64(agent[i])
        viewer = mover if plays_itself else me
        reward = 0.0
        end = GOES_ON
        fault = False
        begins = fresh[i]
        s: Any = numpy.int64(state[i])
        ply: Any = numpy.int64(plies[i])
        if not begins:
            action = actions[i]
            edge: Any = (
                numpy.int64(edges[numpy.uintp(s), numpy.uintp(action)])
                if 0 <= action < size
                else -1
            )
            code: Any = 0
            if edge < 0:
                if results[s] != OPEN:
                    code = results[s] + 2
                else:
                    fault = True
                    if loses:
                        reward = -1.0
                        end = TERMINATED
                    else:
                        action = size
                        edge = numpy.int64(edges[s, size])
            if edge >= 0:
                if ply < width:
                    moves[i, ply] = action
                ply += 1
                s = edge >> 3
                code = (edge >> 1) & 3
                if edge & 1:
                    mover = 3 - mover
                if not plays_itself:
                    s, code, mover, ply = _answer(
                        i, s, code, mover, ply, limit, me, words, moves, edges, spans, choices
                    )
            if code != 0:
                end = TERMINATED
                reward = code - 2.0 if mover == viewer else 2.0 - code
            elif end == GOES_ON and limit != 0 and ply >= limit:
                end = TRUNCATED
        rewards[i] = reward
        terminated[i] = end == TERMINATED
        truncated[i] = end == TRUNCATED
        ended[i] = end != GOES_ON
        faults[i] = fault
        all_faults += fault
        if end != GOES_ON:
            all_ended += 1
            if again:
                place = (s if mover == viewer else s + half) * row
                _copy(finals, game * view, rows, place, view)
                begins = True
                end = GOES_ON
        if begins:
            s, mover, ply = 0, 1, 0
            for at in range(width):
                moves[i, at] = -1
            if flips:
                me = 3 - me
                agent[i] = me
            if not plays_itself:
                s, _, mover, ply = _answer(
                    i, 0, 0, 1, 0, 0, me, words, moves, edges, spans, choices
                )
            viewer = me
        visible = mover == viewer or (plays_itself and end == GOES_ON)
        state[i] = s
        actor[i] = mover
        plies[i] = ply
        ends[i] = end
        seen[i] = visible
        _copy(views, game * view, rows, (s if visible else s + half) * row, view)
        shown = s if end == GOES_ON else half - 1
        _copy(allowed, game * mask, rows, shown * row + view, mask)
    return all_ended, all_faults


@compiled
def show(
    first: int,
    last: int,
    state: Any,
    ends: Any,
    seen: Any,
    rows: Any,
    sizes: tuple[int, int, int],
    views: Any,
    allowed: Any,
) -> None:
    """Write what each game looks like, and what is allowed in it: nothing after the end."""
    view, mask, half = sizes
    row = view + mask
    for i in range(first, last):
        s = numpy.int64(state[i])
        _copy(views, i * view, rows, (s if seen[i] else s + half) * row, view)
        shown = s if ends[i] == GOES_ON else half - 1
        _copy(allowed, i * mask, rows, shown * row + view, mask)


@compiled
def sample(
    first: int, last: int, words: Any, state: Any, spans: Any, choices: Any, actions: Any
) -> None:
    """Draw an action of each state from those listed for it; 0 where there is none."""
    for game in range(first, last):
        i = numpy.uintp(game)
        s = numpy.uintp(state[i])
        word = words[i] + STRIDE
        words[i] = word
        count = spans[s, 1]
        actions[i] = choices[numpy.uintp(spans[s, 0] + draw(word, count))] if count > 0 else 0


@compiled
def play_out(words: Any, results: Any, first: Any, starts: Any, counts: Any, edges: Any) -> None:
    """Play a random game with each stream to its end; what it brought the player who began."""
    for i in range(words.shape[0]):
        word = words[i]
        s = 0
        turn = 0
        while counts[s] > 0:
            word = word + STRIDE
            edge = edges[starts[s] + draw(word, counts[s])]
            s = edge >> 1
            turn ^= edge & 1
        words[i] = word
        first[i] = results[s] if turn == 0 else -results[s]
