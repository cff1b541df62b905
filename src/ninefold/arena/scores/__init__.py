"""Scores: everything that is computed from the games of a tournament, with intervals."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ninefold.arena.scores.compare import Comparison, compare
from ninefold.arena.scores.figures import Figures, figures_of
from ninefold.arena.scores.table import Table, read_table
from ninefold.arena.statistics.ratings import LOSS, WIN, Ratings, Results, rate
from ninefold.core.errors import NinefoldError
from ninefold.core.text import plural
from ninefold.require import require_package

# More figures of entrants in single games, and more comparisons, would take too long to read.
MOST_FIGURES, MOST_COMPARED = 400, 40


class Scores(NamedTuple):
    """The scores of a tournament; entrants and games are named by their places in the table."""

    table: Table
    entrants: tuple[int, ...]  # those that played, the best first
    cells: tuple[int, ...]
    figures: Mapping[int, Figures]
    by_cell: Mapping[tuple[int, int], Figures]  # by entrant and game, if there are several games
    ratings: Ratings
    ratings_without_forfeits: Ratings | None  # if there were any
    comparisons: tuple[Comparison, ...]


def score(folder: Path) -> Scores:
    """The scores of the tournament in a folder; raises NinefoldError."""
    for package in ("numpy", "scipy"):
        require_package(package, "arena")
    table = read_table(folder)
    if not len(table.games["cell"]):
        reason = f"There are no finished games in {folder}.{_damaged(table)}"
        raise NinefoldError("no-games", reason, f"Play them with: ninefold arena resume {folder}")
    return scores_of(table)


def _damaged(table: Table) -> str:
    """How many lines are damaged, and what is wrong with the first."""
    if not table.damaged:
        return ""
    count, (number, why) = table.damaged_count, table.damaged[0]
    are = "is" if count == 1 else "are"
    return f" {plural(count, 'line')} {are} damaged. Line {number}: {why}."


def scores_of(table: Table) -> Scores:
    """The scores of these games."""
    played = sorted({*table.games["one"].tolist(), *table.games["two"].tolist()})
    cells = sorted({*table.games["cell"].tolist()})
    figures = {player: figures_of(table, player) for player in played}
    order = sorted(played, key=lambda player: _rank(figures[player]))
    several = len(cells) > 1 and len(cells) * len(played) <= MOST_FIGURES
    by_cell = {
        (player, cell): found
        for player in order * several
        for cell in cells
        if (found := figures_of(table, player, cell)).games
    }
    has_forfeits = bool((table.games["forfeit"] > 0).any())
    return Scores(
        table,
        tuple(order),
        tuple(cells),
        figures,
        by_cell,
        _ratings(table, forfeits=True),
        _ratings(table, forfeits=False) if has_forfeits else None,
        compare(table, order) if len(order) <= MOST_COMPARED else (),
    )


def _rank(figures: Figures) -> tuple[float, float]:
    """The order of tables: by value kept, then by score."""
    kept, points = figures.kept.both, figures.results.score
    return -(kept.value if kept else -1.0), -(points.value if points else -1.0)


def _ratings(table: Table, *, forfeits: bool) -> Ratings:
    """The ratings from all games, or from those that nobody forfeited."""
    import numpy as np

    games = table.games
    used = np.ones(len(games["cell"]), bool) if forfeits else games["forfeit"] == 0
    cell, one, two, began, winner, pair = (
        games[name][used].astype(np.int64)
        for name in ("cell", "one", "two", "first", "winner", "pair")
    )
    first, second = np.where(began == 1, one, two), np.where(began == 1, two, one)
    ends = np.where(winner == 0, 1, np.where(winner == began, WIN, LOSS))
    return rate(Results(cell, first, second, ends, pair), len(table.names), len(table.cells))
