"""Threads share the solver of a game: a hint, a review and a computer player may search at once."""

from collections.abc import Callable
from threading import Event, Thread

import pytest

from ninefold.books import load_book
from ninefold.core.position import Position
from ninefold.solver import Solver

QUESTIONS: list[Callable[[Solver, Position], object]] = [
    Solver.value,
    Solver.result,
    Solver.score,
    Solver.best,
    Solver.tabulate,
]


@pytest.mark.parametrize("ask", QUESTIONS)
def test_a_search_waits_for_that_of_another_thread(
    ask: Callable[[Solver, Position], object],
) -> None:
    """Two at once in the same compiled arrays crashed the program, or proved what is not so."""
    game = load_book("sequence-capture").game
    solver, answered = Solver(game), Event()

    def search() -> None:
        ask(solver, game.start())
        answered.set()

    with solver.limited(lambda _: False):
        thread = Thread(target=search)
        thread.start()
        assert not answered.wait(0.5)
    thread.join()
    assert answered.is_set()


def test_two_threads_find_the_same_as_one() -> None:
    """A budget belongs to the thread that set it."""
    game = load_book("sequence-capture").game
    solver, found = Solver(game), list[object]()
    thread = Thread(target=lambda: found.append(solver.value(game.start())))
    with solver.limited(lambda _: True):
        thread.start()
        assert solver.value(game.start()).result == "unknown"
    thread.join()
    assert found == [Solver(game).value(game.start())]
