"""Who wins when no number is left to claim: a chain of measures, each decides or passes on."""

from collections.abc import Callable, Mapping
from math import inf
from typing import TYPE_CHECKING

from ninefold.core.outcome import Outcome
from ninefold.core.rules import Measure

if TYPE_CHECKING:
    from ninefold.core.position import Position


def _first_complete(position: "Position", seat: int) -> int:
    return int(position.first_complete == seat)


def _hand_sum(position: "Position", seat: int) -> int:
    return sum(position.hands[seat - 1])


def _last_pick(position: "Position", seat: int) -> int:
    return int(position.last_picker == seat)


def _longest_run(position: "Position", seat: int) -> int:
    return position.game.longest_run(position.masks[seat - 1])[0]


def _run_start(position: "Position", seat: int) -> int | None:
    return position.game.longest_run(position.masks[seat - 1])[1]


_MEASURES: Mapping[Measure, Callable[["Position", int], int | None]] = {
    "first-complete": _first_complete,
    "hand-sum": _hand_sum,
    "last-pick": _last_pick,
    "longest-run": _longest_run,
    "run-start": _run_start,
}


def measure(position: "Position", name: Measure, seat: int) -> int | None:
    """What the ending compares, for one player; None where the hand has nothing to measure."""
    return _MEASURES[name](position, seat)


def rank(position: "Position", seat: int) -> tuple[float, ...]:
    """What the ending compares, link by link, so that the higher rank wins; nothing loses."""
    ranks = []
    for name, prefer in position.game.rules.ending:
        value = measure(position, name, seat)
        ranks.append(-inf if value is None else value if prefer == "higher" else -value)
    return tuple(ranks)


def decide(position: "Position") -> Outcome:
    """The outcome of a position in which no number can be claimed any more."""
    ranks = zip(rank(position, 1), rank(position, 2), strict=True)
    for (name, _), (one, two) in zip(position.game.rules.ending, ranks, strict=True):
        if one != two:
            winner = 1 if one > two else 2
            sets = _first_sets(position, winner) if name == "first-complete" else ()
            return Outcome(winner, name, sets)
    return Outcome(None, "draw")


def _first_sets(position: "Position", seat: int) -> tuple[tuple[int, ...], ...]:
    """The sets this player completed first: those of the shortest beginning of the hand."""
    game, hand = position.game, position.hands[seat - 1]
    beginnings = (hand[:length] for length in range(len(hand) + 1))
    return next(filter(None, (game.sets_in(game.mask(part), part) for part in beginnings)), ())
