"""The inner loops over many games, compiled by Numba: table look-ups only, no rules.

Import this only if Numba is installed. ``table_batch`` does the same in NumPy, and the tests
compare the two. Each thread works on the games from ``first`` up to ``last``.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ninefold.envs.batch.base import GOES_ON, TERMINATED, TRUNCATED, StepResult
from ninefold.envs.batch.random_streams import STRIDE, index_below
from ninefold.solver.compiled import compiled
from ninefold.state_table import ILLEGAL_ACTION, NO_REASON, OPEN


class Games(NamedTuple):
    """The arrays of a batch that say where its games stand."""

    state: Any
    actor: Any
    agent: Any
    plies: Any
    streams: Any
    moves: Any
    ends: Any
    viewer_acts: Any


class PackedTables(NamedTuple):
    """The state table of a game, as the kernels read it."""

    # 8 times the next state, plus 2 times its code, plus 1 if the other player acts there; the code
    # is 0 while the game goes on, then 1, 2 or 3 for a loss, a draw or a win of who moved last.
    edges: Any
    results: Any
    reasons: Any  # why each finished state ended, as a code
    # An observation and a mask per state for the player to act, an empty row, then for the other.
    rows: Any
    sizes: tuple[int, int, int]  # of an observation, of a mask, and how many rows are one half
    spans: Any  # where the opponent's actions for each state begin in ``choices``, and how many
    choices: Any


class Terms(NamedTuple):
    """The settings of a batch that matter to its kernels; a limit of 0 means none."""

    plays_itself: bool
    alternates: bool
    limit: int
    illegal_loses: bool


def _copying(_: Any, target: Any, at: Any, source: Any, begin: Any, size: Any) -> Any:  # noqa: ARG001 - Numba takes the names from here
    """Copies a number of bytes at once; a loop over them takes several times as long."""
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
_draw = compiled(index_below)


@compiled
def _reply(
    i: Any, s: Any, code: Any, mover: Any, ply: Any, limit: Any, games: Games, tables: PackedTables
) -> Any:
    """Let the opponent move until it is the agent's turn, the end, or the limit."""
    me = numpy.int64(games.agent[i])
    while code == 0 and mover != me and (limit == 0 or ply < limit):
        word = games.streams[i] + STRIDE
        games.streams[i] = word
        action = tables.choices[tables.spans[s, 0] + _draw(tables.spans[s, 1], word)]
        if ply < games.moves.shape[1]:
            games.moves[i, ply] = action
        ply += 1
        edge = tables.edges[s, action]
        s = edge >> 3
        code = (edge >> 1) & 3
        if edge & 1:
            mover = 3 - mover
    return s, code, mover, ply


@compiled
def _restart(i: Any, games: Games, tables: PackedTables, terms: Terms) -> Any:
    """Start a game over, up to the agent's turn: its state, who moves, and the moves so far."""
    for at in range(games.moves.shape[1]):
        games.moves[i, at] = -1
    if terms.alternates:
        games.agent[i] = 3 - games.agent[i]
    if terms.plays_itself:
        return 0, 1, 0
    s, _, mover, ply = _reply(i, 0, 0, 1, 0, 0, games, tables)
    return s, mover, ply


@compiled
def step(
    first: int,
    last: int,
    actions: Any,
    restarting: Any,
    autoreset: bool,
    games: Games,
    result: StepResult,
    tables: PackedTables,
    terms: Terms,
) -> tuple[int, int]:
    """One step of every game, as in ``Batch.step``: the numbers of ended games and of faults."""
    edges, results, rows = tables.edges, tables.results, tables.rows
    reasons = tables.reasons
    size = edges.shape[1] - 1
    width = games.moves.shape[1]
    view, mask, half = tables.sizes
    row = view + mask
    all_ended = all_faults = 0
    for game in range(first, last):
        # An unsigned index spares Numba the check for negative ones.
        i = numpy.uintp(game)
        mover: Any = numpy.int64(games.actor[i])
        viewer = mover if terms.plays_itself else numpy.int64(games.agent[i])
        reward = 0.0
        end = GOES_ON
        fault = False
        winner: Any = 0
        reason: Any = NO_REASON
        begins = restarting[i]
        s: Any = numpy.int64(games.state[i])
        ply: Any = numpy.int64(games.plies[i])
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
                    if terms.illegal_loses:
                        reward = -1.0
                        end = TERMINATED
                        winner = 3 - viewer
                        reason = ILLEGAL_ACTION
                    else:
                        action = size
                        edge = numpy.int64(edges[s, size])
            if edge >= 0:
                if ply < width:
                    games.moves[i, ply] = action
                ply += 1
                s = edge >> 3
                code = (edge >> 1) & 3
                if edge & 1:
                    mover = 3 - mover
                if not terms.plays_itself:
                    s, code, mover, ply = _reply(i, s, code, mover, ply, terms.limit, games, tables)
            if code != 0:
                end = TERMINATED
                reward = code - 2.0 if mover == viewer else 2.0 - code
                winner = 0 if code == 2 else mover if code == 3 else 3 - mover
                reason = numpy.int64(reasons[s])
            elif end == GOES_ON and terms.limit != 0 and ply >= terms.limit:
                end = TRUNCATED
        result.rewards[i] = reward
        result.terminated[i] = end == TERMINATED
        result.truncated[i] = end == TRUNCATED
        result.ended[i] = end != GOES_ON
        result.faults[i] = fault
        result.winners[i] = winner
        result.reasons[i] = reason
        result.final_seats[i] = viewer
        all_faults += fault
        if end != GOES_ON:
            all_ended += 1
            if autoreset:
                place = (s if mover == viewer else s + half) * row
                _copy(result.finals, game * view, rows, place, view)
                begins = True
                end = GOES_ON
        if begins:
            s, mover, ply = _restart(i, games, tables, terms)
            viewer = numpy.int64(games.agent[i])
        visible = mover == viewer or (terms.plays_itself and end == GOES_ON)
        result.seats[i] = mover if terms.plays_itself and end == GOES_ON else viewer
        games.state[i] = s
        games.actor[i] = mover
        games.plies[i] = ply
        games.ends[i] = end
        games.viewer_acts[i] = visible
        _copy(result.views, game * view, rows, (s if visible else s + half) * row, view)
        shown = s if end == GOES_ON else half - 1
        _copy(result.masks, game * mask, rows, shown * row + view, mask)
    return all_ended, all_faults


@compiled
def sample(
    first: int, last: int, streams: Any, state: Any, spans: Any, choices: Any, actions: Any
) -> None:
    """Draw one of the listed actions for each game; 0 if there are none."""
    for game in range(first, last):
        i = numpy.uintp(game)
        s = numpy.uintp(state[i])
        word = streams[i] + STRIDE
        streams[i] = word
        count = spans[s, 1]
        actions[i] = choices[numpy.uintp(spans[s, 0] + _draw(count, word))] if count > 0 else 0


@compiled
def play_out(streams: Any, results: Any, first: Any, starts: Any, counts: Any, edges: Any) -> None:
    """Play a random game from each stream: its result for the player who began."""
    for i in range(streams.shape[0]):
        word = streams[i]
        s = 0
        turn = 0
        while counts[s] > 0:
            word = word + STRIDE
            edge = edges[starts[s] + _draw(counts[s], word)]
            s = edge >> 1
            turn ^= edge & 1
        streams[i] = word
        first[i] = results[s] if turn == 0 else -results[s]
