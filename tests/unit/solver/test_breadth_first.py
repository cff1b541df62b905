"""The breadth-first walk that every search for positions shares."""

from itertools import islice

import pytest

from ninefold import load
from ninefold.core.position import Position
from ninefold.solver.breadth_first import BreadthFirst, TooLarge, legal_steps, position_key


def _doubling(most: int | None = None) -> BreadthFirst[int, str]:
    """From n to 2n and n + 1, up to 10."""

    def steps(n: int) -> list[tuple[str, int]]:
        return [(name, to) for name, to in (("x2", 2 * n), ("+1", n + 1)) if to <= 10]

    return BreadthFirst(1, steps, lambda n: n, most)


def test_every_node_is_found_once_the_nearest_first() -> None:
    """1 leads to 2, that to 4 and 3, these to 8 and 5, and to 6."""
    walk = _doubling()
    assert [walk.nodes[at] for at in walk] == [1, 2, 4, 3, 8, 5, 6, 9, 10, 7]


def test_a_path_is_a_shortest_one() -> None:
    """10 is reached by doubling 5."""
    walk = _doubling()
    list(walk)
    at = walk.index(10)
    assert at is not None and walk.path(at) == ("x2", "x2", "+1", "x2")


def test_children_are_the_indices_the_steps_lead_to() -> None:
    """From 3, the steps lead to 6 and back to 4."""
    walk = _doubling()
    list(walk)
    at = walk.index(3)
    assert at is not None
    assert [walk.nodes[child] for child in walk.children[at]] == [6, 4]


def test_a_walk_stops_and_goes_on() -> None:
    """What a first loop left is visited by the next, which starts from the beginning."""
    walk = _doubling()
    assert [walk.nodes[at] for at in islice(walk, 3)] == [1, 2, 4]
    assert len([*walk]) == 10


def test_more_nodes_than_allowed_are_refused() -> None:
    """There are ten nodes: nine are too few, ten are enough."""
    with pytest.raises(TooLarge):
        list(_doubling(9))
    assert len([*_doubling(10)]) == 10


def test_positions_are_walked_by_their_legal_moves() -> None:
    """Tic-tac-toe has 5,478 reachable positions."""
    start: Position = load("magic-fifteen").start()
    walk = BreadthFirst(start, legal_steps, position_key)
    assert len([*walk]) == 5478
