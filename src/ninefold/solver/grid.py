"""Sets of hands as big integers, one bit for each pair of hands.

A pair of hands is a number to base 3 with a digit for each number of the pool: 0 while it is free,
else who holds it. So claiming a number is a shift. A grid may start from numbers that are taken
already; then only the free ones have a digit.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import combinations

from ninefold.core.game import Game
from ninefold.core.picks import JOIN
from ninefold.core.position import Hand
from ninefold.core.rules import Total
from ninefold.core.sets import Sets
from ninefold.solver.breadth_first import TooLarge

# Every pair of hands in every phase is a cell; more of them take too much memory.
MAX_CELLS = 100_000_000
MAX_TOTALS = 1000


class BitSets:
    """Sets of so many pairs of hands, one bit for each."""

    def __init__(self, cells: int) -> None:
        self.cells = cells
        self._length = cells // 8 + 1

    def of(self, indices: Iterable[int]) -> int:
        """The set of the pairs with these indices."""
        found = bytearray(self._length)
        for at in indices:
            found[at >> 3] |= 1 << (at & 7)
        return int.from_bytes(found, "little")

    def as_bytes(self, hands: int) -> bytes:
        """The set with one bit for each pair, the lowest index first."""
        return hands.to_bytes(self._length, "little")


class Grid(BitSets):
    """Sets of pairs of hands, where the order of a hand does not matter."""

    def __init__(self, game: Game, base: tuple[int, int] = (0, 0)) -> None:
        self.game, self.base = game, base
        taken = base[0] | base[1]
        self.bits = [bit for bit in game.bits.values() if not bit & taken]
        size = len(self.bits)
        super().__init__(3**size)
        self.everything: int = (1 << self.cells) - 1
        self._places: list[int] = [3**at for at in range(size)]
        self._free = [self._where_free(place) for place in self._places]
        pairs = list(zip(self._places, self._free, strict=True))
        self._shifts = [[(seat * place, free) for place, free in pairs] for seat in range(3)]
        self._picks = [*map(self._allowed_picks, range(3))]
        self._indices = [0]  # of every hand, unless some numbers are taken already
        for place in self._places if not taken else ():
            self._indices += [index + place for index in self._indices]

    def _where_free(self, place: int) -> int:
        """The pairs with digit 0 at this place: runs of ones, three times as far apart."""
        hands, period = (1 << place) - 1, 3 * place
        while period <= self._places[-1]:
            hands |= hands << period | hands << 2 * period
            period *= 3
        return hands

    # Single pairs of hands.

    def index(self, hands: tuple[Hand, Hand], masks: tuple[int, int]) -> int:  # noqa: ARG002 - an ordered grid looks at the hands
        """The index of a pair of hands that holds at least what was taken at the start."""
        return self.add(1, masks[0]) + self.add(2, masks[1])

    def add(self, seat: int, mask: int) -> int:
        """What these numbers in the hand of this player add to an index."""
        if self.base == (0, 0):
            return seat * self._indices[mask]
        pairs = zip(self.bits, self._places, strict=True)
        return seat * sum(place for bit, place in pairs if mask & bit)

    def pairs(self, sizes: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        """The index and both hands of every pair of these sizes.

        If a set ends the game, hands that hold one are left out.
        """
        one, two = self.base
        everything, declare = sum(self.bits), self.game.rules.declare
        for first, second in sizes:
            mine, theirs = first - one.bit_count(), second - two.bit_count()
            exhausted = mine + theirs == len(self.bits)
            others = [] if exhausted else self._open(map(sum, combinations(self.bits, theirs)), two)
            for own in self._open(map(sum, combinations(self.bits, mine)), one):
                at = self.add(1, own)
                if exhausted:
                    rest = everything ^ own
                    others = [rest] if declare or not self._holding_hands[rest | two] else []
                for other in others:
                    if not own & other:
                        yield at + self.add(2, other), own | one, other | two

    def _open(self, hands: Iterable[int], base: int) -> list[int]:
        """Those of the hands with which a player may go on."""
        if self.game.rules.declare:
            return [*hands]
        holds = self._holding_hands
        return [hand for hand in hands if not holds[hand | base]]

    # Sets of them.

    def after(self, seat: int, hands: int) -> int:
        """The hands to which a pick of this player leads from one of these."""
        found = 0
        for shift, allowed in self._picks[seat]:
            found |= (hands & allowed) << shift
        return found

    def before(self, seat: int, hands: int) -> int:
        """The hands from which a pick of this player leads to one of these."""
        found = 0
        for shift, allowed in self._picks[seat]:
            # Where the digit was not the player's, the shift leaves one that is not 0.
            found |= hands >> shift & allowed
        return found

    def swapped(self, hands: int) -> int:
        """The same hands with their owners exchanged."""
        for place, free in zip(self._places, self._free, strict=True):
            one, two = hands & free << place, hands & free << 2 * place
            hands = hands & free | one << place | two >> place
        return hands

    def held(self, seat: int, at: int) -> int:
        """The hands in which this player, or nobody (0), holds the number at this place."""
        return self._free[at] << seat * self._places[at]

    # Which numbers may be taken.

    def _allowed_picks(self, seat: int) -> list[tuple[int, int]]:
        """For each place: what a pick of its number adds to an index, and with which hands."""
        if not seat or not (self.game.picks.can_stick or self.game.rules.row_ends):
            return self._shifts[seat]
        return [
            (shift, free & self._may_take(seat, at))
            for at, (shift, free) in enumerate(self._shifts[seat])
        ]

    def _may_take(self, seat: int, at: int) -> int:
        """The hands with which the rules let this player take the number at this place."""
        rules, bit, found = self.game.rules, self.bits[at], self.everything
        if rules.row_ends:
            found &= self._none_free(range(at)) | self._none_free(range(at + 1, len(self.bits)))
        for restriction in self.game.picks.restrictions:
            if not bit & restriction.exempt:
                seats = _holders(restriction.rule.compared_with, seat)
                related = sum(other for other, some in restriction.related.items() if some & bit)
                fits = self._any_held(seats, related)
                none = self.everything ^ self._any_held(seats, self.game.full)
                found &= fits | none if restriction.rule.must else ~fits
        for cap in rules.caps:
            more = rules.points(self.game.numbers(bit)[0])
            for total, hands in self.totals(_holders(cap.of, seat), cap.total).items():
                if JOIN[cap.total](total, more) > cap.at_most:
                    found &= ~hands
        return found

    def may_pick(self, seat: int) -> int:
        """The hands with which this player may take some number."""
        found = 0
        for _, allowed in self._picks[seat]:
            found |= allowed
        return found

    def _none_free(self, places: range) -> int:
        """The hands in which none of the numbers at these places is free."""
        found = self.everything
        for at in places:
            found &= ~self._free[at]
        return found

    def _any_held(self, seats: tuple[int, ...], wanted: int) -> int:
        """The hands in which one of these players holds one of the wanted numbers."""
        if any(self.base[seat - 1] & wanted for seat in seats):
            return self.everything
        found = 0
        for at, bit in enumerate(self.bits):
            for seat in seats if bit & wanted else ():
                found |= self.held(seat, at)
        return found

    def totals(self, seats: tuple[int, ...], kind: Total) -> dict[int, int]:
        """The hands by the sum or product of the points these players hold; raises TooLarge."""
        points = {bit: self.game.rules.points(number) for number, bit in self.game.bits.items()}
        held = [bit for seat in seats for bit in points if bit & self.base[seat - 1]]
        found = {reduce(JOIN[kind], (points[bit] for bit in held), int(kind == "product")): 1}
        for bit, place in zip(self.bits, self._places, strict=True):
            grown: dict[int, int] = {}
            for total, hands in found.items():
                for digit in (0, 1, 2):
                    more = JOIN[kind](total, points[bit]) if digit in seats else total
                    grown[more] = grown.get(more, 0) | hands << digit * place
            found = grown
            if len(found) > MAX_TOTALS:
                raise TooLarge
        return found

    # Facts about the hands.

    @cached_property
    def exhausted(self) -> int:
        """The hands that leave no number."""
        any_free = 0
        for free in self._free:
            any_free |= free
        return self.everything ^ any_free

    def complete(self, seat: int, of: Sets) -> int:
        """The hands in which this player holds one of these sets; shared ones need a number."""
        found = 0
        for pattern in of.shared:
            for total, hands in self.totals(
                (1, 2), "sum" if pattern.family == "sum" else "product"
            ).items():
                found |= hands if pattern.fits(total) else 0
        found &= ~self.smaller(seat, 1)
        if of.shared == of.whole:
            return found | self.holding(seat, of.lines.values())
        base, table = self.base[seat - 1], of.table
        winning = [
            mask
            for mask in self._masks_of(seat)
            if (table[mask] if table is not None else of.held(mask, self.game.numbers(mask)))
        ]
        # More numbers of one's own may be too many, so only the other player's are added.
        own = self.of(self.add(seat, mask & ~base) for mask in winning)
        return found | self._and_later(own, (3 - seat,))

    def holding(self, seat: int, lines: Iterable[int]) -> int:
        """The hands in which this player holds all numbers of one of these masks."""
        own, other = self.base if seat == 1 else self.base[::-1]
        if own | other:
            lines = {line & ~own for line in lines if not line & other}
        return self._and_later(self.of([self.add(seat, line) for line in lines]), (1, 2))

    def smaller(self, seat: int, count: int) -> int:
        """The hands in which this player holds fewer numbers than this."""
        count -= self.base[seat - 1].bit_count()
        # The hands of each count share no bit, so adding them up joins them.
        return sum(self.counted(seat == 1, seat == 2, range(count)).values())

    def counted(self, one: int, two: int, wanted: range) -> dict[int, int]:
        """The hands by a count to which each digit of either player adds this much.

        Only wanted counts are listed; whatever can no longer become one is dropped on the way.
        """
        counted, left = {0: 1}, len(self._places)
        if not wanted:
            return {}
        for place in self._places:
            left -= 1
            low, high = wanted[0] - left * max(0, one, two), wanted[-1] - left * min(0, one, two)
            grown: dict[int, int] = {}
            for count, hands in counted.items():
                for digit, more in enumerate((0, one, two)):
                    if low <= count + more <= high:
                        before = grown.get(count + more, 0)
                        grown[count + more] = before | hands << digit * place
            counted = grown
        return counted

    def _and_later(self, hands: int, seats: tuple[int, ...]) -> int:
        """These hands, and all that follow when these players pick anything."""
        for place, free in self._shifts[1]:
            open_ = hands & free
            for seat in seats:
                hands |= open_ << seat * place
        return hands

    @cached_property
    def _holding_hands(self) -> Sequence[int] | Mapping[int, int]:
        """Whether each hand that a player may come to hold has a set."""
        game = self.game
        if game.table is not None:
            return game.table
        hands = {*self._masks_of(1), *self._masks_of(2)}
        return {mask: len(game.sets_in(mask, game.numbers(mask))) for mask in hands}

    def _masks_of(self, seat: int) -> list[int]:
        """Everything this player may come to hold."""
        found = [self.base[seat - 1]]
        for bit in self.bits:
            found += [mask | bit for mask in found]
        return found


def _holders(reference: str, seat: int) -> tuple[int, ...]:
    """Whose numbers a restriction or a cap for this player looks at."""
    return {"own": (seat,), "opponent": (3 - seat,), "taken": (1, 2)}[reference]
