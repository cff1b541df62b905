"""Round robin (everybody against everybody) and gauntlet (the first against everybody else)."""

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from ninefold.arena.formats.pairing import Pairing, Results

if TYPE_CHECKING:
    from ninefold.arena.tournament import Tournament


class AllPlay:
    """One round with all its pairings."""

    needs_results = False
    players = 2, "at least two players"

    def __init__(self, is_gauntlet: bool) -> None:
        self._is_gauntlet = is_gauntlet

    def _pairs(self, tournament: "Tournament") -> list[tuple[int, int]]:
        pairs = combinations(range(len(tournament.players)), 2)
        return [pair for pair in pairs if not self._is_gauntlet or pair[0] == 0]

    def most_pairings(self, tournament: "Tournament") -> int:
        """Every pairing, once."""
        return len(self._pairs(tournament))

    def next_round(self, tournament: "Tournament", results: Results) -> Sequence[Pairing]:
        """All pairings, if they were not played yet."""
        if results.rounds:
            return ()
        return [
            Pairing(1, game, *pair, 0, tournament.pairs(game))
            for game in range(len(tournament.games))
            for pair in self._pairs(tournament)
        ]


ROUND_ROBIN, GAUNTLET = AllPlay(False), AllPlay(True)
