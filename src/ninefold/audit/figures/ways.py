"""Ways through a game: how a position comes about, move by move."""

from collections.abc import Iterator

from ninefold.audit.figures import Moves
from ninefold.audit.figures.boards import Boards, Layer
from ninefold.audit.figures.phases import DECLARED, Phase, Place, Step
from ninefold.core.moves import Declare, Move


class Ways:
    """The shortest games to any position; with ``flawless``, those without a mistake."""

    def __init__(self, boards: Boards, flawless: bool = False) -> None:
        self.boards, self._flawless = boards, flawless
        self.layers = boards.flawless if flawless else boards.layers

    def to(self, ply: int, place: Place, hands: int) -> Moves:
        """A game of so many plies to one of these hands in this phase."""
        index = self._fullest(hands, ply)
        moves: list[Move] = []
        for layer in reversed(self.layers[:ply]):
            move, place, index = self._step_back(layer, place, index)
            moves.append(move)
        return tuple(reversed(moves))

    def _fullest(self, hands: int, ply: int) -> int:
        """The first of these hands; of those after the fewest turns given away, if there may be."""
        if self.boards.endless or self.boards.game.rules.passing:
            for count in range(min(ply, len(self.boards.game.pool)), 0, -1):
                some = hands & self.boards.grid.counted(1, 1, range(count, count + 1)).get(count, 0)
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
        raise AssertionError("a position without a way to it")

    def _moves_back(self, phase: Phase, place: Place, index: int) -> Iterator[tuple[Move, int]]:
        if not phase.asking and any(
            to == place and part >> index & 1 for part, to in self.boards.phases.landings(phase)
        ):
            hand = self.boards.grid.masks(index)[phase.turn - 1]
            for number, bit in reversed(self.boards.game.bits.items()):
                before = index - phase.turn * self.boards.grid.indices[bit]
                if hand & bit and (
                    before or not self.boards.game.opening or bit & self.boards.game.opening
                ):
                    yield number, before
        for step in self.boards.phases.steps(phase):
            if step.to == place:
                before = self.boards.unmade(step, 1 << index)
                if before:
                    yield self._named(step, phase, index), before.bit_length() - 1

    def _named(self, step: Step, phase: Phase, index: int) -> Move:
        """The move as it would be written: a declaration names the first of the sets."""
        if step.move is not DECLARED:
            return step.move
        mask = self.boards.grid.masks(index)[phase.turn - 1]
        return Declare(self.boards.game.sets_in(mask, self.boards.game.numbers(mask))[0])

    def _keeps(self, phase: Phase, before: int, place: Place, index: int) -> bool:
        """Whether a move from one position to the other is one of those to be made."""
        if not self._flawless:
            return True
        seat = phase.turn
        if self.boards.won[seat].get(phase, 0) >> before & 1:
            return bool(self.boards.won[seat].get(place, 0) >> index & 1)
        if self.boards.won[3 - seat].get(phase, 0) >> before & 1:
            return True
        return bool(self.boards.level(place) >> index & 1)
