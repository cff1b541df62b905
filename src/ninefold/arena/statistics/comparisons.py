"""Is one entrant better than another? Tests on pairs of games, and Holm's correction."""

from collections.abc import Sequence
from typing import Any

Array = Any


def sign_flip(differences: Array) -> float:
    """The exact two-sided p-value that whole numbers differ from 0 as far by chance alone.

    If neither entrant is better, each pair of games could as well have ended the other way round.
    All wins give 2 / 2**pairs, never 0 by rounding an estimate.
    """
    import numpy as np
    from scipy import signal, stats

    found = np.asarray(differences, int)
    sizes, counts = np.unique(np.abs(found[found != 0]), return_counts=True)
    chances, least = np.ones(1), 0  # of each sum, from the least on
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        row = np.zeros(2 * size * count + 1)
        row[:: 2 * size] = stats.binom.pmf(np.arange(count + 1), count, 0.5)
        chances = signal.convolve(chances, row, method="auto" if len(row) > 512 else "direct")
        least -= size * count
    sums = np.arange(len(chances)) + least
    return float(min(1.0, max(0.0, chances[np.abs(sums) >= abs(int(found.sum()))].sum())))


def score_test(one: tuple[Array, Array], two: tuple[Array, Array]) -> float:
    """The two-sided p-value that two ratios over the same pairs of games are one and the same.

    The variance is that under equality, so an entrant without any mistake does no harm.
    """
    import numpy as np
    from scipy import stats

    (tops, bottoms), (others, below) = (tuple(map(np.asarray, side)) for side in (one, two))
    both = (tops.sum() + others.sum()) / (bottoms.sum() + below.sum())
    parts = (tops - both * bottoms) / bottoms.sum() - (others - both * below) / below.sum()
    parts = parts[(bottoms > 0) | (below > 0)]
    error = float(np.sqrt((parts**2).sum()))
    if error == 0 or len(parts) < 2:
        return 1.0
    return float(min(1.0, 2 * stats.t.sf(abs(parts.sum()) / error, len(parts) - 1)))


def holm(values: Sequence[float]) -> list[float]:
    """The p-values corrected for their number, by Holm's method: in order, never above 1."""
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected, so_far = [0.0] * len(values), 0.0
    for rank, at in enumerate(order):
        so_far = max(so_far, min(1.0, (len(values) - rank) * values[at]))
        corrected[at] = so_far
    return corrected
