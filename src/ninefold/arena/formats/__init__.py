"""Formats: which pairings a round has. A round is decided only by complete rounds before it.

So the same tournament has the same games however many processes play it, and however often they
were interrupted.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ninefold.arena.formats.all_play import GAUNTLET, ROUND_ROBIN
from ninefold.arena.formats.pairing import Pairing, Results
from ninefold.arena.formats.sequential import SEQUENTIAL, Hypotheses, Verdict
from ninefold.arena.formats.swiss import SWISS

if TYPE_CHECKING:
    from ninefold.arena.tournament import Tournament

__all__ = ["FORMATS", "Format", "Hypotheses", "Pairing", "Results", "Verdict"]


class Format(Protocol):
    """How a tournament is organised."""

    needs_results: bool  # whether results decide what is played

    @property
    def players(self) -> tuple[int, str]:
        """The least number of players, and how many are expected, in words."""

    def most_pairings(self, tournament: "Tournament") -> int:
        """How many pairings there can be at each game."""

    def next_round(self, tournament: "Tournament", results: Results) -> Sequence[Pairing]:
        """The pairings of the next round, after these complete ones; empty: it is over."""


FORMATS: Mapping[str, Format] = {
    "round-robin": ROUND_ROBIN,
    "gauntlet": GAUNTLET,
    "swiss": SWISS,
    "sequential": SEQUENTIAL,
}
