"""``ninefold review``: judge a recorded game move by move."""

import argparse
import os

from ninefold.cli.common import print_json
from ninefold.coach.review import Judgement, Review, judge, remark, report, review_game
from ninefold.core.moves import format_move
from ninefold.line.wrap import wrap
from ninefold.record.replay import Replay
from ninefold.record.store import Store, annotate, locked
from ninefold.record.text import Record, read_record
from ninefold.referee.events import Moved
from ninefold.solver import Value, solver_for


def run(options: argparse.Namespace) -> int:
    """Review one record: as text, as JSON, or as comments in the record itself."""
    path = os.path.realpath(Store().find(options.game))
    record = read_record(path)
    replay = Replay(record)
    referee = replay.run()
    judged = review_game(replay.book.game, referee.moves, record.settings.first, referee.outcome)
    if options.annotate:
        _annotate(path)
    if options.json:
        print_json(_as_data(judged), indent=2)
    else:
        print(wrap(report(judged, record.settings.players)), end="")
    return 0


def _annotate(path: str) -> None:
    """Write the verdicts into the record, including those of moves that were undone."""
    with locked(path):
        record = read_record(path)
        annotate(path, record, _remarks(record))


def _remarks(record: Record) -> list[str]:
    """A remark for every recorded fact; empty if there is nothing to say."""
    replay, remarks = Replay(record), []
    solver = solver_for(replay.book.game)
    for before, (fact, *_) in replay.steps():
        if isinstance(fact, Moved):
            remarks.append(remark(judge(before, fact.move, replay.referee.plies, solver)))
        else:
            remarks.append("")
    return remarks


def _as_data(judged: Review) -> dict[str, object]:
    return {
        "decided": judged.decided,
        "standing": judged.standing,
        "moves": [_move_data(item) for item in judged.judgements],
        "players": [
            {
                "moves": sum(item.seat == seat for item in judged.judgements),
                "gave_away": judged.count(seat, "threw", "slipped"),
                "only_moves": judged.count(seat, "only"),
            }
            for seat in (1, 2)
        ],
    }


def _move_data(item: Judgement) -> dict[str, object]:
    return {
        "ply": item.ply,
        "player": item.seat,
        "move": format_move(item.move),
        "verdict": item.verdict,
        "before": _value(item.before),
        "after": _value(item.after),
        "better": [format_move(move) for move in item.better],
        "line": [format_move(move) for move in item.line],
    }


def _value(value: Value) -> dict[str, object]:
    return {"value": value.result, "plies": value.plies}
