"""The board of the proof search: a position as two bit masks, claimed and taken back in place."""

from random import Random
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.rules import Measure
from ninefold.solver.bits import count_bits
from ninefold.solver.compiled import MOST_COMPILED, Ints, compiled, ints, zeros
from ninefold.solver.symmetry import symmetries

ATTACKER, DEFENDER = 1, 2
WIN, HOLD, OPEN = 1, -1, 0
# Places in ``Board.state``. Those of ATTACKER and DEFENDER hold their numbers, a bit each.
# What ``look`` finds: the places that complete a set (at THREATS + a side), the weight of the
# attacker's open sets. ENDS is who the pool running out is good for, TIES the same where the sums
# of both are equal: WIN, HOLD, or OPEN if that depends on the hands. QUIET are the places that
# threaten nothing.
FREE, _ATTACKER, _DEFENDER, THREATS, _ATTACKING, _DEFENDING, POTENTIAL = range(7)
NODES, LIMIT, STORED, MOST, SALT, ENDS, TIES, PAIRS, QUIET, PLACES = range(7, 17)
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
    bits: Ints  # place: its bit mask
    points: Ints  # place: what it counts in a sum, so that the higher sum is preferred
    ranking: Ints  # the places, those with the most points first
    measures: Ints  # the ending: a code and a preference for each link; 0 at the end
    zobrist: Ints  # (symmetry * 3 + owner) * size + place
    hashes: Ints  # one for each symmetry
    state: Ints
    weight: Ints  # owner * size + place: what the open sets through it weigh
    move: Ints  # depth * size + k: children, their keys and proof numbers
    key: Ints
    proof: Ints
    disproof: Ints
    frame: Ints
    out: Ints
    open: Ints  # what open lines lack, and how each of them was paired off: see ``pairing``
    covered: Ints
    trail: Ints


def empty_board(game: Game) -> Board:
    """The empty board of a game."""
    size, width = len(game.pool), max(map(len, game.sets), default=1)
    lines = [game.mask(numbers) for numbers in game.sets]
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
        bits=ints((1 << at for at in range(size)), fits),
        points=ints(points, fits),
        ranking=ints(sorted(range(size), key=lambda at: -points[at]), fits),
        measures=ints([*ending, 0], fits),
        zobrist=ints((code[at] for images in renamings for code in codes for at in images), fits),
        hashes=zeros(len(renamings), fits),
        state=zeros(PLACES, fits),
        weight=zeros(3 * size, fits),
        **{name: zeros(room, fits) for name in ("move", "key", "proof", "disproof")},
        frame=zeros((size + 2) * FRAME, fits),
        out=zeros(2, fits),
        **{name: zeros(max(len(lines), 1), fits) for name in ("open", "covered")},
        trail=zeros(4 * (size + 1), fits),
    )
    board.state[FREE] = (1 << size) - 1
    return board


@compiled
def put(board: Board, place: int, side: int) -> None:
    """Let a side claim a place, or take that back."""
    bit = board.bits[place]
    board.state[side] ^= bit
    board.state[FREE] ^= bit
    for g in range(board.symmetries):
        board.hashes[g] ^= board.zobrist[(g * 3 + side) * board.size + place]


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
def key_now(board: Board, side: int) -> int:
    """The key of the position with this side to act, the same for all its mirror images."""
    best = board.hashes[0]
    for g in range(1, board.symmetries):
        best = min(best, board.hashes[g])
    return best ^ side ^ board.state[SALT]


@compiled
def look(board: Board) -> None:
    """Find which places complete a set, and what the attacker's open sets weigh."""
    state, unit = board.state, board.unit
    one, two = state[ATTACKER], state[DEFENDER]
    attacking, defending, potential = 0, 0, 0
    for line in board.lines:
        if not line & two:
            rest = line & ~one
            if not rest & (rest - 1):
                attacking |= rest
                defending |= rest if rest == line else 0
            potential += unit >> count_bits(rest)
        elif not line & one:
            rest = line & ~two
            if not rest & (rest - 1):
                defending |= rest
    state[THREATS + ATTACKER], state[THREATS + DEFENDER] = attacking, defending
    state[POTENTIAL] = potential


@compiled
def weigh_places(board: Board, side: int) -> int:
    """Find what the open sets through each place weigh.

    The result has the places after whose claim this side may threaten to complete two sets.
    """
    size, unit, weight, state = board.size, board.unit, board.weight, board.state
    once, twice = 0, 0
    for at in range(3 * size):
        weight[at] = 0
    for line in board.lines:
        for owner in range(1, 3):
            if line & state[3 - owner]:
                continue
            rest = line & ~state[owner]
            lacking = count_bits(rest)
            if lacking == 2 and owner == side:
                twice |= once & rest
                once |= rest
            gain = unit >> lacking
            while rest:
                low = rest & -rest
                rest ^= low
                weight[owner * size + count_bits(low - 1)] += gain
    state[QUIET] = state[FREE] & ~once
    return twice


@compiled
def threats_after(board: Board, place: int, side: int) -> int:
    """The places that would complete a set once this side holds this one."""
    bit, found = board.bits[place], 0
    own, other = board.state[side] | bit, board.state[3 - side]
    for line in board.lines:
        if line & bit and not line & other:
            rest = line & ~own
            if not rest & (rest - 1):
                found |= rest
    return found


@compiled
def longest_run(board: Board, side: int) -> int:
    """Length of the longest run of neighbours, times the board's size, plus where it starts."""
    best, start, length, mask = 0, 0, 0, board.state[side]
    for place in range(board.size):
        length = length + 1 if mask & board.bits[place] else 0
        if length > best:
            best, start = length, place - length + 1
    return best * board.size + start


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
