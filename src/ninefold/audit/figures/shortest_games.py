"""Shortest games: how a position can be reached, move by move."""

from collections.abc import Iterator

from ninefold.audit.figures import Moves
from ninefold.audit.figures.position_layers import PositionLayers
from ninefold.core.moves import Declare, Move
from ninefold.core.turns import DECLARED, Phase, Place
from ninefold.solver.all_moves import Layer, Step


class ShortestGames:
    """The shortest games to any position; with ``flawless``, those without a mistake."""

    def __init__(self, reachable: PositionLayers, flawless: bool = False) -> None:
        self.reachable, self._flawless = reachable, flawless
        self.game, self.grid, self.tables = reachable.game, reachable.grid, reachable.tables
        self.layers = reachable.flawless if flawless else reachable.layers

    def to(self, count: int, place: Place, hands: int) -> Moves:
        """A game of this many moves to one of these hands in this phase."""
        index = self._fullest(hands, count)
        moves: list[Move] = []
        for layer in reversed(self.layers[:count]):
            move, place, index = self._step_back(layer, place, index)
            moves.append(move)
        return tuple(reversed(moves))

    def _fullest(self, hands: int, moves: int) -> int:
        """The first of these hands; those after the fewest passed or lost turns come first."""
        if self.reachable.endless or self.game.rules.passing:
            for count in range(min(moves, len(self.game.pool)), 0, -1):
                some = hands & self.grid.counted(1, 1, range(count, count + 1)).get(count, 0)
                if some:
                    hands = some
                    break
        return (hands & -hands).bit_length() - 1

    def _step_back(self, layer: Layer, place: Place, index: int) -> tuple[Move, Place, int]:
        """A move that leads to a position, and the position before it."""
        for phase, hands in layer.items():
            if not isinstance(phase, Phase):
                continue
            for move, before in self._moves_back(phase, place, index):
                if hands >> before & 1 and self._keeps(phase, before, place, index):
                    return move, phase, before
        raise AssertionError("no move leads to a position of a later layer")

    def _moves_back(self, phase: Phase, place: Place, index: int) -> Iterator[tuple[Move, int]]:
        if not phase.asking and any(
            to == place and part >> index & 1 for part, to in self.tables.landings(phase)
        ):
            hand = self.grid.masks(index)[phase.turn - 1]
            opening = self.game.opening
            for number, bit in reversed(self.game.bits.items()):
                before = index - self.grid.add(phase.turn, bit)
                if hand & bit and (before or not opening or bit & opening):
                    yield number, before
        for step in self.tables.steps(phase):
            if step.to == place:
                before = self.tables.unmade(step, 1 << index)
                if before:
                    yield self._named(step, phase, index), before.bit_length() - 1

    def _named(self, step: Step, phase: Phase, index: int) -> Move:
        """The move as it would be written: a declaration names the first of the sets."""
        if step.move is not DECLARED:
            return step.move
        mask = self.grid.masks(index)[phase.turn - 1]
        return Declare(self.game.sets_in(mask, self.game.numbers(mask))[0])

    def _keeps(self, phase: Phase, before: int, place: Place, index: int) -> bool:
        """Whether a move from one position to the other is one of those to be made."""
        if not self._flawless:
            return True
        seat = phase.turn
        if self.tables.won[seat].get(phase, 0) >> before & 1:
            return bool(self.tables.won[seat].get(place, 0) >> index & 1)
        if self.tables.won[3 - seat].get(phase, 0) >> before & 1:
            return True
        return bool(self.tables.level(place) >> index & 1)
