"""Single positions of a game from its tables: where each move leads, and what it is worth.

A position is one integer: the index of its hands, and in the lowest byte the place of its phase in
a list. Each table has one byte for each pair of hands.
"""

from collections.abc import Iterable

from ninefold.audit.figures.chances import Board
from ninefold.audit.figures.position_layers import PositionLayers
from ninefold.core.moves import SWAP, Move
from ninefold.core.picks import Seen
from ninefold.core.turns import End, Phase, Place
from ninefold.players import random_choices
from ninefold.solver.breadth_first import TooLarge

# What a position is worth to the first player: a draw is LEVEL, a win in n moves 127 - n more.
LEVEL = 128
_DIGITS = bytes(value & 1 for value in range(256))
_WINNERS = bytes([LEVEL, 255, 1]) + bytes(253)


def _worth(noted: int, sign: int) -> int:
    """A value as the tables note it for the player to act: the lowest bit tells a loss."""
    moves, lost = divmod(noted, 2)
    return LEVEL + sign * (moves - 127 if lost else 127 - moves) if moves else LEVEL


_WORTH = {turn: bytes(_worth(noted, 3 - 2 * turn) for noted in range(256)) for turn in (1, 2)}


class PackedPositions(Board):
    """The positions of a game one by one; raises TooLarge if a byte is too small."""

    def __init__(self, reachable: PositionLayers) -> None:
        self._tables, self._grid, self._game = reachable.tables, reachable.grid, reachable.game
        self._length = self._grid.everything.bit_length()
        self._places: list[Place] = list(reachable.reached)
        planes = self._tables.codes.values()
        if len(self._places) > 256 or any(len(bits) > 8 for bits in planes):
            raise TooLarge
        self._ids = {place: at for at, place in enumerate(self._places)}
        bits = self._game.bits.values()
        self._adds = [(bit, self._grid.add(1, bit)) for bit in bits]  # to an index, for each pick
        self._turns = [place.turn for place in self._places]
        self._over = [isinstance(place, End) for place in self._places]
        self._values = list(map(self._find_values, self._places))
        self._landings = list(map(self._find_landings, self._places))
        self._steps = list(map(self._find_steps, self._places))
        super().__init__(
            self._ids[self._tables.start],
            lambda at: self._turns[at & 255],
            self._winner,
            self._moves,
            self._random,
            self._tables.budget,
        )

    def _winner(self, at: int) -> int | None:
        if not self._over[at & 255]:
            return None
        worth = self._values[at & 255][at >> 8]
        return 0 if worth == LEVEL else 1 if worth > LEVEL else 2

    def _moves(self, at: int) -> list[tuple[int, int]]:
        after = self._picks(at) + [to for _, to in self._special(at)]
        sign = 3 - 2 * self._turns[at & 255]
        return [(to, sign * (self._values[to & 255][to >> 8] - LEVEL)) for to in after]

    def _random(self, at: int) -> list[int]:
        """The positions after the moves that the random player chooses from."""
        special, picks = dict(self._special(at)), self._picks(at)
        return picks + [special[move] for move in random_choices([*special], asked=not picks)]

    def _picks(self, at: int) -> list[int]:
        """The positions after each pick."""
        index, landings = at >> 8, self._landings[at & 255]
        if not landings:
            return []
        seat, masks = self._turns[at & 255], self._grid.masks(index)
        allowed = self._game.picks.allowed(Seen(*(masks if seat == 1 else masks[::-1])))
        after = [index + seat * more for bit, more in self._adds if bit & allowed]
        return [index << 8 | landings[index] for index in after]

    def _special(self, at: int) -> list[tuple[Move, int]]:
        """The moves without a pick, and the positions after them."""
        found = []
        for move, hands, to in self._steps[at & 255]:
            index = at >> 8
            if hands[index]:
                if move is SWAP:
                    one, two = self._grid.masks(index)
                    index = self._grid.index(((), ()), (two, one))
                found.append((move, index << 8 | to))
        return found

    def _find_values(self, place: Place) -> bytes:
        """What each pair of hands is worth to the first player."""
        if isinstance(place, Phase):
            planes, worth = self._tables.codes[place], _WORTH[place.turn]
        else:
            winners = self._tables.ends[place]
            planes, worth = [winners.get(1, 0), winners.get(2, 0)], _WINNERS
        return self._packed((hands, 1 << at) for at, hands in enumerate(planes)).translate(worth)

    def _find_landings(self, place: Place) -> bytes:
        """The phase that each pair of hands after a pick is in."""
        parts = self._tables.landings(place) if isinstance(place, Phase) else []
        return self._packed((hands, self._ids.get(to, 0)) for hands, to in parts) if parts else b""

    def _find_steps(self, place: Place) -> list[tuple[Move, bytes, int]]:
        steps = self._tables.steps(place) if isinstance(place, Phase) else []
        return [
            (move, self._packed([(hands, 1)]), self._ids[to])
            for move, hands, to in steps
            if to in self._ids
        ]

    def _packed(self, sets: Iterable[tuple[int, int]]) -> bytes:
        """One byte for each pair of hands: the sum of the bytes of the sets that hold it."""
        found = 0
        for hands, byte in sets:
            digits = format(hands, f"0{self._length}b")[::-1].encode().translate(_DIGITS)
            found += int.from_bytes(digits, "little") * byte
        return found.to_bytes(self._length, "little")
