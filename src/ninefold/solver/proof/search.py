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

from typing import TypeAlias

from ninefold.solver.bits import count_bits
from ninefold.solver.compiled import Ints, compiled, zeros
from ninefold.solver.proof.board import (
    ATTACKER,
    DEFENDER,
    ENDS,
    FRAME,
    FREE,
    HOLD,
    LIMIT,
    MOST,
    NODES,
    OPEN,
    PAIRS,
    POTENTIAL,
    RUN,
    STORED,
    SUM,
    THREATS,
    TIES,
    WIN,
    Board,
    final,
    is_symmetric,
    key_after,
    key_now,
    put,
    threats_after,
)
from ninefold.solver.proof.pairing import margin, paired, runs_paired

# Places in one frame of the search.
COUNT, BEST, MOST_PROOF, MOST_DISPROOF = range(FRAME)
INFINITE, UNSEEN = 100_000_000, -1
WAYS = 4


# What is known of positions: two integers each, so that a look at one is a look at one place in
# memory. The second has both numbers: 0 as proof number is a win, 0 as disproof number a hold. The
# first is the key, combined with the second by exclusive or: where two threads write one entry at
# the same time, the parts of two entries do not fit together, and so are not found. A table has a
# fixed size, and forgets what matters least.
TranspositionTable: TypeAlias = Ints


def empty_table(size: int, array: bool) -> TranspositionTable:
    """A table of so many positions, a power of two; an array if that is compiled."""
    return zeros(2 * size, array)


@compiled
def first_slot(table: TranspositionTable, key: int) -> int:
    """The first of the slots that may hold this key."""
    return 2 * WAYS * (key & len(table) // (2 * WAYS) - 1)


@compiled
def find(table: TranspositionTable, key: int) -> int:
    """The slot that holds this key, or -1."""
    return find_from(table, first_slot(table, key), key)


@compiled
def find_from(table: TranspositionTable, first: int, key: int) -> int:
    """The slot from this one on that holds this key, or -1."""
    for slot in range(first, first + 2 * WAYS, 2):
        if table[slot] ^ table[slot + 1] == key:
            return slot
        if table[slot + 1] == 0:
            break
    return -1


@compiled
def proof_at(table: TranspositionTable, slot: int) -> int:
    """The proof number in this slot."""
    return table[slot + 1] >> 32


@compiled
def disproof_at(table: TranspositionTable, slot: int) -> int:
    """The disproof number in this slot."""
    return table[slot + 1] & 0xFFFFFFFF


@compiled
def store(table: TranspositionTable, state: Ints, key: int, proof: int, disproof: int) -> None:
    """Keep what is known of a position; what is settled is the last to be overwritten."""
    first = first_slot(table, key)
    chosen, least = -1, 2 * INFINITE
    for slot in range(first, first + 2 * WAYS, 2):
        if table[slot] ^ table[slot + 1] == key:
            chosen = slot
            break
        if table[slot + 1] == 0:
            chosen = slot
            state[STORED] += 1
            break
        worth = min(proof_at(table, slot), disproof_at(table, slot))
        if worth == 0:
            worth = INFINITE
        if worth < least:
            chosen, least = slot, worth
    numbers = proof << 32 | disproof
    table[chosen], table[chosen + 1] = key ^ numbers, numbers


@compiled
def grow(old: TranspositionTable, new: TranspositionTable, state: Ints) -> None:
    """Copy everything known into a larger table."""
    for slot in range(0, len(old), 2):
        key = old[slot] ^ old[slot + 1]
        if key != 0:
            store(new, state, key, proof_at(old, slot), disproof_at(old, slot))


@compiled
def judge(board: Board, side: int) -> int:
    """What is known of the position at a glance: WIN or HOLD, OPEN otherwise."""
    state, other = board.state, 3 - side
    free = state[FREE]
    if free == 0:
        return final(board, other)
    out_of_picks = count_bits(state[ATTACKER]) >= state[MOST]
    if out_of_picks and (side == ATTACKER or free & (free - 1)):
        return HOLD
    if state[THREATS + side]:
        return WIN if side == ATTACKER else HOLD
    threats = state[THREATS + other]
    if threats & (threats - 1):
        return HOLD if side == ATTACKER else WIN
    if state[ENDS] == HOLD and threats == 0:
        limit = board.unit // 2 if side == ATTACKER else board.unit
        if state[POTENTIAL] < limit:
            return HOLD
        # Heavier positions are hardly ever paired off, and trying is slow.
        if 2 * state[POTENTIAL] < 3 * board.unit and paired(board, ATTACKER):
            return HOLD
    if state[ENDS] == OPEN and board.measures[0] == SUM:
        return judge_sums(board, side)
    if state[ENDS] == OPEN and board.measures[0] == RUN and board.measures[1]:
        known = judge_runs(board, other)
        return known if known != OPEN else judge_runs(board, side)
    return OPEN


@compiled
def judge_sums(board: Board, side: int) -> int:
    """Whether the player who is not to act can stop all sets and have the better sum."""
    state, holder = board.state, 3 - side
    good = HOLD if holder == DEFENDER else WIN
    if good == WIN and state[MOST] <= board.size:
        return OPEN  # the end may be too late
    least = 0 if state[TIES] == good else 1
    state[PAIRS] = 0
    if margin(board, holder) >= least and paired(board, side) and margin(board, holder) >= least:
        return good
    return OPEN


@compiled
def judge_runs(board: Board, holder: int) -> int:
    """Whether this player can stop all sets and all better runs."""
    state, good = board.state, HOLD if holder == DEFENDER else WIN
    late = good == WIN and state[MOST] <= board.size  # the end may be too late
    if not late and runs_paired(board, 3 - holder, state[TIES] == good):
        return good
    return OPEN


@compiled
def guess(board: Board, side: int, base: int, end: int) -> None:
    """First proof numbers of the children that were never seen (UNSEEN), some of them final."""
    state, unit, first = board.state, board.unit, ATTACKER * board.size
    closes = state[ENDS] == HOLD
    last_pick = side == ATTACKER and count_bits(state[ATTACKER]) + 1 >= state[MOST]
    for at in range(base, end):
        if board.proof[at] != UNSEEN:
            continue
        place = board.move[at]
        through, near = board.weight[first + place], board.twos[side * board.size + place]
        potential = state[POTENTIAL] + (through if side == ATTACKER else -through)
        proof, disproof, double, quiet = 1, 1, False, near == 0
        if near > 1:
            found = threats_after(board, place, side)
            double = found & (found - 1) != 0
        if last_pick:
            pass  # nothing can be completed after this pick
        elif double:
            proof, disproof = (0, INFINITE) if side == ATTACKER else (INFINITE, 0)
        elif closes and (potential < unit if side == ATTACKER else 2 * potential < unit):
            # After a threat of the attacker, the defender has no time to stop the other sets.
            if side == DEFENDER or quiet:
                proof, disproof = INFINITE, 0
        elif quiet:
            proof = 2 if side == ATTACKER else 1
            disproof = 1 + 2 * potential // unit
        board.proof[at], board.disproof[at] = proof, disproof


@compiled
def spread(board: Board, table: TranspositionTable, side: int, base: int) -> int:
    """List the children worth trying, the heaviest first; how many there are."""
    size, state, weight, move = board.size, board.state, board.weight, board.move
    if state[THREATS + 3 - side]:
        return answer_threat(board, table, side, base)
    count, free = base, state[FREE]
    for place in range(size):
        if not free & board.bits[place]:
            continue
        worth = 2 * weight[ATTACKER * size + place] + weight[DEFENDER * size + place]
        if worth == 0 and state[ENDS] == HOLD:
            continue  # a number in no open set changes nothing
        child = worth * 128 + 127 - place
        k = count
        while k > base and move[k - 1] < child:
            move[k] = move[k - 1]
            k -= 1
        move[k] = child
        count += 1
    end, near, symmetric = count, 0, is_symmetric(board)
    count = base
    for at in range(base, end):
        place = 127 - move[at] % 128
        key = key_after(board, place, side)
        k = base
        if symmetric:
            while k < count and board.key[k] != key:
                k += 1
            if k < count:
                continue  # the mirror image of another child
        move[count], board.key[count] = place, key
        slot = first_slot(table, key)
        board.proof[count] = slot
        near |= table[slot + 1]  # so that memory is asked for all of them at once
        count += 1
    for at in range(base, count):
        slot = find_from(table, board.proof[at], board.key[at]) if near else -1
        if slot >= 0:
            board.proof[at], board.disproof[at] = proof_at(table, slot), disproof_at(table, slot)
        else:
            board.proof[at] = UNSEEN
    guess(board, side, base, count)
    return count - base


@compiled
def answer_threat(board: Board, table: TranspositionTable, side: int, at: int) -> int:
    """List the only child worth trying: the one that stops a set."""
    place = count_bits(board.state[THREATS + 3 - side] - 1)
    key = key_after(board, place, side)
    slot = find(table, key)
    board.move[at], board.key[at], board.proof[at], board.disproof[at] = place, key, 1, 1
    if slot >= 0:
        board.proof[at], board.disproof[at] = proof_at(table, slot), disproof_at(table, slot)
    return 1


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
            rest += 1
            if hard[k] > worst:
                worst = hard[k]
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
        put(board, board.move[best], side)
        board.proof[best], board.disproof[best] = out[0], out[1]


@compiled
def settled_child(board: Board, table: TranspositionTable, side: int, wanted: int) -> int:
    """A place whose claim by this side is known to lead to WIN or HOLD, as wanted; or -1.

    Of those the table knows, the one that takes or stops most: the proof that follows is shorter.
    """
    size, best, most, free = board.size, -1, -1, board.state[FREE]
    for place in range(size):
        if free & board.bits[place]:
            slot = find(table, key_after(board, place, side))
            worth = board.weight[ATTACKER * size + place]
            if slot < 0 or worth <= most:
                continue
            if (proof_at(table, slot) if wanted == WIN else disproof_at(table, slot)) == 0:
                best, most = place, worth
    for place in range(size):
        if best < 0 and free & board.bits[place]:
            put(board, place, side)
            if judge(board, 3 - side) == wanted:
                best = place
            put(board, place, side)
    return best
