"""``ninefold hint``, ``strategy`` and ``review``: what the coach says about a position or game."""

import argparse
import os

from ninefold.cli.common import format_moves, load_position, patience, print_answer
from ninefold.coach.card import as_data, markdown, text
from ninefold.coach.hint import Hint, hint_for
from ninefold.coach.review import Judgement, Review, judge, remark, report, review_game
from ninefold.coach.strategy import strategy_for
from ninefold.coach.verify import verify_card
from ninefold.coach.words import sentence
from ninefold.core.moves import format_move, split_moves
from ninefold.record.parse import Record, read_record
from ninefold.record.replay import Replay
from ninefold.record.store import Lock, Store, annotate
from ninefold.referee.events import Moved
from ninefold.solver import Value, solver_for


def run_hint(options: argparse.Namespace) -> int:
    """Print the hint for the position after ``--moves``, as sentences or as JSON."""
    hint = hint_for(load_position(options)[1])
    sentences = [sentence(hint, step) for step in range(1, options.step + 1)]
    data = {**_hint_data(hint), "sentences": sentences}
    print_answer(options, data, "\n".join(sentences), indent=None)
    return 0


def _hint_data(hint: Hint) -> dict[str, object]:
    return {
        "kind": hint.kind,
        "value": hint.value.result,
        "plies": hint.value.plies,
        "moves": format_moves(hint.moves),
        "sets": hint.sets,
        "threats": hint.threats,
        "line": format_moves(hint.line),
        "refutations": [
            {"move": format_move(move), "line": format_moves(line)}
            for move, line in hint.refutations
        ],
    }


def run_strategy(options: argparse.Namespace) -> int:
    """Print the card for the position after ``--moves``; raises NinefoldError."""
    book, position = load_position(options)
    with patience("Working out the card"):
        card = strategy_for(position, options.player)
        proof = verify_card(card)
    moves = " ".join(split_moves(options.moves))
    title = f"{book.label} after {moves}" if moves else book.label
    if options.format == "markdown" and not options.json:
        print(markdown(card, title, proof), end="")
        return 0
    data = {"game": book.id, "reading": book.reading, "changes": book.changes}
    shown = text(card, title, proof).removesuffix("\n")
    print_answer(options, {**data, **as_data(card, proof)}, shown, indent=None)
    return 0


def run_review(options: argparse.Namespace) -> int:
    """Review one record: as text, as JSON, or as comments in the record itself."""
    path = os.path.realpath(Store().find(options.game))
    record = read_record(path)
    replay = Replay(record)
    referee = replay.run()
    judged = review_game(replay.book.game, referee.moves, record.settings.first, referee.outcome)
    if options.annotate:
        _annotate(path)
    shown = report(judged, record.settings.players).removesuffix("\n")
    print_answer(options, _review_data(judged), shown)
    return 0


def _annotate(path: str) -> None:
    """Write the verdicts into the record, including those of moves that were undone."""
    lock = Lock(path)
    try:
        record = read_record(path)
        annotate(path, record, _remarks(record))
    finally:
        lock.release()


def _remarks(record: Record) -> list[str]:
    """A remark for every recorded fact; empty if there is nothing to say."""
    replay = Replay(record)
    referee, remarks = replay.referee, []
    solver, before = solver_for(replay.book.game), referee.position
    for events in replay.steps():
        fact, said = events[0], ""
        if isinstance(fact, Moved):
            said = remark(judge(before, fact.move, referee.plies, solver))
        remarks.append(said)
        before = referee.position
    return remarks


def _review_data(judged: Review) -> dict[str, object]:
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
        "before": _value_data(item.before),
        "after": _value_data(item.after),
        "better": format_moves(item.better),
        "line": format_moves(item.line),
    }


def _value_data(value: Value) -> dict[str, object]:
    return {"value": value.result, "plies": value.plies}
