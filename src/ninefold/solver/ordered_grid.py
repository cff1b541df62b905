"""Sets of hands whose order counts, as big integers with one bit for each pair of hands.

Hands with the same numbers and the same future are one *state*. A pair of hands is a cell of a
square of bits: a row for the state of the first player, a column for that of the second.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.position import Hand
from ninefold.core.sets import Sets
from ninefold.solver.breadth_first import TooLarge
from ninefold.solver.grid import MAX_CELLS, BitSets

# Every hand is looked at once, in every order that can matter; more take too long.
MAX_HANDS = 20_000


class HandState(NamedTuple):
    """A hand as far as it can matter: its numbers, whether it wins, and what it becomes."""

    at: int  # how many states were found before it
    mask: int
    holds_set: bool
    after: dict[int, "HandState"]  # by the bit of the number picked


class OrderedGrid(BitSets):
    """Sets of pairs of hands, where the order of a hand matters; raises TooLarge."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._by_hand: dict[object, HandState] = {}
        self._alike: dict[object, HandState] = {}
        self._longest = max(map(len, game.sets), default=0)
        self._find(())
        # The empty hand was found last; so the empty pair of hands has index 0.
        self._rows = order = [*reversed(self._alike.values())]
        self._width = -(-len(order) // 8) * 8
        super().__init__(self._width * self._width)
        if self.cells > MAX_CELLS:
            raise TooLarge
        # Of each number: the columns whose hands lack it.
        self._lacking = {
            bit: sum(1 << row for row, state in enumerate(order) if not state.mask & bit)
            for bit in game.bits.values()
        }
        self.everything = self._square([self._beside(state.mask) for state in order])

    def _find(self, hand: Hand) -> HandState:
        """The state of a hand: the same one for all hands with the same future."""
        key = self._key(hand)
        known = self._by_hand.get(key)
        if known is None:
            if len(self._by_hand) >= MAX_HANDS:
                raise TooLarge
            game, mask, after = self.game, self.game.mask(hand), dict[int, HandState]()
            holds = bool(hand) and game.wins.completed_by(mask, hand)
            limit = game.rules.hand_limit
            if limit is None or len(hand) < limit:
                for number, bit in game.bits.items():
                    if not mask & bit:
                        after[bit] = self._find((*hand, number))
            future = (mask, holds, *(state.at for state in after.values()))
            state = HandState(len(self._alike), mask, holds, after)
            known = self._by_hand[key] = self._alike.setdefault(future, state)
        return known

    def _key(self, hand: Hand) -> object:
        """A hand, or its numbers alone once it is larger than any set."""
        return hand if len(hand) <= self._longest else frozenset(hand)

    def _beside(self, mask: int) -> int:
        """The columns whose hands share no number with this one."""
        columns = (1 << len(self._rows)) - 1
        for bit, lacking in self._lacking.items():
            if mask & bit:
                columns &= lacking
        return columns

    # Single pairs of hands.

    def index(self, hands: tuple[Hand, Hand], masks: tuple[int, int]) -> int:  # noqa: ARG002 - a grid without order looks at the masks
        """The index of a pair of hands."""
        return self._row_of(hands[0]) * self._width + self._row_of(hands[1])

    def _row_of(self, hand: Hand) -> int:
        return len(self._rows) - 1 - self._by_hand[self._key(hand)].at

    def pairs(self, first: int, second: int) -> Iterator[tuple[int, int, int]]:
        """The index and both hands of each pair of these sizes, if no set has ended the game."""
        for row, one in self._by_size[first]:
            for column, two in self._by_size[second]:
                if not one & two:
                    yield row * self._width + column, one, two

    @cached_property
    def _by_size(self) -> Mapping[int, list[tuple[int, int]]]:
        """The row and the numbers of each hand that leaves the game open, by its size."""
        found = defaultdict[int, list[tuple[int, int]]](list)
        for row, state in enumerate(self._rows):
            if self.game.rules.declare or not state.holds_set:
                found[state.mask.bit_count()].append((row, state.mask))
        return found

    # Sets of them.

    def _square(self, rows: list[int]) -> int:
        length = self._width // 8
        return int.from_bytes(b"".join(row.to_bytes(length, "little") for row in rows), "little")

    def _split(self, hands: int) -> list[int]:
        """The columns of each row."""
        length, whole = self._width // 8, self.as_bytes(hands)
        starts = range(0, len(self._rows) * length, length)
        return [int.from_bytes(whole[start : start + length], "little") for start in starts]

    def swapped(self, hands: int) -> int:
        """The same hands with their owners exchanged."""
        digits = format(hands, f"0{self.cells}b")
        width = self._width
        return int("".join(digits[at::width] for at in range(width)), 2)

    def before(self, seat: int, hands: int) -> int:
        """The hands from which a pick of this player leads to one of these."""
        if seat == 2:
            return self.swapped(self.before(1, self.swapped(hands)))
        rows, found = self._split(hands), [0] * len(self._rows)
        for at, steps in enumerate(self._picks):
            for row, lacking in steps:
                found[at] |= rows[row] & lacking
        return self._square(found)

    def after(self, seat: int, hands: int) -> int:
        """The hands to which a pick of this player leads from one of these."""
        if seat == 2:
            return self.swapped(self.after(1, self.swapped(hands)))
        found = [0] * len(self._rows)
        for columns, steps in zip(self._split(hands), self._picks, strict=True):
            for row, lacking in steps if columns else ():
                found[row] |= columns & lacking
        return self._square(found)

    @cached_property
    def _picks(self) -> list[list[tuple[int, int]]]:
        """From each row, the rows that picks lead to, and the columns that leave the number."""
        last = len(self._rows) - 1
        found = [
            [(last - after.at, self._lacking[bit]) for bit, after in state.after.items()]
            for state in self._rows
        ]
        if self.game.opening:
            # From two empty hands, not every number may be taken.
            found[0] = [
                (row, lacking if self._rows[row].mask & self.game.opening else lacking & ~1)
                for row, lacking in found[0]
            ]
        return found

    def may_pick(self, seat: int) -> int:  # noqa: ARG002 - rules with order have no other limits
        """The hands with which this player may take some number: all, if there is one."""
        return self.everything ^ self.exhausted

    # Facts about the hands.

    @cached_property
    def exhausted(self) -> int:
        """The hands that leave no number."""
        taken = defaultdict[int, int](int)
        for row, state in enumerate(self._rows):
            taken[state.mask] |= 1 << row
        return self._square([taken[self.game.full ^ state.mask] for state in self._rows])

    def complete(self, seat: int, of: Sets) -> int:
        """The hands in which this player's numbers are a winning set, in order."""
        assert of is self.game.wins, "where order counts, no set loses"
        return self._of_states(seat, [state.holds_set for state in self._rows])

    def smaller(self, seat: int, count: int) -> int:
        """The hands in which this player holds fewer numbers than this."""
        return self._of_states(seat, [state.mask.bit_count() < count for state in self._rows])

    def _of_states(self, seat: int, wanted: list[bool]) -> int:
        """The hands in which the state of this player is one of those wanted."""
        columns = sum(1 << at for at, yes in enumerate(wanted) if yes)
        if seat == 2:
            return self._square([columns] * len(wanted)) & self.everything
        return self._square([-yes & (1 << len(wanted)) - 1 for yes in wanted]) & self.everything
