"""Walking through a strategy: every reply to every answer, from what the search has settled."""

from typing import NamedTuple

from ninefold.solver.compiled import Ints, compiled
from ninefold.solver.proof.board import (
    ATTACKER,
    CLAIMED,
    DEFENDER,
    FREE,
    HOLD,
    NODES,
    POTENTIAL,
    WIN,
    Board,
    completing,
    key_now,
    put,
    take_back,
)
from ninefold.solver.proof.pairing import paired
from ninefold.solver.proof.search import settled_child
from ninefold.solver.proof.transposition_table import TranspositionTable

# How a walk stops: it is over, it needs room or a pause, or it needs an answer to this position.
DONE, PAUSED, UNSETTLED = range(3)
# Instead of a place: there is nothing to look at after it, and nothing is known.
CLOSED, UNKNOWN = -1, -2
# Places in ``StrategyWalk.state``. GIVEN is the answer to a position that was UNSETTLED.
DEPTH, ENTERING, ROWS, REMEMBERED, LIMIT, GIVEN, ANSWERS, PLACES = range(8)


class StrategyWalk(NamedTuple):
    """A walk in progress; a row is two hands, an answer, how many pairs, and those pairs."""

    path: Ints  # 2 * depth: the holder's answer, and the reply to it that is looked at
    seen: Ints  # keys of positions, each in its own slot or the next free one
    rows: Ints
    state: Ints


@compiled
def walk(board: Board, table: TranspositionTable, todo: StrategyWalk, side: int) -> int:
    """Go on with the strategy of this side until something is needed: DONE, PAUSED, UNSETTLED."""
    state, path = todo.state, todo.path
    while True:
        depth = state[DEPTH]
        at = 2 * depth
        if state[ENTERING]:
            if not has_room(board, todo):
                return PAUSED
            board.state[NODES] += 1
            place = answer(board, table, todo, side)
            if place == UNKNOWN:
                return UNSETTLED
            state[ENTERING] = 0
            path[at], path[at + 1] = place, board.size if place == CLOSED else -1
        reply = next_reply(board, side, path[at + 1] + 1)
        if reply >= 0:
            path[at + 1] = reply
            put(board, reply, 3 - side)
            state[DEPTH], state[ENTERING] = depth + 1, 1
            continue
        if path[at] >= 0:
            take_back(board, path[at], side)
        if depth == 0:
            return DONE
        state[DEPTH] = depth - 1
        take_back(board, path[at - 1], 3 - side)


@compiled
def has_room(board: Board, todo: StrategyWalk) -> bool:
    """Whether one more position fits, and no pause is due."""
    state = todo.state
    room = len(todo.rows) - state[ROWS] >= board.size + 4
    return room and 2 * state[REMEMBERED] < len(todo.seen) and board.state[NODES] < state[LIMIT]


@compiled
def answer(board: Board, table: TranspositionTable, todo: StrategyWalk, side: int) -> int:
    """Claim the holder's answer and write it down; CLOSED if no reply has to be looked at.

    What the verifier sees for itself is not written: a set to complete, one to stop, the weight.
    """
    other, state, holding = 3 - side, board.state, side == DEFENDER and board.draw == 1
    if state[side]:
        return CLOSED
    forced = completing(board, other, -1) if state[other] else -1
    if forced < 0 and holding and state[POTENTIAL] < board.unit:
        return CLOSED
    key = key_now(board, side)
    if has_seen(todo, key):
        return CLOSED
    if forced < 0 and holding and paired(board):
        remember(todo, key)
        write(board, todo, side, -1, -1, 1)
        return CLOSED
    place = forced if forced >= 0 else todo.state[GIVEN]
    if place < 0:
        place = settled_child(board, table, side, WIN if side == ATTACKER else HOLD)
    if place < 0:
        return UNKNOWN
    todo.state[GIVEN] = -1
    remember(todo, key)
    put(board, place, side)
    light = holding and 2 * state[POTENTIAL] < board.unit
    pairs = holding and not light and paired(board)
    if pairs or forced < 0:
        write(board, todo, side, place, forced, 1 if pairs else 0)
    if light or pairs:
        take_back(board, place, side)
        return CLOSED
    return place


@compiled
def next_reply(board: Board, side: int, start: int) -> int:
    """The next place from this one on whose claim by the opponent can matter, or -1."""
    size = board.size
    if board.state[CLAIMED] + 1 >= size:
        return -1  # the holder has no choice after it
    for place in range(start, size):
        if board.owner[place] == FREE:
            worth = board.weight[ATTACKER * size + place] + board.weight[DEFENDER * size + place]
            if worth > 0 or side == ATTACKER or board.draw == 0:
                return place
    return -1


@compiled
def write(board: Board, todo: StrategyWalk, side: int, place: int, forced: int, pairs: int) -> None:
    """Write a row: the hands before the answer, the answer unless it is forced, the pairs."""
    rows, at, own, other = todo.rows, todo.state[ROWS], 0, 0
    for cell in range(board.size):
        if board.owner[cell] == side and cell != place:
            own |= 1 << cell
        elif board.owner[cell] == 3 - side:
            other |= 1 << cell
    rows[at], rows[at + 1] = own, other
    rows[at + 2] = place if forced < 0 else -1
    end = at + 4
    if pairs:
        for cell in range(board.size):
            if board.pair[cell] > cell:
                rows[end] = 64 * cell + board.pair[cell]
                end += 1
    rows[at + 3] = end - at - 4 if pairs else -1
    todo.state[ROWS] = end
    todo.state[ANSWERS] += 1


@compiled
def slot_of(seen: Ints, key: int) -> int:
    """Where this key is kept, or would be."""
    mask = len(seen) - 1
    slot = key & mask
    while seen[slot] != 0 and seen[slot] != key:
        slot = (slot + 1) & mask
    return slot


@compiled
def has_seen(todo: StrategyWalk, key: int) -> bool:
    """Whether this position was looked at before, or an image of it."""
    return bool(todo.seen[slot_of(todo.seen, key)] == key)


@compiled
def remember(todo: StrategyWalk, key: int) -> None:
    """Do not look at this position again."""
    todo.seen[slot_of(todo.seen, key)] = key
    todo.state[REMEMBERED] += 1


@compiled
def move_seen(old: Ints, new: Ints) -> None:
    """Copy all keys into a larger table."""
    for slot in range(len(old)):
        if old[slot] != 0:
            new[slot_of(new, old[slot])] = old[slot]
