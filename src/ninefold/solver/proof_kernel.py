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

from ninefold.solver.compiled import Ints, compiled

INFINITE = 100_000_000
FREE, ATTACKER, DEFENDER = 0, 1, 2
# Places in ``Board.state``.
POTENTIAL, ATTACKER_ONE, DEFENDER_ONE, NODES, LIMIT, STORED, CLAIMED, LAST = range(8)
HELD, MOST, SALT, PLACES = range(8, 12)
# Places in one frame of the search.
COUNT, BEST, BEFORE, MOST_PROOF, MOST_DISPROOF, FRAME = range(6)
PAIR_BUDGET, PAIR_WIDTH = 60, 3
WAYS = 4
WIN, HOLD, OPEN = 1, -1, 0
ALL_PAIRED, NO_PAIR = -1, -2


class Board(NamedTuple):
    """The pool as places 0, 1, …, the sets as lines through them, and the position in play."""

    size: int
    lines: int
    width: int  # the size of the largest set
    unit: int  # the weight of a set that lacks nothing
    draw: int  # whether the pool running out is a draw
    symmetries: int
    numbers: Ints
    cells: Ints  # line * width + k: its places
    length: Ints
    through: Ints  # place * lines + k: the lines through it
    degree: Ints
    member: Ints  # line * size + place
    measures: Ints  # the ending: a code and a preference for each link
    zobrist: Ints  # (symmetry * 3 + owner) * size + place
    owner: Ints
    held: Ints  # line * 3 + owner: how many numbers of it
    weight: Ints  # owner * size + place: what the open sets through it weigh
    hashes: Ints  # one for each symmetry
    state: Ints
    move: Ints  # depth * size + k: children, their keys and proof numbers
    key: Ints
    proof: Ints
    disproof: Ints
    value: Ints
    frame: Ints
    out: Ints
    pair: Ints  # place: the other number of its pair, or -1
    covered: Ints  # line: how many pairs lie in it
    spare: Ints  # line: how many of its free numbers are in no pair
    open: Ints  # the attacker's open lines
    trail: Ints


class Table(NamedTuple):
    """What is known of positions by key: 0 in ``proof`` is a win, 0 in ``disproof`` a hold."""

    keys: Ints
    proof: Ints
    disproof: Ints


@compiled
def put(board: Board, place: int, side: int) -> None:
    """Let a side claim a place."""
    other, size, width = 3 - side, board.size, board.width
    held, weight, state = board.held, board.weight, board.state
    for k in range(board.degree[place]):
        line = board.through[place * board.lines + k]
        own, theirs = held[line * 3 + side], held[line * 3 + other]
        lacking = board.length[line] - own
        if theirs == 0:
            gain = board.unit >> lacking
            for j in range(board.length[line]):
                weight[side * size + board.cells[line * width + j]] += gain
            if side == ATTACKER:
                state[POTENTIAL] += gain
            if lacking == 2:
                state[side] += 1
            elif lacking == 1:
                state[side] -= 1
        if own == 0:
            lacking = board.length[line] - theirs
            loss = board.unit >> lacking
            for j in range(board.length[line]):
                weight[other * size + board.cells[line * width + j]] -= loss
            if other == ATTACKER:
                state[POTENTIAL] -= loss
            if lacking == 1:
                state[other] -= 1
        held[line * 3 + side] = own + 1
    board.owner[place] = side
    state[CLAIMED] += 1
    if side == ATTACKER:
        state[HELD] += 1
    for g in range(board.symmetries):
        board.hashes[g] ^= board.zobrist[(g * 3 + side) * size + place]


@compiled
def take_back(board: Board, place: int, side: int) -> None:
    """Undo ``put``."""
    other, size, width = 3 - side, board.size, board.width
    held, weight, state = board.held, board.weight, board.state
    for k in range(board.degree[place]):
        line = board.through[place * board.lines + k]
        own, theirs = held[line * 3 + side] - 1, held[line * 3 + other]
        lacking = board.length[line] - own
        if theirs == 0:
            gain = board.unit >> lacking
            for j in range(board.length[line]):
                weight[side * size + board.cells[line * width + j]] -= gain
            if side == ATTACKER:
                state[POTENTIAL] -= gain
            if lacking == 2:
                state[side] -= 1
            elif lacking == 1:
                state[side] += 1
        if own == 0:
            lacking = board.length[line] - theirs
            loss = board.unit >> lacking
            for j in range(board.length[line]):
                weight[other * size + board.cells[line * width + j]] += loss
            if other == ATTACKER:
                state[POTENTIAL] += loss
            if lacking == 1:
                state[other] += 1
        held[line * 3 + side] = own
    board.owner[place] = FREE
    state[CLAIMED] -= 1
    if side == ATTACKER:
        state[HELD] -= 1
    for g in range(board.symmetries):
        board.hashes[g] ^= board.zobrist[(g * 3 + side) * size + place]


@compiled
def key_after(board: Board, place: int, side: int) -> int:
    """The key of the position after a side claims this place and the other is to act."""
    size, best = board.size, 0
    for g in range(board.symmetries):
        after = board.hashes[g] ^ board.zobrist[(g * 3 + side) * size + place]
        if g == 0 or after < best:
            best = after
    return best ^ (3 - side) ^ board.state[SALT]


@compiled
def key_now(board: Board, side: int) -> int:
    """The key of the position with this side to act, the same for all its mirror images."""
    best = board.hashes[0]
    for g in range(1, board.symmetries):
        best = min(best, board.hashes[g])
    return best ^ side ^ board.state[SALT]


@compiled
def find(table: Table, key: int) -> int:
    """The slot that holds this key, or -1."""
    mask = len(table.keys) - 1
    for k in range(WAYS):
        slot = (key + k) & mask
        if table.keys[slot] == key:
            return slot
    return -1


@compiled
def store(table: Table, state: Ints, key: int, proof: int, disproof: int) -> None:
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
def completing(board: Board, side: int, skip: int) -> int:
    """A free place other than ``skip`` that completes a set for this side, or -1."""
    other = 3 - side
    for line in range(board.lines):
        if board.held[line * 3 + other] or board.length[line] - board.held[line * 3 + side] != 1:
            continue
        for j in range(board.length[line]):
            place = board.cells[line * board.width + j]
            if board.owner[place] == FREE and place != skip:
                return place
    return -1


@compiled
def threats_after(board: Board, place: int, side: int) -> int:
    """How many different places would complete a set once this side holds this one: 0, 1 or 2."""
    other, first = 3 - side, -1
    for k in range(board.degree[place]):
        line = board.through[place * board.lines + k]
        if board.held[line * 3 + other] or board.length[line] - board.held[line * 3 + side] != 2:
            continue
        for j in range(board.length[line]):
            cell = board.cells[line * board.width + j]
            if cell != place and board.owner[cell] == FREE:
                if first >= 0 and cell != first:
                    return 2
                first = cell
    return 0 if first < 0 else 1


@compiled
def longest_run(board: Board, side: int) -> int:
    """Length of the longest run of neighbours, times 64, plus the place it starts at."""
    best, start, length = 0, 0, 0
    for place in range(board.size):
        length = length + 1 if board.owner[place] == side else 0
        if length > best:
            best, start = length, place - length + 1
    return best * 64 + start


@compiled
def measure(board: Board, code: int, side: int) -> int:
    """What a link of the ending compares: 1 the sum, 2 the last pick, 3 the run, 4 its start."""
    if code == 1:
        total = 0
        for place in range(board.size):
            if board.owner[place] == side:
                total += board.numbers[place]
        return total
    if code == 2:
        return 1 if board.state[LAST] == side else 0
    run = longest_run(board, side)
    return run // 64 if code == 3 else run % 64


@compiled
def final(board: Board) -> int:
    """Who the ending favours on a full board: WIN for the attacker, HOLD otherwise."""
    for k in range(len(board.measures) // 2):
        code, higher = board.measures[2 * k], board.measures[2 * k + 1]
        one, two = measure(board, code, ATTACKER), measure(board, code, DEFENDER)
        if code == 4 and (longest_run(board, ATTACKER) < 64 or longest_run(board, DEFENDER) < 64):
            # A player without any number has no run, and the other one wins.
            one, two, higher = longest_run(board, ATTACKER), longest_run(board, DEFENDER), 1
        if one != two:
            return WIN if (one > two) == (higher == 1) else HOLD
    return HOLD


@compiled
def paired(board: Board) -> bool:
    """Whether pairs are found that meet every open set of the attacker: see ``board.pair``."""
    for place in range(board.size):
        board.pair[place] = -1
    count = 0
    for line in range(board.lines):
        if board.held[line * 3 + DEFENDER] == 0:
            board.spare[line] = board.length[line] - board.held[line * 3 + ATTACKER]
            board.covered[line] = 0
            board.open[count] = line
            count += 1
    steps, level, trail = PAIR_BUDGET, 0, board.trail
    while True:
        line = barest(board, count)
        if line == ALL_PAIRED:
            return True
        steps -= 1
        if steps < 0:
            return False
        if line == NO_PAIR:
            level -= 1
        else:
            trail[4 * level], trail[4 * level + 1], trail[4 * level + 2] = line, 0, INFINITE
        while level >= 0 and not next_pair(board, 4 * level):
            level -= 1
        if level < 0:
            return False
        level += 1


@compiled
def barest(board: Board, count: int) -> int:
    """The open set without a pair that has the fewest numbers left to pair."""
    chosen, fewest = ALL_PAIRED, board.size + 1
    for k in range(count):
        line = board.open[k]
        if board.covered[line] == 0 and board.spare[line] < fewest:
            chosen, fewest = line, board.spare[line]
            if fewest < 2:
                return NO_PAIR
    return chosen


@compiled
def next_pair(board: Board, at: int) -> bool:
    """Break up the last pair tried at this point of the trail and make the next best one.

    The trail holds a line, how many pairs of it were tried, the worth of the last, and the last.
    """
    width, trail = board.width, board.trail
    line, tried, bound = trail[at], trail[at + 1], trail[at + 2]
    if tried > 0:
        set_pair(board, trail[at + 3] // 64, trail[at + 3] % 64, -1)
    if tried == PAIR_WIDTH:
        return False
    chosen, best = -1, -INFINITE
    for i in range(board.length[line]):
        x = board.cells[line * width + i]
        if board.owner[x] != FREE or board.pair[x] >= 0:
            continue
        for j in range(i + 1, board.length[line]):
            y = board.cells[line * width + j]
            if board.owner[y] != FREE or board.pair[y] >= 0:
                continue
            # No two pairs are worth the same, so the next best one is well defined.
            worth = pair_worth(board, x, y) * 4096 - (x * 64 + y)
            if best < worth < bound:
                chosen, best = x * 64 + y, worth
    if chosen < 0:
        return False
    trail[at + 1], trail[at + 2], trail[at + 3] = tried + 1, best, chosen
    set_pair(board, chosen // 64, chosen % 64, 1)
    return True


@compiled
def pair_worth(board: Board, x: int, y: int) -> int:
    """How good a pair is: four for every open set that holds both, less one for one of them."""
    worth = 0
    for k in range(board.degree[x]):
        line = board.through[x * board.lines + k]
        if board.held[line * 3 + DEFENDER] == 0:
            worth += 4 if board.member[line * board.size + y] else -1
    for k in range(board.degree[y]):
        line = board.through[y * board.lines + k]
        if board.held[line * 3 + DEFENDER] == 0:
            worth -= 0 if board.member[line * board.size + x] else 1
    return worth


@compiled
def set_pair(board: Board, x: int, y: int, sign: int) -> None:
    """Make a pair, or with -1 break it up."""
    board.pair[x] = y if sign > 0 else -1
    board.pair[y] = x if sign > 0 else -1
    for k in range(board.degree[x]):
        line = board.through[x * board.lines + k]
        board.spare[line] -= sign
        if board.member[line * board.size + y]:
            board.covered[line] += sign
    for k in range(board.degree[y]):
        board.spare[board.through[y * board.lines + k]] -= sign


@compiled
def judge(board: Board, side: int) -> int:
    """What is known of the position at a glance: WIN or HOLD, OPEN otherwise."""
    state = board.state
    if state[CLAIMED] == board.size:
        return final(board)
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
def guess(board: Board, place: int, side: int, base: int, k: int) -> None:
    """First proof numbers of a child that was never seen, some of them final."""
    potential = board.state[POTENTIAL]
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
    board.proof[base + k] = proof
    board.disproof[base + k] = disproof


@compiled
def spread(board: Board, table: Table, side: int, base: int) -> int:
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
            board.proof[base + k] = board.proof[base + k - 1]
            board.disproof[base + k] = board.disproof[base + k - 1]
            board.value[base + k] = board.value[base + k - 1]
            k -= 1
        board.move[base + k] = place
        board.key[base + k] = key
        board.value[base + k] = worth
        slot = find(table, key)
        if slot >= 0:
            board.proof[base + k] = table.proof[slot]
            board.disproof[base + k] = table.disproof[slot]
        else:
            guess(board, place, side, base, k)
        count += 1
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
def search(board: Board, table: Table, side: int) -> None:
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
            frame[at + BEFORE] = state[LAST]
            put(board, board.move[frame[at + BEST]], side)
            state[LAST] = side
            side, depth, entering = 3 - side, depth + 1, True
            continue
        store(table, state, key_now(board, side), out[0], out[1])
        if depth == 0:
            return
        side, depth, entering = 3 - side, depth - 1, False
        at = depth * FRAME
        best = frame[at + BEST]
        take_back(board, board.move[best], side)
        state[LAST] = frame[at + BEFORE]
        board.proof[best], board.disproof[best] = out[0], out[1]


@compiled
def grow(old: Table, new: Table, state: Ints) -> None:
    """Copy everything known into a larger table."""
    for slot in range(len(old.keys)):
        if old.keys[slot] != 0:
            store(new, state, old.keys[slot], old.proof[slot], old.disproof[slot])


@compiled
def arrange(board: Board, wanted: Ints) -> None:
    """Set up a position: the owner of every place."""
    for place in range(board.size):
        owner = board.owner[place]
        if owner not in (FREE, wanted[place]):
            take_back(board, place, owner)
    for place in range(board.size):
        if board.owner[place] != wanted[place]:
            put(board, place, wanted[place])


@compiled
def settled_child(board: Board, table: Table, side: int, wanted: int) -> int:
    """A place whose claim by this side is known to lead to WIN or HOLD, as wanted; or -1."""
    for place in range(board.size):
        if board.owner[place] == FREE:
            slot = find(table, key_after(board, place, side))
            if slot >= 0 and (table.proof if wanted == WIN else table.disproof)[slot] == 0:
                return place
    for place in range(board.size):
        if board.owner[place] == FREE:
            put(board, place, side)
            known = judge(board, 3 - side)
            take_back(board, place, side)
            if known == wanted:
                return place
    return -1
