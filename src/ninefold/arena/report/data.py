"""The report as data, for programs: plain lists, tables and numbers."""

from typing import Any

from ninefold import __version__
from ninefold.arena.report import blunders
from ninefold.arena.report.course import describe_course
from ninefold.arena.report.played import PlayedTournament
from ninefold.arena.statistics.ratings import Rating, Ratings

FORMAT = "ninefold-arena-report-1"


def as_data(played: PlayedTournament) -> dict[str, Any]:
    """The whole report."""
    scores = played.scores
    table = scores.table
    return {
        "format": FORMAT,
        "ninefold": __version__,
        "tournament": _plain(played.settings),
        "notes": describe_course(played.folder, played.settings),
        "games": len(table.games["cell"]),
        "pairs": table.pairs,
        "cells": [
            {
                **table.cells[cell]._asdict(),
                "openings": table.openings[cell],
                "games": int((table.games["cell"] == cell).sum()),
                "first_move": scores.ratings.first_move[cell],
                "not_judged": table.unjudged.get(cell),
            }
            for cell in scores.cells
        ],
        "entrants": [_entrant(played, player) for player in scores.entrants],
        "rating_base": [played.name(player) for player in scores.ratings.base],
        "comparisons": [
            {**_plain(one), "one": played.name(one.one), "two": played.name(one.two)}
            for one in scores.comparisons
        ],
        "blunders": [
            blunders.as_data(one, played.name(one.player), played.label(one.cell))
            for one in played.blunders
        ],
        "damaged": [{"line": number, "reason": why} for number, why in table.damaged],
        "damaged_lines": table.damaged_count,
        "games_twice": table.doubled,
    }


def _entrant(played: PlayedTournament, player: int) -> dict[str, Any]:
    scores = played.scores
    by_game = {
        played.label(cell): _plain(found)
        for (one, cell), found in scores.by_cell.items()
        if one == player
    }
    return {
        "name": played.name(player),
        **_plain(scores.figures[player]),
        "rating": _rating(scores.ratings, player),
        "rating_without_forfeits": _rating(scores.ratings_without_forfeits, player),
        "by_game": by_game,
    }


def _rating(ratings: Ratings | None, player: int) -> dict[str, Any] | None:
    found: Rating | None = None if ratings is None else ratings.entrants[player]
    return None if found is None else found._asdict()


def _plain(value: Any) -> Any:
    """A figure as data: its fields by their names."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
