"""Single positions packed into integers: where each move leads, and what it is worth.

A position is one integer: the index of its hands, and in the lowest byte the place of its phase in
a list.
"""

from ninefold.audit.figures.position_layers import PositionLayers
from ninefold.core.moves import SWAP, Move
from ninefold.core.turns import End, Phase, Place
from ninefold.solver.breadth_first import TooLarge

# The code of a draw. Higher is better: a win in n moves is 255 - n, a loss in n moves 1 + n.
LEVEL = 128
_DIGITS = bytes(value & 1 for value in range(256))
_RESULTS = bytes([LEVEL, 255, 1]) + bytes(253)
_TURNED = bytes([0]) + bytes(256 - value for value in range(1, 256))
_CODES = bytes(
    LEVEL if noted < 2 else 1 + noted // 2 if noted & 1 else 255 - noted // 2
    for noted in range(256)
)


class PackedPositions:
    """The positions of a game one by one; raises TooLarge if a byte is too small."""

    def __init__(self, reachable: PositionLayers) -> None:
        self.reachable, self.tables, self.grid = reachable, reachable.tables, reachable.grid
        self._length = self.grid.everything.bit_length()
        self.places: list[Place] = list(reachable.reached)
        if len(self.places) > 256 or any(len(planes) > 8 for planes in self.tables.codes.values()):
            raise TooLarge
        self._ids = {place: at for at, place in enumerate(self.places)}
        self._added: dict[int, list[list[int]]] = {}
        self._values = list(map(self._find_values, self.places))
        self._after = list(map(self._find_after, self.places))
        self._steps = list(map(self._find_steps, self.places))

    @property
    def start(self) -> int:
        """The position before the first move."""
        return self._ids[self.tables.start]

    def is_over(self, at: int) -> bool:
        """Whether the game is over there."""
        return isinstance(self.places[at & 255], End)

    def winner(self, at: int) -> int | None:
        """Who has won a finished position."""
        code = self._values[at & 255][at >> 8]
        return None if code == LEVEL else 1 if code > LEVEL else 2

    def picks(self, at: int) -> list[int]:
        """The positions after each pick."""
        lands, _ = self._after[at & 255]
        return [index << 8 | lands[index] for index in self._picked(at)] if lands else []

    def steps(self, at: int) -> list[tuple[Move, int, int]]:
        """The moves without a pick, the positions after them, and what these are worth."""
        index = at >> 8
        found = []
        for move, hands, to, worth in self._steps[at & 255]:
            if hands[index]:
                after = self._swapped(index) if move is SWAP else index
                found.append((move, after << 8 | to, worth[after]))
        return found

    def moves(self, at: int) -> list[tuple[int, int]]:
        """The positions after every move, and what they are worth to its maker."""
        lands, worth = self._after[at & 255]
        found = []
        if lands:
            found = [(index << 8 | lands[index], worth[index]) for index in self._picked(at)]
        if self._steps[at & 255]:
            found += [(to, code) for _, to, code in self.steps(at)]
        return found

    def _picked(self, at: int) -> list[int]:
        """The indices of the hands after each pick."""
        index = at >> 8
        one, two = self.grid.masks(index)
        added = self._added.get(one | two)
        if added is None:
            added = self._added[one | two] = self._adds(one | two)
        return [index + more for more in added[self.places[at & 255].turn]]

    def _adds(self, taken: int) -> list[list[int]]:
        """What a pick of nobody, of the first and of the second player adds to an index."""
        if not taken and self.reachable.game.opening:
            taken = ~self.reachable.game.opening
        bits = self.reachable.game.bits.values()
        added = [self.grid.add(1, bit) for bit in bits if not bit & taken]
        return [[seat * more for more in added] for seat in (0, 1, 2)]

    def _swapped(self, index: int) -> int:
        one, two = self.grid.masks(index)
        return self.grid.index(((), ()), (two, one))

    # The tables: one byte for each pair of hands.

    def _find_values(self, place: Place) -> bytes:
        """What each pair of hands is worth to the player to act; when it is over, to the first."""
        if isinstance(place, Phase):
            return self._joined(self.tables.codes[place]).translate(_CODES)
        winners = self.tables.ends[place]
        return self._joined([winners.get(1, 0), winners.get(2, 0)]).translate(_RESULTS)

    def _worth(self, place: Place, seat: int) -> bytes:
        """What each pair of hands is worth to this player."""
        values = self._values[self._ids[place]]
        mine = seat == (place.turn if isinstance(place, Phase) else 1)
        return values if mine else values.translate(_TURNED)

    def _find_after(self, phase: Place) -> tuple[bytes, bytes]:
        """Of each pair of hands after a pick: the phase it is in, and its worth to the picker."""
        lands = worth = 0
        landings = self.tables.landings(phase) if isinstance(phase, Phase) else []
        for part, to in landings:
            if to in self._ids:
                where = int.from_bytes(self._spread(part), "little")
                lands |= where * self._ids[to]
                worth |= where * 255 & int.from_bytes(self._worth(to, phase.turn), "little")
        if not landings:
            return b"", b""
        return lands.to_bytes(self._length, "little"), worth.to_bytes(self._length, "little")

    def _find_steps(self, phase: Place) -> list[tuple[Move, bytes, int, bytes]]:
        if isinstance(phase, End):
            return []
        return [
            (
                step.move,
                self._spread(step.hands),
                self._ids[step.to],
                self._worth(step.to, phase.turn),
            )
            for step in self.tables.steps(phase)
            if step.to in self._ids
        ]

    def _joined(self, planes: list[int]) -> bytes:
        """One byte per position from one bit each, the lowest plane first."""
        found = 0
        for at, plane in enumerate(planes):
            found |= int.from_bytes(self._spread(plane), "little") << at
        return found.to_bytes(self._length, "little")

    def _spread(self, hands: int) -> bytes:
        """One byte per position: 1 where it is one of these."""
        return format(hands, f"0{self._length}b")[::-1].encode().translate(_DIGITS)
