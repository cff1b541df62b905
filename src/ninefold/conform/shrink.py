"""Repeats a difference in a new environment, and in the shortest game that shows it."""

from itertools import combinations

from ninefold.conform.environment import Probe
from ninefold.conform.explore import Case, Explorer

# In longer games, only neighbouring pairs of moves are removed.
PAIRS = 24


def settle(explorer: Explorer, case: Case) -> Case | None:
    """The case in the shortest part of its game that shows it; None if it does not repeat."""
    if case.action is None or case.finding.kind in ("crash", "timeout", "repeat"):
        return case
    best = _again(explorer, [case.path], case, fresh=True)
    while best is not None:
        shorter = _again(explorer, _cuts(explorer, best), best)
        if shorter is None:
            break
        best = shorter
    return best


def _again(
    explorer: Explorer, paths: list[tuple[int, ...]], case: Case, fresh: bool = False
) -> Case | None:
    """The first of these paths that shows a difference of the same group."""
    assert case.action is not None
    tries = ((case.action, case.follow),)
    probes = [Probe(path, tries, fresh) for path in paths]
    wanted = (case.finding.kind, case.finding.group, case.follow)
    found = None
    for probe, answer in explorer.env.ask(probes):
        for again in explorer.judge(probe, answer):
            same = (again.finding.kind, again.finding.group, again.follow) == wanted
            found = found or (again if same else None)
    return found


def _cuts(explorer: Explorer, case: Case) -> list[tuple[int, ...]]:
    """Legal paths with one or two actions removed, the shortest first."""
    path, size = case.path, len(case.path)
    dropped = [*combinations(range(size), 2)] if size <= PAIRS else []
    dropped += [(at, at + 1) for at in range(size - 1)] if size > PAIRS else []
    paths = [
        tuple(action for at, action in enumerate(path) if at not in gone)
        for gone in (*dropped, *((at,) for at in range(size)))
    ]
    return [path for path in dict.fromkeys(paths) if _fits(explorer, case, path)]


def _fits(explorer: Explorer, case: Case, path: tuple[int, ...]) -> bool:
    position = explorer.comparison.actions.follow(explorer.game.start(), path)
    if position is None or position.outcome is not None:
        return False
    legal = explorer.comparison.actions.legal(position)
    return (case.action in legal) == case.legal and (case.follow is None or case.follow in legal)
