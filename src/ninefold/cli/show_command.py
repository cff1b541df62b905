"""``ninefold show``: a recorded game, replayed as it looked."""

import argparse

from ninefold.core.moves import format_move
from ninefold.line.console import Console, open_console
from ninefold.line.screen import Screen, answer_of
from ninefold.record.format import tag_name
from ninefold.record.parse import Record, read_record
from ninefold.record.replay import Replay
from ninefold.record.store import Store


def run(options: argparse.Namespace) -> int:
    """Replay one record, whole or step by step, or print it as data."""
    record = read_record(Store().find(options.game))
    if options.json:
        import json

        print(json.dumps(_as_data(record), indent=2))
        return 0
    console = open_console()
    _show_heading(console, record)
    try:
        _replay(console, record, options.step and console.interactive)
    except EOFError:
        console.show("\n")
    return 0


def _replay(console: Console, record: Record, step: bool) -> None:
    replay = Replay(record)
    referee, header = replay.referee, record.header
    screen = Screen(console, replay.book, (header.player1, header.player2), referee.humans)
    screen.opening(referee.position)
    before = referee.position
    for events in replay.steps():
        if step:
            console.ask("-- Enter shows the next move, Ctrl-D stops -- ")
        screen.typed(before, answer_of(events[0]))
        for event in events:
            screen.event(event, referee)
        screen.next_turn(before, referee)
        before = referee.position
    if referee.outcome is None:
        console.show(f"\nUnfinished after {referee.plies} moves.\n")


def _show_heading(console: Console, record: Record) -> None:
    for field, value in record.header._asdict().items():
        if value is not None:
            console.show(f"{tag_name(field)}: {value}\n")
    console.show("\n")


def _as_data(record: Record) -> dict[str, object]:
    referee = Replay(record).run()
    outcome = referee.outcome
    return {
        **record.header._asdict(),
        "moves": [format_move(move) for move in referee.moves],
        "result": record.result,
        "winner": outcome.winner if outcome else None,
        "reason": outcome.reason if outcome else None,
        "sets": outcome.sets if outcome else [],
    }
