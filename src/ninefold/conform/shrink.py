"""The same difference in a fresh environment, and in a shorter game."""

from itertools import combinations

from ninefold.conform.link import Node
from ninefold.conform.walk import Case, Walk

# Longer games are shortened by one move at a time only.
PAIRS = 24


def settle(walk: Walk, case: Case) -> Case | None:
    """The case in the shortest game that can be cut out of its own; None if it does not repeat."""
    if case.action is None or case.finding.kind in ("crash", "timeout", "repeat"):
        return case
    best = _again(walk, [case.path], case, fresh=True)
    while best is not None:
        shorter = _again(walk, _cuts(walk, best), best)
        if shorter is None:
            break
        best = shorter
    return best


def _again(
    walk: Walk, paths: list[tuple[int, ...]], case: Case, fresh: bool = False
) -> Case | None:
    """The first of these ways to the action that shows a difference of the same group."""
    assert case.action is not None
    tries = ((case.action, case.follow),)
    nodes = [Node(path, tries, fresh) for path in paths]
    wanted = (case.finding.kind, case.finding.group, case.follow)
    found = None
    for node, answer in walk.link.ask(nodes):
        for again in walk.judge(node, answer):
            same = (again.finding.kind, again.finding.group, again.follow) == wanted
            found = found or (again if same else None)
    return found


def _cuts(walk: Walk, case: Case) -> list[tuple[int, ...]]:
    """Its path without one or two of its actions, the shortest first, where the judge allows it."""
    path, size = case.path, len(case.path)
    dropped = [*combinations(range(size), 2)] if size <= PAIRS else []
    dropped += [(at, at + 1) for at in range(size - 1)] if size > PAIRS else []
    paths = [
        tuple(action for at, action in enumerate(path) if at not in gone)
        for gone in (*dropped, *((at,) for at in range(size)))
    ]
    return [path for path in dict.fromkeys(paths) if _fits(walk, case, path)]


def _fits(walk: Walk, case: Case, path: tuple[int, ...]) -> bool:
    position = walk.bench.actions.follow(walk.game.start(), path)
    if position is None or position.outcome is not None:
        return False
    legal = walk.bench.actions.legal(position)
    return (case.action in legal) == case.legal and (case.follow is None or case.follow in legal)
