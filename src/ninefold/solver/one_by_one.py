"""Results of large games under any rules: positions one by one, each looked at once if possible.

It asks the judge for every move, as the graph does, but leaves out what cannot change the result.
"""

from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.solver.scores import Budget, OutOfBudget

# A position takes about half a kilobyte.
MOST_POSITIONS = 2_000_000


class OneByOne:
    """Results of a game that must end, by alpha-beta search: 1 a win, 0 a draw, -1 a loss."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self._budget = budget
        self._bounds: dict[object, tuple[int, int]] = {}  # the lowest and the highest result
        self._best: dict[Move, Move] = {}  # what settled a position after this move
        self._alike = _hands_are_alike(game)

    @property
    def positions(self) -> int:
        """How many positions it knows something about."""
        return len(self._bounds)

    def result(self, position: Position) -> int:
        """The result of an unfinished position for the player to act; raises OutOfBudget."""
        return self._search(position, -1, 1, None)

    def _search(self, position: Position, low: int, high: int, last: Move | None) -> int:
        """The result if it is within these bounds; otherwise the bound it lies beyond, or more."""
        key = self._key(position)
        floor, ceiling = self._bounds.get(key, (-1, 1))
        if floor >= high or floor == ceiling:
            return floor
        if ceiling <= low:
            return ceiling
        self._budget.spend()
        if len(self._bounds) > MOST_POSITIONS:
            raise OutOfBudget
        best, turn = -1, position.turn
        for move, child in self._children(position, last):
            if child.outcome is not None:
                result = child.outcome.result_for(turn)
            elif child.turn == turn:
                result = self._search(child, max(low, best), high, move)
            else:
                result = -self._search(child, -high, -max(low, best), move)
            best = max(best, result)
            if best >= high or best == ceiling:
                if last is not None:
                    self._best[last] = move
                break
        self._bounds[key] = best if best > low else floor, best if best < high else ceiling
        return best

    def _children(self, position: Position, last: Move | None) -> list[tuple[Move, Position]]:
        """Every move and what follows: first those that end the game, then the most promising."""
        first = None if last is None else self._best.get(last)
        return sorted(
            position.children(), key=lambda item: (item[1].outcome is None, item[0] != first)
        )

    def _key(self, position: Position) -> object:
        """All that can still matter; for some rules, not even who holds a number."""
        key = position.key
        return (sum(position.masks), *key[2:]) if self._alike else key


def _hands_are_alike(game: Game) -> bool:
    """Whether these rules see which numbers are taken, but not by whom."""
    rules = game.rules
    references = {each.compared_with for each in rules.restrictions}
    by_hand = bool(game.sets or game.losses.sets or rules.pie or rules.hand_limit)
    by_hand = by_hand or any(not each.is_shared for each in (*game.whole, *game.losses.whole))
    limits = references <= {"last", "taken"} and all(cap.of == "taken" for cap in rules.caps)
    return limits and not by_hand and all(link.measure == "last-pick" for link in rules.ending)
