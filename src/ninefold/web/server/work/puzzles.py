"""Puzzles: one for each day, by game and rating, the answers to them, and what to practise."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import date
from typing import Any, NotRequired, TypedDict

from ninefold import books
from ninefold.books import Book
from ninefold.books.book import Changes
from ninefold.coach.attempt import Attempt, Task, rating_of
from ninefold.coach.data import hint_data, lesson_data
from ninefold.coach.mistakes import collect_mistakes
from ninefold.coach.practice import (
    Answer,
    Lesson,
    Load,
    agenda,
    due_today,
    format_answer,
    missed_puzzles,
    origin_of,
    parse_answers,
    source_of,
)
from ninefold.coach.puzzle import (
    RATINGS,
    Puzzle,
    choose,
    puzzle_at,
    puzzle_of_the_day,
    puzzles,
    puzzles_rated,
)
from ninefold.coach.words import STEPS
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import format_moves, parse_move
from ninefold.narration import View
from ninefold.record.replay import Replay
from ninefold.referee.events import Refused
from ninefold.session import timestamp
from ninefold.solver import is_small
from ninefold.web.server.work.analysis import LineData, line_data
from ninefold.web.server.work.boards import referee_at, view_of
from ninefold.web.server.work.given import (
    BookSpec,
    load_spec,
    replay_of,
)
from ninefold.web.server.work.worker import Progress

MOST_PUZZLES = 50
QUESTION = "One number wins."


class PuzzleSpec(TypedDict):
    """A puzzle by its position: which book, and the moves that lead there."""

    book: BookSpec
    moves: Sequence[str]
    first: NotRequired[int]


class OwnGame(TypedDict):
    """A recorded game, its name, and the seat of the player whose mistakes are looked for.

    A book that is not built in has an id, by which there is a copy.
    """

    name: str
    seat: int
    record: str
    book: NotRequired[str | None]


class Answered(LineData):
    """Whether a number is right (None: it cannot be taken, which counts as no answer), and why.

    ``log`` is the line for the player's log, if this is the first that counts.
    """

    right: bool | None
    text: str
    log: str | None


def daily(day: str, progress: Progress = lambda _: None) -> dict[str, Any]:  # noqa: ARG001
    """The puzzle of a day, written 2026-01-31: the same for everyone; raises NinefoldError."""
    chosen = _day(day)
    every = books.load_all()
    at, puzzle = puzzle_of_the_day([book.game for book in every], chosen)
    return {"day": chosen.isoformat(), **_shown(puzzle, every[at])}


def choose_puzzles(
    book: BookSpec,
    rating: int | None = None,
    count: int = 10,
    seed: int = 0,
    answered: Sequence[str] = (),
    progress: Progress = lambda _: None,  # noqa: ARG001
) -> dict[str, Any]:
    """Some puzzles of a book, new ones first, and how many it has of each rating, and are new.

    ``answered`` are the identities of those that the player knows. Raises NinefoldError.
    """
    loaded, known = load_spec(book), set(answered)
    rated = puzzles_rated(loaded.game, rating)
    fresh = [puzzle for puzzle in rated if puzzle.identity not in known] or rated
    chosen = choose(fresh, min(count, MOST_PUZZLES), seed)
    return {
        "ratings": _ratings(puzzles(loaded.game), known),
        "puzzles": [_shown(puzzle, loaded) for puzzle in chosen],
    }


def answer(
    puzzle: PuzzleSpec,
    move: str,
    progress: Progress = lambda _: None,  # noqa: ARG001
) -> Answered:
    """Whether this number wins, and why or why not; raises NinefoldError if it is no puzzle."""
    attempt, number = _attempt(puzzle), parse_move(move)
    position, task = attempt.position, attempt.task
    try:
        position.play(number)
    except NinefoldError as error:
        view = View(task.book, task.names, (True, True))
        text = view.refused(Refused(position.turn, error), position).strip()
        return {"right": None, "text": text, "line": [], "line_words": "", "log": None}
    if not isinstance(number, int):
        raise NinefoldError("not-a-number", "Answer with a number.")
    right, text = attempt.answer(number)
    line = line_data(position, attempt.line_after(number))
    return {"right": right, "text": text, **line, "log": _log(task, right)}


def assist(
    puzzle: PuzzleSpec,
    step: int = 1,
    progress: Progress = lambda _: None,  # noqa: ARG001
) -> dict[str, Any]:
    """A step of the hint: an area, then the number, then why; from the second on it is missed."""
    attempt = _attempt(puzzle)
    step = max(1, min(step, STEPS))
    attempt.step = step - 1
    text, hint = attempt.more_hint(), hint_data(attempt.hint)
    told: dict[str, Any] = {"step": step, "text": text, "area": hint["area"], "moves": []}
    if step > 1:
        told["moves"] = hint["moves"]
    if step == STEPS:
        told |= line_data(attempt.position, attempt.line_after(attempt.task.puzzle.answer))
    return {**told, "log": None if attempt.result is None else _log(attempt.task, False)}


def lessons(
    games: Sequence[OwnGame] = (),
    log: Sequence[str] = (),
    copies: Mapping[str, str] | None = None,
    today: str | None = None,
    progress: Progress = lambda _: None,
) -> dict[str, Any]:
    """What a player missed in their games and puzzles, and when to practise it; the first 50.

    ``log`` has the lines of their answers, ``copies`` the books that are not built in by their ids;
    the oldest games come first. What is ``due`` has the most overdue first.
    """
    own, warnings, copies = {game["name"]: game for game in games}, list[str](), copies or {}

    def open_game(name: str) -> Replay:
        progress({"game": name, "of": len(own)})
        record, book = own[name]["record"], own[name].get("book")
        return replay_of({"record": record, "book": book, "copy": copies.get(book or "")}, name)

    answers = parse_answers("\n".join(log))
    found = collect_mistakes(
        own,
        open_game,
        warnings.append,
        lambda name, mistake: mistake.puzzle.position.turn == own[name]["seat"],
    )
    found += missed_puzzles(answers, _loader(copies))
    planned = agenda(found, answers)
    now = len(due_today(planned, _day(today) if today else None))  # the first ones
    shown = [_lesson(lesson) for lesson in planned[:MOST_PUZZLES]]
    return {
        "due": shown[:now],
        "later": shown[now:],
        "counts": {"due": now, "later": len(planned) - now},
        "next": str(planned[now].progress.due) if now < len(planned) else None,
        "warnings": warnings,
    }


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NinefoldError("unreadable", "Write the day as 2026-01-31.") from None


def _ratings(every: Iterable[Puzzle], known: Set[str]) -> list[dict[str, Any]]:
    counts = Counter(puzzle.rating for puzzle in every)
    new = Counter(puzzle.rating for puzzle in every if puzzle.identity not in known)
    return [
        {"rating": one, "about": RATINGS[one], "count": counts[one], "new": new[one]}
        for one in sorted(counts)
    ]


def _loader(copies: Mapping[str, str]) -> Load:
    """Loads books by their ids: built-in ones, and those of which there is a copy."""

    def load(name: str, reading: str | None, changes: Changes) -> Book:
        spec: BookSpec = {"game": name, "reading": reading, "changes": changes}
        return load_spec({**spec, "copy": copies[name]} if name in copies else spec)

    return load


def _attempt(spec: PuzzleSpec) -> Attempt:
    """The puzzle in this position; raises NinefoldError if it is none."""
    book, first = load_spec(spec["book"]), spec.get("first", 1)
    referee = referee_at(book, spec["moves"], first)
    found = puzzle_at(referee.position, referee.moves, first) if is_small(book.game) else None
    if found is None:
        reason = "This position is not a puzzle: it must have just one number that wins."
        raise NinefoldError("no-puzzle", reason)
    return Attempt(Task(found, book), lambda _task, _solved: None)


def _log(task: Task, solved: bool) -> str:
    source = "" if solved else source_of(task.puzzle, task.book)
    return format_answer(task.puzzle.identity, Answer(timestamp(), solved, source))


def _lesson(lesson: Lesson) -> dict[str, Any]:
    mistake, data = lesson.mistake, lesson_data(lesson)
    when = {name: data[name] for name in ("played", "record", "ply", "solved", "due")}
    return {**_shown(mistake.puzzle, mistake.book), **when, "origin": origin_of(mistake)}


def _shown(puzzle: Puzzle, book: Book) -> dict[str, Any]:
    """A puzzle without its answer."""
    moves = format_moves(puzzle.moves)
    view = view_of(book, referee_at(book, moves, puzzle.first), puzzle.position.turn)
    return {
        "identity": puzzle.identity,
        "game": book.file or book.id,
        "reading": book.reading,
        "changes": [*book.changes],
        "question": QUESTION,
        "first": puzzle.first,
        "moves": moves,
        "rating": puzzle.rating,
        "rating_words": rating_of(puzzle),
        "view": view,
    }
