"""Ratings recover planted strengths, with intervals that hold the truth as often as they say."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from ninefold.arena.statistics.ratings import ELO, Results, rate

STRENGTHS = np.array([-1.2, -0.5, 0.0, 0.1, 0.6, 1.5])
FIRST_MOVE, DRAWISH = 0.4, -0.5


def schedule(entrants: int, rounds: int) -> tuple[Any, Any, Any]:
    """Who moves first, who second, and the pair of each game: everybody meets everybody."""
    one, two = np.triu_indices(entrants, 1)
    one, two = np.repeat(one, rounds), np.repeat(two, rounds)
    first, second = np.column_stack((one, two)).ravel(), np.column_stack((two, one)).ravel()
    return first, second, np.repeat(np.arange(len(one)), 2)


def chances(lead: Any) -> Any:
    """How likely the first player wins, draws and loses, from the lead in strength."""
    weights = np.stack((np.exp(lead / 2), np.full_like(lead, np.exp(DRAWISH)), np.exp(-lead / 2)))
    return weights / weights.sum(axis=0)


def simulate(random: Any, strengths: Any, rounds: int, openings: float = 0.0) -> Results:
    """A tournament; ``openings`` is how much the openings of pairs differ for the first player."""
    first, second, pairs = schedule(len(strengths), rounds)
    tilt = openings * random.standard_normal(pairs[-1] + 1)[pairs]
    win, draw, _ = chances(strengths[first] - strengths[second] + FIRST_MOVE + tilt)
    drawn = random.random(len(first))
    ends = np.where(drawn < win, 0, np.where(drawn < win + draw, 1, 2))
    return Results(np.zeros(len(first), int), first, second, ends, pairs)


def covered(tournaments: int, rounds: int, truth: Any, openings: float = 0.0) -> Any:
    """How often the interval of each entrant holds its true rating."""
    random, hits = np.random.default_rng(11), np.zeros(len(STRENGTHS))
    for _ in range(tournaments):
        rated = rate(simulate(random, STRENGTHS, rounds, openings), len(STRENGTHS), 1)
        for at, one in enumerate(rated.entrants):
            low = -np.inf if one.low is None else one.low
            high = np.inf if one.high is None else one.high
            hits[at] += low <= truth[at] <= high
    return hits / tournaments


TRUTH = ELO * (STRENGTHS - STRENGTHS.mean())


@pytest.mark.slow
def test_intervals_hold_planted_strengths() -> None:
    """A smaller version of the simulation below: a fifth too narrow or a third too wide fails."""
    assert 0.925 <= covered(80, 15, TRUTH).mean() <= 0.975


@pytest.mark.long
@pytest.mark.parametrize("rounds", [6, 20])
def test_intervals_hold_planted_strengths_in_93_to_97_of_100_tournaments(rounds: int) -> None:
    """95% intervals over 500 simulated tournaments, in all and for each entrant."""
    found = covered(500, rounds, TRUTH)
    assert 0.93 <= found.mean() <= 0.97
    assert all(0.92 <= one <= 0.98 for one in found)


@pytest.mark.long
def test_intervals_hold_where_openings_differ() -> None:
    """Games of a pair share an opening that favours one seat: intervals over pairs still hold."""
    found = covered(500, 12, _marginal_truth(2.0), openings=2.0)
    assert 0.93 <= found.mean() <= 0.97


def _marginal_truth(openings: float) -> Any:
    """What an endless tournament over such openings would find, by an independent fit."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(41)
    first, second, _ = schedule(len(STRENGTHS), 1)
    lead = (STRENGTHS[first] - STRENGTHS[second] + FIRST_MOVE)[:, None] + openings * nodes
    expected = (chances(lead) * weights).sum(axis=2) / weights.sum()
    return _fit_naively(first, second, expected)


def _fit_naively(first: Any, second: Any, counts: Any) -> Any:
    """The ratings by a general optimizer, from the model as it is written in the docs."""
    entrants = len(STRENGTHS)

    def loss(values: Any) -> float:
        lead = values[first] - values[second] + values[entrants]
        parts = np.stack((lead / 2, np.full_like(lead, values[entrants + 1]), -lead / 2))
        logs = parts - np.log(np.exp(parts).sum(axis=0))
        return -float((counts * logs).sum()) + 1e-9 * float(values @ values)

    found = optimize.minimize(loss, np.zeros(entrants + 2), method="BFGS").x[:entrants]
    return ELO * (found - found.mean())


def test_the_fit_is_the_maximum_of_the_likelihood() -> None:
    """It equals what a general optimizer finds for the model as the docs state it."""
    games = simulate(np.random.default_rng(4), STRENGTHS, 10)
    counts = np.stack([games.ends == end for end in range(3)]).astype(float)
    rated = rate(games, len(STRENGTHS), 1)
    expected = _fit_naively(games.first, games.second, counts)
    assert [one.value for one in rated.entrants] == pytest.approx(expected, abs=0.5)
    assert rated.base == (0, 1, 2, 3, 4, 5)
    assert rated.first_move[0] == pytest.approx(ELO * FIRST_MOVE, abs=60)


def played(*games: tuple[int, int, int], cells: int = 1) -> Results:
    """Games (first, second, end), two after each other a pair."""
    first, second, ends = (np.array(column) for column in zip(*games, strict=True))
    pairs = np.arange(len(games)) // 2
    return Results(np.arange(len(games)) // 2 % cells, first, second, ends, pairs)


def test_only_wins_give_a_bound_that_grows_with_the_games() -> None:
    """Entrant 0 won every game: no estimate, but "at least", and more so with more games."""
    wins = [(0, 1, 0), (1, 0, 2)]
    few, many = (rate(played(*wins * count), 2, 1).entrants for count in (4, 40))
    for one, two in (few, many):
        kinds = {one.kind, two.kind}
        assert kinds <= {"at-least", "at-most", "estimate"}
        assert kinds != {"estimate"}
    low = [one.low if one.kind == "at-least" else -(two.high or 0) for one, two in (few, many)]
    assert 0 < (low[0] or 0) < (low[1] or 0) < 2000


def test_a_bound_is_that_of_the_binomial() -> None:
    """40 pairs won, each counted once: the likelihood of 40 wins falls to exp(-1.92) there."""
    wins = [(0, 1, 0), (1, 0, 2)]
    one, two = rate(played(*wins * 40), 2, 1).entrants
    bound = one.low if one.kind == "at-least" else -(two.high or 0)
    chance = np.exp(-1.9207 / 40)
    assert bound == pytest.approx(ELO * np.log(chance / (1 - chance)), abs=3)


def test_a_group_that_beats_all_others_is_bounded_and_the_rest_is_rated() -> None:
    """Entrant 3 always wins; 0, 1 and 2 have ratings around 0 as if it were not there."""
    rest = simulate(np.random.default_rng(8), STRENGTHS[:3], 20)
    shut_out = [game for one in range(3) for game in ((3, one, 0), (one, 3, 2)) * 5]
    more = played(*shut_out)
    pairs = np.concatenate((rest.pairs, more.pairs + rest.pairs[-1] + 1))
    cells, first, second, ends = (
        np.concatenate(two) for two in zip(rest[:4], more[:4], strict=True)
    )
    both = Results(cells, first, second, ends, pairs)
    alone, together = rate(rest, 3, 1), rate(both, 4, 1)
    assert together.base == (0, 1, 2)
    assert together.entrants[3].kind == "at-least"
    assert (together.entrants[3].low or 0) > 0
    for one, two in zip(alone.entrants, together.entrants, strict=False):
        assert two.value == pytest.approx(one.value, abs=0.1)


@pytest.mark.parametrize(
    ("games", "why"),
    [
        ([(0, 1, 1), (1, 0, 1)] * 5, "all drawn"),
        ([(0, 1, 0), (1, 0, 0)] * 5, "the first player always wins"),
    ],
)
def test_games_that_say_nothing_about_strength_leave_it_open(
    games: list[tuple[int, int, int]], why: str
) -> None:
    """No rating is invented where results would be the same whoever is stronger."""
    rated = rate(played(*games), 2, 1).entrants
    assert {one.kind for one in rated} <= {"open", "estimate"}, why
    assert any(one.kind == "open" for one in rated), why


@pytest.mark.parametrize("pairs", [2, 10, 100])
def test_pairs_that_are_all_level_leave_a_rating_uncertain(pairs: int) -> None:
    """Chance has not shown itself: the interval is as wide as that of a game for each pair."""
    ends = np.repeat(np.arange(pairs) % 2 * 2, 2)  # who moves first wins both games, or neither
    first, place = np.tile([0, 1], pairs), np.repeat(np.arange(pairs), 2)
    rated = rate(Results(0 * first, first, 1 - first, ends, place), 2, 1).entrants[0]
    assert rated.value == pytest.approx(0, abs=1e-6)
    assert rated.low is not None
    assert rated.high is not None
    # Half of the difference of both strengths, whose information is 1/4 for each game.
    wide = ELO * stats.t.ppf(0.975, max(1, pairs - 2)) / np.sqrt(pairs)
    assert (rated.low, rated.high) == pytest.approx((-wide, wide), rel=1e-3)


def test_an_entrant_that_never_played_is_left_open() -> None:
    """It has no games, and changes nothing."""
    games = simulate(np.random.default_rng(8), STRENGTHS[:3], 10)
    alone, more = rate(games, 3, 1), rate(games, 4, 1)
    assert more.entrants[3] == ("open", None, None, None, 0)
    assert more.entrants[0].value == pytest.approx(alone.entrants[0].value)
