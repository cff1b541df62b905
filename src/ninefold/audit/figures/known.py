"""A solver that looks up what the boards of a game know already."""

from ninefold.audit.figures.boards import Boards
from ninefold.core.position import Position
from ninefold.solver import Solver


class KnownSolver(Solver):
    """The exact values of a game whose boards are there."""

    def __init__(self, boards: Boards) -> None:
        super().__init__(boards.game)
        self._boards = boards

    def score(self, position: Position) -> int:
        """The value as an integer, for the player to act."""
        known = self._boards.score(position)
        return super().score(position) if known is None else known
