"""Matches on disk: the games of one match are records that share its name."""

from ninefold.core.errors import NinefoldError
from ninefold.match import Match, game_name
from ninefold.record.errors import RecordError
from ninefold.record.format import RESULTS, Header
from ninefold.record.parse import Record, read_record
from ninefold.record.store import Store

_WINNERS = {result: winner for winner, result in RESULTS.items()}


def recover(store: Store, header: Header) -> tuple[Match, Record]:
    """How a recorded match stands, and its newest record; raises NinefoldError."""
    assert header.match is not None and header.wins is not None, "only matches are recovered"
    names = set(store.names())
    match, record = None, None
    number = 1
    while (name := game_name(header.match, number)) in names:
        record = read_record(store.path(name))
        match = match or Match(header.wins, header.max_games, record.header.first)
        if not record.finished:
            break
        match = match.add(_WINNERS[record.result])
        number += 1
    if match is None or record is None:
        raise RecordError(header.match, 0, "the first game of this match is missing")
    return match, record


def unfinished(store: Store) -> str | None:
    """The name of the newest game, or match, that can be gone on with; None if there is none."""
    for name in reversed(store.names()):
        try:
            record = read_record(store.path(name))
            if not record.finished or goes_on(store, record.header):
                return name
        except NinefoldError:
            continue
    return None


def goes_on(store: Store, header: Header) -> bool:
    """Whether this record belongs to a match that is not decided yet; raises NinefoldError."""
    return header.match is not None and not recover(store, header)[0].over
