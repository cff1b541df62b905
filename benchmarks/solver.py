"""Cold solves: every book and reading, tic-tac-toe beside OpenSpiel, a ladder of growing pools."""

import statistics
import sys
import time
from collections.abc import Callable
from importlib import import_module

from ninefold import books
from ninefold.core.game import Game
from ninefold.core.patterns import Pattern
from ninefold.core.rules import Rules
from ninefold.solver import TABLE_NUMBERS, Solver
from ninefold.solver.proof import ProofSearch

ROUNDS = 15
LADDER = {3: range(3, 10), 4: range(8, 21), 5: range(17, 35)}
SLOW = (28, 29, 30)


def cold(game: Game) -> tuple[Solver, float]:
    """A fresh solver that has solved the first position, and how long it took."""
    start = time.perf_counter()
    solver = Solver(game)
    solver.value(game.start())
    return solver, time.perf_counter() - start


def solve_books() -> None:
    """One line per reading: value, positions, milliseconds."""
    print(f"{'cold solve':48} {'value':>12} {'positions':>10} {'ms':>8}")
    for book in books.load_all():
        for reading in book.readings:
            game = books.load_book(book.id, reading).game
            runs = [cold(game) for _ in range(ROUNDS)]
            solver, seconds = runs[0][0], statistics.median(run[1] for run in runs)
            result, plies = solver.value(game.start())
            name, value = f"{book.id} ({reading})", f"{result} in {plies}"
            print(f"{name:48} {value:>12} {solver.positions:10,} {seconds * 1000:8.1f}")


def median(work: Callable[[], object]) -> float:
    """How many seconds a piece of work takes, as a median of several runs, each from scratch."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def rivals() -> dict[str, Callable[[], object]]:
    """OpenSpiel's ways to solve tic-tac-toe, by what they find out; imports are not timed."""
    spiel = import_module("pyspiel")
    minimax = import_module("open_spiel.python.algorithms.minimax")
    solver = import_module("open_spiel.python.algorithms.minimax_solver")
    found: dict[str, Callable[[], object]] = {
        "MinimaxSolver.solve: value of every state": lambda: solver.MinimaxSolver(
            "tic_tac_toe"
        ).solve(),
        "minimax.alpha_beta_search: value of the first state": lambda: minimax.alpha_beta_search(
            spiel.load_game("tic_tac_toe")
        ),
    }
    try:
        iteration = import_module("open_spiel.python.algorithms.value_iteration")
    except ImportError as error:
        print(f"value_iteration is left out: it needs {error.name}, which OpenSpiel does not bring")
    else:
        found["value_iteration: value of every state"] = lambda: iteration.value_iteration(
            spiel.load_game("tic_tac_toe"), depth_limit=-1, threshold=0.01
        )
    return found


def compare() -> None:
    """Magic Fifteen is tic-tac-toe under another name: OpenSpiel solves it, then Ninefold does."""
    print(f"\n{'tic-tac-toe':64} {'ms':>8} {'ratio':>8}")
    rules = books.load_book("magic-fifteen").game.rules
    ours = median(lambda: cold(Game(rules)))
    name = "Ninefold, rules compiled: value and distance of every position"
    print(f"{name:64} {ours * 1000:8.2f} {1:8.1f}")
    try:
        works = rivals()
    except ImportError:
        print("OpenSpiel is not installed here; python3 dev bench-solver installs it.")
        return
    for name, work in works.items():
        theirs = median(work)
        print(f"{'OpenSpiel, ' + name:64} {theirs * 1000:8.2f} {theirs / ours:8.1f}")


def climb(everything: bool) -> None:
    """Arithmetic progressions, a draw when the pool is exhausted: pool by pool.

    Tables up to 16 numbers, the proof search beyond; the three pools before the last win take
    minutes each and are left out unless everything is asked for.
    """
    print(f"\n{'ladder':48} {'first player':>12} {'positions':>10} {'ms':>10}")
    for length, sizes in LADDER.items():
        smallest = None
        for size in sizes:
            if size in SLOW and not everything:
                print(f"progressions of {length} in 1-{size}: left out, see --all")
                continue
            wins, positions, seconds = step(length, size)
            smallest = smallest or (size if wins else None)
            name, value = f"progressions of {length} in 1-{size}", "win" if wins else "draw"
            print(f"{name:48} {value:>12} {positions:10,} {seconds * 1000:10.1f}", flush=True)
        print(f"smallest pool of those above that the first player wins: 1-{smallest}")


def step(length: int, size: int) -> tuple[bool, int, float]:
    """Whether the first player wins one game of the ladder, the positions and seconds it took."""
    pattern = Pattern("arithmetic", (("length", length),))
    game = Game(Rules(tuple(range(1, size + 1)), (pattern,)))
    if size <= TABLE_NUMBERS:
        solver, seconds = cold(game)
        return solver.value(game.start()).result == "win", solver.positions, seconds
    start = time.perf_counter()
    search = ProofSearch(game, 1)
    wins = search.wins((0, 0), 1)
    return wins, search.positions, time.perf_counter() - start


if __name__ == "__main__":
    solve_books()
    compare()
    # Compiled before anything is timed.
    step(4, TABLE_NUMBERS + 1)
    climb("--all" in sys.argv)
