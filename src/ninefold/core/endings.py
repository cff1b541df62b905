"""Who wins when no number is left to claim: a chain of measures, each decides or passes on."""

from collections.abc import Callable, Mapping
from math import inf, prod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ninefold.core.outcome import Outcome
from ninefold.core.patterns import is_of_kind
from ninefold.core.rules import ORDERED_MEASURES, Criterion, Measure
from ninefold.core.turns import End

if TYPE_CHECKING:
    from ninefold.core.game import Game

Hand: TypeAlias = tuple[int, ...]
Rank: TypeAlias = tuple[float, ...]


class Side(NamedTuple):
    """One player at the end of a game: everything a measure can look at."""

    game: "Game"
    hand: Hand
    mask: int
    picked_last: bool = False
    completed_first: bool = False

    @property
    def points(self) -> list[int]:
        """What each number of the hand counts."""
        return [self.game.points[number] for number in self.hand]


def _distance(side: Side, link: Criterion) -> int | None:
    total = sum(side.points)
    return None if total > link.target and not link.exceeding else abs(total - link.target)


def _run_sum(side: Side, link: Criterion) -> int | None:
    run = side.game.run(side.mask, link.among)
    return sum(side.game.points[number] for number in run) if run else None


def _count(side: Side, link: Criterion) -> int:
    kind = link.kind
    return sum(kind is None or is_of_kind(number, kind, link.of) for number in side.hand)


def _longest_ascent(side: Side, _: Criterion) -> int:
    """How many numbers were taken one after the other, each higher than the one before."""
    longest = length = 0
    before: int | None = None
    for number in side.hand:
        length = length + 1 if before is not None and number > before else 1
        longest, before = max(longest, length), number
    return longest


_MEASURES: Mapping[Measure, Callable[[Side, Criterion], int | None]] = {
    "count": _count,
    "distance": _distance,
    "first-complete": lambda side, _: int(side.completed_first),
    "hand-product": lambda side, _: prod(side.points) if side.hand else None,
    "hand-sum": lambda side, _: sum(side.points),
    "highest": lambda side, _: max(side.hand, default=None),
    "last-pick": lambda side, _: int(side.picked_last),
    "longest-ascent": _longest_ascent,
    "longest-run": lambda side, _: side.game.longest_run(side.mask)[0],
    "lowest": lambda side, _: min(side.hand, default=None),
    "run-start": lambda side, link: side.game.longest_run(side.mask, link.among)[1],
    "run-sum": _run_sum,
}


def measure(side: Side, link: Criterion) -> int | None:
    """What the ending compares, for one player; None where the hand has nothing to measure."""
    return _MEASURES[link.measure](side, link)


class Endings:
    """The ending of one game: ranks are kept by exactly what the measures look at."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        self._links = game.rules.ending
        measures = {link.measure for link in self._links}
        self.sees_order = not measures.isdisjoint(ORDERED_MEASURES)
        self._sees_last = "last-pick" in measures
        self._sees_complete = "first-complete" in measures
        self._keeps = game.table is not None
        self._ranks: dict[object, Rank] = {}

    def rank(self, mask: int, hand: Hand | None, last: bool, complete: bool) -> Rank:
        """What the ending compares, so that the higher wins; measures of order need the hand."""
        seen = hand if self.sees_order else mask
        key = (seen, last and self._sees_last, complete and self._sees_complete)
        found = self._ranks.get(key)
        if found is None:
            hand = self._game.numbers(mask) if hand is None else hand
            side = Side(self._game, hand, mask, last, complete)
            values = [(measure(side, link), link.prefer) for link in self._links]
            found = tuple(
                -inf if value is None else value if prefer == "higher" else -value
                for value, prefer in values
            )
            if self._keeps:
                self._ranks[key] = found
        return found

    def compare(self, end: End, one: Rank, two: Rank) -> tuple[int | None, int | None]:
        """Who wins with these ranks, and the place of the link that decided, if one did."""
        if one != two:
            at = next(at for at, value in enumerate(one) if value != two[at])
            return (1 if one > two else 2), at
        otherwise = self._game.rules.otherwise
        if otherwise == "draw":
            return None, None
        return (end.began if otherwise == "first" else 3 - end.began), None

    def winner(
        self, hands: tuple[Hand, Hand], masks: tuple[int, int], end: End
    ) -> tuple[int | None, int | None]:
        """Who wins with these hands, and the place of the link that decides, if one does."""
        one, two = (
            self.rank(masks[seat - 1], hands[seat - 1], end.last == seat, end.complete == seat)
            for seat in (1, 2)
        )
        return self.compare(end, one, two)

    def decide(self, hands: tuple[Hand, Hand], masks: tuple[int, int], end: End) -> Outcome:
        """The outcome of a game in which no number can be claimed any more."""
        winner, at = self.winner(hands, masks, end)
        if at is None:
            return Outcome(winner, self._game.rules.otherwise)
        reason = self._links[at].measure
        sets = self._first_sets(hands[(winner or 1) - 1]) if reason == "first-complete" else ()
        return Outcome(winner, reason, sets)

    def _first_sets(self, hand: Hand) -> tuple[Hand, ...]:
        """The sets a player completed first: those of the shortest beginning of the hand."""
        beginnings = (hand[:length] for length in range(len(hand) + 1))
        held = (self._game.wins.held(self._game.mask(part), part) for part in beginnings)
        return next(filter(None, held), ())
