"""A match: a series of games, first to so many wins. The loser of a game starts the next."""

import os
from collections.abc import Callable, Iterator

from ninefold.core.errors import NinefoldError
from ninefold.core.text import NamedTuple
from ninefold.record.replay import Replay
from ninefold.record.store import SUFFIX, Store
from ninefold.record.text import Record, RecordError, read_record

# The settings that may differ between the games of one match.
_VARYING = {"date", "first", "round"}


def game_name(match: str, number: int) -> str:
    """The name of the first, second, … game of the match with this name."""
    return match if number == 1 else f"{match}.{number}"


class Match(NamedTuple):
    """How a match stands: its conditions, and the winners so far (None for a drawn game)."""

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
        """The player with more wins; None if they are level."""
        lead = self.tally(1) - self.tally(2)
        return None if lead == 0 else 1 if lead > 0 else 2

    @property
    def starter(self) -> int:
        """Who starts the next game: the loser of the last; after a draw, not the last starter."""
        starter = self.first
        for winner in self.winners:
            starter = 3 - (starter if winner is None else winner)
        return starter

    @property
    def next_round(self) -> int:
        """The number of the next game, or of the one being played."""
        return len(self.winners) + 1

    def add(self, winner: int | None) -> "Match":
        """The match after one more game."""
        return self._replace(winners=(*self.winners, winner))


def read_match(store: Store, name: str) -> tuple[Match, Record]:
    """How a match stands, all its games judged again, and its last record; raises NinefoldError."""
    played = [other for other in store.names() if other.partition(".")[0] == name]
    records = [read_record(store.path(game_name(name, at + 1))) for at in range(len(played))]
    if not records:
        raise RecordError(name, 0, "the games of this match are missing")
    first = records[0].settings
    match = Match(first.wins or 1, first.max_games, first.first)
    for number, record in enumerate(records, 1):
        _check_belongs(record, records[0], match, number)
        outcome = Replay(record).run().outcome
        if record.finished and outcome is not None:
            match = match.add(outcome.winner)
        elif number < len(records):
            reason = "unfinished, although a later game of the match exists"
            raise RecordError(record.source, 0, reason)
    return match, records[-1]


def _check_belongs(record: Record, first: Record, match: Match, number: int) -> None:
    """Refuse a record that is not the next game of this match; raises RecordError."""
    settings = record.settings
    for field, one, other in zip(settings._fields, first.settings, settings, strict=True):
        if field not in _VARYING and one != other:
            raise RecordError(record.source, 0, f"{field} differs from the first game of the match")
    if match.over or (settings.round, settings.first) != (number, match.starter):
        raise RecordError(record.source, 0, "this cannot be the next game of the match")


def match_of(record: Record) -> str | None:
    """The match that a record belongs to; None for a single game, or a file renamed."""
    match, number = record.settings.match, record.settings.round
    return match if match and record.source == game_name(match, number) + SUFFIX else None


def lock_of(path: str, record: Record) -> str:
    """The file to lock while this record is played or rewritten: the whole match has one lock."""
    match = match_of(record)
    return path if match is None else Store(os.path.dirname(path) or os.curdir).path(match)


def recorded_games(
    store: Store, warn: Callable[[str], None] = lambda _: None
) -> Iterator[tuple[str, Record, bool]]:
    """Each name and record, newest first, and whether its game or match can be resumed."""
    unfinished: dict[str, bool] = {}
    for name in reversed(store.names()):
        try:
            record = read_record(store.path(name))
            match = match_of(record)
            if match is not None and match not in unfinished:
                unfinished[match] = not read_match(store, match)[0].over
        except NinefoldError as error:
            warn(error.message)
            continue
        yield name, record, not record.finished if match is None else unfinished[match]
