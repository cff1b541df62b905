"""Estimates with intervals, tests of differences, and Holm's correction."""

from itertools import product

import numpy as np
import pytest

from ninefold.arena.statistics import estimates
from ninefold.arena.statistics.comparisons import holm, score_test, sign_flip
from ninefold.arena.statistics.estimates import difference, ratio, resample, share
from ninefold.wilson import wilson


def test_a_rate_of_independent_trials_has_the_wilson_interval() -> None:
    """Ten of twenty, a trial per pair: as in any table of Wilson's intervals."""
    found = share([1, 0] * 10, [1] * 20)
    assert found is not None
    assert (found.value, found.n, found.pairs) == (0.5, 20, 20)
    assert (found.low, found.high) == pytest.approx((0.2993, 0.7007), abs=0.006)


def test_trials_that_repeat_each_other_do_not_make_a_rate_more_certain() -> None:
    """Five copies of each trial in its pair leave the interval as wide as the trial alone."""
    events = np.array([1, 0, 0, 1, 0, 0, 0, 1] * 10)
    alone, copied = share(events, np.ones(80)), share(5 * events, 5 * np.ones(80))
    assert alone is not None
    assert copied is not None
    assert copied.n == 400
    assert copied[1:3] == pytest.approx(alone[1:3], abs=0.002)


def test_what_never_happened_counts_a_pair_as_one_trial() -> None:
    """The bound for 0 of 50 decisions in 10 pairs is that of 0 of 10."""
    found = share(np.zeros(10), np.full(10, 5))
    assert found is not None
    assert (found.low, found.high) == (0, wilson(0, 10)[1])
    assert share([0, 0], [0, 0]) is None


def test_one_pair_of_games_is_one_trial() -> None:
    """Nothing shows how alike the 20 decisions of the only pair are."""
    found = share([10], [20])
    assert found is not None
    assert found[1:3] == wilson(0.5, 1)


def test_the_bootstrap_is_that_over_whole_pairs() -> None:
    """Drawing equal pairs together gives the same distribution as drawing pairs one by one."""
    random = np.random.default_rng(3)
    bottoms = random.integers(1, 5, 60).astype(float)
    tops = np.minimum(bottoms, random.integers(0, 5, 60))
    drawn = random.integers(0, 60, (4000, 60))
    naive = tops[drawn].sum(axis=1) / bottoms[drawn].sum(axis=1)
    found = resample(tops, bottoms)
    assert np.quantile(found, [0.05, 0.5, 0.95]) == pytest.approx(
        np.quantile(naive, [0.05, 0.5, 0.95]), abs=0.012
    )


def test_the_interval_of_a_ratio_holds_the_truth_as_often_as_it_says() -> None:
    """In 300 small tournaments with uneven pairs: 95%, give or take chance."""
    random, hits = np.random.default_rng(5), 0
    for seed in range(300):
        skill = random.beta(6, 2, 25)  # differs between pairs, 0.75 on average
        bottoms = random.integers(1, 7, 25)
        found = ratio(random.binomial(bottoms, skill), bottoms, seed)
        assert found is not None
        hits += found.low <= 0.75 <= found.high
    assert 0.91 <= hits / 300 <= 0.985


def test_a_ratio_without_any_loss_is_not_certain() -> None:
    """No loss in 20 pairs: exactly 1, with Wilson's bound for 20 of 20."""
    found = ratio([2.0, 1.0] * 10, [2.0, 1.0] * 10)
    assert found is not None
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.8389, abs=0.001)


def test_the_same_seed_gives_the_same_interval() -> None:
    """Reports of the same games are the same to the byte."""
    one, two = ([3, 1, 2, 0] * 5, [3, 3, 2, 1] * 5), ([1, 1, 2, 0] * 5, [3, 2, 2, 1] * 5)
    assert ratio(*one) == ratio(*one)
    assert difference(one, two) == difference(one, two)
    assert difference(one, two).value == pytest.approx(6 / 9 - 4 / 8)


def test_pairs_that_all_agree_leave_a_difference_open() -> None:
    """Two equal pairs are no proof: the interval is as wide as those of both ratios together."""
    found = difference(([4.0, 4.0], [4.0, 4.0]), ([1.0, 1.0], [4.0, 4.0]))
    assert found.value == 0.75
    assert found.low < 0.3
    assert found.high > 0.75


def test_a_difference_of_many_different_pairs_is_not_resampled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That would take too long; the interval of the normal distribution is the same."""
    random = np.random.default_rng(3)
    one = random.random(400), np.ones(400)
    two = one[0] / 2 + random.random(400) / 4, np.full(400, 2.0)
    resampled = difference(one, two)
    monkeypatch.setattr(estimates, "_MOST_DIFFERENT", 100)
    monkeypatch.setattr(estimates, "_draw_sums", None)
    found = difference(one, two)
    assert found.value == resampled.value
    assert found[1:3] == pytest.approx(resampled[1:3], abs=0.004)


def test_the_sign_flip_test_is_exact() -> None:
    """It equals the count over all ways in which pairs could have ended the other way round."""
    random = np.random.default_rng(1)
    for _ in range(20):
        leads = random.integers(-2, 3, 8)
        signs = np.array([*product((-1, 1), repeat=8)])
        naive = np.mean(np.abs(signs @ np.abs(leads)) >= abs(leads.sum()))
        assert sign_flip(leads) == pytest.approx(naive)
    assert sign_flip([2] * 30) == pytest.approx(2 / 2**30)
    assert sign_flip([0, 0]) == sign_flip([]) == 1.0
    assert sign_flip([2, -2] * 4000) == pytest.approx(1.0)


def test_the_score_test_rejects_equality_as_rarely_as_it_says() -> None:
    """Of 400 pairs of equal entrants, about 5% are called different; unequal ones are found."""
    random, rejected = np.random.default_rng(2), 0
    for _ in range(400):
        bottoms = random.integers(1, 6, (2, 40))
        tops = random.binomial(bottoms, 0.7)
        rejected += score_test((tops[0], bottoms[0]), (tops[1], bottoms[1])) < 0.05
    assert 0.025 <= rejected / 400 <= 0.08
    bottoms = np.full(40, 4)
    assert score_test((bottoms, bottoms), (random.binomial(4, 0.7, 40), bottoms)) < 1e-4


def test_holm_corrects_in_order() -> None:
    """The example of the textbooks; each value is at least the one before."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []
