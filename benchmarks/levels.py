"""How the levels fare against each other, and how often they throw a won position away.

Prints the tables of docs/players.md. Every game is decided by the seeds alone, so a second run
prints the same.
"""

from collections import Counter
from itertools import product

from ninefold import books
from ninefold.core.game import Game
from ninefold.players import LEVELS, Chance, Player, make
from ninefold.solver import Solver

GAMES = 200
BOOKS = [book for book in books.load_all() if book.id != "magic-fifteen"]


class Slips:
    """Counts decisions in won positions, and those after which the position was lost."""

    def __init__(self) -> None:
        self.won: Counter[int] = Counter()
        self.thrown: Counter[int] = Counter()

    def share(self, level: int) -> float:
        """The share of won positions that the level turned into lost ones."""
        return self.thrown[level] / max(1, self.won[level])


def computer(level: int) -> Player:
    """The player of this level."""
    player = make(f"level:{level}")
    assert player is not None
    return player


def play(
    game: Game, solver: Solver, levels: tuple[int, int], seed: int, slips: Slips
) -> int | None:
    """The winner of one game; the first level has the first move."""
    position, chance, ply = game.start(), Chance(seed), 0
    while position.outcome is None:
        level = levels[position.turn - 1]
        move = computer(level).choose(position, ply, chance)
        if solver.score(position) > 0:
            slips.won[level] += 1
            slips.thrown[level] += solver.move_score(position, move) < 0
        position = position.play(move)
        ply += 1
    return position.outcome.winner


def main() -> None:
    """Play every pairing in every book, and print the tables."""
    slips = Slips()
    wins: Counter[tuple[int, int]] = Counter()
    for book in BOOKS:
        solver = Solver(book.game)
        for pair in product(LEVELS, LEVELS):
            for seed in range(GAMES):
                wins[pair] += play(book.game, solver, pair, seed, slips) == 1
    total = GAMES * len(BOOKS)
    print("| first \\ second | " + " | ".join(f"level {level}" for level in LEVELS) + " |")
    print("|---" * (len(LEVELS) + 1) + "|")
    for first in LEVELS:
        cells = " | ".join(f"{wins[first, second] / total:.0%}" for second in LEVELS)
        print(f"| **level {first}** | {cells} |")
    print("\n| level | won positions turned into lost ones |\n|---|---|")
    for level in LEVELS:
        print(f"| {level} | {slips.share(level):.1%} of {slips.won[level]:,} |")


if __name__ == "__main__":
    main()
