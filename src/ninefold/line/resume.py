"""Going on with a recorded game or match."""

import os

from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console
from ninefold.line.note import note
from ninefold.line.series import Series
from ninefold.match import game_name
from ninefold.match.recover import recover
from ninefold.record.format import Header
from ninefold.record.parse import read_record
from ninefold.record.replay import Replay
from ninefold.record.store import SUFFIX, Lock, Store


def resume(console: Console, path: str) -> int:
    """Go on with the game or match in this file; the exit code. Raises NinefoldError."""
    store = Store(os.path.dirname(path) or os.curdir)
    header = read_record(path).header
    name = os.path.basename(path).removesuffix(SUFFIX)
    match = header.match
    in_match = match is not None and name == game_name(match, header.round)
    lock = _lock(store.path(match) if match is not None and in_match else path)
    try:
        series = Series(console, store, Replay(read_record(path)).book)
        if match is not None and in_match:
            return series.guard(lambda: _resume_match(series, store, header, match), match)
        return series.guard(lambda: _resume_game(series, store, path), _handle(path))
    finally:
        lock.release()


def _resume_game(series: Series, store: Store, path: str) -> int | None:
    """Judge the record again, then go on behind its last move; the winner."""
    record = read_record(path)
    referee = Replay(record).run()
    if record.finished:
        raise NinefoldError("finished", "This game is over; ninefold show replays it.")
    note(f"Resuming {record.header.game} after move {referee.plies}.")
    recorder = store.reopen(path, record.length, series.warn)
    return series.play_game(record.header, referee, recorder, _handle(path), resumed=True)


def _resume_match(series: Series, store: Store, header: Header, name: str) -> None:
    match, record = recover(store, name)
    if match.over:
        raise NinefoldError("finished", "This match is over; ninefold show replays its games.")
    names = (header.player1, header.player2)
    if not record.finished:
        number = len(match.winners) + 1
        one, two = match.tally(1), match.tally(2)
        tally = f"{names[0]} {one}, {names[1]} {two}"
        series.console.show(f"Game {number}, first to {match.wins}. So far: {tally}.\n\n")
        path = store.path(game_name(name, record.header.round))
        winner = _resume_game(series, store, path)
        match = series.count(match.add(winner), names)
    series.play_match(header, match, name)


def _handle(path: str) -> str:
    """How to name this record on the command line: a record of the usual folder by its name."""
    usual = Store().path(os.path.basename(path).removesuffix(SUFFIX))
    return os.path.basename(path).removesuffix(SUFFIX) if usual == path else path


def _lock(path: str) -> Lock:
    try:
        return Lock(path)
    except OSError as error:
        raise NinefoldError("no-such-record", f"Cannot open {path}: {error.strerror}.") from None
