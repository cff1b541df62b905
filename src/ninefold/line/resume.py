"""Going on with a recorded game or match."""

import os
import sys

from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console
from ninefold.line.note import note
from ninefold.line.series import Series
from ninefold.match import Match, game_name
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
    name = _match_of(path)
    lock = _lock(path if name is None else store.path(name))
    consent = None if run_programs else lambda header: _ask_about_programs(console, header, path)
    try:
        match, replay = _judge(store, path, name)
        series = Series(console, store, replay.book, consent)
        _tell_other_rules(replay)
        series.seat(replay.record.header)  # whoever has to agree does so before anything is shown
        if match is None or name is None:
            return series.guard(lambda: _resume_game(series, store, replay, path), _handle(path))
        return series.guard(lambda: _resume_match(series, store, match, replay, name), name)
    finally:
        lock.release()


def _match_of(path: str) -> str | None:
    """The match whose games lie beside this one; None for a single game, or under another name."""
    header = read_record(path).header
    if header.match is None:
        return None
    file = game_name(header.match, header.round) + SUFFIX
    return header.match if file == os.path.basename(path) else None


def _judge(store: Store, path: str, name: str | None) -> tuple[Match | None, Replay]:
    """How the match of this name stands, if any, and the game to go on from, judged again.

    No tag is read after this, so what is agreed to is what is played. Raises NinefoldError.
    """
    match, record = (None, read_record(path)) if name is None else recover(store, name)
    replay = Replay(record)
    replay.run()
    if match is None and record.finished:
        raise NinefoldError("finished", "This game is over; ninefold show replays it.")
    if match is not None and match.over:
        raise NinefoldError("finished", "This match is over; ninefold show replays its games.")
    return match, replay


def _tell_other_rules(replay: Replay) -> None:
    """Say so if the file of this game has other rules by now: the game goes on by its own."""
    from ninefold import books

    header = replay.record.header
    if header.file is None or not os.path.isfile(header.file):
        return
    try:
        now = books.load(header.file, header.reading, header.all_changes).game.fingerprint
    except NinefoldError:
        now = ""  # no longer a rule book, or one without this reading
    if now != header.rules:
        note(f"{header.file} has other rules now. The game goes on with those it began with.")


def _resume_game(series: Series, store: Store, replay: Replay, path: str) -> int | None:
    """Go on behind the last move; the winner."""
    record, referee = replay.record, replay.referee
    note(f"Resuming {record.header.game} after move {referee.plies}.")
    recorder = store.reopen(path, record.length, series.warn)
    return series.play_game(record.header, referee, recorder, _handle(path), resumed=True)


def _resume_match(series: Series, store: Store, match: Match, replay: Replay, name: str) -> None:
    """Finish the newest game if it is not over, then play the games that are left."""
    header = replay.record.header
    names = (header.player1, header.player2)
    if not replay.record.finished:
        number = len(match.winners) + 1
        one, two = match.tally(1), match.tally(2)
        tally = f"{names[0]} {one}, {names[1]} {two}"
        series.console.show(f"Game {number}, first to {match.wins}. So far: {tally}.\n\n")
        path = store.path(game_name(name, header.round))
        winner = _resume_game(series, store, replay, path)
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
