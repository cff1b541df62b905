"""Shares and means with 95% intervals that respect pairs of games."""

from typing import Any, NamedTuple

from ninefold.wilson import wilson

# NumPy is imported where it is used: an extra, and slow to load.
Array = Any
RESAMPLES = 2_000
LEVEL = 0.95
# Weights of so many resampled pairs are in memory at once.
_AT_ONCE = 4_000_000
# With more different pairs than this, resampling takes too long, and the normal distribution does.
_MOST_DIFFERENT = 20_000


class Estimate(NamedTuple):
    """A figure with its 95% interval; ``n`` is what it is a share or mean of."""

    value: float
    low: float
    high: float
    n: int
    pairs: int


def share(events: Array, trials: Array) -> Estimate | None:
    """A rate with its Wilson interval, from counts per pair of games.

    What happens within a pair is alike, so a pair says less than as many independent trials: the
    interval is as wide as with the effective number of trials (never more than there are). If it
    happened never or always, or there is only one pair, nothing shows how alike trials are, and a
    pair counts as one trial.
    """
    events, trials = _with_trials(events, trials)
    total = float(trials.sum())
    if not total:
        return None
    rate = float(events.sum()) / total
    pairs = len(trials)
    effective = float(pairs)
    if 0 < rate < 1 and pairs > 1:
        spread = float(((events - rate * trials) ** 2).sum()) * pairs / max(1, pairs - 1)
        effective = total / max(1.0, spread / (total * rate * (1 - rate)))
    low, high = wilson(rate, max(1.0, min(effective, total)))
    # At the edges, rounding must not leave the rate outside.
    return Estimate(rate, min(low, rate), max(high, rate), round(total), pairs)


def ratio(tops: Array, bottoms: Array, seed: int = 0, most: float = 1.0) -> Estimate | None:
    """A sum over another, such as value kept out of value available, from sums per pair of games.

    The interval is that of the bootstrap over pairs: percentiles, widened as Student's t is wider
    than the normal distribution. If all pairs agree, chance has not shown itself yet; then the
    interval is Wilson's, with a pair as one trial. ``most`` is the largest possible value.
    """
    import numpy as np

    tops, bottoms = _with_trials(tops, bottoms)
    if not len(bottoms):
        return None
    value, pairs = float(tops.sum() / bottoms.sum()), len(bottoms)
    n = round(float(bottoms.sum()))
    if np.ptp(tops / bottoms) <= 1e-12:
        low, high = (most * edge for edge in wilson(min(1.0, max(0.0, value / most)), pairs))
        return Estimate(value, min(low, value), max(high, value), n, pairs)
    low, high = np.quantile(resample(tops, bottoms, seed), _edges(pairs))
    return Estimate(value, min(float(low), value), max(float(high), value), n, pairs)


def difference(one: tuple[Array, Array], two: tuple[Array, Array], seed: int = 0) -> Estimate:
    """The first ratio minus the second, both from sums for the same pairs of games."""
    import numpy as np

    columns = np.column_stack((*one, *two)).astype(float)
    columns = columns[(columns[:, 1] > 0) | (columns[:, 3] > 0)]
    sums = columns.sum(axis=0)
    value, pairs = float(sums[0] / sums[1] - sums[2] / sums[3]), len(columns)
    kinds, counts = np.unique(columns, axis=0, return_counts=True)
    if len(kinds) > _MOST_DIFFERENT:
        parts = _parts(columns[:, 0], columns[:, 1]) - _parts(columns[:, 2], columns[:, 3])
        found = _normal(value, parts, seed)
    else:
        drawn = _draw_sums(kinds, counts, seed)
        drawn = drawn[(drawn[:, 1] > 0) & (drawn[:, 3] > 0)]
        found = drawn[:, 0] / drawn[:, 1] - drawn[:, 2] / drawn[:, 3]
    if np.ptp(found) <= 1e-12:  # all pairs agree; then what each ratio leaves open is combined
        first, second = (ratio(columns[:, at], columns[:, at + 1], seed) for at in (0, 2))
        assert first is not None
        assert second is not None
        down = float(np.hypot(first.value - first.low, second.high - second.value))
        up = float(np.hypot(first.high - first.value, second.value - second.low))
        return Estimate(value, value - down, value + up, pairs, pairs)
    low, high = np.quantile(found, _edges(pairs))
    return Estimate(value, min(float(low), value), max(float(high), value), pairs, pairs)


def resample(tops: Array, bottoms: Array, seed: int = 0) -> Array:
    """The ratio in each of many samples of pairs, drawn with replacement."""
    import numpy as np

    # Pairs with the same sums are drawn together, which is the same and much faster.
    kinds, counts = np.unique(np.column_stack((tops, bottoms)), axis=0, return_counts=True)
    if len(kinds) > _MOST_DIFFERENT:
        return _normal(tops.sum() / bottoms.sum(), _parts(tops, bottoms), seed)
    drawn = _draw_sums(kinds, counts, seed)
    return drawn[:, 0] / drawn[:, 1]


def _parts(tops: Array, bottoms: Array) -> Array:
    """By how much each pair pulls a ratio up or down."""
    return (tops - tops.sum() / bottoms.sum() * bottoms) / bottoms.sum()


def _normal(value: float, parts: Array, seed: int) -> Array:
    """A figure in each of many samples, as the normal distribution has it."""
    import numpy as np

    error = np.sqrt((parts**2).sum())
    return value + error * np.random.default_rng(seed).standard_normal(RESAMPLES)


def _draw_sums(kinds: Array, counts: Array, seed: int) -> Array:
    """The sums of every resampled tournament, a row each."""
    import numpy as np

    random, pairs = np.random.default_rng(seed), int(counts.sum())
    step = max(1, _AT_ONCE // len(kinds))
    parts = [
        random.multinomial(pairs, counts / pairs, size=min(step, RESAMPLES - at)) @ kinds
        for at in range(0, RESAMPLES, step)
    ]
    return np.concatenate(parts)


def _edges(pairs: int) -> tuple[float, float]:
    """Which percentiles to take: further out if there are few pairs."""
    from scipy import special

    pairs = max(2, pairs)
    wide = special.stdtrit(pairs - 1, (1 + LEVEL) / 2) * (pairs / (pairs - 1)) ** 0.5
    tail = float(special.ndtr(-wide))
    return tail, 1 - tail


def _with_trials(tops: Array, bottoms: Array) -> tuple[Array, Array]:
    """Only the pairs in which there was something to count."""
    import numpy as np

    tops, bottoms = np.asarray(tops, float), np.asarray(bottoms, float)
    return tops[bottoms > 0], bottoms[bottoms > 0]
