"""The search for pools too large for tables: can this player still win, and how soon?"""

from collections.abc import Callable
from itertools import count
from random import Random
from typing import NamedTuple, cast

from ninefold.core.game import Game
from ninefold.core.rules import Rules
from ninefold.solver.compiled import COMPILED, Ints, ints, zeros
from ninefold.solver.proof.board import (
    ATTACKER,
    DEFENDER,
    FREE,
    HELD,
    HOLD,
    LAST,
    LIMIT,
    MOST,
    NODES,
    OPEN,
    PLACES,
    POTENTIAL,
    SALT,
    STORED,
    WIN,
    Board,
    arrange,
    key_now,
)
from ninefold.solver.proof.search import FRAME, judge, search, settled_child
from ninefold.solver.proof.transposition_table import TranspositionTable, find, grow
from ninefold.solver.scores import OutOfBudget
from ninefold.solver.symmetry import symmetries

# Positions between two looks at the clock; first and largest table, 16 bytes an entry if compiled.
CHUNK, LEAST_CHUNK = (20_000, 200) if COMPILED else (300, 20)
FIRST_TABLE = 1 << 20 if COMPILED else 1 << 16
LARGEST_TABLE = 1 << 27 if COMPILED else 1 << 24
_MEASURES = {"hand-sum": 1, "last-pick": 2, "longest-run": 3, "run-start": 4}
MAX_WIDTH = 40  # a hundred thousand sets, each of the weight 2**40, fit in 64 bits


def is_provable(rules: Rules) -> bool:
    """Whether the proof search knows every rule of this book."""
    known = all(link.measure in _MEASURES for link in rules.ending)
    open_hands = not any(pattern.is_whole_hand for pattern in rules.wins)
    draw = rules.otherwise == "draw"
    return rules.is_ordinary and known and open_hands and draw and _fits(rules)


def _fits(rules: Rules) -> bool:
    """Whether sums of numbers, and weights of sets, stay within 64 bits."""
    sizes = [max(pattern.sizes, default=len(rules.pool)) for pattern in rules.wins]
    widest = max(sizes, default=0)
    return widest <= MAX_WIDTH and sum(map(abs, rules.pool)) < 2**62


class Progress(NamedTuple):
    """How far a search is: positions so far, and the proof numbers of its question.

    ``answers`` counts those of a strategy, once one is being written.
    """

    positions: int
    proof: int
    disproof: int
    answers: int = 0


class ProofSearch:
    """Answers one kind of question about one game: can this seat, the attacker, still win?

    ``watch`` is given the progress now and then, and returns whether to stop.
    """

    def __init__(
        self, game: Game, attacker: int, watch: Callable[[Progress], bool] | None = None
    ) -> None:
        self.game = game
        self.attacker = attacker
        self._watch = watch
        self.board = _board(game)
        self.table = _table(FIRST_TABLE)

    @property
    def positions(self) -> int:
        """How many positions have been looked at, the same one perhaps several times."""
        return int(self.board.state[NODES])

    def wins(
        self,
        masks: tuple[int, int],
        turn: int,
        last: int | None = None,
        picks: int | None = None,
    ) -> bool:
        """Whether the attacker wins from here, with at most this many picks; raises OutOfBudget."""
        self.load(masks, last, picks)
        side = self._side(turn)
        board, state = self.board, self.board.state
        # The more sets, the longer a position takes.
        chunk = max(CHUNK // (1 + board.lines // 500), LEAST_CHUNK)
        while True:
            state[LIMIT] = state[NODES] + chunk
            search(board, self.table, side)
            proof, disproof = int(board.out[0]), int(board.out[1])
            if proof == 0 or disproof == 0:
                return proof == 0
            self._report(Progress(self.positions, proof, disproof))
            self._make_room()

    def pause(self, answers: int) -> None:
        """Report how many answers of a strategy are written; raises OutOfBudget."""
        self._report(Progress(self.positions, 0, 0, answers))

    def _report(self, progress: Progress) -> None:
        if self._watch is not None and self._watch(progress):
            raise OutOfBudget

    def known(self, masks: tuple[int, int], turn: int, last: int | None = None) -> bool | None:
        """Whether the attacker wins from here, if that needs no search."""
        self.load(masks, last)
        side = self._side(turn)
        known = judge(self.board, side)
        slot = find(self.table, key_now(self.board, side))
        if known == OPEN and slot >= 0:
            known = HOLD if not self.table.disproof[slot] else OPEN
            known = WIN if not self.table.proof[slot] else known
        return None if known == OPEN else known == WIN

    def picks_to_win(self, masks: tuple[int, int], turn: int, last: int | None = None) -> int:
        """How many picks the attacker, who wins, needs at most; raises OutOfBudget."""
        return next(picks for picks in count(1) if self.wins(masks, turn, last, picks))

    def load(
        self, masks: tuple[int, int], last: int | None = None, picks: int | None = None
    ) -> None:
        """Set up a position nobody has won yet."""
        board, state = self.board, self.board.state
        arrange(board, ints(self._owner(masks, at) for at in range(board.size)))
        state[LAST] = 0 if last is None else self._side(last)
        # What is known under a limit of picks is known under other keys.
        state[MOST] = board.size + 1 if picks is None else state[HELD] + picks
        state[SALT] = 0 if picks is None else Random(int(state[MOST])).getrandbits(62)

    @property
    def masks(self) -> tuple[int, int]:
        """The position that is set up, as the hands of player 1 and 2."""
        owner = self.board.owner
        one, two = (
            sum(1 << at for at in range(self.board.size) if owner[at] == self._side(seat))
            for seat in (1, 2)
        )
        return one, two

    def answer(self, masks: tuple[int, int], turn: int, win: bool) -> int:
        """A place after which the attacker wins, or does not; raises OutOfBudget.

        There must be one, and the last pick must not matter to the ending.
        """
        side, wanted = self._side(turn), WIN if win else HOLD
        self.load(masks)
        place = settled_child(self.board, self.table, side, wanted)
        if place < 0:
            self.wins(masks, turn)
            place = settled_child(self.board, self.table, side, wanted)
        return place if place >= 0 else self._try_all(masks, turn, win)

    def _try_all(self, masks: tuple[int, int], turn: int, win: bool) -> int:
        """The first place that does it, each of them searched on its own."""
        for place in range(self.board.size):
            bit = 1 << place
            if not (masks[0] | masks[1]) & bit:
                one, two = masks
                after = (one | bit, two) if turn == 1 else (one, two | bit)
                if self.wins(after, 3 - turn, turn) == win:
                    return place
        raise ValueError("no number does it")

    def _side(self, seat: int) -> int:
        return ATTACKER if seat == self.attacker else DEFENDER

    def _owner(self, masks: tuple[int, int], at: int) -> int:
        if masks[self.attacker - 1] >> at & 1:
            return ATTACKER
        return DEFENDER if masks[2 - self.attacker] >> at & 1 else FREE

    def _make_room(self) -> None:
        """A table twice as large, when this one is nearly full, up to the largest."""
        size = len(self.table.keys)
        if self.board.state[STORED] * 4 < size * 3 or size >= LARGEST_TABLE:
            return
        larger = _table(2 * size)
        self.board.state[STORED] = 0
        grow(self.table, larger, self.board.state)
        self.table = larger


def _table(size: int) -> TranspositionTable:
    if not COMPILED:
        return TranspositionTable(zeros(size), zeros(size), zeros(size))
    import numpy

    proof, disproof = (cast(Ints, numpy.zeros(size, dtype=numpy.int32)) for _ in range(2))
    return TranspositionTable(zeros(size), proof, disproof)


def _board(game: Game) -> Board:
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
        for code in (_MEASURES[link.measure], int(link.prefer == "higher"))
    ]
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
        zobrist=_zobrist(size, renamings),
        owner=zeros(size),
        held=zeros(3 * max(len(lines), 1)),
        weight=ints([0] * size + weights + weights),
        hashes=zeros(len(renamings)),
        state=state,
        move=zeros(room),
        key=zeros(room),
        proof=zeros(room),
        disproof=zeros(room),
        value=zeros(room),
        frame=zeros((size + 2) * FRAME),
        out=zeros(2),
        pair=zeros(size),
        covered=zeros(max(len(lines), 1)),
        spare=zeros(max(len(lines), 1)),
        open=zeros(max(len(lines), 1)),
        trail=zeros(4 * (size + 1)),
    )


def _zobrist(size: int, renamings: list[tuple[int, ...]]) -> Ints:
    """Random numbers for each place and owner, renamed for each symmetry."""
    random = Random(9)
    codes = [[random.getrandbits(62) for _ in range(size)] for _ in range(3)]
    return ints(code[images[at]] for images in renamings for code in codes for at in range(size))
