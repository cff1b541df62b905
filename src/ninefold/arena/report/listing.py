"""The list of games at the end of a page: bounded, whatever the tournament's size."""

from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from ninefold.arena.report.played import PlayedTournament
from ninefold.arena.scores.rows import read_at
from ninefold.arena.scores.table import UNKNOWN, Table
from ninefold.core.text import shorten

# Games in all, and for each pairing.
MOST_LISTED, MOST_EACH, LEAST_EACH = 1_500, 50, 3
MOST_MOVES = 400  # characters

Array = Any


class ListedGame(NamedTuple):
    """A game in a line or two."""

    id: str
    about: str
    moves: str


class Meeting(NamedTuple):
    """The games between two entrants, with some of them listed."""

    one: int
    two: int
    games: int
    listed: tuple[ListedGame, ...]


def meetings(played: PlayedTournament) -> list[Meeting]:
    """All pairings that met; games that a blunder names are always listed."""
    import numpy as np

    table = played.scores.table
    games = table.games
    low, high = np.minimum(games["one"], games["two"]), np.maximum(games["one"], games["two"])
    lost, named = _lost(table), {hash(one.game) for one in played.blunders}
    shown = np.isin(games["id"], [*named])
    found = []
    for one, two in combinations_with_replacement(sorted(played.scores.entrants), 2):
        places = np.flatnonzero((low == one) & (high == two))
        if len(places):
            order = places[np.lexsort((places, -lost[places], ~shown[places]))]
            found.append((one, two, order))
    each = max(LEAST_EACH, min(MOST_EACH, MOST_LISTED // max(1, len(found))))
    return [
        Meeting(
            one,
            two,
            len(order),
            tuple(_listed(played, int(at)) for at in order[: max(each, int(shown[order].sum()))]),
        )
        for one, two, order in found
    ]


def _lost(table: Table) -> Array:
    """The value lost in each game by both players."""
    import numpy as np

    rows = table.decisions
    known = (rows["before"] != UNKNOWN) & (rows["after"] != UNKNOWN)
    lost = np.where(known, rows["before"].astype(float) - rows["after"], 0.0)
    return np.bincount(rows["game"], weights=lost, minlength=len(table.games["cell"])) / 2


def _listed(played: PlayedTournament, at: int) -> ListedGame:
    table = played.scores.table
    row = read_at(played.folder, int(table.games["offset"][at]))
    one, two = row["players"]
    ended = f"{row['players'][row['winner'] - 1]} won" if row["winner"] else "drawn"
    label = played.label(int(table.games["cell"][at]))
    seats = f"{one} (Player 1) and {two} (Player 2)"
    about = f"{label}: {seats}; {ended} ({shorten(row['reason'], 40)})"
    opening = f"Opening {row['opening']}, then " if row["opening"] else ""
    moves = shorten(f"{opening}{row['moves'] or 'no moves'}", MOST_MOVES)
    return ListedGame(row["id"], about, moves)
