"""Matches on disk: the games of one match are records that share its name."""

from ninefold.core.errors import NinefoldError
from ninefold.match import Match, game_name
from ninefold.record.errors import RecordError
from ninefold.record.format import Header
from ninefold.record.parse import Record, read_record
from ninefold.record.replay import Replay
from ninefold.record.store import Store

# What may differ between the games of one match.
_FREE = {"date", "first", "round"}


def recover(store: Store, name: str) -> tuple[Match, Record]:
    """How a recorded match stands, and its newest record; raises NinefoldError.

    Every game is judged again, and all of them must belong together.
    """
    played = [other for other in store.names() if other.partition(".")[0] == name]
    records = [read_record(store.path(game_name(name, at + 1))) for at in range(len(played))]
    if not records:
        raise RecordError(name, 0, "the games of this match are missing")
    header = records[0].header
    match = Match(header.wins or 1, header.max_games, header.first)
    for number, record in enumerate(records, 1):
        _check_belongs(record, header, match, number)
        outcome = Replay(record).run().outcome
        if record.finished and outcome is not None:
            match = match.add(outcome.winner)
        elif number < len(records):
            raise RecordError(record.source, 0, "a later game of this match exists already")
    return match, records[-1]


def _check_belongs(record: Record, first: Header, match: Match, number: int) -> None:
    """The record is the next game of this match; raises RecordError."""
    tags = record.header._asdict()
    for field, value in first._asdict().items():
        if field not in _FREE and tags[field] != value:
            raise RecordError(record.source, 0, f"{field} differs from the first game of the match")
    if match.over or (record.header.round, record.header.first) != (number, match.starter):
        raise RecordError(record.source, 0, "this cannot be the next game of the match")


def unfinished(store: Store) -> str | None:
    """The name of the newest game, or match, that can be gone on with; None if there is none."""
    judged = set()
    for name in reversed(store.names()):
        root = name.partition(".")[0]
        if root in judged:
            continue
        judged.add(root)
        try:
            record = read_record(store.path(name))
            if goes_on(store, root) if record.header.match else not record.finished:
                return name
        except NinefoldError:
            continue
    return None


def goes_on(store: Store, match: str) -> bool:
    """Whether the match of this name is not decided yet; raises NinefoldError."""
    return not recover(store, match)[0].over
