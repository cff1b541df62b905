"""All positions of a game that play can reach, by the number of moves it takes to get there."""

from collections.abc import Iterator
from functools import cache, cached_property

from ninefold.audit.figures import Moves, Tell
from ninefold.core.game import Game
from ninefold.core.moves import Declare, Move
from ninefold.core.picks import Seen
from ninefold.core.turns import DECLARED, End, Phase, Place
from ninefold.solver.all_moves import Layer
from ninefold.solver.breadth_first import TooLarge
from ninefold.solver.grid import Grid
from ninefold.solver.scores import Budget
from ninefold.solver.tables import Tables

# Declarations are looked up set by set, which is quick up to this many numbers.
MAX_DECLARED = 12


def can_be_counted(game: Game) -> bool:
    """Whether hands only grow, a winning set stays in them, and only the opening is limited."""
    rules = game.rules
    limited = game.picks.can_stick or rules.row_ends or rules.losses
    if rules.sees_order or game.whole or game.table is None or limited:
        return False
    return not rules.declare or len(game.pool) <= MAX_DECLARED


class PositionLayers:
    """The reachable positions of a game that can be counted, as sets of hands in each phase.

    Raises TooLarge and OutOfBudget.
    """

    def __init__(self, game: Game, tell: Tell, budget: Budget | None = None) -> None:
        if not can_be_counted(game):
            raise TooLarge
        tell("solving every position")
        self.game, self.tell, self.tables = game, tell, Tables(game, budget)
        assert isinstance(self.tables.grid, Grid), "the order of a hand must not matter"
        self.grid, self.links = self.tables.grid, cache(self.tables.links)
        self.endless = game.turns.is_endless
        tell("finding every reachable position")
        self.layers, self.reached = self.tables.reachable(again=not self.endless)
        self.open = [place for place in self.reached if isinstance(place, Phase)]

    @cached_property
    def flawless(self) -> tuple[list[Layer], Layer]:
        """The same for games without a mistake: who can force a win never changes in them."""
        self.tell("following best play")
        start = self.tables.start
        winner = next(seat for seat in (1, 2, None) if self.forced(start, seat) & 1)
        within = {place: self.forced(place, winner) for place in self.reached}
        return self.tables.reachable(not self.endless, within)

    @property
    def ends(self) -> list[tuple[int, End, int]]:
        """The ends of games and the hands there, with the number of moves, the shortest first."""
        return [
            (count, place, hands)
            for count, layer in enumerate(self.layers)
            for place, hands in layer.items()
            if isinstance(place, End)
        ]

    def forced(self, place: Place, winner: int | None) -> int:
        """The hands with which this player can force a win, or nobody can."""
        if winner is None:
            return self.tables.level(place)
        return self.tables.won[winner].get(place, 0)

    # Games that show how a position is reached.

    def game_to(self, layers: list[Layer], count: int, place: Place, hands: int) -> Moves:
        """A game of this many moves to one of these hands, within these layers."""
        index, moves = self._fullest(hands), list[Move]()
        for layer in reversed(layers[:count]):
            move, place, index = next(self._moves_back(layer, place, index))
            moves.append(move)
        return tuple(reversed(moves))

    def _fullest(self, hands: int) -> int:
        """The first of these hands; those after the fewest passed or lost turns come first."""
        if self.endless or self.game.rules.passing:
            by_size = self.grid.counted(1, 1, range(len(self.game.pool) + 1))
            hands &= by_size[max(size for size, some in by_size.items() if hands & some)]
        return (hands & -hands).bit_length() - 1

    def _moves_back(
        self, layer: Layer, place: Place, index: int
    ) -> Iterator[tuple[Move, Place, int]]:
        """Every move that leads from a position of this layer to this one, and from where."""
        game, grid, tables = self.game, self.grid, self.tables
        for phase, hands in layer.items():
            if not isinstance(phase, Phase):
                continue
            masks = grid.masks(index)
            mask, other = masks if phase.turn == 1 else masks[::-1]
            if any(to == place and part >> index & 1 for part, to in tables.landings(phase)):
                for number, bit in reversed(game.bits.items()):
                    before = index - grid.add(phase.turn, bit)
                    from_here = mask & bit and hands >> before & 1
                    if from_here and bit & game.picks.allowed(Seen(mask ^ bit, other)):
                        yield number, phase, before
            for step in tables.steps(phase):
                found = hands & tables.unmade(step, 1 << index) if step.to == place else 0
                if found:
                    declared = step.move is DECLARED  # the first of the sets
                    sets = game.wins.held(mask, game.numbers(mask)) if declared else ()
                    yield Declare(sets[0]) if declared else step.move, phase, found.bit_length() - 1
