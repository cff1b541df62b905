"""Pools too large for tables: results by proof, and the length of a win if it is not too hard."""

from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.solver.proof import Progress, ProofSearch
from ninefold.solver.scores import BEST, Budget, OutOfBudget, Value

# The length of a win may take this many times as long as the win itself, and this many positions.
PATIENCE, LEAST_POSITIONS = 4, 200_000


class LargeSearch:
    """Values of positions by two searches, one for each player as the attacker."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.budget = budget
        self.progress = Progress(0, 1, 1)
        self.searches = {seat: ProofSearch(game, seat, self._watch) for seat in (1, 2)}
        self._most_positions: int | None = None
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
            self._values[key] = self._solve(position)
        return self._values[key]

    def _solve(self, position: Position) -> Value:
        turn, before = position.turn, self.positions
        if self._wins(position, turn):
            return Value("win", self._plies(position, turn, before))
        begins = position.masks == (0, 0) and not self.game.rules.ending
        # Who begins on an empty board cannot lose: an extra number never hurts.
        if not begins and self._wins(position, 3 - turn):
            return Value("loss", self._plies(position, 3 - turn, before))
        return Value("draw", len(position.available))

    def _wins(self, position: Position, attacker: int) -> bool:
        search = self.searches[attacker]
        return search.wins(position.masks, position.turn, position.last_picker)

    def _plies(self, position: Position, attacker: int, before: int) -> int | None:
        """How long a win takes under best play, if that is found in time."""
        spent = self.positions - before
        self._most_positions = self.positions + max(PATIENCE * spent, LEAST_POSITIONS)
        search = self.searches[attacker]
        try:
            picks = search.picks_to_win(position.masks, position.turn, position.last_picker)
        except OutOfBudget:
            self.budget.ask(self.positions)
            return None
        finally:
            self._most_positions = None
        plies = 2 * picks - (position.turn == attacker)
        # Where the last number of the pool may decide, it may be the loser who takes it.
        over = len(position.available) <= plies + 1
        return None if over and self.game.rules.ending else plies

    def _watch(self, progress: Progress) -> bool:
        self.progress = progress
        self.budget.ask(self.positions)
        return self._most_positions is not None and self.positions > self._most_positions
