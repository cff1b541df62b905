"""A series of games: first to so many wins, the loser of a game starts the next."""

from typing import NamedTuple


def game_name(match: str, number: int) -> str:
    """The name of the first, second, … game of the match with this name."""
    return match if number == 1 else f"{match}.{number}"


class Match(NamedTuple):
    """The course of a match: what was agreed, and the winners so far (None for a drawn game)."""

    wins: int
    max_games: int | None
    first: int
    winners: tuple[int | None, ...] = ()

    def tally(self, seat: int) -> int:
        """How many games player 1 or 2 has won."""
        return self.winners.count(seat)

    @property
    def drawn(self) -> int:
        """How many games were drawn."""
        return self.winners.count(None)

    @property
    def over(self) -> bool:
        """Whether somebody has enough wins, or no game is left to play."""
        enough = max(self.tally(1), self.tally(2)) >= self.wins
        return enough or len(self.winners) == self.max_games

    @property
    def winner(self) -> int | None:
        """The player with more wins; None while they are level."""
        lead = self.tally(1) - self.tally(2)
        return None if lead == 0 else 1 if lead > 0 else 2

    @property
    def starter(self) -> int:
        """Who starts the next game: the loser of the last; after a draw, not the last starter."""
        starter = self.first
        for winner in self.winners:
            starter = 3 - (starter if winner is None else winner)
        return starter

    def add(self, winner: int | None) -> "Match":
        """The match after one more game."""
        return self._replace(winners=(*self.winners, winner))
