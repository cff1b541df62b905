"""The Wilson interval of a share."""

from math import sqrt

DEVIATES = 1.959963984540054  # 95 in 100 lie within this many standard deviations


def wilson(share: float, trials: float) -> tuple[float, float]:
    """The 95% confidence interval of a share seen in this many trials."""
    square = DEVIATES**2
    centre = (share + square / (2 * trials)) / (1 + square / trials)
    spread = share * (1 - share) / trials + square / (4 * trials**2)
    wide = DEVIATES * sqrt(spread) / (1 + square / trials)
    return max(0.0, centre - wide), min(1.0, centre + wide)
