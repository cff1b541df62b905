"""The sets of some patterns on one pool: which there are, and which hands hold one."""

from collections.abc import Iterable, Mapping, Sequence

from ninefold.core.errors import RulesError
from ninefold.core.patterns import Numbers, Pattern
from ninefold.core.picks import JOIN
from ninefold.core.work import Work

# Up to this many numbers, whether a hand holds a set is one look-up in a table of all hands.
TABLE_POOL = 16
MAX_SETS = 100_000


class Sets:
    """The sets of these patterns; ``in_order`` if the numbers of a hand count in order.

    ``patterns`` has those of each set, ``lines`` its bits. Patterns that look at a whole hand, or
    at both, are ``whole``: their sets cannot be listed. ``table`` has one byte for each hand, 1 if
    it holds a set, or is None for a large pool. Raises RulesError past the bounds.
    """

    def __init__(
        self,
        wanted: Sequence[Pattern],
        bits: Mapping[int, int],
        points: Mapping[int, int],
        work: Work,
        in_order: bool = False,
    ) -> None:
        self.wanted, self.in_order, self._bits, self._points = wanted, in_order, bits, points
        self.pool = tuple(bits)
        self.patterns = self._enumerate(work)
        self.sets = tuple(sorted(self.patterns))
        self.whole = tuple(pattern for pattern in wanted if pattern.is_whole_hand)
        self.shared = tuple(pattern for pattern in self.whole if pattern.is_shared)
        self._own = tuple(pattern for pattern in self.whole if not pattern.is_shared)
        self._sizes = frozenset(map(len, self.sets))
        self.lines = {numbers: sum(map(bits.__getitem__, numbers)) for numbers in self.sets}
        self.smallest = self._smallest()
        self.table = self._tabulate(work)
        self._through: dict[int, list[int]] = {number: [] for number in bits}
        for numbers, line in self.lines.items():
            for number in numbers:
                self._through[number].append(line)

    def matches(self, pattern: Pattern, numbers: Iterable[int]) -> bool:
        """Whether these numbers have the total that a pattern for whole hands wants."""
        return pattern.matches(tuple(self._points.get(number, number) for number in numbers))

    def completed_by(self, mask: int, hand: Numbers, other: Numbers = ()) -> bool:
        """Whether the newest number of this hand completes a set; the other hand may count too."""
        if self.in_order:
            return self.is_in_order(hand)
        newest = hand[-1]
        if self.shared and any(self.matches(one, (*hand, *other)) for one in self.shared):
            return True
        if self.table is not None and not (
            self.table[mask] and self.table[mask ^ self._bits[newest]]
        ):
            return self.table[mask] == 1
        if any(mask & line == line for line in self._through[newest]):
            return True
        return any(self.matches(pattern, hand) for pattern in self._own)

    def held(self, mask: int, hand: Numbers, other: Numbers = ()) -> tuple[Numbers, ...]:
        """Every set of this hand, the smallest first; the other hand may count too."""
        if self.in_order:
            return (tuple(sorted(hand)),) if self.is_in_order(hand) else ()
        found: set[Numbers] = set()
        if self.table is None or self.table[mask]:
            found |= {numbers for numbers, line in self.lines.items() if mask & line == line}
            if hand and any(self.matches(pattern, hand) for pattern in self._own):
                found.add(tuple(sorted(hand)))
        if hand and any(self.matches(pattern, (*hand, *other)) for pattern in self.shared):
            found.add(tuple(sorted((*hand, *other))))
        return tuple(sorted(found))

    def is_in_order(self, hand: Numbers) -> bool:
        """Whether this hand is a set in the order in which it was taken."""
        if len(hand) not in self._sizes:
            return False
        patterns = self.patterns.get(tuple(sorted(hand)), ())
        return any(pattern.in_order(hand) for pattern in patterns)

    def pattern(self, numbers: Numbers, hand: Numbers = (), other: Numbers = ()) -> Pattern:
        """The first pattern of a set that the book names; ``hand`` is of who holds it."""
        # More numbers than a hand are those of both players, whatever else they would be.
        patterns = self.patterns.get(numbers, []) if not 0 < len(hand) < len(numbers) else []
        if hand and self.in_order:
            patterns = [pattern for pattern in patterns if pattern.in_order(hand)]
        whole = self._own if len(numbers) == len(hand) else ()
        shared = self.shared if len(numbers) == len(hand) + len(other) else ()
        # A hand that was a set as a whole may have grown until the end of the game.
        possible = (*whole, *shared) if patterns or whole or shared else self._own
        matching = [one for one in possible if self.matches(one, numbers)]
        return min([*patterns, *matching], key=self.wanted.index)

    def _enumerate(self, work: Work) -> dict[Numbers, list[Pattern]]:
        """Each set with the patterns it matches."""
        patterns: dict[Numbers, list[Pattern]] = {}
        for pattern in self.wanted:
            for numbers in pattern.sets(self.pool, work, self._points):
                work.spend()  # a set that several patterns have is found again by each of them
                patterns.setdefault(numbers, []).append(pattern)
                if len(patterns) > MAX_SETS:
                    raise RulesError("too-many-sets", f"more than {MAX_SETS} winning sets")
        return patterns

    def _smallest(self) -> int:
        """How many numbers a set has at least, by the rules, or by its sets if they leave it."""
        sizes = [size for pattern in self.wanted for size in pattern.sizes]
        sizes += [1] * len(self.whole)
        if not all(pattern.sizes for pattern in self.wanted):
            sizes += map(len, self.sets)
        return min(sizes, default=len(self.pool) + 1)

    def _tabulate(self, work: Work) -> bytes | None:
        """One byte per hand, 1 if it holds a set: all supersets of the lines, by shifting bits."""
        size = len(self.pool)
        if size > TABLE_POOL:
            return None
        winning = 0
        for line in self.lines.values():
            winning |= 1 << line
        for at in range(size):
            block = (1 << (1 << at)) - 1
            without = block * (((1 << (1 << size)) - 1) // ((1 << (2 << at)) - 1))
            winning |= (winning & without) << (1 << at)
        digits = bin(winning | 1 << (1 << size))[:2:-1]
        table = digits.encode().translate(bytes(i & 1 for i in range(256)))
        return self._with_whole_hands(table, work) if self._own else table

    def _with_whole_hands(self, table: bytes, work: Work) -> bytes:
        """The same with each hand that wins as a whole: equal totals are looked at once."""
        work.what = "the hands that count as a whole"
        found = bytearray(table)
        for name, join in JOIN.items():
            goals = {one.parameters: one for one in self._own if one.family == name}.values()
            if not goals:
                continue
            totals = [int(name == "product")]
            for number in self.pool:
                points = self._points.get(number, number)
                totals += [join(total, points) for total in totals]
            different = {*totals[1:]}
            work.spend(len(goals) * len(different) // 8)
            fitting = {total for total in different if any(one.fits(total) for one in goals)}
            for mask, total in enumerate(totals):
                if mask and total in fitting:
                    found[mask] = 1
        return bytes(found)
