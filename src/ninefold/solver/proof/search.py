"""Proof-number search for pools too large for tables: can the attacker still win?

The attacker wins by completing a set, or by the book's ending; everything else is good enough for
the defender. Depth-first proof-number search with weak proof numbers: a position costs as much as
its hardest child and one for each other child, so that shared positions are not counted many times.
Everything is in flat arrays of integers: see ``compiled``.

The rules of thumb are proofs here. A player who can complete a set does; a player whose opponent
could complete one takes that number; two such numbers lose. Where the pool running out is a draw,
a position is closed for the defender when the attacker's open sets weigh too little (Erdős and
Selfridge: each set counts 1/2 for every number it still lacks) or can be paired off.
"""

from typing import NamedTuple

from ninefold.solver.compiled import Ints, compiled, zeros
from ninefold.solver.proof.board import (
    ATTACKER,
    CLAIMED,
    DEFENDER,
    FRAME,
    FREE,
    HELD,
    HOLD,
    LIMIT,
    MOST,
    NODES,
    OPEN,
    POTENTIAL,
    STORED,
    WIN,
    Board,
    completing,
    final,
    key_after,
    key_now,
    put,
    take_back,
    threats_after,
)
from ninefold.solver.proof.pairing import paired

# Places in one frame of the search.
COUNT, BEST, MOST_PROOF, MOST_DISPROOF = range(FRAME)
INFINITE = 100_000_000
WAYS = 4


class TranspositionTable(NamedTuple):
    """What is known of positions by key: 0 in ``proof`` is a win, 0 in ``disproof`` a hold.

    It has a fixed size, and forgets what matters least.
    """

    keys: Ints
    proof: Ints
    disproof: Ints


def empty_table(size: int) -> TranspositionTable:
    """A table of this size, a power of two."""
    return TranspositionTable(zeros(size), zeros(size, 32), zeros(size, 32))


@compiled
def find(table: TranspositionTable, key: int) -> int:
    """The slot that holds this key, or -1."""
    mask = len(table.keys) - 1
    for k in range(WAYS):
        slot = (key + k) & mask
        if table.keys[slot] == key:
            return slot
    return -1


@compiled
def store(table: TranspositionTable, state: Ints, key: int, proof: int, disproof: int) -> None:
    """Keep what is known of a position; what is settled is the last to be overwritten."""
    mask = len(table.keys) - 1
    chosen, least = -1, 2 * INFINITE
    for k in range(WAYS):
        slot = (key + k) & mask
        if table.keys[slot] == key:
            chosen = slot
            break
        if table.keys[slot] == 0:
            chosen = slot
            state[STORED] += 1
            break
        worth = min(table.proof[slot], table.disproof[slot])
        if worth == 0:
            worth = INFINITE
        if worth < least:
            chosen, least = slot, worth
    table.keys[chosen] = key
    table.proof[chosen] = proof
    table.disproof[chosen] = disproof


@compiled
def grow(old: TranspositionTable, new: TranspositionTable, state: Ints) -> None:
    """Copy everything known into a larger table."""
    for slot in range(len(old.keys)):
        if old.keys[slot] != 0:
            store(new, state, old.keys[slot], old.proof[slot], old.disproof[slot])


@compiled
def judge(board: Board, side: int) -> int:
    """What is known of the position at a glance: WIN or HOLD, OPEN otherwise."""
    state = board.state
    if state[CLAIMED] == board.size:
        return final(board, 3 - side)
    if state[HELD] >= state[MOST] and (side == ATTACKER or state[CLAIMED] + 1 < board.size):
        return HOLD  # out of picks
    if state[side]:
        return WIN if side == ATTACKER else HOLD
    if state[3 - side]:
        first = completing(board, 3 - side, -1)
        if completing(board, 3 - side, first) >= 0:
            return HOLD if side == ATTACKER else WIN
    elif board.draw:
        limit = board.unit // 2 if side == ATTACKER else board.unit
        if state[POTENTIAL] < limit:
            return HOLD
        # Heavier positions are hardly ever paired off, and trying is slow.
        if 2 * state[POTENTIAL] < 3 * board.unit and paired(board):
            return HOLD
    return OPEN


@compiled
def guess(board: Board, side: int, at: int) -> None:
    """First proof numbers of a child that was never seen, some of them final."""
    place, potential = board.move[at], board.state[POTENTIAL]
    through = board.weight[ATTACKER * board.size + place]
    threats = threats_after(board, place, side)
    proof, disproof = 1, 1
    if side == ATTACKER:
        potential += through
        if board.state[HELD] + 1 >= board.state[MOST]:
            pass  # nothing can be completed after this pick
        elif threats == 2:
            proof, disproof = 0, INFINITE
        elif threats == 0:
            if board.draw and potential < board.unit:
                proof, disproof = INFINITE, 0
            else:
                proof, disproof = 2, 1 + 2 * potential // board.unit
    else:
        potential -= through
        if threats == 2 or (board.draw and 2 * potential < board.unit):
            proof, disproof = INFINITE, 0
        elif threats == 0:
            disproof = 1 + 2 * potential // board.unit
    board.proof[at], board.disproof[at] = proof, disproof


@compiled
def spread(board: Board, table: TranspositionTable, side: int, base: int) -> int:
    """List the children worth trying, the heaviest first; how many there are."""
    size, count, forced = board.size, 0, -1
    if board.state[3 - side]:
        forced = completing(board, 3 - side, -1)
    for place in range(size):
        if board.owner[place] != FREE or (forced >= 0 and place != forced):
            continue
        worth = 2 * board.weight[ATTACKER * size + place] + board.weight[DEFENDER * size + place]
        if worth == 0 and board.draw:
            continue  # a number in no open set changes nothing
        key = key_after(board, place, side)
        k = 0
        while k < count and board.key[base + k] != key:
            k += 1
        if k < count:
            continue  # the mirror image of another child
        k = count
        while k > 0 and board.value[base + k - 1] < worth:
            board.move[base + k] = board.move[base + k - 1]
            board.key[base + k] = board.key[base + k - 1]
            board.value[base + k] = board.value[base + k - 1]
            k -= 1
        board.move[base + k] = place
        board.key[base + k] = key
        board.value[base + k] = worth
        count += 1
    for at in range(base, base + count):
        slot = find(table, board.key[at])
        if slot >= 0:
            board.proof[at], board.disproof[at] = table.proof[slot], table.disproof[slot]
        else:
            guess(board, side, at)
    return count


@compiled
def weigh(board: Board, side: int, depth: int, count: int) -> None:
    """Combine the numbers of the children: see ``board.frame`` for where they are left.

    The attacker needs one child proved and has to fear them all; the defender the other way round.
    """
    base, at = depth * board.size, depth * FRAME
    easy, hard = board.proof, board.disproof
    if side == DEFENDER:
        easy, hard = hard, easy
    least, second, best, worst, rest = INFINITE, INFINITE, -1, 0, -1
    for k in range(base, base + count):
        if easy[k] < least:
            second, least, best = least, easy[k], k
        elif easy[k] < second:
            second = easy[k]
        if hard[k] > 0:
            worst = max(worst, hard[k])
            rest += 1
    rest = max(rest, 0)
    total = 0 if least >= INFINITE else min(INFINITE - 1, worst + rest)
    if least == 0:
        total = INFINITE
    board.out[0], board.out[1] = least, total
    if side == DEFENDER:
        board.out[0], board.out[1] = total, least
    frame = board.frame
    frame[at + BEST] = best
    # Stay with the best child until it is clearly worse than the second, not only a little.
    near = second + second // 4 + 1
    if side == ATTACKER:
        frame[at + FRAME + MOST_PROOF] = min(frame[at + MOST_PROOF], near)
        frame[at + FRAME + MOST_DISPROOF] = frame[at + MOST_DISPROOF] - rest
    else:
        frame[at + FRAME + MOST_PROOF] = frame[at + MOST_PROOF] - rest
        frame[at + FRAME + MOST_DISPROOF] = min(frame[at + MOST_DISPROOF], near)


@compiled
def search(board: Board, table: TranspositionTable, side: int) -> None:
    """Search this position until it is settled or the limit of positions is reached.

    Its numbers are left in ``board.out``: proof, then disproof. A stack of frames instead of
    recursion: a compiled function that calls itself cannot be kept on disk.
    """
    state, out, frame, depth, entering = board.state, board.out, board.frame, 0, True
    frame[MOST_PROOF], frame[MOST_DISPROOF] = INFINITE, INFINITE
    while True:
        at, leaving = depth * FRAME, False
        if entering:
            state[NODES] += 1
            known = judge(board, side)
            if known != OPEN:
                out[0] = 0 if known == WIN else INFINITE
                out[1] = INFINITE if known == WIN else 0
                leaving = True
            else:
                frame[at + COUNT] = spread(board, table, side, depth * board.size)
        if not leaving:
            weigh(board, side, depth, frame[at + COUNT])
            over = out[0] >= frame[at + MOST_PROOF] or out[1] >= frame[at + MOST_DISPROOF]
            leaving = over or out[0] == 0 or out[1] == 0 or state[NODES] >= state[LIMIT]
        if not leaving:
            put(board, board.move[frame[at + BEST]], side)
            side, depth, entering = 3 - side, depth + 1, True
            continue
        store(table, state, key_now(board, side), out[0], out[1])
        if depth == 0:
            return
        side, depth, entering = 3 - side, depth - 1, False
        best = frame[depth * FRAME + BEST]
        take_back(board, board.move[best], side)
        board.proof[best], board.disproof[best] = out[0], out[1]


@compiled
def settled_child(board: Board, table: TranspositionTable, side: int, wanted: int) -> int:
    """A place whose claim by this side is known to lead to WIN or HOLD, as wanted; or -1.

    Of those the table knows, the one that takes or stops most: the proof that follows is shorter.
    """
    settled = table.proof if wanted == WIN else table.disproof
    size, best, most = board.size, -1, -1
    for place in range(size):
        if board.owner[place] == FREE:
            slot = find(table, key_after(board, place, side))
            worth = board.weight[ATTACKER * size + place]
            if slot >= 0 and settled[slot] == 0 and worth > most:
                best, most = place, worth
    for place in range(size):
        if best < 0 and board.owner[place] == FREE:
            put(board, place, side)
            if judge(board, 3 - side) == wanted:
                best = place
            take_back(board, place, side)
    return best
