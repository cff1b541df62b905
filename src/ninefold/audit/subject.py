"""The book under audit: its figures, values and rules, each worked out once, when it is needed."""

import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from ninefold.audit.clock import SEARCH, Clock, Found, OutOfTime
from ninefold.audit.figures import Figures, Moves, Tell
from ninefold.audit.figures.graph_figures import graph_figures
from ninefold.audit.figures.sample import sample_figures
from ninefold.audit.finding import RuleFinding
from ninefold.books import Book
from ninefold.core.errors import RulesError
from ninefold.core.game import Game
from ninefold.core.rules import Rules
from ninefold.core.sets import TABLE_POOL
from ninefold.pages.shown import Shown
from ninefold.solver import MoveValue, Solver, Value, is_small
from ninefold.solver.breadth_first import TooLarge
from ninefold.solver.graph import MAX_NODES, Graph, no_garbage
from ninefold.solver.scores import Budget

if TYPE_CHECKING:
    from ninefold.solver.layers import Layers

# With this many numbers, the judge can still visit all positions, and compiling is worth its time.
SOON = 12
# On a larger pool, limits may leave no more positions than this; a larger graph is not kept.
FEW_NODES = 60_000


class Subject:
    """One game under audit; ``book`` is None for a variant of it, which raises OutOfTime.

    The book itself still has figures then, from a few random games, and an unknown value.
    ``seconds`` bound each search for values on a pool too large for a table.
    """

    def __init__(
        self,
        game: Game,
        tell: Tell,
        seed: int,
        seconds: float = SEARCH,
        book: Book | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.game, self.book = game, book
        self.seed, self.seconds, self.clock = seed, seconds, clock or Clock()
        self._tell, self._budget = tell, Budget(self._check_time)
        self._until = self.clock.within(self.seconds)
        self._variants: dict[Rules, Subject] = {}
        self.graph: Graph | None = None  # which the figures leave behind

    def tell(self, text: str) -> None:
        """Report what is done next, if there is time for it; raises OutOfTime."""
        self.clock.check()
        self._tell(text)

    @cached_property
    def figures(self) -> Figures:
        """Everything counted about the game."""
        try:
            with self.clock.limit(share=0.5):  # so that something is left for the claims
                return self._exact_figures() or sample_figures(self.game, self.tell, self.seed)
        except OutOfTime:
            if self.book is None:
                raise
            figures = sample_figures(self.game, self._tell, self.seed, lambda: self.clock.late)
            return figures._replace(late=True)

    def _exact_figures(self) -> Figures | None:
        """The figures by the quickest way to see every position; None if there are too many."""
        try:
            if self.layers is not None:
                from ninefold.audit.figures.layer_figures import layer_figures

                return layer_figures(self.layers, self.tell)
            self.tell("visiting and solving every position")
            graph = Graph(self.game.start(), self._most_positions, self._budget)
            self.graph = graph if graph.positions <= FEW_NODES else None
            with no_garbage():
                return graph_figures(graph, self.tell)
        except TooLarge:
            self.tell("too many positions to look at them all")
            return None

    @property
    def _most_positions(self) -> int:
        """How many positions may be visited: not many, where there are certainly too many."""
        size, rules = len(self.game.pool), self.game.rules
        soon_over = self.game.picks.can_stick or rules.losses or self.game.wins.shared
        return MAX_NODES if size <= SOON or (size <= TABLE_POOL and soon_over) else FEW_NODES

    @cached_property
    def layers(self) -> "Layers | None":
        """All positions in compiled layers, where that is worth its start; None if it is not."""
        if len(self.game.pool) < SOON:
            return None
        from ninefold.solver.layers import Layers

        try:
            self.tell("solving every position")
            return Layers(self.game, self._budget)
        except TooLarge:
            return None

    @cached_property
    def solver(self) -> Solver:
        """The solver; on a large pool it gives up when the time runs out."""
        self.tell("solving the game")
        solver = Solver(self.game, self._is_late)
        known = self.layers or self.graph
        if known is not None:
            solver.use(known)
        return solver

    def _check_time(self, positions: int) -> bool:
        del positions
        self.clock.check()
        return False

    @cached_property
    def value(self) -> Value:
        """What the game is worth to the first player."""
        return self._search(lambda solver: solver.value(self.game.start()), Value("unknown", None))

    @cached_property
    def openings(self) -> list[MoveValue]:
        """Every opening with its value for the first player."""
        start = self.game.start()
        unknown = [MoveValue(move, "unknown", None) for move in start.legal]
        settled = self.value.result != "unknown"
        return self._search(lambda solver: solver.moves(start), unknown) if settled else unknown

    def _search(self, find: Callable[[Solver], Found], unknown: Found) -> Found:
        """What the solver finds in time, or this; raises OutOfTime for a variant."""
        try:
            with self.clock.limit():
                solver = self.solver
                self._until = self.clock.within(self.seconds)
                return find(solver)
        except OutOfTime:
            if self.book is None:
                raise
            return unknown

    @cached_property
    def good_openings(self) -> list[MoveValue] | None:
        """The openings that keep what the first player has; None if that is not settled."""
        if "unknown" in (self.value.result, *(opening.result for opening in self.openings)):
            return None
        return [item for item in self.openings if item.result == self.value.result]

    @property
    def is_settled(self) -> bool:
        """Whether the value is known for certain, and soon."""
        visited = self.graph is not None or vars(self).get("layers") is not None
        if visited or is_small(self.game):
            return True
        known = "value" in vars(self) and self.value.result != "unknown"
        return self._has_tables and (known or len(self.game.pool) <= SOON)

    @property
    def _has_tables(self) -> bool:
        """Whether tables hold every position, whatever the solver is asked."""
        limited = self.game.picks.limited_later or self.game.rules.sees_order
        return len(self.game.pool) <= TABLE_POOL and not limited

    @cached_property
    def rules(self) -> list[RuleFinding]:
        """Every rule of the book, and whether it can matter."""
        from ninefold.audit.dead_rules import rule_findings

        return rule_findings(self)

    def show(self, moves: Moves) -> Shown:
        """A game of this subject, to be shown."""
        return Shown(self.game, moves)

    def variant(self, **changes: object) -> "Subject | None":
        """The same game with other rules, made once; None where they cannot be compiled."""
        rules = self.game.rules._replace(**changes)  # type: ignore[arg-type]
        if rules not in self._variants:
            self.clock.check()
            try:
                game = Game(rules, self.game.name)
            except (RulesError, ValueError):
                return None
            self._variants[rules] = Subject(
                game, self._tell, self.seed, self.seconds, clock=self.clock
            )
        return self._variants[rules]

    def _is_late(self, positions: int) -> bool:
        self._check_time(positions)
        # Tables are complete in seconds.
        tables = self._has_tables or is_small(self.game)
        return not tables and time.monotonic() > self._until
