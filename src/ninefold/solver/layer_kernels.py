"""The loops over the positions of ``layers``, compiled.

To the first player, a draw is worth LEVEL, and a win in n moves 127 - n more.
"""

from typing import Any, NamedTuple, TypeAlias

from ninefold.solver.compiled import compiled

Array: TypeAlias = Any
LEVEL = 128
# How a game ended, in the lowest bits of a mark; 0 before the end. The other bits are free.
KIND, SET, LOSING_SET, ENDING, STUCK = 7, 1, 2, 3, 4
# Which moves are followed: all, those that keep the result, the best, or those that keep a win of
# the first or second player with all answers.
ALL, KEEPING, BEST_MOVES, FOR_FIRST, FOR_SECOND = 0, 1, 2, 3, 4


class Shape(NamedTuple):
    """The positions of a game and its rules as arrays; see ``layers`` for what a half is."""

    size: int
    most: int  # the last layer
    higher: int  # how many higher halves there are
    low_steps: Array  # by bit modulo 37: what the first player's pick adds to the lower half
    high_steps: Array
    one_low: Array  # the numbers of both players in each half
    two_low: Array
    one_high: Array
    two_high: Array
    rank: Array  # of each lower half
    base: Array  # by layer and higher half
    first: Array  # where each layer begins
    lows: Array  # the halves of each position
    highs: Array
    own: Array  # the numbers allowed beside one's own, the opponent's, and all taken
    opponent: Array
    taken: Array
    ends: Array  # by hand: 1 with a winning set, 2 with a losing one
    shared: Array  # the same by all numbers taken
    ranks: Array  # by link, whether the player picked last, and hand
    links: int
    misere: int
    otherwise: int  # who wins if no link decides


@compiled
def hands(s: Shape, at: int) -> tuple[int, int]:
    """The numbers of both players."""
    low, high = s.lows[at], s.highs[at]
    return s.one_low[low] | s.one_high[high], s.two_low[low] | s.two_high[high]


@compiled
def children(s: Shape, layer: int, at: int, found: Array) -> int:
    """Write down the places after each pick; how many there are."""
    one, two = hands(s, at)
    own, other = (two, one) if layer % 2 else (one, two)
    free = s.own[own] & s.opponent[other] & s.taken[one | two] & ~(one | two)
    seat, low, row = layer % 2 + 1, s.lows[at], (layer + 1) * s.higher + s.highs[at]
    count = 0
    while free:
        bit = free & -free
        step = bit % 37  # different for every bit
        found[count] = (
            s.base[row + seat * s.high_steps[step]] + s.rank[low + seat * s.low_steps[step]]
        )
        count += 1
        free ^= bit
    return count


@compiled
def deciding_link(s: Shape, layer: int, one: int, two: int) -> tuple[int, int]:
    """The link of the ending that decides, and who wins; the number of links if none does."""
    last = layer % 2
    for link in range(s.links):
        mine, theirs = s.ranks[link, last, one], s.ranks[link, 1 - last, two]
        if mine != theirs:
            return link, 1 if mine > theirs else 2
    return s.links, s.otherwise


@compiled
def solve(s: Shape, layer: int, worth: Array, marks: Array, after: Array) -> None:
    """Find what the positions of a layer are worth, from those of the next one."""
    sign = 1 - 2 * (layer % 2)  # of the player to act
    for at in range(s.first[layer], s.first[layer + 1]):
        one, two = hands(s, at)
        last, before = (one, two) if layer % 2 else (two, one)
        worth[at] = LEVEL
        if s.ends[before]:
            continue  # the game was over before
        over = s.ends[last] | s.shared[one | two]
        if over:
            marks[at] = LOSING_SET if over >= 2 else SET
            worth[at] = LEVEL - 127 * (-sign if over >= 2 or s.misere else sign)
            continue
        count = children(s, layer, at, after) if layer < s.most else 0
        if not count:
            winner = deciding_link(s, layer, one, two)[1]
            marks[at] = STUCK if layer < s.most else ENDING
            worth[at] = LEVEL + 127 * ((winner == 1) - (winner == 2))
            continue
        best = -LEVEL
        for to in after[:count]:
            best = max(best, sign * (worth[to] - LEVEL))
        worth[at] = LEVEL + sign * (best - (best > 0) + (best < 0))


@compiled
def mark(
    s: Shape, layer: int, worth: Array, marks: Array, bit: int, moves: int, after: Array
) -> int:
    """Pass a mark on to where these moves lead; how many positions of the layer have it."""
    sign, marked = 1 - 2 * (layer % 2), 0
    for at in range(s.first[layer], s.first[layer + 1]):
        if not marks[at] & bit:
            continue
        marked += 1
        if marks[at] & KIND:
            continue
        here = sign * (worth[at] - LEVEL)
        every = moves == ALL or (moves >= FOR_FIRST and moves - FOR_FIRST != layer % 2)
        for to in after[: children(s, layer, at, after)]:
            there = sign * (worth[to] - LEVEL)
            kept = (there > 0) == (here > 0) and (there < 0) == (here < 0)
            if moves == BEST_MOVES:
                kept = there == here + (here > 0) - (here < 0)
            if every or kept:
                marks[to] |= bit
    return marked
