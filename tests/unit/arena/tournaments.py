"""Small tournaments for the tests, and all readings of all books."""

from pathlib import Path
from typing import Any

from ninefold import books
from ninefold.arena import run_tournament
from ninefold.arena.results import GAMES, read_rows

BOOKS = [(name, reading) for name in books.names() for reading in books.load_book(name).readings]
FIFTEEN = ["magic-fifteen"]


def rows_of(folder: Path, players: Any, games: Any = FIFTEEN, **settings: Any) -> list[Any]:
    """The rows of a tournament, in the order of their ids."""
    run_tournament(players, games, folder, **settings)
    return sorted(read_rows(folder), key=lambda row: str(row["id"]))


def lines_of(folder: Path) -> list[str]:
    """The lines of the file of games, sorted."""
    return sorted((folder / GAMES).read_text("utf-8").splitlines())
