"""Books that between them use the whole rule language: the gallery, and small ones for the rest."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from contract import naive
from contract.naive_book import ROOT, readings_of, rules_of
from ninefold import books
from ninefold.core.game import Game

GALLERY = ROOT / "docs" / "gallery"
SMALL_BOOKS = Path(__file__).parent / "books"

# Brute force over everything takes its time: some of the gallery are walked on fewer numbers.
FEWER: dict[str, naive.Numbers] = {
    "both-signs": (-4, -2, -1, 0, 1, 2, 4),
    "dominoes": (11, 12, 15, 23, 24, 35, 36),
    "double-time": tuple(range(1, 8)),
    "dry-wells": tuple(range(2, 11)),
    "even-steps": tuple(range(2, 17, 2)),
    "fair-capture": tuple(range(1, 8)),
    "full-basket": (2, 3, 5, 7, 8, 9),
    "hot-potato": tuple(range(1, 8)),
    "kinship": (1, 2, 4, 6, 8, 10, 12, 14),
    "ladder-of-divisors": (2, 3, 4, 5, 6, 8, 12),
    "last-drop": (2, 3, 5, 6, 7, 8, 9),
    "locked-safe": tuple(range(2, 9)),
    "lucky-seven": (1, 2, 3, 4, 5, 6, 8),
    "prime-hunt": (1, 2, 3, 4, 5, 7, 9),
    "sum-free": tuple(range(1, 8)),
    "tic-tac-toe": tuple(range(1, 9)),
    "treasure": tuple(range(1, 8)),
    "two-paths": tuple(range(1, 8)),
    "twenty-four": (1, 2, 3, 4, 6, 8, 12),
    "twenty-one": (3, 6, 8, 9, 12),
    "two-scales": (1, 2, 4, 5, 6, 8, 9),
    "upstairs": tuple(range(1, 8)),
}


class Written(NamedTuple):
    """One reading of a book in a file, on its own pool or on fewer numbers."""

    path: Path
    reading: str = "default"
    pool: naive.Numbers = ()
    lost: bool = False

    @property
    def game(self) -> Game:
        """The engine's game, the same one each time."""
        return game_of(self.path, self.reading, self.pool)

    @property
    def rules(self) -> naive.Rules:
        """The naive game."""
        return rules_of(self.path, self.reading, self.pool)

    @property
    def misere(self) -> bool:
        """Whether completing a set loses."""
        return self.rules.misere

    def __str__(self) -> str:
        """The name the case has in test reports."""
        return f"{self.path.stem} {self.reading}{' with lost turns' * self.lost}"


@cache
def game_of(path: Path, reading: str, pool: naive.Numbers) -> Game:
    """The game as the engine reads it from the file."""
    game = books.load_book(str(path), reading).game
    return Game(game.rules._replace(pool=pool)) if pool else game


PATHS = [*sorted(GALLERY.glob("*.toml")), *sorted(SMALL_BOOKS.glob("*.toml"))]
# Each reading of each book as it stands, and as it is walked through.
AS_THEY_STAND = [Written(path, reading) for path in PATHS for reading in readings_of(path)]
WRITTEN = [case._replace(pool=FEWER.get(case.path.stem, ())) for case in AS_THEY_STAND]
