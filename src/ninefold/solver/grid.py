"""Sets of positions as big integers, one bit for each position.

A position is a number to base 3 with a digit for each number of the pool: 0 while it is free, else
who holds it. So claiming a number is a shift.
"""

from collections.abc import Iterable
from functools import cached_property


class Grid:
    """Sets of positions over so many numbers."""

    def __init__(self, size: int) -> None:
        self.everything: int = (1 << 3**size) - 1
        self._length = 3**size // 8 + 1
        self._places: list[int] = [3**at for at in range(size)]
        self._free = [self._where_free(place) for place in self._places]
        self._low = size // 2
        self._half: int = 3**self._low
        self.indices = [0]
        for place in self._places:
            self.indices += [index + place for index in self.indices]

    def _where_free(self, place: int) -> int:
        """The positions with digit 0 at this place: runs of ones, three times as far apart."""
        positions, period = (1 << place) - 1, 3 * place
        while period <= self._places[-1]:
            positions |= positions << period | positions << 2 * period
            period *= 3
        return positions

    @property
    def any_free(self) -> int:
        """The positions in which a number is free."""
        found = 0
        for free in self._free:
            found |= free
        return found

    def of(self, indices: Iterable[int]) -> int:
        """The set of the positions with these indices."""
        found = bytearray(self._length)
        for at in indices:
            found[at >> 3] |= 1 << (at & 7)
        return int.from_bytes(found, "little")

    def as_bytes(self, positions: int) -> bytes:
        """The set with one bit a position, the lowest first."""
        return positions.to_bytes(self._length, "little")

    def and_later(self, positions: int, seats: tuple[int, ...] = (1, 2)) -> int:
        """These positions, and all that follow when one of these players picks anything."""
        for place, free in zip(self._places, self._free, strict=True):
            open_ = positions & free
            for seat in seats:
                positions |= open_ << seat * place
        return positions

    def before(self, seat: int, positions: int) -> int:
        """The positions from which a pick of this player leads to one of these."""
        found = 0
        for place, free in zip(self._places, self._free, strict=True):
            # Where the digit was not the player's, the shift leaves one that is not 0.
            found |= positions >> seat * place & free
        return found

    def counted(self, one: int, two: int, wanted: range) -> dict[int, int]:
        """The positions by a count to which each number of either player adds so much.

        Only wanted counts are told; whatever can no longer become one is dropped on the way.
        """
        counted, left = {0: 1}, len(self._places)
        for place in self._places:
            left -= 1
            low, high = wanted[0] - left * max(0, one, two), wanted[-1] - left * min(0, one, two)
            grown: dict[int, int] = {}
            for count, positions in counted.items():
                for digit, more in enumerate((0, one, two)):
                    if low <= count + more <= high:
                        before = grown.get(count + more, 0)
                        grown[count + more] = before | positions << digit * place
            counted = grown
        return counted

    def after(self, seat: int, positions: int) -> int:
        """The positions to which a pick of this player leads from one of these."""
        found = 0
        for place, free in zip(self._places, self._free, strict=True):
            found |= (positions & free) << seat * place
        return found

    def held(self, seat: int, at: int) -> int:
        """The positions in which this player holds the number at this place."""
        shift: int = seat * self._places[at]
        return self._free[at] << shift

    def free(self, at: int) -> int:
        """The positions in which the number at this place is free."""
        return self._free[at]

    def masks(self, index: int) -> tuple[int, int]:
        """The hands of both players in the position with this index, from two tables."""
        high, low = divmod(index, self._half)
        one, two = self._low_hands[low]
        three, four = self._high_hands[high]
        return one | three, two | four

    @cached_property
    def _low_hands(self) -> list[tuple[int, int]]:
        return _hands(range(self._low))

    @cached_property
    def _high_hands(self) -> list[tuple[int, int]]:
        return _hands(range(self._low, len(self._places)))


def _hands(some: range) -> list[tuple[int, int]]:
    """Both hands for every way to share out the numbers at some of the places."""
    found = [(0, 0)]
    for at in some:
        bit = 1 << at
        found += [(one | bit, two) for one, two in found] + [(one, two | bit) for one, two in found]
    return found
