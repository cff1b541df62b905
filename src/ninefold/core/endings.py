"""Who wins when no number is left to claim: a chain of measures, each decides or passes on."""

from collections.abc import Callable, Mapping
from math import inf
from typing import TYPE_CHECKING

from ninefold.core.outcome import Outcome
from ninefold.core.rules import Criterion, Measure

if TYPE_CHECKING:
    from ninefold.core.position import Position


def _count(position: "Position", seat: int, _: Criterion) -> int:
    return len(position.hands[seat - 1])


def _distance(position: "Position", seat: int, link: Criterion) -> int | None:
    total = sum(position.hands[seat - 1])
    return None if total > link.target and not link.exceeding else abs(total - link.target)


def _first_complete(position: "Position", seat: int, _: Criterion) -> int:
    return int(position.first_complete == seat)


def _hand_sum(position: "Position", seat: int, _: Criterion) -> int:
    return sum(position.hands[seat - 1])


def _highest(position: "Position", seat: int, _: Criterion) -> int | None:
    return max(position.hands[seat - 1], default=None)


def _last_pick(position: "Position", seat: int, _: Criterion) -> int:
    return int(position.last_picker == seat)


def _longest_run(position: "Position", seat: int, _: Criterion) -> int:
    return position.game.longest_run(position.masks[seat - 1])[0]


def _lowest(position: "Position", seat: int, _: Criterion) -> int | None:
    return min(position.hands[seat - 1], default=None)


def _run_start(position: "Position", seat: int, _: Criterion) -> int | None:
    return position.game.longest_run(position.masks[seat - 1])[1]


def _run_sum(position: "Position", seat: int, _: Criterion) -> int | None:
    run = position.game.run(position.masks[seat - 1])
    return sum(run) if run else None


_MEASURES: Mapping[Measure, Callable[["Position", int, Criterion], int | None]] = {
    "count": _count,
    "distance": _distance,
    "first-complete": _first_complete,
    "hand-sum": _hand_sum,
    "highest": _highest,
    "last-pick": _last_pick,
    "longest-run": _longest_run,
    "lowest": _lowest,
    "run-start": _run_start,
    "run-sum": _run_sum,
}


def measure(position: "Position", link: Criterion, seat: int) -> int | None:
    """What the ending compares, for one player; None where the hand has nothing to measure."""
    return _MEASURES[link.measure](position, seat, link)


def rank(position: "Position", seat: int) -> tuple[float, ...]:
    """What the ending compares, link by link, so that the higher rank wins; nothing loses."""
    game = position.game
    key = (position.masks[seat - 1], position.last_picker == seat, position.first_complete == seat)
    known = game.ranks.get(key)
    if known is None:
        values = [(measure(position, link, seat), link.prefer) for link in game.rules.ending]
        known = tuple(
            -inf if value is None else value if prefer == "higher" else -value
            for value, prefer in values
        )
        if game.table is not None:
            game.ranks[key] = known
    return known


def decide(position: "Position") -> Outcome:
    """The outcome of a position in which no number can be claimed any more."""
    one, two = rank(position, 1), rank(position, 2)
    if one != two:
        winner = 1 if one > two else 2
        at = next(at for at, value in enumerate(one) if value != two[at])
        reason = position.game.rules.ending[at].measure
        sets = _first_sets(position, winner) if reason == "first-complete" else ()
        return Outcome(winner, reason, sets)
    otherwise = position.game.rules.otherwise
    if otherwise == "draw":
        return Outcome(None, "draw")
    return Outcome(position.began if otherwise == "first" else 3 - position.began, otherwise)


def _first_sets(position: "Position", seat: int) -> tuple[tuple[int, ...], ...]:
    """The sets this player completed first: those of the shortest beginning of the hand."""
    game, hand = position.game, position.hands[seat - 1]
    beginnings = (hand[:length] for length in range(len(hand) + 1))
    return next(filter(None, (game.sets_in(game.mask(part), part) for part in beginnings)), ())
