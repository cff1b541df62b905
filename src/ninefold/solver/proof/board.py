"""The board of the proof search: a position in flat arrays, claimed and taken back in place."""

from random import Random
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.rules import Measure
from ninefold.solver.compiled import Ints, compiled, ints, zeros
from ninefold.solver.symmetry import symmetries

FREE, ATTACKER, DEFENDER = 0, 1, 2
WIN, HOLD, OPEN = 1, -1, 0
# Places in ``Board.state``. Those of ATTACKER and DEFENDER count the sets that lack one number.
POTENTIAL, ATTACKER_ONE, DEFENDER_ONE, NODES, LIMIT, STORED, CLAIMED = range(7)
HELD, MOST, SALT, PLACES = range(7, 11)
FRAME = 4  # how many integers the search keeps for each depth
# The measures of an ending that ``rank`` knows.
MEASURES: dict[Measure, int] = {"hand-sum": 1, "last-pick": 2, "longest-run": 3, "run-start": 4}
LOWEST = -(1 << 62)


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


def empty_board(game: Game) -> Board:
    """The empty board of a game."""
    size, sets = len(game.pool), game.sets
    place = {number: at for at, number in enumerate(game.pool)}
    lines = [[place[number] for number in numbers] for numbers in sets]
    width = max(map(len, lines), default=1)
    renamings = symmetries(game)
    through = [[at for at, line in enumerate(lines) if cell in line] for cell in range(size)]
    weights = [sum(1 << width - len(lines[at]) for at in through[cell]) for cell in range(size)]
    state = zeros(PLACES)
    state[POTENTIAL] = sum(1 << width - len(line) for line in lines)
    state[ATTACKER] = state[DEFENDER] = sum(len(line) == 1 for line in lines)
    ending = [
        code
        for link in game.rules.ending
        for code in (MEASURES[link.measure], int(link.prefer == "higher"))
    ]
    random = Random(9)
    codes = [[random.getrandbits(62) for _ in range(size)] for _ in range(3)]  # by owner and place
    room = (size + 1) * size
    return Board(
        size=size,
        lines=len(lines),
        width=width,
        unit=1 << width,
        draw=int(not game.rules.ending),
        symmetries=len(renamings),
        numbers=ints(game.pool),
        cells=ints(cell for line in lines for cell in line + [0] * (width - len(line))),
        length=ints(map(len, lines)),
        through=ints(at for row in through for at in row + [0] * (len(lines) - len(row))),
        degree=ints(map(len, through)),
        member=ints(int(cell in line) for line in lines for cell in range(size)),
        measures=ints(ending),
        zobrist=ints(code[at] for images in renamings for code in codes for at in images),
        owner=zeros(size),
        held=zeros(3 * max(len(lines), 1)),
        weight=ints([0] * size + weights + weights),
        hashes=zeros(len(renamings)),
        state=state,
        **{name: zeros(room) for name in ("move", "key", "proof", "disproof", "value")},
        frame=zeros((size + 2) * FRAME),
        out=zeros(2),
        pair=zeros(size),
        **{name: zeros(max(len(lines), 1)) for name in ("covered", "spare", "open")},
        trail=zeros(4 * (size + 1)),
    )


@compiled
def put(board: Board, place: int, side: int) -> None:
    """Let a side claim a place."""
    change(board, place, side, 1)
    board.owner[place] = side


@compiled
def take_back(board: Board, place: int, side: int) -> None:
    """Undo ``put``."""
    change(board, place, side, -1)
    board.owner[place] = FREE


@compiled
def change(board: Board, place: int, side: int, sign: int) -> None:
    """What a claim changes: with sign 1 as it is made, with -1 as it is taken back."""
    other, size, width = 3 - side, board.size, board.width
    held, weight, state = board.held, board.weight, board.state
    for k in range(board.degree[place]):
        line = board.through[place * board.lines + k]
        own, theirs = held[line * 3 + side], held[line * 3 + other]
        if sign < 0:
            own -= 1  # as it was before the claim
        lacking = board.length[line] - own
        if theirs == 0:
            gain = sign * (board.unit >> lacking)
            for j in range(board.length[line]):
                weight[side * size + board.cells[line * width + j]] += gain
            if side == ATTACKER:
                state[POTENTIAL] += gain
            if lacking == 2:
                state[side] += sign
            elif lacking == 1:
                state[side] -= sign
        if own == 0:
            lacking = board.length[line] - theirs
            loss = sign * (board.unit >> lacking)
            for j in range(board.length[line]):
                weight[other * size + board.cells[line * width + j]] -= loss
            if other == ATTACKER:
                state[POTENTIAL] -= loss
            if lacking == 1:
                state[other] -= sign
        held[line * 3 + side] += sign
    state[CLAIMED] += sign
    if side == ATTACKER:
        state[HELD] += sign
    for g in range(board.symmetries):
        board.hashes[g] ^= board.zobrist[(g * 3 + side) * size + place]


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
    """Length of the longest run of neighbours, times the board's size, plus where it starts."""
    best, start, length = 0, 0, 0
    for place in range(board.size):
        length = length + 1 if board.owner[place] == side else 0
        if length > best:
            best, start = length, place - length + 1
    return best * board.size + start


@compiled
def rank(board: Board, link: int, side: int, last: int) -> int:
    """What a link of the ending compares, so that the higher rank wins: see ``MEASURES``."""
    code, value = board.measures[2 * link], 0
    if code == 1:
        for place in range(board.size):
            if board.owner[place] == side:
                value += board.numbers[place]
    elif code == 2:
        value = 1 if last == side else 0
    else:
        run = longest_run(board, side)
        if code == 4 and run < board.size:
            return LOWEST  # a player without any number has no run
        value = run // board.size if code == 3 else run % board.size
    return value if board.measures[2 * link + 1] else -value


@compiled
def final(board: Board, last: int) -> int:
    """Who the ending favours on a full board: WIN for the attacker, HOLD otherwise."""
    for link in range(len(board.measures) // 2):
        one, two = rank(board, link, ATTACKER, last), rank(board, link, DEFENDER, last)
        if one != two:
            return WIN if one > two else HOLD
    return HOLD
