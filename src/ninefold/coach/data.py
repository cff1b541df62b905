"""What the coach says, as data for programs: plain lists, tables and numbers."""

from typing import Any

from ninefold.books import Book
from ninefold.coach.defence import Defence
from ninefold.coach.hint import Hint
from ninefold.coach.practice import Lesson
from ninefold.coach.puzzle import Puzzle
from ninefold.coach.review import Judgement, Review
from ninefold.core.moves import format_move, format_moves
from ninefold.solver import Value


def hint_data(hint: Hint) -> dict[str, Any]:
    """A hint, without its sentences."""
    return {
        "kind": hint.kind,
        **value_data(hint.value),
        "moves": format_moves(hint.moves),
        "sets": hint.sets,
        "threats": hint.threats,
        "line": format_moves(hint.line),
        "area": hint.area,
        "defence": defence_data(hint.defence),
    }


def review_data(judged: Review) -> dict[str, Any]:
    """A review, without its words."""
    return {
        **_pick(judged, "decided", "standing", "proved"),
        "moves": [judgement_data(item) for item in judged.judgements],
        "players": [
            {
                "moves": sum(item.seat == seat for item in judged.judgements),
                "gave_away": judged.count(seat, "threw", "slipped"),
                "only_moves": judged.count(seat, "only"),
                "unproved": judged.count(seat, "unproved"),
            }
            for seat in (1, 2)
        ],
    }


def judgement_data(item: Judgement) -> dict[str, Any]:
    """One move of a review."""
    return {
        "ply": item.ply,
        "player": item.seat,
        "move": format_move(item.move),
        "verdict": item.verdict,
        "before": value_data(item.before),
        "after": value_data(item.after),
        "better": format_moves(item.better),
        "line": format_moves(item.line),
        "standing": item.standing,
        "defence": defence_data(item.defence),
    }


def defence_data(defence: Defence | None) -> dict[str, Any] | None:
    """The best defence of a lost position; replies that are not proved are null."""
    if defence is None:
        return None
    replies = None if defence.replies is None else format_moves(defence.replies)
    return {
        "moves": format_moves(defence.moves),
        "turn": format_moves(defence.turn),
        "replies": replies,
        "mistakes": format_moves(defence.mistakes),
        "plies": defence.plies,
    }


def value_data(value: Value) -> dict[str, Any]:
    """A value that is not proved is null."""
    proved = value.result != "unknown"
    return {"value": value.result if proved else None, "plies": value.plies, "proved": proved}


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """A mistake, and when to practise it."""
    item, (solved, due) = lesson
    return {
        **puzzle_data(item.puzzle, item.book),
        "played": None if item.played is None else format_move(item.played),
        "record": item.game,
        "ply": item.ply,
        "solved": solved,
        "due": str(due),
    }


def puzzle_data(puzzle: Puzzle, book: Book) -> dict[str, Any]:
    """A puzzle with its answer."""
    return {
        "game": book.id,
        **_pick(book, "reading", "changes"),
        "first": puzzle.first,
        "moves": format_moves(puzzle.moves),
        **_pick(puzzle.position, "turn", "hands", "available"),
        **_pick(puzzle, "answer", "plies", "rating", "decoys"),
    }


def _pick(source: object, *names: str) -> dict[str, Any]:
    return {name: getattr(source, name) for name in names}
