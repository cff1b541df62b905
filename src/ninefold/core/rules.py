"""The rules of one game as plain values: what a rule book says, before it is compiled."""

from typing import Literal, TypeAlias, get_args

from ninefold.core.patterns import Kind, Pattern
from ninefold.core.text import NamedTuple

Measure: TypeAlias = Literal[
    "count",
    "distance",
    "first-complete",
    "hand-product",
    "hand-sum",
    "highest",
    "last-pick",
    "longest-ascent",
    "longest-run",
    "lowest",
    "run-start",
    "run-sum",
]
Preference: TypeAlias = Literal["higher", "lower"]
Among: TypeAlias = Literal["lowest", "highest"]
Reference: TypeAlias = Literal["last", "own-last", "own-first", "own", "opponent", "taken"]
Stuck: TypeAlias = Literal["end", "skip"]
Total: TypeAlias = Literal["sum", "product"]
InvalidPolicy: TypeAlias = Literal["retry", "lose-turn"]
Otherwise: TypeAlias = Literal["draw", "first", "second"]

MEASURES: tuple[Measure, ...] = get_args(Measure)
REFERENCES: tuple[Reference, ...] = get_args(Reference)
# What is compared depends on the order in which numbers were taken.
ORDERED: tuple[Reference, ...] = ("last", "own-last", "own-first")
STUCK: tuple[Stuck, ...] = get_args(Stuck)
TOTALS: tuple[Total, ...] = get_args(Total)
PREFERENCES: tuple[Preference, ...] = ("higher", "lower")
AMONG: tuple[Among, ...] = ("lowest", "highest")
INVALID_POLICIES: tuple[InvalidPolicy, ...] = ("retry", "lose-turn")
OTHERWISE: tuple[Otherwise, ...] = ("draw", "first", "second")
# What running out of time costs; the clock is the referee's, but a book may name its policy.
TIMEOUT_POLICIES = ("lose", "lose-turn", "random")
# The measures that look at the order in which a hand was taken.
ORDERED_MEASURES: tuple[Measure, ...] = ("longest-ascent",)
MAX_POOL = 100
MAX_PATTERNS = 32
MAX_LINKS = 16


class Criterion(NamedTuple):
    """One link of the ending: the player with the preferred measure wins; equal passes on."""

    measure: Measure
    prefer: Preference
    target: int = 0  # of a distance
    exceeding: bool = True  # whether a total above the target is measured at all
    among: Among = "lowest"  # which of several equally long runs counts
    kind: Kind | None = None  # which numbers count, if not all
    of: int = 1  # what they are multiples of

    @property
    def is_about_runs(self) -> bool:
        """Whether it looks at the longest run of neighbours."""
        return self.measure in ("longest-run", "run-start", "run-sum")


class Restriction(NamedTuple):
    """A pick must, or must not, stand in this relation to what it is compared with."""

    relation: str  # one of ``picks.RELATIONS``
    compared_with: Reference
    must: bool = True  # to at least one of these numbers, or to none
    by: int = 0  # the difference, the distance or the sum of the relation
    exceptions: tuple[int, ...] = ()  # they may be taken all the same


class Cap(NamedTuple):
    """A pick must not bring this total, of one's own numbers or of all taken, above a bound."""

    total: Total
    of: Literal["own", "taken"]
    at_most: int


class Rules(NamedTuple):
    """Everything the judge needs to know; ``ending`` is tried link by link, then ``otherwise``."""

    pool: tuple[int, ...]
    wins: tuple[Pattern, ...]
    ending: tuple[Criterion, ...] = ()
    hand_limit: int | None = None
    in_order: bool = False
    declare: bool = False
    invalid: InvalidPolicy = "retry"
    misere: bool = False  # whoever completes a set loses
    passing: bool = False  # a turn may be passed; two in a row end the game
    picks_per_turn: int = 1
    opening: tuple[int, ...] = ()  # what the very first number must be one of; nothing: any
    pie: bool = False  # the turn of the first number may be answered by changing hands
    otherwise: Otherwise = "draw"  # or the player who began wins, or the other one
    restrictions: tuple[Restriction, ...] = ()
    caps: tuple[Cap, ...] = ()
    row_ends: bool = False  # only the lowest and the highest number left may be taken
    stuck: Stuck = "end"  # what no legal pick means: the game ends, or the player is skipped
    losses: tuple[Pattern, ...] = ()  # whoever completes one of these loses
    values: tuple[tuple[int, int], ...] = ()  # the points of numbers that do not count themselves

    @property
    def is_ordinary(self) -> bool:
        """Whether turns alternate, each one pick of any number, and completing a set wins."""
        special = self.declare or self.in_order or self.hand_limit is not None or self.misere
        special = special or self.has_turns or bool(self.losses)
        limited = self.opening or self.restrictions or self.caps or self.row_ends
        return not special and self.invalid == "retry" and not limited

    @property
    def has_turns(self) -> bool:
        """Whether a turn can be something else than one pick: passed, swapped, or of several."""
        return self.passing or self.pie or self.picks_per_turn > 1

    @property
    def sees_order(self) -> bool:
        """Whether the order in which a hand was taken can matter to a set or to the ending."""
        return self.in_order or any(link.measure in ORDERED_MEASURES for link in self.ending)

    def points(self, number: int) -> int:
        """What a number counts in totals: itself, unless the book says otherwise."""
        return dict(self.values).get(number, number)
