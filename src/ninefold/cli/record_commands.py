"""``ninefold games``, ``show`` and ``resume``: what to do with recorded games."""

import argparse
import os
import time
from calendar import timegm

from ninefold.cli.common import outcome_data, pick, print_answer, print_json
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import format_moves
from ninefold.core.text import plural
from ninefold.invocation import command
from ninefold.line.console import Console, open_console
from ninefold.line.screen import Screen
from ninefold.line.wrap import note
from ninefold.match import delete_games, games_of, last_unfinished, recorded_games
from ninefold.record import listing
from ninefold.record.replay import Replay
from ninefold.record.store import SUFFIX, Store
from ninefold.record.text import RESULTS, Record, read_record
from ninefold.session import DATE_FORMAT

# How many games the list shows unless it is asked for all.
NEWEST = 20
HEADER = ["ID", "STARTED", "GAME", "PLAYERS", "MOVES", "RESULT"]


def run_games(options: argparse.Namespace) -> None:
    """List the records, the newest first; damaged ones are reported on standard error."""
    if options.delete is not None:
        _delete(options.delete, options.yes)
        return
    games = recorded_games(Store(), lambda text: note(f"ninefold: {text}"))
    found = [game for game in games if game[2] or not options.unfinished]
    none = "No unfinished games." if options.unfinished else "No games recorded yet."
    shown = found if options.all else found[:NEWEST]
    rows = [HEADER, *(_cells(name, record) for name, record, _ in shown)]
    text = _table(rows) if found else none
    if len(shown) < len(found):
        text += f"\n{plural(len(found) - len(shown), 'older game')}: add --all."
    print_answer(options, [_row(*game) for game in found], text)


def _row(name: str, record: Record, resumable: bool) -> dict[str, object]:
    settings = record.settings
    return {
        "id": name,
        **pick(settings, "game", "file", "reading", "date", "players"),
        **pick(record, "plies", "result", "finished"),
        "match": settings.match,
        "round": settings.round if settings.match else None,
        "resumable": resumable,
    }


def _cells(name: str, record: Record) -> list[str]:
    """A record as a row of the list."""
    settings, players = record.settings, listing.players(record.settings)
    winners = {RESULTS[seat]: f"{players[seat - 1]} won" for seat in (1, 2)}
    state = {**winners, RESULTS[None]: "draw"}.get(record.result, "unfinished")
    if settings.match:
        state += f", game {settings.round} of a match"
    game = settings.game
    if settings.file is not None:  # its id may be that of another game
        game = f"{game} (from {os.path.basename(settings.file)})"
    return [name, local_time(settings.date), game, " - ".join(players), str(record.plies), state]


def _table(rows: list[list[str]]) -> str:
    """The rows in columns, two spaces apart."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def local_time(date: str) -> str:
    """A date of a record in local time, as 2026-01-31 20:15; one that is damaged as it is."""
    try:
        seconds = timegm(time.strptime(date, DATE_FORMAT))
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):
        return date


def _delete(wanted: str, sure: bool) -> None:
    """Delete a game, or all games of a match, unless it is being played; raises NinefoldError."""
    store = Store()
    path = store.find(wanted)
    name = os.path.basename(path).removesuffix(SUFFIX)
    if store.path(name) != path:
        reason = f"{path} is not one of your recorded games."
        raise NinefoldError("no-such-record", reason, f"See: {command('games')}")
    match, _, number = name.partition(".")
    if number and "." in wanted:
        advice = f"To delete the whole match: {command(f'games --delete {match}')}"
        raise NinefoldError("part-of-match", f"{name} is one game of a match.", advice)
    doomed, what = games_of(store, match), f"the game {name}"
    if number or len(doomed) > 1:
        what = f"the match {match} ({plural(len(doomed), 'game')})"
    if not sure:
        _confirm(what)
    delete_games(store, doomed)
    print(f"Deleted {what}.")


def _confirm(what: str) -> None:
    """Ask whether to delete; raises NinefoldError unless the answer is yes."""
    console = open_console()
    if not console.interactive:
        raise NinefoldError("usage", f"This would delete {what}.", "To do it, add --yes.")
    try:
        agreed = console.ask(f"Delete {what}? [y/N]: ").strip().casefold() in ("y", "yes")
    except EOFError:
        agreed = False
    if not agreed:
        raise NinefoldError("not-deleted", "Nothing was deleted.")


def run_resume(options: argparse.Namespace) -> None:
    """Resume the record named, or the unfinished one that was played last."""
    from ninefold.line.resume import open_session
    from ninefold.line.series import Series

    store = Store()
    wanted = options.game or last_unfinished(store)
    if wanted is None:
        raise NinefoldError("nothing-to-resume", "There is no unfinished game.")
    console = open_console(**pick(options, "accessible", "countdown"))
    Series(console, open_session(console, store.find(wanted), options.run_programs)).play()


def run_show(options: argparse.Namespace) -> None:
    """Replay one record, at once or step by step, or print it as JSON."""
    record = read_record(Store().find(options.game))
    if options.json:
        print_json(_as_data(record))
        return
    console = open_console()
    settings = record.settings
    versus = " - ".join(listing.players(settings))
    when = listing.local_time(settings.date)
    result = listing.result(record)
    console.show(f"{listing.title(settings)}: {versus}, {when}, {result}.\n\n")
    try:
        _replay(console, record, options.step and console.interactive)
    except EOFError:
        console.show("\n")


def _replay(console: Console, record: Record, step: bool) -> None:
    replay = Replay(record)
    referee = replay.referee
    screen = Screen(console, replay.book, record.settings.players, referee.humans)
    screen.opening(referee.position)
    for before, events in replay.steps():
        if step:
            console.ask("-- Press Enter for the next move, Ctrl-D to stop -- ")
        screen.typed(before, events[0])
        for event in events:
            screen.event(event, referee)
        screen.next_turn(before, referee)
    if referee.outcome is None:
        console.show(f"\nUnfinished after {referee.plies} moves.\n")


def _as_data(record: Record) -> dict[str, object]:
    referee = Replay(record).run()
    return {
        **record.settings._asdict(),
        "moves": format_moves(referee.moves),
        "result": record.result,
        **outcome_data(referee.outcome),
    }
