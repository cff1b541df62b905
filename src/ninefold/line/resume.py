"""Resumes a recorded game or match."""

import os

from ninefold.core.errors import NinefoldError
from ninefold.invocation import command
from ninefold.line.console import Console
from ninefold.line.series import Series
from ninefold.line.wrap import note
from ninefold.record.store import Store
from ninefold.referee.settings import GameSettings
from ninefold.session import Session, handle


def resume(console: Console, path: str, run_programs: bool = False) -> None:
    """Resume a game or match, asking first if programs would run; raises NinefoldError."""
    session = Session.resume(path, note)
    try:
        _note_other_rules(session.settings)
        if session.commands and not run_programs:
            _ask_consent(console, " and ".join(session.commands), path)
    except BaseException:
        session.close()
        raise
    Series(console, session).play()


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


def _ask_consent(console: Console, commands: str, path: str) -> None:
    """Ask before a record, perhaps a stranger's, runs a program; raises NinefoldError."""
    advice = f"If you trust it: {command(f'resume --run-programs {handle(path)}')}"
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
