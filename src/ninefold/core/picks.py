"""Which numbers may be taken, said once: opening, the ends of the row, restrictions and caps."""

from collections.abc import Callable, Mapping
from functools import reduce
from math import gcd
from operator import add, mul
from typing import NamedTuple

from ninefold.core.patterns import divides
from ninefold.core.rules import ORDERED, Cap, Reference, Restriction, Rules

# What can be several numbers at once.
SEVERAL: tuple[Reference, ...] = ("own", "opponent", "taken")
# The rules that can leave no first number, by their names in a book.
LIMIT_FIRST = ("opening", "row-ends", "caps")
JOIN: Mapping[str, Callable[[int, int], int]] = {"sum": add, "product": mul}


class Meaning(NamedTuple):
    """What a relation is: a test of a pick, and what a pick must do in words."""

    test: Callable[[int, int, int], bool]  # of the pick, what it is compared with, and ``by``
    words: str  # ``{x}`` is what the pick is compared with, ``{it}`` the same once more


RELATIONS: Mapping[str, Meaning] = {
    "divisor": Meaning(lambda pick, other, _: divides(pick, other), "divide {x}"),
    "multiple": Meaning(lambda pick, other, _: divides(other, pick), "be a multiple of {x}"),
    "divisor-or-multiple": Meaning(
        lambda pick, other, _: divides(pick, other) or divides(other, pick),
        "divide {x} or be a multiple of {it}",
    ),
    "common-factor": Meaning(
        lambda pick, other, _: gcd(pick, other) > 1, "share a factor with {x}"
    ),
    "difference": Meaning(
        lambda pick, other, by: abs(pick - other) == by, "differ from {x} by exactly {by}"
    ),
    "within": Meaning(lambda pick, other, by: abs(pick - other) <= by, "be within {by} of {x}"),
    "sum": Meaning(lambda pick, other, by: pick + other == by, "add up to {by} with {x}"),
    "same-parity": Meaning(
        lambda pick, other, _: (pick - other) % 2 == 0, "have the same parity (even or odd) as {x}"
    ),
    "opposite-parity": Meaning(
        lambda pick, other, _: (pick - other) % 2 == 1,
        "have the opposite parity (even or odd) to {x}",
    ),
    "greater": Meaning(lambda pick, other, _: pick > other, "be greater than {x}"),
    "less": Meaning(lambda pick, other, _: pick < other, "be less than {x}"),
    "common-digit": Meaning(
        lambda pick, other, _: bool({*str(abs(pick))} & {*str(abs(other))}),
        "share a digit with {x}",
    ),
}


def demand(rule: Restriction, what: str, several: bool) -> str:
    """What a pick must or must not do, beside these words for one or several numbers."""
    it = "it" if not several else "one of them" if rule.must else "any of them"
    doing = RELATIONS[rule.relation].words.format(x=what, it=it, by=rule.by)
    return f"must {doing}" if rule.must else f"must not {doing}"


class Seen(NamedTuple):
    """What the player to act compares a pick with, as bits of the numbers."""

    own: int
    opponent: int
    last: int = 0  # the number taken last by anybody, of one bit or none
    own_last: int = 0
    own_first: int = 0

    def numbers(self, reference: Reference) -> int:
        """The numbers a restriction refers to."""
        if reference == "taken":
            return self.own | self.opponent
        return self[_PLACES[reference]]


_PLACES = {name.replace("_", "-"): place for place, name in enumerate(Seen._fields)}
# What so few numbers allow is worked out once.
FEW_NUMBERS = 16


class CompiledRestriction(NamedTuple):
    """A restriction with, by the bit of each number, the numbers that stand in relation to it."""

    rule: Restriction
    related: Mapping[int, int]
    exempt: int
    known: dict[int, int]

    def allowed(self, compared: int) -> int:
        """The numbers it allows beside these; all if there is nothing to compare with."""
        known = self.known.get(compared)
        if known is None:
            known = self._allowed(compared)
            if len(self.related) <= FEW_NUMBERS:
                self.known[compared] = known
        return known

    def _allowed(self, compared: int) -> int:
        if not compared:
            return -1
        found = 0
        while compared:
            bit = compared & -compared
            found |= self.related[bit]
            compared ^= bit
        return (found if self.rule.must else ~found) | self.exempt


class Picks:
    """The numbers that may be taken in each position of a game."""

    def __init__(self, rules: Rules, bits: Mapping[int, int]) -> None:
        self.rules, self._bits = rules, bits
        self._points = {bit: rules.points(number) for number, bit in bits.items()}
        self._full = sum(bits.values())
        self.opening = sum({bits[number] for number in rules.opening})
        self.restrictions = tuple(self._compile(each) for each in rules.restrictions)
        references = {each.compared_with for each in rules.restrictions}
        self.sees = references & {*ORDERED}
        self.can_stick = bool(rules.restrictions or rules.caps)  # it can be that none is allowed
        self.limited_later = self.can_stick or rules.row_ends  # not always all after the opening
        self.limited = self.limited_later or bool(self.opening)

    def _compile(self, rule: Restriction) -> CompiledRestriction:
        test = RELATIONS[rule.relation].test
        related = {
            bit: sum(mask for pick, mask in self._bits.items() if test(pick, other, rule.by))
            for other, bit in self._bits.items()
        }
        exempt = sum(bit for number, bit in self._bits.items() if number in rule.exceptions)
        return CompiledRestriction(rule, related, exempt, {})

    def allowed(self, seen: Seen) -> int:
        """The numbers the player to act may take."""
        taken = seen.own | seen.opponent
        free = self._full ^ taken
        if not self.limited:
            return free
        found = free
        if self.opening and not taken:
            found &= self.opening
        if self.rules.row_ends and free:
            found &= free & -free | 1 << free.bit_length() - 1
        for restriction in self.restrictions:
            found &= restriction.allowed(seen.numbers(restriction.rule.compared_with))
        for cap in self.rules.caps:
            found &= self.below(cap, seen.own if cap.of == "own" else taken, found)
        return found

    def below(self, cap: Cap, taken: int, wanted: int) -> int:
        """Those of the wanted numbers that keep the total of what is taken below the cap."""
        join = JOIN[cap.total]
        held = (points for bit, points in self._points.items() if bit & taken)
        before = reduce(join, held, int(cap.total == "product"))
        return sum(
            bit
            for bit, points in self._points.items()
            if bit & wanted and join(before, points) <= cap.at_most
        )

    def why_not(self, number: int, seen: Seen) -> str:
        """What keeps a free number from being taken, beside the opening."""
        bit = self._bits[number]
        for restriction in self.restrictions:
            rule, compared = restriction.rule, seen.numbers(restriction.rule.compared_with)
            if not bit & restriction.allowed(compared):
                # What it must not be related to is clear from the numbers it is related to.
                culprits = (one for one in self._bits.values() if bit & restriction.related[one])
                compared &= -1 if rule.must else sum(culprits)
                numbers = [str(number) for number, one in self._bits.items() if one & compared]
                several = len(numbers) > 1
                one_of = "at least one of " if rule.must else "any of "
                return f"it {demand(rule, one_of * several + ' '.join(numbers), several)}"
        for cap in self.rules.caps:
            if not self.below(cap, seen.own | (0 if cap.of == "own" else seen.opponent), bit):
                whose = "your numbers" if cap.of == "own" else "all numbers taken"
                return f"it would bring the {cap.total} of {whose} above {cap.at_most}"
        return "only the lowest and the highest number left may be taken"
