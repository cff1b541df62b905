"""Complete tables: every position of a game solved at once."""

from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.solver.plain import PlainSearch
from ninefold.solver.scores import BEST, Budget
from ninefold.solver.sweep import Sweep

# More numbers take too much memory: a set of all positions of 16 numbers has 5 MB already.
TABLE_NUMBERS = 16
# Where a table takes a while, the positions with so few free numbers are searched one by one
# until some other position needs the table.
QUICK_NUMBERS, FEW_FREE = 12, 9


class TableSearch:
    """Exact scores from complete tables, made when they are first needed.

    One table knows all positions of alternating turns; another, made only if a turn was lost or may
    be, all ways to share out numbers. The last few numbers of a large pool need none.
    """

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.budget = budget
        self._tables: dict[tuple[bool, int], Table] = {}
        self._late: PlainSearch | None = None
        self._asks_began = game.rules.otherwise != "draw"
        quick = game.rules.hand_limit is None and not self._asks_began
        if len(game.pool) > QUICK_NUMBERS and quick:
            self._late = PlainSearch(game, budget)
        self._may_lose_turn = game.rules.invalid == "lose-turn"

    @property
    def positions(self) -> int:
        """How many positions have been solved so far: those of the tables, if there are any."""
        searched = self._late.positions if self._late and not self._tables else 0
        return searched + sum(table.positions for table in self._tables.values())

    def score(self, position: Position) -> int:
        """The score of an unfinished position; raises OutOfBudget."""
        own, other = position.masks if position.turn == 1 else position.masks[::-1]
        lead = other.bit_count() - own.bit_count()
        wide = self._may_lose_turn or lead not in (0, 1)
        began = 1
        if self._asks_began:
            mine = position.began == position.turn
            # Where turns have alternated, whoever began is the first player of the table.
            wide = wide or mine != (lead == 0)
            began = 2 if wide and not mine else 1
        table = self._tables.get((wide, began))
        if table is None:
            if self._late and len(self.game.pool) - (own | other).bit_count() <= FEW_FREE:
                return self._late.score(position)
            table = self._tables[wide, began] = Table(self.game, wide, self.budget, began)
        return table.score(other, own) if lead == 1 and not wide else table.score(own, other)


class Table:
    """The scores of all positions of a game, by the masks of two players.

    A ``wide`` table knows every way to share out numbers, with the first player to act; any other
    one the positions of alternating turns, where the masks tell who is to act.
    """

    def __init__(self, game: Game, wide: bool, budget: Budget, began: int = 1) -> None:
        budget.ask()
        sweep = Sweep(game, wide, began)
        self.positions = sweep.positions
        self._indices = sweep.grid.indices
        self._planes = sweep.run(budget)

    def score(self, one: int, two: int) -> int:
        """The score for the player to act, who is the first in a wide table."""
        at = self._indices[one] + 2 * self._indices[two]
        code, byte, bit = 0, at >> 3, at & 7
        for plane in self._planes:
            code = code << 1 | plane[byte] >> bit & 1
        if not code:
            return 0
        distance = code >> 1
        return distance - BEST if code & 1 else BEST - distance
