"""The book under audit: its figures, values and rules, each worked out once, when it is needed."""

import math
import time
from functools import cached_property

from ninefold.audit.boards import Boards
from ninefold.audit.figures import Figures, Moves, Tell
from ninefold.audit.finding import RuleFinding, Shown
from ninefold.audit.known import KnownSolver
from ninefold.audit.survey import boards_of, survey
from ninefold.books import Book
from ninefold.core.errors import RulesError
from ninefold.core.game import Game
from ninefold.core.rules import Rules
from ninefold.solver import MoveValue, Solver, Value, is_small

# With so many numbers, boards are made in no time.
SOON = 12


class Subject:
    """One game under audit; ``book`` is None for a variant of it.

    ``seconds`` bound the search for values where a pool is too large for a table.
    """

    def __init__(
        self, game: Game, tell: Tell, seed: int, seconds: float, book: Book | None = None
    ) -> None:
        self.game, self.book = game, book
        self.tell, self.seed, self.seconds = tell, seed, seconds
        self._until = math.inf
        self._variants: dict[Rules, Subject | None] = {}

    @cached_property
    def figures(self) -> Figures:
        """Everything counted about the game."""
        return survey(self.game, self.tell, self.seed, self.boards)

    @cached_property
    def boards(self) -> Boards | None:
        """All positions as sets of hands; None if that cannot be."""
        return boards_of(self.game, self.tell)

    @cached_property
    def solver(self) -> Solver:
        """The solver; on a large pool it gives up when the time is over."""
        if self.boards is not None:
            return KnownSolver(self.boards)
        self.tell("solving the game")
        return Solver(self.game, self._is_late)

    @cached_property
    def value(self) -> Value:
        """What the game is worth to the first player."""
        solver = self.solver
        self._until = time.monotonic() + self.seconds
        return solver.value(self.game.start())

    @cached_property
    def openings(self) -> list[MoveValue]:
        """Every opening with its value for the first player."""
        if self.value.result == "unknown":
            return [MoveValue(move, "unknown", None) for move in self.game.start().legal]
        self._until = time.monotonic() + self.seconds
        return self.solver.moves(self.game.start())

    @cached_property
    def good_openings(self) -> list[MoveValue] | None:
        """The openings that keep what the first player has; None if that is not settled."""
        if self.value.result == "unknown":
            return None
        if any(opening.result == "unknown" for opening in self.openings):
            return None
        return [item for item in self.openings if item.result == self.value.result]

    @property
    def is_settled(self) -> bool:
        """Whether the value is known for certain, and soon."""
        soon = "boards" in vars(self) or len(self.game.pool) <= SOON
        return is_small(self.game) or (soon and self.boards is not None)

    @cached_property
    def rules(self) -> list[RuleFinding]:
        """Every rule of the book, alive or dead."""
        from ninefold.audit.alive import rule_findings

        return rule_findings(self)

    def show(self, moves: Moves) -> Shown:
        """A game of this subject, to be shown."""
        return Shown(self.game, moves)

    def variant(self, **changes: object) -> "Subject | None":
        """The same game with other rules, made once; None where they cannot be compiled."""
        rules = self.game.rules._replace(**changes)  # type: ignore[arg-type]
        if rules not in self._variants:
            self._variants[rules] = self._compiled(rules)
        return self._variants[rules]

    def _compiled(self, rules: Rules) -> "Subject | None":
        try:
            game = Game(rules, self.game.name)
        except (RulesError, ValueError):
            return None
        return Subject(game, self.tell, self.seed, self.seconds)

    def _is_late(self, positions: int) -> bool:
        del positions
        if is_small(self.game):
            return False  # a table is complete in seconds
        return time.monotonic() > self._until
