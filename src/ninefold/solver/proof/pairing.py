"""Pairing off: two numbers of every set a side can still complete, each in one pair only.

Whoever answers a number with the other one of its pair stops all these sets. Where sums decide, the
pairs also say how much such a player can lose by it.
"""

from ninefold.solver.bits import count_bits
from ninefold.solver.compiled import compiled
from ninefold.solver.proof.board import (
    FREE,
    PAIRS,
    RUN_START,
    Board,
    longest_run,
    total,
)

# How many pairs are tried in all, and how many for one set.
PAIR_BUDGET, PAIR_WIDTH = 60, 3
MOST_WORTH = 1 << 40
# Places of a step in ``Board.trail``: a set, how many pairs of it were tried, the last, its worth.
SET, TRIED, PAIR, WORTH, STEP = range(5)


@compiled
def paired(board: Board, side: int) -> bool:
    """Whether pairs are found that meet every open set of this side: see ``pair_at``."""
    return all_paired(board, list_sets(board, side, 0))


@compiled
def runs_paired(board: Board, side: int, ties: bool) -> bool:
    """Whether pairs meet every open set of this side and every run better than the other player's.

    Equally long runs must be met, too, unless ``ties`` are good or they start too high.
    """
    holder, size, own, count = 3 - side, board.size, board.state[side], 0
    other, longest = board.state[holder], longest_run(board, holder)
    length, start = longest // size, longest % size
    lower = board.measures[2] == RUN_START and not board.measures[3]
    run, top = board.bits[length] - 1, size - length
    longer = 2 * run + 1
    for first in range(top + 1):
        wanted = longer if ties or (lower and first > start) else run
        if not wanted & other and (wanted == run or first < top):
            rest = wanted & ~own
            if not rest & (rest - 1):
                return False
            board.open[count], board.covered[count] = rest, 0
            count += 1
        run, longer = 2 * run, 2 * longer
    return all_paired(board, list_sets(board, side, count))


@compiled
def list_sets(board: Board, side: int, count: int) -> int:
    """List what the open sets of this side lack, after so many others; how many there are then."""
    own, other = board.state[side], board.state[3 - side]
    for line in board.lines:
        if not line & other:
            board.open[count], board.covered[count] = line & ~own, 0
            count += 1
    return count


@compiled
def all_paired(board: Board, count: int) -> bool:
    """Whether pairs are found that meet all that is listed in ``board.open``."""
    level, used, steps, trail = 0, 0, PAIR_BUDGET, board.trail
    while True:
        line, fewest = 0, 2 * board.size
        for k in range(count):
            if board.covered[k] == 0:
                spare = board.open[k] & ~used
                lacking = count_bits(spare)
                if lacking < fewest:
                    line, fewest = spare, lacking
        if fewest == 2 * board.size:
            board.state[PAIRS] = level
            return True
        steps -= 1
        if steps < 0:
            return False
        if fewest < 2:
            level -= 1
        else:
            at = STEP * level
            trail[at + SET], trail[at + TRIED], trail[at + WORTH] = line, 0, MOST_WORTH
        while level >= 0:
            at = STEP * level
            if trail[at + TRIED]:
                used ^= trail[at + PAIR]
                for k in range(count):
                    if board.covered[k] == level + 1:
                        board.covered[k] = 0
            if trail[at + TRIED] < PAIR_WIDTH and choose_pair(board, at, count):
                break
            level -= 1
        if level < 0:
            return False
        pair = trail[at + PAIR]
        used ^= pair
        level += 1
        for k in range(count):
            if board.covered[k] == 0 and board.open[k] & pair == pair:
                board.covered[k] = level


@compiled
def choose_pair(board: Board, at: int, count: int) -> bool:
    """Choose the next best pair of the set at this step of the trail, if there is one.

    A pair is worth four for every uncovered set that holds both, less one for one of them.
    """
    size, trail = board.size, board.trail
    bound, chosen, best, rest = trail[at + WORTH], 0, -MOST_WORTH, trail[at + SET]
    while rest:
        low = rest & -rest
        rest ^= low
        others = rest
        while others:
            high = others & -others
            others ^= high
            pair, worth = low | high, 0
            for k in range(count):
                if board.covered[k] == 0:
                    both = board.open[k] & pair
                    if both == pair:
                        worth += 4
                    elif both:
                        worth -= 1
            # No two pairs are worth the same, so the next best one is well defined.
            worth = worth * size * size - size * count_bits(low - 1) - count_bits(high - 1)
            if best < worth < bound:
                chosen, best = pair, worth
    trail[at + TRIED] += 1
    trail[at + PAIR], trail[at + WORTH] = chosen, best
    return chosen != 0


@compiled
def pair_at(board: Board, k: int) -> int:
    """The pairs that were found, as masks of two places, from 0 to ``state[PAIRS]``."""
    return board.trail[STEP * k + PAIR]


@compiled
def margin(board: Board, holder: int) -> int:
    """By how much the holder's points exceed the opponent's at least, if no set is completed.

    The opponent is to act, and gets the better number of every pair: of those that were found, and
    of the others in the order of their points. The last one of an odd count has no partner.
    """
    state, points = board.state, board.points
    free = state[FREE]
    found = total(board, state[holder]) - total(board, state[3 - holder])
    for k in range(state[PAIRS]):
        pair = pair_at(board, k)
        free ^= pair
        low = pair & -pair
        found -= abs(total(board, low) - total(board, pair ^ low))
    sign = -1
    for place in board.ranking:
        if free & board.bits[place]:
            found += sign * points[place]
            sign = -sign
    return found
