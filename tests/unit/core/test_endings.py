"""Measures of the ending declare what they look at, and are compared by exactly that."""

import pytest

from ninefold.core.game import Game
from ninefold.core.rules import Criterion, Rules
from ninefold.solver import Solver


@pytest.fixture
def ordered_count() -> Game:
    """Four numbers, no sets, and an ending that looks at the order of picks."""
    return Game(Rules((1, 2, 3, 4), (), (Criterion("longest-ascent", "higher"),)))


def test_a_measure_of_the_order_is_never_taken_from_another_order(ordered_count: Game) -> None:
    """The same numbers in another order, asked one after the other, end differently."""
    assert ordered_count.play("1 4 2 3").outcome == (1, "longest-ascent", ())
    assert ordered_count.play("2 4 1 3").outcome == (None, "draw", ())
    assert ordered_count.play("2 3 1 4").outcome == (2, "longest-ascent", ())


def test_the_solver_tells_such_positions_apart(ordered_count: Game) -> None:
    """Two hands with the same numbers are two positions, with values of their own."""
    up, down = ordered_count.play("1 4 2"), ordered_count.play("2 4 1")
    assert up.key != down.key
    solver = Solver(ordered_count)
    assert (solver.value(up), solver.value(down)) == (("loss", 1), ("draw", 1))


def test_ranks_are_kept_by_what_the_measures_look_at() -> None:
    """Who picked last matters to one measure alone."""
    game = Game(Rules((1, 2, 3), (), (Criterion("hand-sum", "higher"),)))
    same = [game.endings.rank(0b11, (1, 2), last, False) for last in (True, False)]
    assert same == [(3,), (3,)]
    game = Game(Rules((1, 2, 3), (), (Criterion("last-pick", "lower"),)))
    ranks = [game.endings.rank(0b11, (1, 2), last, False) for last in (True, False)]
    assert ranks == [(-1,), (0,)]
