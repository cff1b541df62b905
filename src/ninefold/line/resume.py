"""Resumes a recorded game or match."""

import os

from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console
from ninefold.line.series import Series
from ninefold.line.wrap import note
from ninefold.match import Match, game_name, lock_of, match_of, read_match
from ninefold.players import PROGRAM, is_program
from ninefold.record.replay import Replay
from ninefold.record.store import SUFFIX, Store, locked
from ninefold.record.text import read_record
from ninefold.referee.settings import GameSettings


def resume(console: Console, path: str, run_programs: bool = False) -> None:
    """Resume a game or match, asking first if programs would run; raises NinefoldError."""
    store = Store(os.path.dirname(path) or os.curdir)
    record = read_record(path)
    name = match_of(record)
    with locked(lock_of(path, record)):
        # No tag is read after this, so the user gets what the user agreed to.
        match, replay = _judge(store, path, name)
        settings = replay.record.settings
        _note_other_rules(settings)
        if not run_programs:
            _ask_consent(console, settings, path)
        series = Series(console, store, replay.book, settings)
        if match is None or name is None:
            series.guard(lambda: _resume_game(series, store, replay, path), _handle(path))
        else:
            series.guard(lambda: _resume_match(series, store, match, replay, name), name)


def _judge(store: Store, path: str, name: str | None) -> tuple[Match | None, Replay]:
    """The score of the match, if any, and the game, judged again; raises NinefoldError."""
    match, record = (None, read_record(path)) if name is None else read_match(store, name)
    replay = Replay(record)
    replay.run()
    if match is None and record.finished:
        raise NinefoldError("finished", "This game is over; ninefold show replays it.")
    if match is not None and match.over:
        raise NinefoldError("finished", "This match is over; ninefold show replays its games.")
    return match, replay


def _note_other_rules(settings: GameSettings) -> None:
    """Say so if the rules in the file have changed: the game resumes under its original rules."""
    from ninefold import books

    if settings.file is None or not os.path.isfile(settings.file):
        return
    try:
        book = books.load_book(settings.file, settings.reading, settings.all_changes)
        changed = book.game.fingerprint != settings.rules
    except NinefoldError:
        changed = True  # no longer a rule book, or one without this reading
    if changed:
        note(f"{settings.file} has changed. The game resumes under its original rules.")


def _resume_game(series: Series, store: Store, replay: Replay, path: str) -> int | None:
    """Continue after the last move; the winner."""
    record, referee = replay.record, replay.referee
    note(f"Resuming {record.settings.game} after move {referee.plies}.")
    recorder = store.reopen(path, record.length, series.warn)
    return series.play_game(referee, recorder, _handle(path), resumed=True)


def _resume_match(series: Series, store: Store, match: Match, replay: Replay, name: str) -> None:
    """Finish the newest game if it is not over, then play the remaining games."""
    if not replay.record.finished:
        number = len(match.winners) + 1
        so_far = f"So far: {series.score(match)}."
        series.console.show(f"Game {number}, first to {match.wins}. {so_far}\n\n")
        path = store.path(game_name(name, number))
        winner = _resume_game(series, store, replay, path)
        match = series.count(match.add(winner))
    series.play_match(match, name)


def _ask_consent(console: Console, settings: GameSettings, path: str) -> None:
    """Ask before a record, perhaps a stranger's, runs a program; raises NinefoldError."""
    programs = {seat for seat in settings.seats if is_program(seat)}
    if not programs:
        return
    commands = " and ".join(sorted(seat.removeprefix(PROGRAM) for seat in programs))
    advice = f"If you trust it: ninefold resume --run-programs {_handle(path)}"
    own = os.path.realpath(os.path.dirname(path)) == os.path.realpath(Store().folder)
    if not own:
        reason = f"This record is not one of your own games, and it would run: {commands}."
        raise NinefoldError("runs-programs", reason, advice)
    if not console.interactive:
        raise NinefoldError("runs-programs", f"This game would run: {commands}.", advice)
    console.show(f"This game runs a program: {commands}\n")
    try:
        agreed = console.ask("Run it? [y/N]: ").strip().casefold() in ("y", "yes")
    except EOFError:
        agreed = False
    if not agreed:
        raise NinefoldError("runs-programs", "Nothing was run; the game is unchanged.")


def _handle(path: str) -> str:
    """How to name this record on the command line: by its ID in the usual folder, or its path."""
    name = os.path.basename(path).removesuffix(SUFFIX)
    return name if Store().path(name) == path else path
