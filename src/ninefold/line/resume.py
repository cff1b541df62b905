"""Going on with a recorded game or match."""

import os
import sys

from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console
from ninefold.line.note import note
from ninefold.line.series import Series
from ninefold.match import game_name
from ninefold.match.recover import recover
from ninefold.players import PROGRAM, is_program
from ninefold.record.format import Header
from ninefold.record.parse import read_record
from ninefold.record.replay import Replay
from ninefold.record.store import SUFFIX, Lock, Store


def resume(console: Console, path: str, run_programs: bool = False) -> int:
    """Go on with the game or match in this file; the exit code. Raises NinefoldError.

    Programs that the record names are run without asking only if ``run_programs`` says so.
    """
    store = Store(os.path.dirname(path) or os.curdir)
    header = read_record(path).header
    if not run_programs:
        _ask_about_programs(console, header, path)
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


def _ask_about_programs(console: Console, header: Header, path: str) -> None:
    """A record may be a stranger's, so it alone must not run anything; raises NinefoldError."""
    programs = {seat for seat in (header.seat1, header.seat2) if is_program(seat)}
    if not programs:
        return
    commands = " and ".join(sorted(seat.removeprefix(PROGRAM) for seat in programs))
    advice = f"If you trust it: ninefold resume --run-programs {_handle(path)}"
    own = os.path.realpath(os.path.dirname(path)) == os.path.realpath(Store().folder)
    if not own:
        told = f"This record is not among your own games, and it would run: {commands}."
        raise NinefoldError("runs-programs", told, advice)
    if not (os.isatty(0) and sys.stdout.isatty()):
        raise NinefoldError("runs-programs", f"This game would run: {commands}.", advice)
    console.show(f"This game runs a program: {commands}\n")
    if not _agreed(console):
        raise NinefoldError("runs-programs", "Nothing was run; the game stays as it is.")


def _agreed(console: Console) -> bool:
    try:
        return console.ask("Run it? [y/N]: ").strip().casefold() in ("y", "yes")
    except EOFError:
        return False


def _handle(path: str) -> str:
    """How to name this record on the command line: a record of the usual folder by its name."""
    usual = Store().path(os.path.basename(path).removesuffix(SUFFIX))
    return os.path.basename(path).removesuffix(SUFFIX) if usual == path else path


def _lock(path: str) -> Lock:
    try:
        return Lock(path)
    except OSError as error:
        raise NinefoldError("no-such-record", f"Cannot open {path}: {error.strerror}.") from None
