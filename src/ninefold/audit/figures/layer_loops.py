"""What decides, and what random and perfect players make of it: loops over ``solver.layers``."""

from ninefold.solver.compiled import compiled
from ninefold.solver.layer_kernels import (
    ENDING,
    KIND,
    LEVEL,
    LOSING_SET,
    STUCK,
    Array,
    Shape,
    children,
    deciding_link,
    hands,
)

# The marks of positions that can be reached, and of those reached without a mistake.
REACHED, FLAWLESS = 8, 16
# What ``follow`` adds up, after who wins (0: a draw): moves, moves with something at stake, and
# what they throw away.
MOVES, AT_STAKE, THROWN = 3, 4, 5


@compiled
def tally(
    s: Shape, layer: int, worth: Array, marks: Array, patterns: Array, shared: Array, counts: Array
) -> None:
    """Count the final positions of a layer by what decides them, and by who wins.

    The ``patterns`` of each hand are bits, first those that win, then those that lose; ``shared``
    are those of all numbers taken. ``counts`` has rows for 32 of either kind, the links, no link,
    being stuck, and the winners: final positions, those it decides alone, those without a mistake,
    and the first and last position, and the first without a mistake, each plus 1.
    """
    for at in range(s.first[layer], s.first[layer + 1]):
        kind, clean = marks[at] & KIND, marks[at] & FLAWLESS > 0
        if not (kind and marks[at] & REACHED):
            continue
        one, two = hands(s, at)
        row, decided = 64, 1
        if kind >= ENDING:
            row += deciding_link(s, layer, one, two)[0]
        else:
            lost = 1 if kind == LOSING_SET else 0
            row = 32 * lost
            decided = patterns[lost, one if layer % 2 else two] | shared[lost, one | two]
        alone = decided & (decided - 1) == 0
        while decided:
            if decided & 1:
                _count(counts[row], at, alone, clean)
            row, decided = row + 1, decided >> 1
        if kind == STUCK:
            _count(counts[65 + s.links], at, True, clean)
        winner = 1 if worth[at] > LEVEL else 2 if worth[at] < LEVEL else 0
        _count(counts[66 + s.links + winner], at, True, clean)


@compiled
def _count(row: Array, at: int, alone: bool, clean: bool) -> None:
    row[0] += 1
    row[1] += alone
    row[2] += clean
    row[3] = row[3] or at + 1
    row[4] = row[4] or (at + 1 if clean else 0)
    row[5] = at + 1


@compiled
def expect(
    s: Shape, layer: int, worth: Array, marks: Array, later: Array, now: Array, after: Array
) -> None:
    """How random play from each position ends: won by the first player, the second, and moves."""
    for at in range(s.first[layer], s.first[layer + 1]):
        first = second = moves = 0.0
        if marks[at] & KIND:
            first = 1.0 if worth[at] > LEVEL else 0.0
            second = 1.0 if worth[at] < LEVEL else 0.0
        elif marks[at] & REACHED:
            count = children(s, layer, at, after)
            for to in after[:count]:
                there = to - s.first[layer + 1]
                first += later[there, 0] / count
                second += later[there, 1] / count
                moves += later[there, 2] / count
            moves += 1.0
        here = at - s.first[layer]
        now[here, 0], now[here, 1], now[here, 2] = first, second, moves


@compiled
def thrown_away(s: Shape, layer: int, at: int, worth: Array, marks: Array, after: Array) -> int:
    """How many moves throw away what the best ones keep."""
    if marks[at] & KIND:
        return 0
    count, worse, sign = children(s, layer, at, after), 0, 1 - 2 * (layer % 2)
    here = sign * (worth[at] - LEVEL)
    for to in after[:count]:
        there = sign * (worth[to] - LEVEL)
        worse += there <= 0 < here or there < 0 == here
    return worse


@compiled
def follow(
    s: Shape,
    layer: int,
    worth: Array,
    marks: Array,
    now: Array,
    later: Array,
    perfect: int,
    sums: Array,
    after: Array,
    replies: Array,
    ranks: Array,
) -> None:
    """Pass on how likely each position is: this player is perfect, others are random."""
    sign = 1 - 2 * (layer % 2)
    for at in range(s.first[layer], s.first[layer + 1]):
        share = now[at - s.first[layer]]
        if share == 0.0:
            continue
        here = sign * (worth[at] - LEVEL)
        if marks[at] & KIND:
            sums[1 if worth[at] > LEVEL else 2 if worth[at] < LEVEL else 0] += share
            continue
        sums[MOVES] += share
        count = children(s, layer, at, after)
        if here >= 0 and not perfect:
            sums[AT_STAKE] += share
            sums[THROWN] += share * thrown_away(s, layer, at, worth, marks, replies) / count
        best = chosen = 0
        for place in range(count):
            to, rank = after[place], 0
            if layer % 2 + 1 == perfect:
                there = sign * (worth[to] - LEVEL)
                rank = LEVEL + there  # at least 1
                if here <= 0:
                    traps = thrown_away(s, layer + 1, to, worth, marks, replies)
                    rank = rank + 256 * traps if (there < 0) == (here < 0) else -1
            if place == 0 or rank > best:
                best, chosen = rank, 0
            chosen += rank == best
            ranks[place] = rank
        for place in range(count):
            if ranks[place] == best:
                later[after[place] - s.first[layer + 1]] += share / chosen
