"""All positions of a game that play can reach, by the number of moves it takes to get there."""

from collections.abc import Callable, Iterator
from functools import cached_property

from ninefold.audit.figures import Tell
from ninefold.core.game import Game
from ninefold.core.turns import End, Phase, Place
from ninefold.solver.all_moves import Landing, Layer
from ninefold.solver.breadth_first import TooLarge
from ninefold.solver.grid import Grid
from ninefold.solver.scores import Budget
from ninefold.solver.tables import Tables

# Declarations are looked up set by set, which is quick up to this many numbers.
MAX_DECLARED = 12


def can_be_counted(game: Game) -> bool:
    """Whether hands are sets that only grow, and one that holds a winning set keeps it."""
    rules = game.rules
    if rules.in_order or game.whole or game.table is None:
        return False
    return not rules.declare or len(game.pool) <= MAX_DECLARED


class PositionLayers:
    """The reachable positions of a game, as sets of hands in each phase; raises TooLarge."""

    def __init__(self, tables: Tables, tell: Tell) -> None:
        assert isinstance(tables.grid, Grid), "the order of a hand must not matter"
        self.game, self.tables, self.grid, self.tell = tables.game, tables, tables.grid, tell
        self.endless = self.game.rules.invalid == "lose-turn"
        self._quiet: dict[tuple[int, int], int] = {(0, 0): 1}
        self._links: dict[End, dict[int | None, int]] = {}
        tell("finding every reachable position")
        self.layers = self._follow(tables.follow)
        self.reached = together(self.layers)
        self.open = [place for place in self.reached if isinstance(place, Phase)]

    @classmethod
    def of(cls, game: Game, tell: Tell, budget: Budget | None = None) -> "PositionLayers":
        """The reachable positions of a game that can be counted; raises TooLarge, OutOfBudget."""
        if not can_be_counted(game):
            raise TooLarge
        tell("solving every position")
        return cls(Tables(game, budget), tell)

    def _follow(self, moves: Callable[[Phase, int], Iterator[Landing]]) -> list[Layer]:
        """The positions after each number of moves; where games need not end, only the new ones."""
        layers: list[Layer] = [{self.tables.start: 1}]
        seen: Layer = {self.tables.start: 1}
        while layers[-1]:
            layer: Layer = {}
            for phase, hands in layers[-1].items():
                for there, to in moves(phase, hands) if isinstance(phase, Phase) else ():
                    layer[to] = layer.get(to, 0) | there
                self.tables.budget.ask()
            for to, there in layer.items():
                if self.endless:
                    layer[to] &= ~seen.get(to, 0)
                seen[to] = seen.get(to, 0) | there
            layers.append({to: there for to, there in layer.items() if there})
        return layers[:-1]

    def count_picks(self, phase: Phase, hands: int, wanted: int) -> int:
        """How many picks lead from these hands to those wanted."""
        count = 0
        for at, bit in enumerate(self.game.bits.values()):
            some = hands & self.grid.held(0, at)
            if self.game.opening and not bit & self.game.opening:
                some &= ~1  # the empty board
            count += (some << self.grid.add(phase.turn, bit) & wanted).bit_count()
        return count

    def quiet(self, sizes: tuple[int, int]) -> int:
        """The pairs of hands of these sizes in which nobody holds a set."""
        if sizes not in self._quiet:
            one, two = sizes
            seat, fewer = (1, (one - 1, two)) if one > two else (2, (one, two - 1))
            after = self.grid.after(seat, self.quiet(fewer))
            self._quiet[sizes] = after & ~self.tables.holding(seat)
        return self._quiet[sizes]

    def links(self, end: End) -> dict[int | None, int]:
        """By the link of the ending that decides: with which hands; None if all are equal."""
        end = end.for_ending
        if end not in self._links:
            self._links[end] = self.tables.links(end)
        return self._links[end]

    # Games without a mistake.

    @cached_property
    def flawless(self) -> list[Layer]:
        """The positions after each number of moves, final ones too, reached without a mistake."""
        self.tell("following best play")
        return self._follow(self._kept_moves)

    def _kept_moves(self, phase: Phase, hands: int) -> Iterator[Landing]:
        """Where the moves lead that keep what the player to act has."""
        seat, forced = phase.turn, self.tables.won
        won, lost = hands & forced[seat].get(phase, 0), hands & forced[3 - seat].get(phase, 0)
        for part, keep in ((won, True), (hands & ~(won | lost), False), (lost, None)):
            for there, to in self.tables.follow(phase, part) if part else ():
                yield there & self.kept(to, seat, keep), to

    def kept(self, to: Place, seat: int, winning: bool | None) -> int:
        """The hands that keep a win (True), a draw (False) or a loss (None) of this player."""
        if winning is None:
            return self.grid.everything
        return self.tables.won[seat].get(to, 0) if winning else self.tables.level(to)


def together(layers: list[Layer]) -> Layer:
    """All layers in one."""
    found: Layer = {}
    for layer in layers:
        for place, hands in layer.items():
            found[place] = found.get(place, 0) | hands
    return found
