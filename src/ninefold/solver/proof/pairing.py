"""Pairing off: two numbers of every set the attacker can still complete, each in one pair only."""

from ninefold.solver.compiled import compiled
from ninefold.solver.proof.board import ATTACKER, DEFENDER, FREE, Board

# How many pairs are tried in all, and how many for one set.
PAIR_BUDGET, PAIR_WIDTH = 60, 3
ALL_PAIRED, NO_PAIR = -1, -2
MOST_WORTH = 1 << 40


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
            trail[4 * level], trail[4 * level + 1], trail[4 * level + 2] = line, 0, MOST_WORTH
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
    size, width, trail = board.size, board.width, board.trail
    line, tried, bound = trail[at], trail[at + 1], trail[at + 2]
    if tried > 0:
        set_pair(board, trail[at + 3] // size, trail[at + 3] % size, -1)
    if tried == PAIR_WIDTH:
        return False
    chosen, best = -1, -MOST_WORTH
    for i in range(board.length[line]):
        x = board.cells[line * width + i]
        if board.owner[x] != FREE or board.pair[x] >= 0:
            continue
        for j in range(i + 1, board.length[line]):
            y = board.cells[line * width + j]
            if board.owner[y] != FREE or board.pair[y] >= 0:
                continue
            # No two pairs are worth the same, so the next best one is well defined.
            worth = pair_worth(board, x, y) * size * size - (x * size + y)
            if best < worth < bound:
                chosen, best = x * size + y, worth
    if chosen < 0:
        return False
    trail[at + 1], trail[at + 2], trail[at + 3] = tried + 1, best, chosen
    set_pair(board, chosen // size, chosen % size, 1)
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
