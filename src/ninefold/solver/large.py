"""Pools too large for tables: results by proof, and the length of a win if it is not too hard."""

from functools import cache
from itertools import count

from ninefold.core.game import Game
from ninefold.core.patterns import Pattern
from ninefold.core.position import Position
from ninefold.core.rules import Rules
from ninefold.solver.compiled import COMPILED
from ninefold.solver.proof import Progress, ProofSearch
from ninefold.solver.scores import BEST, Budget, OutOfBudget, Result, Value

# The length of a win may take this many times as long as the win itself, and this many positions.
PATIENCE, LEAST_POSITIONS = 4, 200_000


class LargeSearch:
    """Values of positions by two searches, one for each player as the attacker."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.budget = budget
        self.progress = Progress(1, 1)
        self.searches = {seat: ProofSearch(game, seat, self._watch) for seat in (1, 2)}
        self._most_positions: int | None = None
        if COMPILED:
            _prepare()
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
        """The result for the player to act, without its length; raises OutOfBudget.

        It is found in what is known already if possible, else by one search or two.
        """
        turn, masks = position.turn, position.masks
        mine, theirs = (self.searches[seat].known(masks, turn) for seat in (turn, 3 - turn))
        # Who begins on an empty board cannot lose: an extra number never hurts.
        if masks == (0, 0) and not self.game.rules.ending:
            theirs = False
        if not theirs and mine is None:
            mine = self._wins(position, turn)
        if not mine and theirs is None:
            theirs = self._wins(position, 3 - turn)
        return "win" if mine else "loss" if theirs else "draw"

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
