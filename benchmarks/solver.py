"""Cold solves: every book and reading from its first position, and a ladder of growing pools."""

import statistics
import time

from ninefold import books
from ninefold.core.game import Game
from ninefold.core.patterns import Pattern
from ninefold.core.rules import Rules
from ninefold.solver import Solver

ROUNDS = 5
LADDER = {3: range(5, 10), 4: range(8, 15)}


def cold(game: Game) -> tuple[Solver, float]:
    """A fresh solver that has solved the first position, and how long it took."""
    start = time.perf_counter()
    solver = Solver(game)
    solver.value(game.start())
    return solver, time.perf_counter() - start


def solve_books() -> None:
    """One line a reading: value, positions, milliseconds."""
    print(f"{'cold solve':48} {'value':>12} {'positions':>10} {'ms':>8}")
    for book in books.load_all():
        for reading in book.readings:
            game = books.load(book.id, reading).game
            runs = [cold(game) for _ in range(ROUNDS)]
            solver, seconds = runs[0][0], statistics.median(run[1] for run in runs)
            result, plies = solver.value(game.start())
            name, value = f"{book.id} ({reading})", f"{result} in {plies}"
            print(f"{name:48} {value:>12} {solver.positions:10,} {seconds * 1000:8.1f}")


def climb() -> None:
    """Arithmetic progressions, a draw when the pool is exhausted: pool by pool."""
    print(f"\n{'ladder':48} {'value':>12} {'positions':>10} {'ms':>8}")
    for length, sizes in LADDER.items():
        for size in sizes:
            pattern = Pattern("arithmetic", (("length", length),))
            game = Game(Rules(tuple(range(1, size + 1)), (pattern,)))
            solver, seconds = cold(game)
            result, plies = solver.value(game.start())
            name, value = f"progressions of {length} in 1-{size}", f"{result} in {plies}"
            print(f"{name:48} {value:>12} {solver.positions:10,} {seconds * 1000:8.1f}")


if __name__ == "__main__":
    solve_books()
    climb()
