"""The board of the proof search: a position as two bit masks, claimed and taken back in place."""

from itertools import accumulate, chain
from random import Random
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.rules import Measure
from ninefold.solver.bits import count_bits, uncompiled
from ninefold.solver.compiled import MOST_COMPILED, Ints, compiled, ints, zeros
from ninefold.solver.symmetry import symmetries

ATTACKER, DEFENDER = 1, 2
WIN, HOLD, OPEN = 1, -1, 0
# Places in ``Board.state``. Those of ATTACKER and DEFENDER hold their numbers, a bit each.
# At THREATS + a side are the places that complete a set, at POTENTIAL is the weight of the
# attacker's open sets. ENDS is who the pool running out is good for, TIES the same where the sums
# of both are equal: WIN, HOLD, or OPEN if that depends on the hands.
FREE, _ATTACKER, _DEFENDER, THREATS, _ATTACKING, _DEFENDING, POTENTIAL = range(7)
NODES, LIMIT, STORED, MOST, SALT, ENDS, TIES, PAIRS, PLACES = range(7, 16)
FRAME = 4  # how many integers the search keeps for each depth
# The measures of an ending that ``rank`` knows. On a full board, two of them depend on nothing but
# the turn and how many numbers are left.
SUM, LAST, RUN, RUN_START, COUNT = range(1, 6)
MEASURES: dict[Measure, int] = {
    "hand-sum": SUM,
    "last-pick": LAST,
    "longest-run": RUN,
    "run-start": RUN_START,
    "count": COUNT,
}
LOWEST = -(1 << 62)


class Board(NamedTuple):
    """The pool as places 0, 1, …, the sets as lines through them, and the position in play."""

    size: int
    unit: int  # the weight of a set that lacks nothing
    draw: int  # whether the pool running out is a draw
    symmetries: int
    lines: Ints  # a bit mask for each set
    first_member: Ints  # line: where its places begin in ``members``
    members: Ints
    first_through: Ints  # place: where the lines through it begin in ``through``
    through: Ints
    bits: Ints  # place: its bit mask
    points: Ints  # place: what it counts in a sum, so that the higher sum is preferred
    ranking: Ints  # the places, those with the most points first
    measures: Ints  # the ending: a code and a preference for each link; 0 at the end
    zobrist: Ints  # (symmetry * 3 + owner) * size + place
    hashes: Ints  # one for each symmetry
    state: Ints
    # owner * size + place: what the open sets through a place weigh, how many of them lack one
    # number, and how many lack two.
    weight: Ints
    ones: Ints
    twos: Ints
    move: Ints  # depth * size + k: children, their keys and proof numbers
    key: Ints
    proof: Ints
    disproof: Ints
    frame: Ints
    out: Ints
    open: (
        Ints  # what open lines and runs lack, and how each of them was paired off: see ``pairing``
    )
    covered: Ints
    trail: Ints


def empty_board(game: Game) -> Board:
    """The empty board of a game."""
    size, width = len(game.pool), max(map(len, game.sets), default=1)
    lines = [game.mask(numbers) for numbers in game.sets]
    members = [[at for at in range(size) if line >> at & 1] for line in lines]
    through = [[at for at, line in enumerate(lines) if line >> place & 1] for place in range(size)]
    renamings = symmetries(game)
    links = game.rules.ending
    ending = [
        code for link in links for code in (MEASURES[link.measure], int(link.prefer == "higher"))
    ]
    signs = [1 if link.prefer == "higher" else -1 for link in links if link.measure == "hand-sum"]
    points = [game.points[number] * (signs[0] if signs else 0) for number in game.pool]
    random = Random(9)
    codes = [[random.getrandbits(62) for _ in range(size)] for _ in range(3)]  # by owner and place
    fits, room = size <= MOST_COMPILED, (size + 1) * size
    board = Board(
        size=size,
        unit=1 << width,
        draw=int(not game.rules.ending),
        symmetries=len(renamings),
        lines=ints(lines, fits),
        first_member=ints(accumulate(map(len, members), initial=0), fits),
        members=ints(chain(*members), fits),
        first_through=ints(accumulate(map(len, through), initial=0), fits),
        through=ints(chain(*through), fits),
        bits=ints((1 << at for at in range(size)), fits),
        points=ints(points, fits),
        ranking=ints(sorted(range(size), key=lambda at: -points[at]), fits),
        measures=ints([*ending, 0], fits),
        zobrist=ints((code[at] for images in renamings for code in codes for at in images), fits),
        hashes=zeros(len(renamings), fits),
        state=zeros(PLACES, fits),
        **{name: zeros(3 * size, fits) for name in ("weight", "ones", "twos")},
        **{name: zeros(room, fits) for name in ("move", "key", "proof", "disproof")},
        frame=zeros((size + 2) * FRAME, fits),
        out=zeros(2, fits),
        **{name: zeros(len(lines) + size, fits) for name in ("open", "covered")},
        trail=zeros(4 * (size + 1), fits),
    )
    board.state[FREE] = (1 << size) - 1
    (count_lines if fits else uncompiled(count_lines))(board)
    return board


@compiled
def put(board: Board, place: int, side: int) -> None:
    """Let a side claim a place, or take that back."""
    state, bit, hashes, zobrist = board.state, board.bits[place], board.hashes, board.zobrist
    lines, through, unit, other = board.lines, board.through, board.unit, 3 - side
    before, theirs = state[side], state[other]
    after = before ^ bit
    for at in range(board.first_through[place], board.first_through[place + 1]):
        line = through[at]
        mask = lines[line]
        if not mask & theirs:
            lacked, lacks = count_bits(mask & ~before), count_bits(mask & ~after)
            add_weight(board, line, side, (unit >> lacks) - (unit >> lacked))
            if lacks + lacked < 6:
                count_lacking(board, line, side, mask & ~before, lacked, -1)
                count_lacking(board, line, side, mask & ~after, lacks, 1)
        if not mask & (before & after):
            count_line(board, line, other, -1 if after & bit else 1)
    state[side] = after
    state[FREE] ^= bit
    for g in range(board.symmetries):
        hashes[g] ^= zobrist[(g * 3 + side) * board.size + place]


@compiled
def count_lines(board: Board) -> None:
    """Count all lines of an empty board."""
    for line in range(len(board.lines)):
        for owner in range(1, 3):
            count_line(board, line, owner, 1)


@compiled
def count_line(board: Board, line: int, owner: int, times: int) -> None:
    """Count a line that is open to its owner now (1), or was until now (-1)."""
    rest = board.lines[line] & ~board.state[owner]
    lacks = count_bits(rest)
    add_weight(board, line, owner, times * (board.unit >> lacks))
    if lacks < 3:
        count_lacking(board, line, owner, rest, lacks, times)


@compiled
def add_weight(board: Board, line: int, owner: int, gain: int) -> None:
    """Let an open line weigh so much more."""
    weight, members, first, at = board.weight, board.members, board.first_member, owner * board.size
    for k in range(first[line], first[line + 1]):
        weight[at + members[k]] += gain
    if owner == ATTACKER:
        board.state[POTENTIAL] += gain


@compiled
def count_lacking(board: Board, line: int, owner: int, rest: int, lacks: int, times: int) -> None:
    """Count an open line that lacks one or two numbers once more, or once less."""
    ones, twos, at = board.ones, board.twos, owner * board.size
    if lacks == 1:
        at += count_bits(rest - 1)
        ones[at] += times
        if ones[at] == (1 if times > 0 else 0):
            board.state[THREATS + owner] ^= rest
    elif lacks == 2:
        members, first = board.members, board.first_member
        for k in range(first[line], first[line + 1]):
            twos[at + members[k]] += times


@compiled
def arrange(board: Board, one: int, two: int) -> None:
    """Set up a position: the numbers of the attacker and of the defender."""
    for place in range(board.size):
        for side in range(1, 3):
            wanted = one if side == ATTACKER else two
            if (board.state[side] ^ wanted) & board.bits[place]:
                put(board, place, side)


@compiled
def key_after(board: Board, place: int, side: int) -> int:
    """The key of the position after a side claims this place and the other is to act."""
    size, hashes, zobrist = board.size, board.hashes, board.zobrist
    at = side * size + place
    best = hashes[0] ^ zobrist[at]
    for g in range(1, board.symmetries):
        after = hashes[g] ^ zobrist[g * 3 * size + at]
        if after < best:
            best = after
    return best ^ (3 - side) ^ board.state[SALT]


@compiled
def is_symmetric(board: Board) -> bool:
    """Whether the position is its own mirror image."""
    same = False
    for g in range(1, board.symmetries):
        same |= board.hashes[g] == board.hashes[0]
    return same


@compiled
def key_now(board: Board, side: int) -> int:
    """The key of the position with this side to act, the same for all its mirror images."""
    best = board.hashes[0]
    for g in range(1, board.symmetries):
        best = min(best, board.hashes[g])
    return best ^ side ^ board.state[SALT]


@compiled
def threats_after(board: Board, place: int, side: int) -> int:
    """The places that would complete a set once this side holds this one."""
    bit, found = board.bits[place], 0
    own, other = board.state[side] | bit, board.state[3 - side]
    for at in range(board.first_through[place], board.first_through[place + 1]):
        line = board.lines[board.through[at]]
        if not line & other:
            rest = line & ~own
            if not rest & (rest - 1):
                found |= rest
    return found


@compiled
def longest_run(board: Board, side: int) -> int:
    """Length of the longest run of neighbours, times the board's size, plus where it starts."""
    mask, starts, length = board.state[side], 0, 0
    while mask:
        starts, length = mask, length + 1
        mask &= mask >> 1  # where a run that is longer by one starts
    return length * board.size + (count_bits((starts & -starts) - 1) if starts else 0)


@compiled
def total(board: Board, mask: int) -> int:
    """The points of these places together."""
    found = 0
    for place in range(board.size):
        if mask & board.bits[place]:
            found += board.points[place]
    return found


@compiled
def rank(board: Board, link: int, side: int, last: int) -> int:
    """What a link of the ending compares, so that the higher rank wins: see ``MEASURES``."""
    code, value = board.measures[2 * link], 0
    if code == SUM:
        return total(board, board.state[side])
    if code == LAST:
        value = 1 if last == side else 0
    elif code == COUNT:
        value = count_bits(board.state[side])
    else:
        run = longest_run(board, side)
        if code == RUN_START and run < board.size:
            return LOWEST  # a player without any number has no run
        value = run // board.size if code == RUN else run % board.size
    return value if board.measures[2 * link + 1] else -value


@compiled
def final(board: Board, last: int) -> int:
    """Who the ending favours on a full board: WIN for the attacker, HOLD otherwise."""
    for link in range(len(board.measures) // 2):
        one, two = rank(board, link, ATTACKER, last), rank(board, link, DEFENDER, last)
        if one != two:
            return WIN if one > two else HOLD
    return HOLD


def fixed_end(board: Board, side: int, first: int) -> int:
    """What the ending says from this link on, with this side to act, if it is known already."""
    state = [*map(int, board.state)]
    free = state[FREE].bit_count()
    last = side if free % 2 else 3 - side
    held = {owner: state[owner].bit_count() + free // 2 for owner in (ATTACKER, DEFENDER)}
    held[side] += free % 2
    for link in range(first, len(board.measures) // 2):
        code, higher = board.measures[2 * link : 2 * link + 2]
        if code not in (LAST, COUNT):
            return OPEN
        one, two = (int(last == o) if code == LAST else held[o] for o in (ATTACKER, DEFENDER))
        if one != two:
            return WIN if (one > two) == bool(higher) else HOLD
    return HOLD
