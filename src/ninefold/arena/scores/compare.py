"""Entrants side by side: who scored more against whom, and who kept more of the value."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from ninefold.arena.scores.figures import Decisions
from ninefold.arena.scores.table import Table
from ninefold.arena.statistics.comparisons import holm, score_test, sign_flip
from ninefold.arena.statistics.estimates import Estimate, difference, ratio

Array = Any


class Difference(NamedTuple):
    """How much more the first of two entrants has, and how likely chance alone does as much."""

    estimate: Estimate
    p: float
    corrected: float  # by Holm, among all comparisons of this kind


class Comparison(NamedTuple):
    """Two entrants; None where they did not meet, or nothing was at stake for one of them."""

    one: int
    two: int
    games: int  # against each other
    score: Estimate | None  # of the first, against the second
    score_p: float | None
    score_corrected: float | None
    kept: Difference | None


def compare(table: Table, players: Sequence[int]) -> tuple[Comparison, ...]:
    """Every two of these entrants."""
    sums = {player: _sums(table, player) for player in players}
    rows = [(pair, _met(table, *pair), _kept(sums, *pair)) for pair in combinations(players, 2)]
    met = iter(holm([found[2] for _, found, _ in rows if found is not None]))
    kept = iter(holm([found[1] for _, _, found in rows if found is not None]))
    made = []
    for (one, two), direct, value in rows:
        games, points, p = direct or (0, None, None)
        corrected = None if direct is None else next(met)
        more = None if value is None else Difference(*value, next(kept))
        made.append(Comparison(one, two, games, points, p, corrected, more))
    return tuple(made)


def _met(table: Table, one: int, two: int) -> tuple[int, Estimate, float] | None:
    """The games between two entrants: how many, the score of the first, and the p-value."""
    import numpy as np

    games = table.games
    there, back = ((games["one"] == a) & (games["two"] == b) for a, b in ((one, two), (two, one)))
    mask = there | back
    if not mask.any() or one == two:
        return None
    seat = np.where(there[mask], 1, 2)
    winner = games["winner"][mask].astype(int)
    lead = np.where(winner == 0, 0, np.where(winner == seat, 1, -1))
    _, at = np.unique(games["pair"][mask], return_inverse=True)
    leads, counts = np.bincount(at, weights=lead), np.bincount(at)
    points = ratio((counts + leads) / 2, counts)
    assert points is not None
    return int(mask.sum()), points, sign_flip(np.rint(leads))


def _sums(table: Table, player: int) -> tuple[Array, Array]:
    """The value an entrant kept, and the value available to it, in every pair of games."""
    own = Decisions(table, player, None)
    return own.sums(own.kept, own.stake), own.sums(own.available, own.stake)


def _kept(
    sums: dict[int, tuple[Array, Array]], one: int, two: int
) -> tuple[Estimate, float] | None:
    """How much more of the value the first of two entrants kept, in all their games."""
    if not sums[one][1].any() or not sums[two][1].any():
        return None
    return difference(sums[one], sums[two]), score_test(sums[one], sums[two])
