"""A match: a series of games, first to so many wins. The loser of a game starts the next."""

import os
from collections.abc import Callable, Iterator, Sequence

from ninefold.core.errors import NinefoldError
from ninefold.core.text import NamedTuple
from ninefold.record.replay import Replay
from ninefold.record.store import SUFFIX, Store, locked
from ninefold.record.text import Record, RecordError, read_record

# The settings that may differ between the games of one match.
_VARYING = {"date", "first", "round"}


def game_name(match: str, number: int) -> str:
    """The name of the first, second, … game of the match with this name."""
    return f"{match}.{number}"


def _is_game(name: str, match: str, number: int) -> bool:
    """Whether this is the name of that game; the first game of older matches has no number."""
    return name == game_name(match, number) or (number == 1 and name == match)


def games_of(store: Store, match: str) -> list[str]:
    """The names of the recorded games of a match, the first one first."""
    return [name for name in store.names() if name.partition(".")[0] == match]


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
    played = games_of(store, name)
    if not played or not all(_is_game(one, name, at) for at, one in enumerate(played, 1)):
        raise RecordError(name, 0, "not all games of this match are there")
    records = [read_record(store.path(one)) for one in played]
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
    return match if match and _is_game(record.source.removesuffix(SUFFIX), match, number) else None


def lock_of(path: str, record: Record) -> str:
    """The file to lock while this record is played or rewritten: the whole match has one lock."""
    match = match_of(record)
    if match is None:
        return path
    store = Store(os.path.dirname(path) or os.curdir)
    return store.path(games_of(store, match)[0])


def recorded_games(
    store: Store, warn: Callable[[str], None] = lambda _: None
) -> Iterator[tuple[str, Record, bool]]:
    """Each name and record, newest first, and whether it can be resumed.

    Of a match that is not over, this is the newest game only.
    """
    for name, record, resumable in all_games(store):
        if isinstance(record, NinefoldError):
            warn(record.message)
        else:
            yield name, record, resumable


def all_games(store: Store) -> Iterator[tuple[str, Record | NinefoldError, bool]]:
    """As ``recorded_games``, with the damaged records: what is wrong, in place of the record."""
    seen: set[str] = set()
    for name in reversed(store.names()):
        try:
            record = read_record(store.path(name))
            match = match_of(record)
            newest = match is not None and match not in seen
            open_match = match is not None and newest and not read_match(store, match)[0].over
        except NinefoldError as error:
            yield name, error, False
            continue
        seen.add(match or "")
        yield name, record, not record.finished if match is None else open_match


def last_unfinished(store: Store) -> str | None:
    """The name of the unfinished game that was played last, if there is one."""
    return store.last_played(name for name, _, resumable in recorded_games(store) if resumable)


def belonging_to(store: Store, name: str) -> list[str]:
    """The names of all games of the match of this record, or only its own."""
    try:
        match = match_of(read_record(store.path(name)))
    except NinefoldError:
        return [name]
    return [name] if match is None else games_of(store, match)


def delete_games(store: Store, names: Sequence[str]) -> None:
    """Delete the records of a game or a whole match, unless it is being played.

    Raises NinefoldError.
    """
    first = store.path(names[0])
    try:
        held = lock_of(first, read_record(first))
    except NinefoldError:  # damaged
        held = first
    with locked(held):
        try:
            for name in reversed(names):
                os.remove(store.path(name))
        except OSError as error:
            reason = f"Cannot delete {store.path(name)}: {error.strerror}."
            raise NinefoldError("undeletable", reason) from None
