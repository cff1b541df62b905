"""A tournament as its report sees it: the scores, the settings, and the worst blunders."""

from pathlib import Path
from typing import Any, NamedTuple

from ninefold.arena.report.blunders import Blunder, worst_blunders
from ninefold.arena.scores import Scores, score
from ninefold.arena.scores.rules import tournament_of


class PlayedTournament(NamedTuple):
    """Everything that a report is written from."""

    folder: Path
    settings: dict[str, Any]  # the fields of the tournament, as they are written
    scores: Scores
    blunders: tuple[Blunder, ...]

    def name(self, player: int) -> str:
        """The name of an entrant."""
        return self.scores.table.names[player]

    def label(self, cell: int) -> str:
        """What a game of the tournament is called."""
        return self.scores.table.cells[cell].label


def read_played(folder: Path) -> PlayedTournament:
    """Read a tournament and compute its scores; raises NinefoldError."""
    scores = score(folder)
    return PlayedTournament(folder, tournament_of(folder), scores, worst_blunders(folder, scores))
