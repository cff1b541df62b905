"""``ninefold games``, ``show`` and ``resume``: what to do with recorded games."""

import argparse
import os

from ninefold.cli.common import format_moves, outcome_data, pick, print_answer, print_json
from ninefold.core.errors import NinefoldError
from ninefold.core.text import plural
from ninefold.line.console import Console, open_console
from ninefold.line.screen import Screen
from ninefold.line.wrap import note
from ninefold.match import recorded_games
from ninefold.record.replay import Replay
from ninefold.record.store import Store
from ninefold.record.text import Record, read_record, tag_name


def run_games(options: argparse.Namespace) -> None:
    """List the records, the newest first; damaged ones are reported on standard error."""
    games = recorded_games(Store(), lambda text: note(f"ninefold: {text}"))
    found = [game for game in games if game[2] or not options.unfinished]
    none = "No unfinished games." if options.unfinished else "No games recorded yet."
    text = "\n".join(_line(*game) for game in found) or none
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


def _line(name: str, record: Record, resumable: bool) -> str:
    settings = record.settings
    state = record.result if record.finished else "unfinished"
    if settings.match:
        which = "an unfinished match" if resumable else "a match"
        state += f", game {settings.round} of {which}"
    game, moves = settings.game, plural(record.plies, "move")
    if settings.file is not None:  # its id may be that of another game
        game = f"{game} (from {os.path.basename(settings.file)})"
    return f"{name}  {game}  {' - '.join(settings.players)}  {moves}  {state}"


def run_resume(options: argparse.Namespace) -> None:
    """Resume the record named, or the newest unfinished one."""
    from ninefold.line.resume import resume

    store = Store()
    unfinished = (name for name, _, resumable in recorded_games(store) if resumable)
    wanted = options.game or next(unfinished, None)
    if wanted is None:
        raise NinefoldError("nothing-to-resume", "There is no unfinished game.")
    resume(open_console(), store.find(wanted), options.run_programs)


def run_show(options: argparse.Namespace) -> None:
    """Replay one record, at once or step by step, or print it as JSON."""
    record = read_record(Store().find(options.game))
    if options.json:
        print_json(_as_data(record))
        return
    console = open_console()
    for field, value in record.settings._asdict().items():
        if value is not None:
            console.show(f"{tag_name(field)}: {value}\n")
    console.show("\n")
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
