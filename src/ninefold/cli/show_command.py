"""``ninefold show``: replay a recorded game as it looked on screen."""

import argparse

from ninefold.cli.common import print_json
from ninefold.core.moves import format_move
from ninefold.line.console import Console, open_console
from ninefold.line.screen import Screen, answer_of
from ninefold.record.replay import Replay
from ninefold.record.store import Store
from ninefold.record.text import Record, read_record, tag_name


def run(options: argparse.Namespace) -> int:
    """Replay one record, at once or step by step, or print it as JSON."""
    record = read_record(Store().find(options.game))
    if options.json:
        print_json(_as_data(record), indent=2)
        return 0
    console = open_console()
    _show_settings(console, record)
    try:
        _replay(console, record, options.step and console.interactive)
    except EOFError:
        console.show("\n")
    return 0


def _replay(console: Console, record: Record, step: bool) -> None:
    replay = Replay(record)
    referee = replay.referee
    screen = Screen(console, replay.book, record.settings.players, referee.humans)
    screen.opening(referee.position)
    for before, events in replay.steps():
        if step:
            console.ask("-- Press Enter for the next move, Ctrl-D to stop -- ")
        screen.typed(before, answer_of(events[0]))
        for event in events:
            screen.event(event, referee)
        screen.next_turn(before, referee)
    if referee.outcome is None:
        console.show(f"\nUnfinished after {referee.plies} moves.\n")


def _show_settings(console: Console, record: Record) -> None:
    for field, value in record.settings._asdict().items():
        if value is not None:
            console.show(f"{tag_name(field)}: {value}\n")
    console.show("\n")


def _as_data(record: Record) -> dict[str, object]:
    referee = Replay(record).run()
    outcome = referee.outcome
    return {
        **record.settings._asdict(),
        "moves": [format_move(move) for move in referee.moves],
        "result": record.result,
        "winner": outcome.winner if outcome else None,
        "reason": outcome.reason if outcome else None,
        "sets": outcome.sets if outcome else [],
    }
