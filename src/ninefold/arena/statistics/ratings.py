"""Ratings: the Bradley-Terry model with Davidson's draws, and a first-move term for each game.

The player who moves first wins, draws or loses with weights exp(s / 2), exp(d) and exp(-s / 2).
Here s is the difference of the two strengths plus the advantage of the first move in this game, and
d how drawish the game is. Intervals are those of the sandwich estimator over pairs of games.
"""

from math import log
from typing import Any, Literal, NamedTuple

Array = Any
ELO = 400 / log(10)
# Keeps every strength finite, and changes none that the games determine.
_RIDGE = 1e-6
_ROUNDS, _CLOSE = 100, 1e-9
# A smaller share of the variance of games that stand alone is only rounding.
_AGREE = 1e-9
WIN, DRAW, LOSS = 0, 1, 2

Kind = Literal["estimate", "at-least", "at-most", "open"]


class Results(NamedTuple):
    """Games as arrays: which game it was, who moved first, who second, how it ended, which pair."""

    cells: Array
    first: Array
    second: Array
    ends: Array  # WIN, DRAW or LOSS of who moved first
    pairs: Array


class Rating(NamedTuple):
    """A rating on the scale of Elo; with only wins or losses there is a bound, but no estimate."""

    kind: Kind
    value: float | None
    low: float | None
    high: float | None
    games: int


class Ratings(NamedTuple):
    """The ratings of all entrants; 0 is the average of ``base``."""

    entrants: tuple[Rating, ...]
    base: tuple[int, ...]
    first_move: tuple[float | None, ...]  # the advantage of the first move in each game


class Fit(NamedTuple):
    """The most likely parameters, and what was fitted."""

    model: "Model"
    found: Array
    spread: Array  # the covariance, by the sandwich over pairs
    alone: Array  # the covariance if every game stood alone
    pairs: int


class Model(NamedTuple):
    """All different pairings of a tournament with their counts, as rows of a design."""

    entrants: int
    strengths: Array  # pairings x parameters
    draws: Array
    drawn: Array  # whether a pairing can be drawn at all
    counts: Array  # pairings x (win, draw, loss)
    types: Array  # of each game: 3 * pairing + how it ended


def rate(results: Results, entrants: int, cells: int) -> Ratings:
    """The ratings of so many entrants in so many games."""
    import numpy as np

    from ninefold.arena.statistics.separation import base_of, bounds, unbounded

    model, kept = build(results, entrants, cells)
    base = base_of(results, entrants)
    games = np.bincount(np.concatenate((results.first, results.second)), minlength=entrants)
    if not len(model.counts):
        nothing = tuple(Rating("open", None, None, None, int(count)) for count in games)
        return Ratings(nothing, base, (None,) * cells)
    fit = fit_model(model, results.pairs[kept])
    contrasts = np.zeros((entrants, model.strengths.shape[1]))
    contrasts[:, :entrants] = np.eye(entrants)
    contrasts[:, list(base)] -= 1 / len(base)
    directions = unbounded(model, contrasts)
    wide = _quantile(fit)
    rated = []
    for at, (contrast, (down, up)) in enumerate(zip(contrasts, directions, strict=True)):
        count = int(games[at])
        if (down and up) or not count:
            rated.append(Rating("open", None, None, None, count))
        elif down or up:
            edge = ELO * bounds(model, contrast, up=up, weight=_weight(fit))
            low, high = (edge, None) if up else (None, edge)
            rated.append(Rating("at-least" if up else "at-most", None, low, high, count))
        else:
            value = float(contrast @ fit.found)
            error = wide * _error(fit, contrast)
            edges = ELO * (value - error), ELO * (value + error)
            rated.append(Rating("estimate", ELO * value, *edges, count))
    return Ratings(tuple(rated), base, _first_moves(model, fit, entrants, cells))


def build(results: Results, entrants: int, cells: int) -> tuple[Model, Array]:
    """The model of these games, and which of them count: a game that is always drawn says nothing.

    The parameters are the strengths, then the first move and the draws of each game.
    """
    import numpy as np

    by_end = np.zeros((cells, 3), int)
    np.add.at(by_end, (results.cells, results.ends), 1)
    only_drawn = by_end[:, [WIN, LOSS]].sum(axis=1) == 0
    kept = ~only_drawn[results.cells] & (results.first != results.second)
    cell, one, two, ends = (part[kept] for part in results[:4])
    codes = (cell.astype(np.int64) * entrants + one) * entrants + two
    different, at = np.unique(codes, return_inverse=True)
    cell, one, two = (
        different // entrants**2,
        different // entrants % entrants,
        different % entrants,
    )
    rows = np.arange(len(different))
    strengths = np.zeros((len(different), entrants + 2 * cells))
    draws = np.zeros_like(strengths)
    strengths[rows, one] += 1
    strengths[rows, two] -= 1
    strengths[rows, entrants + cell] = 1
    draws[rows, entrants + cells + cell] = 1
    counts = np.bincount(3 * at + ends, minlength=3 * len(different)).reshape(-1, 3)
    drawn = by_end[cell, DRAW] > 0
    return Model(entrants, strengths, draws, drawn, counts.astype(float), 3 * at + ends), kept


def fit_model(model: Model, pairs: Array) -> Fit:
    """The most likely parameters, and their covariance."""
    found = maximize(model)
    _, bread = _slopes(model, found)
    scores = _scores(model, found)
    meat, clusters = _meat(model, pairs, scores)
    from scipy import linalg

    inverse = linalg.inv(bread)
    spread = inverse @ meat @ inverse * (clusters / max(1, clusters - 1))
    return Fit(model, found, spread, inverse, clusters)


def maximize(model: Model, held: tuple[Array, float] | None = None) -> Array:
    """The most likely parameters; ``held`` is a contrast of them and what it must be."""
    import numpy as np
    from scipy import linalg

    found = np.zeros(model.strengths.shape[1])
    best = objective(model, found, held)
    for _ in range(_ROUNDS):
        slope, curve = _slopes(model, found, held)
        step, size = linalg.solve(curve, slope, assume_a="pos"), 1.0
        step *= min(1.0, 5 / max(1e-12, float(np.abs(step).max())))
        while (value := objective(model, found + size * step, held)) < best and size > 1e-6:
            size /= 2
        found, best = found + size * step, max(value, best)
        if np.abs(step).max() < _CLOSE or float(slope @ step) < _CLOSE**1.5:
            break
    return found


_HOLD = 1e6  # how firmly a contrast is held


def objective(model: Model, found: Array, held: tuple[Array, float] | None = None) -> float:
    """The logarithm of the likelihood, less what keeps it finite."""
    import numpy as np

    logs = _logs(model, found)
    value = float((np.where(model.counts > 0, logs, 0.0) * model.counts).sum())
    value -= _RIDGE / 2 * float(found @ found)
    return value if held is None else value - _HOLD / 2 * float(held[0] @ found - held[1]) ** 2


def _logs(model: Model, found: Array) -> Array:
    """The logarithm of the chance of each end of each pairing."""
    import numpy as np

    half = model.strengths @ found / 2
    draws = np.where(model.drawn, model.draws @ found, -np.inf)
    logs = np.column_stack((half, draws, -half))
    top = np.maximum(np.abs(half), draws)[:, None]
    return logs - top - np.log(np.exp(logs - top).sum(axis=1, keepdims=True))


def _slopes(
    model: Model, found: Array, held: tuple[Array, float] | None = None
) -> tuple[Array, Array]:
    """The gradient of the objective, and minus its second derivatives."""
    import numpy as np

    win, draw, loss = np.exp(_logs(model, found)).T
    counts, games = model.counts, model.counts.sum(axis=1)
    lead = (win - loss) / 2
    slope = model.strengths.T @ ((counts[:, WIN] - counts[:, LOSS]) / 2 - games * lead)
    slope += model.draws.T @ (counts[:, DRAW] - games * draw) - _RIDGE * found
    mixed = model.strengths.T * (-games * draw * lead) @ model.draws
    curve = model.strengths.T * (games * ((win + loss) / 4 - lead**2)) @ model.strengths
    curve += mixed + mixed.T + model.draws.T * (games * draw * (1 - draw)) @ model.draws
    curve += _RIDGE * np.eye(len(found))
    if held is not None:
        contrast, value = held
        slope -= _HOLD * (contrast @ found - value) * contrast
        curve += _HOLD * np.outer(contrast, contrast)
    return slope, curve


def _scores(model: Model, found: Array) -> Array:
    """What one game of each kind adds to the gradient, a row for each pairing and end."""
    import numpy as np

    win, draw, loss = np.exp(_logs(model, found)).T
    lead = (win - loss) / 2
    rows = np.zeros((len(win), 3, len(found)))
    for end, gain in ((WIN, 0.5), (DRAW, 0.0), (LOSS, -0.5)):
        rows[:, end] = model.strengths * (gain - lead)[:, None]
        rows[:, end] += model.draws * ((end == DRAW) - draw)[:, None]
    return rows.reshape(-1, len(found))


def _meat(model: Model, pairs: Array, scores: Array) -> tuple[Array, int]:
    """The sum over pairs of games of the squares of their gradients, and how many pairs."""
    import numpy as np
    from scipy import sparse

    _, at = np.unique(pairs, return_inverse=True)
    clusters = int(at.max()) + 1
    shape = clusters, len(scores)
    together = sparse.coo_array((np.ones(len(at)), (at, model.types)), shape=shape).tocsr()
    return scores.T @ ((together.T @ together) @ scores), clusters


def _error(fit: Fit, contrast: Array) -> float:
    """The standard error of a contrast.

    If all pairs agree, chance has not shown itself yet; then a pair counts as one game.
    """
    variance, alone = (float(contrast @ one @ contrast) for one in (fit.spread, fit.alone))
    if variance < _AGREE * alone:
        variance = alone / _weight(fit)
    return float(max(0.0, variance) ** 0.5)


def _quantile(fit: Fit) -> float:
    """How many standard errors an interval is wide: as in Student's t, for few pairs."""
    from scipy import special

    degrees = max(1, fit.pairs - fit.model.entrants)
    return float(special.stdtrit(degrees, 0.975))


def _weight(fit: Fit) -> float:
    """What a game counts if a pair of games is to count once."""
    return fit.pairs / float(fit.model.counts.sum())


def _first_moves(model: Model, fit: Fit, entrants: int, cells: int) -> tuple[float | None, ...]:
    """The advantage of the first move in each game, where the games determine it."""
    import numpy as np

    from ninefold.arena.statistics.separation import unbounded

    contrasts = np.eye(model.strengths.shape[1])[entrants : entrants + cells]
    used = model.strengths[:, entrants : entrants + cells].any(axis=0)
    return tuple(
        ELO * float(contrast @ fit.found) if there and not (down or up) else None
        for contrast, there, (down, up) in zip(
            contrasts, used, unbounded(model, contrasts), strict=True
        )
    )
