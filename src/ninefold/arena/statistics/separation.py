"""Which ratings the games leave open: only wins or only losses give a bound, no estimate."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ninefold.arena.statistics.ratings import Model, Results

Array = Any
# Twice the logarithm of the likelihood may fall so far within a 95% interval.
_FALL = 3.841458820694124
_FURTHEST = 40.0  # strengths; no games bound a rating beyond


def base_of(results: "Results", entrants: int) -> tuple[int, ...]:
    """The largest group of entrants that results tie together, whose average rating is 0.

    Two entrants are tied together if each scored, directly or through others, against the other.
    """
    import numpy as np
    from scipy import sparse
    from scipy.sparse import csgraph

    one, two, ends = results.first, results.second, results.ends
    up, down = ends < 2, ends > 0  # who moved first scored; who moved second did
    tails = np.concatenate((one[up], two[down]))
    heads = np.concatenate((two[up], one[down]))
    links = sparse.coo_array((np.ones(len(tails)), (tails, heads)), shape=(entrants, entrants))
    _, groups = csgraph.connected_components(links.tocsr(), connection="strong")
    games = np.bincount(np.concatenate((one, two)), minlength=entrants)
    played = np.bincount(groups, weights=games)
    sizes = np.bincount(groups)
    best = max(range(len(sizes)), key=lambda group: (sizes[group], played[group], -group))
    return tuple(np.flatnonzero(groups == best).tolist())


def unbounded(model: "Model", contrasts: Array) -> list[tuple[bool, bool]]:
    """Whether each contrast of the parameters can fall, or rise, forever at no cost."""
    import numpy as np

    edges = _edges(model)
    if not _is_separated(edges):
        # Then only what no game touches is open: contrasts outside of what the games span.
        return [(open_, open_) for open_ in _outside(edges, contrasts)]
    found = []
    for contrast in np.atleast_2d(contrasts):
        reach = [_furthest(edges, sign * contrast) > 1e-7 for sign in (-1, 1)]
        found.append((reach[0], reach[1]))
    return found


def bounds(model: "Model", contrast: Array, *, up: bool, weight: float) -> float:
    """The one finite end of an interval, where the profile likelihood has fallen far enough.

    A game counts ``weight``: less than 1, as games of a pair may be alike.
    """
    from scipy import optimize

    from ninefold.arena.statistics.ratings import maximize, objective

    best = objective(model, maximize(model))
    sign = 1.0 if up else -1.0

    def fall(distance: float) -> float:
        held = contrast, sign * distance
        return 2 * weight * (best - objective(model, maximize(model, held))) - _FALL

    if fall(-_FURTHEST) < 0:
        return -sign * _FURTHEST
    return sign * float(optimize.brentq(fall, -_FURTHEST, _FURTHEST, xtol=1e-4))


def _edges(model: "Model") -> Array:
    """Directions that must not be walked against: a row for each end seen and each other end."""
    import numpy as np

    sides = np.stack((model.strengths / 2, model.draws, -model.strengths / 2), axis=1)
    rows = []
    for end in range(3):
        for other in range(3):
            if end != other:
                seen = model.counts[:, end] > 0
                seen &= model.drawn | (other != 1)
                rows.append(sides[seen, end] - sides[seen, other])
    return np.unique(np.concatenate(rows), axis=0)


def _is_separated(edges: Array) -> bool:
    """Whether some direction makes what was seen ever more likely."""
    return _furthest(edges, edges.sum(axis=0)) > 1e-7


def _furthest(edges: Array, goal: Array) -> float:
    """How far one can walk towards a goal within a box, against no edge."""
    import numpy as np
    from scipy import optimize

    found = optimize.linprog(-goal, A_ub=-edges, b_ub=np.zeros(len(edges)), bounds=(-1, 1))
    return float(-found.fun)


def _outside(edges: Array, contrasts: Array) -> list[bool]:
    """Whether each contrast is more than a sum of rows."""
    import numpy as np

    basis = np.linalg.pinv(edges) @ edges
    rest = np.atleast_2d(contrasts) @ (np.eye(edges.shape[1]) - basis)
    return [bool(row) for row in np.abs(rest).max(axis=1) > 1e-6]
