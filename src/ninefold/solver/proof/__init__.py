"""The search for pools too large for tables: can this player still win, and how soon?"""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import count
from random import Random
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.patterns import Pattern
from ninefold.core.position import Position
from ninefold.core.rules import Criterion, Rules
from ninefold.solver.bits import uncompiled
from ninefold.solver.compiled import COMPILED, MOST_COMPILED, F, Ints
from ninefold.solver.proof.board import (
    ATTACKER,
    DEFENDER,
    ENDS,
    HOLD,
    LIMIT,
    MEASURES,
    MOST,
    NODES,
    OPEN,
    SALT,
    STORED,
    TIES,
    WIN,
    arrange,
    empty_board,
    fixed_end,
    key_now,
)
from ninefold.solver.proof.search import (
    disproof_at,
    empty_table,
    find,
    grow,
    judge,
    proof_at,
    search,
    settled_child,
)
from ninefold.solver.scores import BEST, Budget, OutOfBudget, Result, Value

# Positions between two looks at the clock; first and largest table, 16 bytes an entry if compiled.
CHUNK, LEAST_CHUNK = (20_000, 200) if COMPILED else (300, 20)
FIRST_TABLE = 1 << 20 if COMPILED else 1 << 16
LARGEST_TABLE = 1 << 27 if COMPILED else 1 << 24
# After so many positions, a second thread helps; without Numba it would be no help.
ALONE = 1_000_000 if COMPILED and (os.cpu_count() or 1) > 1 else sys.maxsize
# The length of a win may take this many times as long as the win itself, and this many positions.
PATIENCE, LEAST_POSITIONS = (4, 200_000) if COMPILED else (2, 5_000)
# A hundred thousand sets, each of the weight 2**40, fit in 64 bits. Where children are ordered by
# 128 times their weight, more than 2**16 such sets can overflow, which only changes the order.
MAX_WIDTH = 40


def is_provable(rules: Rules) -> bool:
    """Whether the proof search knows every rule of this book."""
    plain = all(link == Criterion(link.measure, link.prefer) for link in rules.ending)
    measures = {link.measure for link in rules.ending}
    known = plain and measures <= {*MEASURES} and rules.otherwise == "draw" and not rules.values
    open_hands = not any(pattern.is_whole_hand for pattern in rules.wins)
    # Sums of numbers, and weights of sets, must stay within 64 bits.
    sizes = [max(pattern.sizes, default=len(rules.pool)) for pattern in rules.wins]
    points = sum(abs(rules.points(number)) for number in rules.pool)
    fits = max(sizes, default=0) <= MAX_WIDTH and points < 2**62
    return rules.is_ordinary and known and open_hands and fits


class Progress(NamedTuple):
    """How far a search is: the proof numbers of its question."""

    proof: int
    disproof: int
    answers: int = 0  # of a strategy, once one is being written


class ProofSearch:
    """Answers one kind of question about one game: can this seat, the attacker, still win?

    ``watch`` is given the progress now and then, and may raise OutOfBudget.
    """

    def __init__(
        self, game: Game, attacker: int, watch: Callable[[Progress], None] = lambda _: None
    ) -> None:
        self.game = game
        self.attacker = attacker
        self.watch = watch
        self.fits = len(game.pool) <= MOST_COMPILED
        self.board = empty_board(game)
        self.table = empty_table(FIRST_TABLE, self.fits)
        self._helper: Helper | None = None

    @property
    def positions(self) -> int:
        """How many positions have been looked at, the same one perhaps several times."""
        return int(self.board.state[NODES]) + (self._helper.positions if self._helper else 0)

    def wins(self, masks: tuple[int, int], turn: int, picks: int | None = None) -> bool:
        """Whether the attacker wins from here, with at most this many picks; raises OutOfBudget."""
        self.load(masks, turn, picks)
        side = self._side(turn)
        board, state = self.board, self.board.state
        # The more sets, the longer a position takes.
        chunk = max(CHUNK // (1 + len(board.lines) // 500), LEAST_CHUNK)
        while True:
            state[LIMIT] = state[NODES] + chunk
            if self.positions < ALONE or picks is not None:
                self.run(search)(board, self.table, side)
            else:
                self._search_by_two(masks, turn, chunk)
            proof, disproof = int(board.out[0]), int(board.out[1])
            if proof == 0 or disproof == 0:
                return proof == 0
            self.watch(Progress(proof, disproof))
            self._make_room()

    def _search_by_two(self, masks: tuple[int, int], turn: int, chunk: int) -> None:
        """Search on, while a second thread settles other moves of this position in the table."""
        if self._helper is None:
            self._helper = Helper(ProofSearch(self.game, self.attacker))
        with ThreadPoolExecutor(1) as pool:
            done = pool.submit(self._helper.work, masks, turn, self.table, chunk)
            search(self.board, self.table, self._side(turn))
            done.result()
        self.board.state[STORED] += self._helper.take_stored()

    def known(self, masks: tuple[int, int], turn: int) -> bool | None:
        """Whether the attacker wins from here, if that needs no search."""
        self.load(masks, turn)
        side = self._side(turn)
        known = self.run(judge)(self.board, side)
        slot = self.run(find)(self.table, self.run(key_now)(self.board, side))
        if known == OPEN and slot >= 0:
            known = HOLD if not self.run(disproof_at)(self.table, slot) else OPEN
            known = WIN if not self.run(proof_at)(self.table, slot) else known
        return None if known == OPEN else known == WIN

    def load(self, masks: tuple[int, int], turn: int, picks: int | None = None) -> None:
        """Set up a position nobody has won yet."""
        board, state = self.board, self.board.state
        own, other = masks if self.attacker == 1 else masks[::-1]
        self.run(arrange)(board, own, other)
        state[ENDS] = fixed_end(board, self._side(turn), 0)
        state[TIES] = fixed_end(board, self._side(turn), 1)
        # What is known under a limit of picks is known under other keys.
        state[MOST] = board.size + 1 if picks is None else own.bit_count() + picks
        state[SALT] = 0 if picks is None else Random(int(state[MOST])).getrandbits(62)

    @property
    def masks(self) -> tuple[int, int]:
        """The position that is set up, as the hands of player 1 and 2."""
        own, other = int(self.board.state[ATTACKER]), int(self.board.state[DEFENDER])
        return (own, other) if self.attacker == 1 else (other, own)

    @property
    def ends(self) -> int:
        """Whether the pool running out is a WIN for the attacker or not (HOLD), if known (OPEN)."""
        return int(self.board.state[ENDS])

    def answer(self, masks: tuple[int, int], turn: int, win: bool) -> int:
        """A place after which the attacker wins, or not; one must exist. Raises OutOfBudget."""
        self.wins(masks, turn)
        wanted = WIN if win else HOLD
        place = self.run(settled_child)(self.board, self.table, self._side(turn), wanted)
        if place >= 0:
            return place
        children = self.children(masks, turn)
        after = next(hands for hands in children if self.wins(hands, 3 - turn) == win)
        return (sum(after) - sum(masks)).bit_length() - 1

    def children(self, masks: tuple[int, int], turn: int) -> list[tuple[int, int]]:
        """The hands after every pick."""
        one, two = masks
        bits = [1 << at for at in range(self.board.size) if not (one | two) >> at & 1]
        return [(one | bit, two) if turn == 1 else (one, two | bit) for bit in bits]

    def run(self, function: F) -> F:
        """The compiled function, or as plain Python where masks are too long for it."""
        return function if self.fits else uncompiled(function)

    def _side(self, seat: int) -> int:
        return ATTACKER if seat == self.attacker else DEFENDER

    def _make_room(self) -> None:
        """A table twice as large, when this one is nearly full, up to the largest."""
        size = len(self.table) // 2
        if self.board.state[STORED] * 4 >= size * 3 and size < LARGEST_TABLE:
            larger = empty_table(2 * size, self.fits)
            self.board.state[STORED] = 0
            self.run(grow)(self.table, larger, self.board.state)
            self.table = larger


class Helper:
    """A second thread of a search: what it finds out is in the table that both of them use."""

    def __init__(self, search: "ProofSearch") -> None:
        self._search = search
        self._at: tuple[tuple[int, int], int] | None = None
        self._todo: list[tuple[int, int]] = []

    @property
    def positions(self) -> int:
        """How many positions it has looked at."""
        return self._search.positions

    def take_stored(self) -> int:
        """How many positions are new in the table since this was last asked."""
        state = self._search.board.state
        stored, state[STORED] = int(state[STORED]), 0
        return stored

    def work(self, masks: tuple[int, int], turn: int, table: Ints, chunk: int) -> None:
        """Search the positions after this one, the last first, for about so many positions."""
        helper, state = self._search, self._search.board.state
        helper.table = table
        if self._at != (masks, turn):
            self._at, self._todo = (masks, turn), helper.children(masks, turn)
        most = state[NODES] + chunk
        while self._todo and state[NODES] < most:
            helper.load(self._todo[-1], 3 - turn)
            state[LIMIT] = most
            search(helper.board, table, helper._side(3 - turn))
            if 0 in (helper.board.out[0], helper.board.out[1]):
                self._todo.pop()


class LargeSearch:
    """Values of positions by two searches, one for each player as the attacker."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.budget = budget
        self.progress = Progress(1, 1)
        self.searches = {seat: ProofSearch(game, seat, self._watch) for seat in (1, 2)}
        self._most_positions: int | None = None
        self._runs_decide = any(link.measure == "run-start" for link in game.rules.ending)
        if COMPILED:
            _prepare()
        self._results: dict[object, Result] = {}
        self._values: dict[object, Value] = {}

    @property
    def positions(self) -> int:
        """How many positions were looked at."""
        return sum(search.positions for search in self.searches.values())

    def score(self, position: Position) -> int:
        """The value as an integer; raises OutOfBudget, also if only the length is unknown."""
        result, plies = self.value(position)
        if result == "draw":
            return 0
        if plies is None:
            raise OutOfBudget
        return BEST - plies if result == "win" else plies - BEST

    def value(self, position: Position) -> Value:
        """The value of an unfinished position for the player to act; raises OutOfBudget.

        The length of a win is None where finding it would take much longer than finding the win.
        """
        key = position.key
        if key not in self._values:
            before = self.positions
            result = self.result(position)
            plies: int | None = len(position.available)
            if result != "draw":
                winner = position.turn if result == "win" else 3 - position.turn
                plies = self._plies(position, winner, before)
            self._values[key] = Value(result, plies)
        return self._values[key]

    def result(self, position: Position) -> Result:
        """The result for the player to act, without its length; raises OutOfBudget."""
        if position.key in self._results:
            return self._results[position.key]
        turn, masks = position.turn, position.masks
        mine, theirs = (self.searches[seat].known(masks, turn) for seat in (turn, 3 - turn))
        # Two runs never start at the same number, so that nobody wins only if the other does.
        if self._runs_decide and mine is None and theirs is not None:
            mine = not theirs
        # Who begins on an empty board cannot lose: an extra number never hurts.
        if masks == (0, 0) and not self.game.rules.ending:
            theirs = False
        if self.searches[turn].ends == WIN:
            # Whoever wins when the pool runs out has only to stop the other player.
            theirs = self._wins(position, 3 - turn) if theirs is None else theirs
            mine = not theirs
        if not theirs and mine is None:
            mine = self._wins(position, turn)
        if self.searches[3 - turn].ends == WIN or self._runs_decide:
            theirs = not mine
        if not mine and theirs is None:
            theirs = self._wins(position, 3 - turn)
        result: Result = "win" if mine else "loss" if theirs else "draw"
        self._results[position.key] = result
        return result

    def _wins(self, position: Position, attacker: int) -> bool:
        self.budget.ask(self.positions)
        return self.searches[attacker].wins(position.masks, position.turn)

    def _plies(self, position: Position, attacker: int, before: int) -> int | None:
        """How long a win takes under best play, if that is found in time."""
        spent = self.positions - before
        self._most_positions = self.positions + max(PATIENCE * spent, LEAST_POSITIONS)
        try:
            self.budget.ask(self.positions)
            wins = self.searches[attacker].wins
            picks = next(most for most in count(1) if wins(position.masks, position.turn, most))
        except OutOfBudget:
            return None  # the result is known all the same
        finally:
            self._most_positions = None
        plies = 2 * picks - (position.turn == attacker)
        # Where the last number of the pool may decide, it may be the loser who takes it.
        over = len(position.available) <= plies + 1
        return None if over and self.game.rules.ending else plies

    def _watch(self, progress: Progress) -> None:
        self.progress = progress
        self.budget.ask(self.positions)
        if self._most_positions is not None and self.positions > self._most_positions:
            raise OutOfBudget


@cache
def _prepare() -> None:
    """Compile the search now, or load it compiled, rather than within somebody's time budget."""
    three = Pattern("arithmetic", (("length", 3),))
    ProofSearch(Game(Rules(tuple(range(1, 8)), (three,))), 1).wins((0, 0), 1)
