"""Exact values: what a position is worth under best play, and how long it takes. No I/O.

>>> import ninefold
>>> from ninefold.solver import Solver
>>> game = ninefold.load("magic-fifteen")
>>> Solver(game).value(game.start())
Value(result='draw', plies=9)
>>> [tuple(value) for value in Solver(game).moves(game.play("5 2 1"))][:3]
[(3, 'loss', 2), (4, 'loss', 2), (6, 'loss', 2)]
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.core.rules import Rules
from ninefold.solver.early import EarlySearch, Search
from ninefold.solver.general import GeneralSearch
from ninefold.solver.ordered import OrderedSearch, is_orderly
from ninefold.solver.plain import PlainSearch
from ninefold.solver.scores import (
    Budget,
    OutOfBudget,
    Result,
    Value,
    plies_of,
    result_of,
    score_of_child,
)
from ninefold.solver.table import TABLE_NUMBERS, TableSearch
from ninefold.solver.turns import TurnSearch

if TYPE_CHECKING:
    from ninefold.solver.certificate import Strategy
    from ninefold.solver.large import LargeSearch

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


def most_numbers(rules: Rules) -> int:
    """The largest pool on which these rules are solved without a visible wait."""
    short = not rules.in_order or (rules.hand_limit is not None and rules.hand_limit <= 3)
    if rules.passing or rules.picks_per_turn > 1:
        special = rules.in_order or rules.declare or rules.invalid == "lose-turn"
        most = 7 if special else 10 if rules.passing else 11
        return most if short else min(most, 5)
    if rules.in_order:
        return 12 if short else 7
    return 9 if rules.declare else 14


def is_small(game: Game) -> bool:
    """Whether every position of this game is solved without a visible wait."""
    return len(game.pool) <= most_numbers(game.rules)


@lru_cache(maxsize=16)
def solver_for(game: Game) -> "Solver":
    """The one solver of a game that players and coach share."""
    return Solver(game)


class MoveValue(NamedTuple):
    """What a move is worth to the player who makes it; the move itself is counted."""

    move: Move
    result: Result
    plies: int | None


def _search_for(game: Game, budget: Budget) -> Search:
    """The quickest way to solve this game."""
    rules = game.rules
    kind = _kind_for(game)
    search = kind(game, budget)
    early = rules.opening or rules.pie
    return EarlySearch(game, search) if early and kind is not GeneralSearch else search


def _kind_for(
    game: Game,
) -> type[TableSearch | OrderedSearch | PlainSearch | TurnSearch | GeneralSearch]:
    """The quickest search behind the first moves of this game."""
    rules = game.rules
    turns = rules.passing or rules.picks_per_turn > 1
    if is_orderly(game):
        return OrderedSearch
    if rules.declare or rules.in_order or (turns and rules.invalid == "lose-turn"):
        return GeneralSearch
    if turns:
        return TurnSearch
    if len(game.pool) <= TABLE_NUMBERS:
        return TableSearch
    return GeneralSearch if rules.hand_limit or rules.otherwise != "draw" else PlainSearch


def _large_search(game: Game, budget: Budget) -> "LargeSearch | None":
    """The search for a pool too large for a table, if it knows all the rules of this book."""
    if len(game.pool) <= TABLE_NUMBERS:
        return None
    from ninefold.solver.proof import is_provable

    if not is_provable(game.rules):
        return None
    from ninefold.solver.large import LargeSearch

    return LargeSearch(game, budget)


def _for_maker(move: Move, value: Value) -> MoveValue:
    """A move's value for its maker, from the value of the position for the opponent."""
    results: dict[Result, Result] = {"win": "loss", "loss": "win"}
    result = results.get(value.result, value.result)
    return MoveValue(move, result, None if value.plies is None else value.plies + 1)


class Solver:
    """The exact values of one game, found on demand and kept.

    ``stop`` is asked now and then, with the number of positions seen, whether to give up; what is
    not known by then is ``unknown``.
    """

    def __init__(self, game: Game, stop: Callable[[int], bool] | None = None) -> None:
        self.game = game
        self._budget = Budget(stop)
        self._large = _large_search(game, self._budget)
        self._search: Search = self._large or _search_for(game, self._budget)

    @property
    def positions(self) -> int:
        """How many positions have been solved so far."""
        return self._search.positions

    @property
    def keeps_all(self) -> bool:
        """Whether memory grows with the positions: a large search forgets what matters least."""
        return self._large is None

    @property
    def progress(self) -> str:
        """How near a large search is to its answer, in words."""
        if self._large is None:
            return ""
        _, proof, disproof, answers = self._large.progress
        if answers:
            return f", {answers:,} answers of the certificate"
        return f", proof number {proof:,}, disproof number {disproof:,}"

    def certify(self, position: Position) -> "tuple[Result, tuple[Strategy, ...]]":
        """The result of an unfinished position and the strategies that show it.

        Raises OutOfBudget, and NinefoldError for a reading that has no certificates.
        """
        from ninefold.solver.certify import certify

        if self._large is None:
            result, searches = result_of(self.score(position)), None
        else:
            result, searches = self._large.result(position), self._large.searches
        return result, certify(position, result, searches)

    def score(self, position: Position) -> int:
        """The value as an integer, for the player to act; raises OutOfBudget."""
        return self._search.score(position)

    def value(self, position: Position) -> Value:
        """The value of an unfinished position for the player to act."""
        try:
            if self._large is not None:
                return self._large.value(position)
            return self._as_value(position, self.score(position))
        except OutOfBudget:
            return Value("unknown", None)

    def moves(self, position: Position) -> list[MoveValue]:
        """Every legal move with its value for the player who makes it."""
        return [self.move_value(position, move) for move in position.legal]

    def best(self, position: Position) -> list[Move]:
        """The moves that keep the value and win soonest, or lose latest; raises OutOfBudget."""
        scores = {move: self.move_score(position, move) for move in position.legal}
        top = max(scores.values(), default=0)
        return [move for move, score in scores.items() if score == top]

    def move_score(self, position: Position, move: Move, sight: int | None = None) -> int:
        """The value of a legal move as an integer, for its maker; raises OutOfBudget.

        With ``sight``, a win or loss that takes more plies than that looks like a draw.
        """
        score = score_of_child(position, position.play(move), self.score)
        return 0 if score and sight is not None and plies_of(score) > sight else score

    def move_value(self, position: Position, move: Move) -> MoveValue:
        """The value of one move, also of a turn lost on the clock, for the player who makes it."""
        child = position.play(move)
        if self._large is not None and child.outcome is None:
            return _for_maker(move, self.value(child))
        try:
            score = score_of_child(position, child, self.score)
        except OutOfBudget:
            return MoveValue(move, "unknown", None)
        if score:
            return MoveValue(move, result_of(score), plies_of(score))
        rest = 0 if child.outcome else self._draw_plies(child)
        return MoveValue(move, "draw", None if rest is None else rest + 1)

    def _as_value(self, position: Position, score: int) -> Value:
        if score:
            return Value(result_of(score), plies_of(score))
        return Value("draw", self._draw_plies(position))

    def _draw_plies(self, position: Position) -> int | None:
        """How long a draw takes if nobody wastes time; None if it need never end."""
        try:
            for plies in range(4 * len(self.game.pool) + 4):
                if position.outcome is not None:
                    return plies
                holding = [move for move in position.legal if not self.move_score(position, move)]
                position = position.play(holding[0])
        except OutOfBudget:
            pass  # that it is a draw is known, how long it takes is not
        return None
