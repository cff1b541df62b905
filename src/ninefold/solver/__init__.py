"""Exact values: what a position is worth under best play, and how long it takes. No I/O.

>>> import ninefold
>>> from ninefold.solver import Solver
>>> game = ninefold.load("magic-fifteen")
>>> Solver(game).value(game.start())
Value(result='draw', plies=9)
>>> [tuple(value) for value in Solver(game).moves(game.play("5 2 1"))][:3]
[(3, 'loss', 2), (4, 'loss', 2), (6, 'loss', 2)]
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from threading import RLock
from typing import TYPE_CHECKING

from ninefold.core.game import Game
from ninefold.core.moves import AnyMove, Move, as_move
from ninefold.core.position import Position
from ninefold.core.rules import MAX_POOL, ORDERED, Rules
from ninefold.core.text import NamedTuple
from ninefold.solver.breadth_first import BreadthFirst, TooLarge, legal_steps, position_key
from ninefold.solver.kept import Kept
from ninefold.solver.one_by_one import OneByOne
from ninefold.solver.scores import (
    Budget,
    OutOfBudget,
    Result,
    Value,
    perfect_choices,
    plies_of,
    result_of,
    score_of_child,
    score_of_end,
    traps,
)
from ninefold.solver.tables import Tables

if TYPE_CHECKING:
    from ninefold.solver.certificate import Strategy
    from ninefold.solver.graph import Graph
    from ninefold.solver.layers import Layers
    from ninefold.solver.proof import LargeSearch

__all__ = [
    "MoveValue",
    "OutOfBudget",
    "Result",
    "Solver",
    "Value",
    "is_small",
    "most_numbers",
    "solver_for",
]

# More numbers take too much memory: a set of all hands of 16 numbers has 5 MB already.
TABLE_NUMBERS = 16
# Where a table of the whole game takes a while, or too much memory, a position with so few free
# numbers has a table of its own.
QUICK_NUMBERS, FEW_FREE = 12, 9
# Looking at so many positions is no visible wait.
FEW_POSITIONS = 5_000
# So many tables of single positions are kept, those made last.
MOST_LATER = 32
# A position of a graph takes about a kilobyte.
MOST_NODES = 500_000
# What a result is to the other player, where it is not the same to both.
_REVERSED: dict[Result, Result] = {"win": "loss", "loss": "win"}


def most_numbers(rules: Rules) -> int:
    """The largest pool on which these rules are solved without a visible wait."""
    compares_order = any(each.compared_with in ORDERED for each in rules.restrictions)
    limited = bool(rules.restrictions or rules.caps)
    if compares_order or (limited and (rules.pie or rules.in_order)):
        return min(8, most_numbers(rules._replace(restrictions=(), caps=())))
    if rules.caps:
        return min(12, most_numbers(rules._replace(caps=())))
    short = not rules.sees_order or (rules.hand_limit is not None and rules.hand_limit <= 3)
    if rules.passing or rules.picks_per_turn > 1:
        special = rules.sees_order or rules.declare or rules.invalid == "lose-turn"
        most = 7 if special else 10 if rules.passing else 11
        return most if short else min(most, 5)
    if rules.sees_order:
        return 12 if short else 7
    return 9 if rules.declare else 14


@lru_cache(maxsize=64)
def is_small(game: Game) -> bool:
    """Whether every position of this game is solved without a visible wait."""
    return len(game.pool) <= most_numbers(game.rules) or _has_few_positions(game)


def _has_few_positions(game: Game) -> bool:
    """Whether limits leave so little to take that every position can be looked at."""
    if not game.picks.limited or len(game.pool) > TABLE_NUMBERS:
        return False
    try:
        for _ in BreadthFirst(game.start(), legal_steps, position_key, FEW_POSITIONS):
            pass
    except TooLarge:
        return False
    return True


@lru_cache(maxsize=16)
def solver_for(game: Game) -> "Solver":
    """The one solver of a game that players and coach share."""
    return Solver(game)


class MoveValue(NamedTuple):
    """What a move is worth to the player who makes it; the move itself is counted."""

    move: Move
    result: Result
    plies: int | None


class Solver:
    """The exact values of one game, found on demand and kept, in one of several ways.

    Tables hold all positions at once. Where the pool is too large for them, a proof search looks
    for a forced win; where it does not know the rules, positions are searched one by one for the
    result, and a graph of what can still be reached has the lengths.
    ``stop`` is asked now and then, with the number of positions seen, whether to give up; what is
    not known by then is ``unknown``.
    Threads may share it: one of them searches at a time, whoever holds ``lock``.
    """

    def __init__(self, game: Game, stop: Callable[[int], bool] | None = None) -> None:
        self.game = game
        self.lock = RLock()
        self._budget = Budget(stop)
        # Of the whole game; then with turns lost on the clock.
        self._tables: list[Tables | Layers | Graph] = []
        self._later: list[Tables] = []  # of what follows from a position
        self._too_large = len(game.pool) > TABLE_NUMBERS
        self._large: LargeSearch | None = None
        if self._too_large:
            from ninefold.solver import proof

            if proof.is_provable(game.rules):
                self._large = proof.LargeSearch(game, self._budget)
        # Where turns can be lost without end, only the graph has an answer.
        alone = self._large is None and not game.turns.is_endless
        self._one_by_one = OneByOne(game, self._budget) if alone else None
        self._scores: dict[object, int] = {}  # of graphs, by the key of a position
        self._kept = Kept(self.score)
        self._too_many_free = MAX_POOL + 1  # from so many free numbers on, a graph is too large

    def use(self, tables: "Tables | Layers | Graph") -> None:
        """Look up scores in what somebody has solved already of the whole game."""
        self._tables.insert(0, tables)

    @property
    def positions(self) -> int:
        """How many positions have been solved so far."""
        tables = (*self._tables, *self._later)
        known = sum(one.positions for one in tables) + len(self._scores)
        known += self._one_by_one.positions if self._one_by_one else 0
        return known + (self._large.positions if self._large else 0)

    @property
    def keeps_all(self) -> bool:
        """Whether memory grows with the positions: a large search forgets what matters least."""
        return self._large is None

    @property
    def progress(self) -> str:
        """How near a large search is to its answer, in words."""
        if self._large is None:
            return ""
        proof, disproof, answers = self._large.progress
        if answers:
            return f", {answers:,} answers of the certificate"
        return f", proof number {proof:,}, disproof number {disproof:,}"

    @contextmanager
    def limited(self, stop: Callable[[int], bool]) -> Iterator[None]:
        """Ask this, instead of what was given at first, whether to give up."""
        with self.lock:
            before = self._budget.restart(stop)
            try:
                yield
            finally:
                self._budget.restart(before)

    def tabulate(self, position: Position) -> bool:
        """Make tables that hold this position, if they are not too large, however long it takes."""
        with self.limited(lambda _: False):
            return self._score_in_tables(position) is not None

    def knows(self, position: Position) -> bool:
        """Whether a table or a graph has this position, and so everything that follows."""
        return self._look_up(position) is not None or position.key in self._scores

    def certify(self, position: Position) -> "tuple[Result, tuple[Strategy, ...]]":
        """The result and the strategies that show it; raises OutOfBudget and NinefoldError."""
        from ninefold.solver.certify import certify

        with self.lock:
            if self._large is None:
                result, searches = result_of(self.score(position)), None
            else:
                result, searches = self._large.result(position), self._large.searches
            return result, certify(position, result, searches)

    def score(self, position: Position) -> int:
        """The value as an integer, for the player to act; raises OutOfBudget."""
        if position.outcome is not None:
            return score_of_end(position)
        score = self._score_in_tables(position)
        if score is not None:
            return score
        with self.lock:
            if self._large is not None:
                return self._large.score(position)
            return self._score_in_graph(position)

    def _score_in_tables(self, position: Position) -> int | None:
        """The score from tables, new ones if need be; None if they would be too large."""
        score = self._look_up(position)
        if score is not None:
            return score
        with self.lock:
            score = self._look_up(position)  # another thread may have made them meanwhile
            return self._score_in_new_tables(position) if score is None else score

    def _look_up(self, position: Position) -> int | None:
        """The score from the tables there are; None if none of them has this position."""
        for tables in (*self._tables, *reversed(self._later)):
            score = tables.score(position)
            if score is not None:
                return score
        return None

    def _score_in_new_tables(self, position: Position) -> int | None:
        """The score from new tables, of the whole game or of what follows; None: too large."""
        few = len(position.available) <= FEW_FREE and not self.game.rules.sees_order
        begun = all(position.masks)  # so that the hands can no longer be swapped
        later = few and begun and (self._too_large or len(self.game.pool) > QUICK_NUMBERS)
        score = None
        try:
            if later:
                tables = Tables(self.game, self._budget, position)
                self._later = [*self._later[1 - MOST_LATER :], tables]
                return tables.score(position)
            while score is None and not self._too_large and len(self._tables) < 2:
                wide = bool(self._tables)  # a turn was lost on the clock
                self._tables.append(Tables(self.game, self._budget, wide=wide))
                score = self._tables[-1].score(position)
        except TooLarge:
            self._too_large = self._too_large or not later
        return score

    def _score_in_graph(self, position: Position) -> int:
        from ninefold.solver.graph import Graph

        free = len(position.available)
        if position.key not in self._scores:
            if free >= self._too_many_free:
                raise OutOfBudget  # a position with no more free numbers had too many already
            try:
                graph = Graph(position, MOST_NODES, self._budget)
            except TooLarge:
                self._too_many_free = free
                raise OutOfBudget from None
            for found, score in zip(graph.nodes, graph.scores, strict=True):
                self._scores[found.key] = score
        return self._scores[position.key]

    def value(self, position: Position) -> Value:
        """The value for the player to act; of a finished position, for whose turn it would be."""
        with self.lock:
            try:
                over = position.outcome is not None
                if self._large is not None and len(position.available) > FEW_FREE and not over:
                    return self._large.value(position)
                if self.result(position) == "unknown":
                    raise OutOfBudget
                score = self.score(position)
            except OutOfBudget:
                return Value(self.result(position), None)
            return Value(result_of(score), plies_of(score) if score else self._draw_plies(position))

    def result(self, position: Position) -> Result:
        """Who wins a position, without asking how long it takes: that may be hard."""
        few = len(position.available) <= FEW_FREE and not self.game.rules.sees_order
        quick = few or position.outcome is not None
        try:
            with self.lock:
                if self._large is not None and not quick:
                    return self._large.result(position)
                if self._one_by_one is None or quick or position.key in self._scores:
                    return result_of(self.score(position))
                score = self._score_in_tables(position)
                return result_of(self._one_by_one.result(position) if score is None else score)
        except OutOfBudget:
            return "unknown"

    def moves(self, position: Position) -> list[MoveValue]:
        """Every legal move with its value for the player who makes it."""
        if self.knows(position):
            scores = self.move_scores(position).items()
            return [self._known_value(position, move, score) for move, score in scores]
        for move in position.legal:  # all results before any length, which may be harder to find
            self.move_value(position, move, length=False)
        return [self.move_value(position, move) for move in position.legal]

    def best(self, position: Position) -> list[Move]:
        """The moves that keep the value and win soonest, or lose latest; raises OutOfBudget."""
        return self._kept.best(position)

    def best_line(self, position: Position) -> tuple[Move, ...]:
        """Best play to the end, or until a position comes back; raises OutOfBudget."""
        return self._kept.line(position)

    def perfect(self, position: Position) -> list[Move]:
        """The moves the perfect player chooses from; raises OutOfBudget."""
        scores = self.move_scores(position)
        legal = [*scores]

        def traps_after(place: int) -> int:
            return traps(self.move_scores(position.play(legal[place])).values())

        return [legal[place] for place in perfect_choices([*scores.values()], traps_after)]

    def move_scores(self, position: Position) -> Mapping[Move, int]:
        """The score of each legal move for its maker, found once and kept; raises OutOfBudget."""
        return self._kept.move_scores(position)

    def seen(self, position: Position, sight: int) -> dict[Move, int]:
        """The same as far as so many moves ahead; what ends later is worth 0."""
        return {
            move: score if plies_of(score) <= sight else 0
            for move, score in self.move_scores(position).items()
        }

    def move_score(self, position: Position, move: AnyMove) -> int:
        """The score of a move for its maker; raises OutOfBudget."""
        return score_of_child(position, position.play(move), self.score)

    def move_value(self, position: Position, move: AnyMove, length: bool = True) -> MoveValue:
        """The value of a move for its maker; without ``length``, only the result is looked for."""
        move = as_move(move)
        child = position.play(move)
        result, plies = self.value(child) if length else (self.result(child), None)
        if child.turn != position.turn:
            result = _REVERSED.get(result, result)
        return MoveValue(move, result, None if plies is None else plies + 1)

    def _known_value(self, position: Position, move: Move, score: int) -> MoveValue:
        """The value of a move with this score, where everything that follows is known."""
        if score:
            return MoveValue(move, result_of(score), plies_of(score))
        plies = self._draw_plies(position.play(move))
        return MoveValue(move, "draw", None if plies is None else plies + 1)

    def _draw_plies(self, position: Position) -> int | None:
        """How long a draw takes if nobody wastes time; None if it need never end or is unknown."""
        try:
            return self._kept.draw_plies(position)
        except OutOfBudget:
            return None
