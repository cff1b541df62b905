"""Sets of hands as big integers, one bit for each pair of hands.

A pair of hands is a number to base 3 with a digit for each number of the pool: 0 while it is free,
else who holds it. So claiming a number is a shift. A grid may start from numbers that are taken
already; then only the free ones have a digit.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, reduce
from itertools import combinations
from operator import or_

from ninefold.core.game import Game
from ninefold.core.picks import JOIN
from ninefold.core.position import Hand
from ninefold.core.rules import Cap
from ninefold.core.sets import Sets

# Every pair of hands in every phase is a cell; more of them take too much memory.
MAX_CELLS = 100_000_000


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

    def pairs(self, first: int, second: int) -> Iterator[tuple[int, int, int]]:
        """The index and both hands of each pair of these sizes, if no set has ended the game."""
        (one, two), everything = self.base, sum(self.bits)
        mine, theirs = first - one.bit_count(), second - two.bit_count()
        exhausted = mine + theirs == len(self.bits)
        others = [] if exhausted else self._open(map(sum, combinations(self.bits, theirs)), two)
        for own in self._open(map(sum, combinations(self.bits, mine)), one):
            at = self.add(1, own)
            for other in self._open([everything ^ own], two) if exhausted else others:
                if not own & other:
                    yield at + self.add(2, other), own | one, other | two

    def _open(self, hands: Iterable[int], base: int) -> list[int]:
        """Those of the hands with which a player may go on; all, if there is no table to ask."""
        table = self.game.wins.table
        if table is None or self.game.rules.declare:
            return [*hands]
        return [hand for hand in hands if not table[hand | base]]

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
        if not seat or not self.game.picks.limited:
            return self._shifts[seat]
        return [
            (shift, free & self._may_take(seat, at))
            for at, (shift, free) in enumerate(self._shifts[seat])
        ]

    def _may_take(self, seat: int, at: int) -> int:
        """The hands with which the rules let this player take the number at this place."""
        rules, bit, found = self.game.rules, self.bits[at], self.everything
        if self.game.opening and not any(self.base):
            found ^= not bit & self.game.opening  # index 0 is the empty board
        if rules.row_ends:
            found &= self._none_free(slice(at)) | self._none_free(slice(at + 1, None))
        for restriction in self.game.picks.restrictions:
            if not bit & restriction.exempt:
                seats = _holders(restriction.rule.compared_with, seat)
                related = sum(other for other, some in restriction.related.items() if some & bit)
                fits = self._any_held(seats, related)
                none = self.everything ^ self._any_held(seats, self.game.full)
                found &= fits | none if restriction.rule.must else ~fits
        for cap in rules.caps:
            found &= self._below(cap, seat, *self.game.numbers(bit))
        return found

    def _below(self, cap: Cap, seat: int, number: int) -> int:
        """The hands with which this player may take this number and stays below a cap."""
        join, more = JOIN[cap.total], self.game.points[number]
        seats = _holders(cap.of, seat)
        return self._where_total(seats, cap.total, lambda total: join(total, more) <= cap.at_most)

    def may_pick(self, seat: int) -> int:
        """The hands with which this player may take some number."""
        return reduce(or_, (allowed for _, allowed in self._picks[seat]), 0)

    def _none_free(self, places: slice) -> int:
        """The hands in which none of the numbers at these places is free."""
        return self.everything ^ reduce(or_, self._free[places], 0)

    def _any_held(self, seats: tuple[int, ...], wanted: int) -> int:
        """The hands in which one of these players holds one of the wanted numbers."""
        if any(self.base[seat - 1] & wanted for seat in seats):
            return self.everything
        found = 0
        for at, bit in enumerate(self.bits):
            for seat in seats if bit & wanted else ():
                found |= self.held(seat, at)
        return found

    def _where_total(self, seats: tuple[int, ...], kind: str, fits: Callable[[int], bool]) -> int:
        """The hands in which the sum or product of what these players hold together fits."""
        game, join = self.game, JOIN[kind]
        points = {game.bits[number]: points for number, points in game.points.items()}
        held = [more for bit, more in points.items() for seat in seats if bit & self.base[seat - 1]]
        indices, totals = [0], [reduce(join, held, int(kind == "product"))]
        for bit, place in zip(self.bits, self._places, strict=True):
            indices += [index + seats[0] * place for index in indices]
            totals += [join(total, points[bit]) for total in totals]
        fitting = {*filter(fits, {*totals})}
        found = self.of(at for at, total in zip(indices, totals, strict=True) if total in fitting)
        if len(seats) == 1:
            return self._and_later(found, (3 - seats[0],))
        for at, place in enumerate(self._places):
            found |= (found & self.held(1, at)) << place  # the other player may hold it as well
        return found

    # Facts about the hands.

    @cached_property
    def exhausted(self) -> int:
        """The hands that leave no number."""
        return self._none_free(slice(None))

    def complete(self, seat: int, of: Sets) -> int:
        """The hands in which this player holds one of these sets; shared ones need a number."""
        own, other = self.base if seat == 1 else self.base[::-1]
        lines = {line & ~own for line in of.lines.values() if not line & other}
        found = self._and_later(self.of([self.add(seat, line) for line in lines]), (1, 2))
        for pattern in of.whole:
            # More numbers may be too many, so only what fits now is a set.
            seats = (1, 2) if pattern.is_shared else (seat,)
            found |= self._where_total(seats, pattern.family, pattern.fits) & ~self.smaller(seat, 1)
        return found

    def smaller(self, seat: int, count: int) -> int:
        """The hands in which this player holds fewer numbers than this."""
        most = count - self.base[seat - 1].bit_count() - 1
        by_count = {0: 1} if most >= 0 else {}
        for place in self._places:
            grown: dict[int, int] = {}
            for held, hands in by_count.items():
                others = hands | hands << (3 - seat) * place
                grown[held] = grown.get(held, 0) | others
                if held < most:
                    grown[held + 1] = grown.get(held + 1, 0) | hands << seat * place
            by_count = grown
        # The hands of each count share no bit, so adding them up joins them.
        return sum(by_count.values())

    def _and_later(self, hands: int, seats: tuple[int, ...]) -> int:
        """These hands, and all that follow when these players pick anything."""
        for place, free in self._shifts[1]:
            open_ = hands & free
            for seat in seats:
                hands |= open_ << seat * place
        return hands


def _holders(reference: str, seat: int) -> tuple[int, ...]:
    """Whose numbers a restriction or a cap for this player looks at."""
    return {"own": (seat,), "opponent": (3 - seat,), "taken": (1, 2)}[reference]
