"""Practice: when a puzzle comes back. A failed one soon, a solved one less and less often.

Every answer is one line of text, and these lines decide when a puzzle is due, wherever they are
kept. A user's own are appended to one file.
Nothing is ever rewritten, so no crash, second window or other version can lose an answer;
unreadable lines are left alone.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, timedelta
from functools import cache
from io import FileIO
from typing import TypeAlias

from ninefold import books
from ninefold.books import Book
from ninefold.books.book import Changes
from ninefold.coach.mistakes import Mistake, find_mistakes
from ninefold.coach.puzzle import Puzzle, puzzle_at
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import format_move, parse_move
from ninefold.core.text import NamedTuple
from ninefold.record.lock import Lock
from ninefold.record.store import Store, data_path, write_all
from ninefold.session import timestamp
from ninefold.solver import is_small

Load: TypeAlias = Callable[[str, str | None, Changes], Book]
# Days until a puzzle comes back, after it was solved once, twice, …
INTERVALS = (1, 3, 7, 16, 35, 80, 180)
# Seconds to wait for another window that is writing.
WAIT = 10.0
_LINE = re.compile(
    r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) (solved|failed) (\S+)(?: (\{.*\}))?$", re.MULTILINE
)


class Answer(NamedTuple):
    """One answer: when (in UTC, as written), and whether it was right at the first try."""

    moment: str
    solved: bool
    source: str = ""  # how to find the puzzle again, if it was missed


class Progress(NamedTuple):
    """How often in a row a puzzle was solved when it was due, and when it is due again."""

    solved: int
    due: date


class Lesson(NamedTuple):
    """A mistake, and when to practise it."""

    mistake: Mistake
    progress: Progress


def agenda(mistakes: Iterable[Mistake], answers: Mapping[str, list[Answer]]) -> list[Lesson]:
    """All mistakes with their progress so far, each once, the most overdue first."""
    lessons: dict[str, Lesson] = {}
    for mistake in mistakes:
        identity = mistake.puzzle.identity
        schedule = progress(mistake.date, answers.get(identity, []))
        lessons.setdefault(identity, Lesson(mistake, schedule))
    return sorted(lessons.values(), key=lambda lesson: lesson.progress.due)


def due_today(lessons: Iterable[Lesson], today: date | None = None) -> list[Mistake]:
    """What is to be practised now, or on another day."""
    today = today or day_of(timestamp())
    return [lesson.mistake for lesson in lessons if lesson.progress.due <= today]


def due_now(log: "PracticeLog | None" = None) -> list[Mistake]:
    """What the user's games and answers say is to be practised now; raises NinefoldError."""
    log = log or PracticeLog()
    try:
        answers = log.read()
    except OSError as error:
        reason = f"Cannot read {log.path}: {error.strerror or error}."
        raise NinefoldError("no-log", reason) from None
    return due_today(agenda([*find_mistakes(Store()), *missed_puzzles(answers)], answers))


def missed_puzzles(answers: Mapping[str, list[Answer]], load: Load | None = None) -> list[Mistake]:
    """Every puzzle that was answered wrongly and can still be found again.

    ``load`` loads books by their names, readings and changes.
    """
    missed = (
        find_again(identity, answer, load) if load else _find_own(identity, answer)
        for identity, given in answers.items()
        if (answer := next((one for one in given if one.source), None))
    )
    return [mistake for mistake in missed if mistake is not None]


def origin_of(mistake: Mistake) -> str:
    """Where a mistake of the reader comes from."""
    if mistake.ply is None:
        return "You missed this puzzle."
    return f"From your game of {day_of(mistake.date):%d %B}, move {mistake.ply}."


def source_of(puzzle: Puzzle, book: Book) -> str:
    """How to find a puzzle again, on one line."""
    source = {
        "game": book.file or book.id,
        "reading": book.reading,
        "changes": book.changes,
        "first": puzzle.first,
        "moves": [format_move(move) for move in puzzle.moves],
    }
    return json.dumps(source)


@cache
def _find_own(identity: str, answer: Answer) -> Mistake | None:
    return find_again(identity, answer, books.load_book)


def find_again(identity: str, answer: Answer, load: Load) -> Mistake | None:
    """The puzzle that was missed; None if its rule book is gone, or has other rules now."""
    try:
        source = json.loads(answer.source)
        book = load(source["game"], source["reading"], tuple(source["changes"]))
        moves, first = tuple(parse_move(text) for text in source["moves"]), source["first"]
        if not is_small(book.game):
            return None
        puzzle = puzzle_at(book.game.play(moves, first), moves, first)
    except (ValueError, KeyError, TypeError, AttributeError, NinefoldError):
        return None
    if puzzle is None or puzzle.identity != identity:
        return None
    return Mistake(puzzle, book, answer.moment)


def missed_books(answers: Mapping[str, list[Answer]]) -> list[str]:
    """The names of the books whose puzzles were missed, each once, the one missed last first."""
    missed = sorted(
        (one for given in answers.values() for one in given if one.source), reverse=True
    )
    return [*filter(None, dict.fromkeys(map(_book_of, missed)))]


def _book_of(answer: Answer) -> str:
    try:
        return str(json.loads(answer.source)["game"])
    except (ValueError, KeyError):
        return ""


def progress(missed: str, answers: Iterable[Answer]) -> Progress:
    """The progress of a puzzle that was missed in a game at this moment, after these answers."""
    first, *rest = sorted([Answer(missed, False), *answers])
    state = Progress(0, day_of(first.moment))
    for answer in rest:
        today = day_of(answer.moment)
        if not answer.solved:
            state = Progress(0, today)
        elif today >= state.due:
            days = INTERVALS[min(state.solved, len(INTERVALS) - 1)]
            state = Progress(state.solved + 1, today + timedelta(days))
    return state


def day_of(moment: str) -> date:
    """The local day of a moment; the earliest day there is if it cannot be read."""
    try:
        return datetime.strptime(moment, "%Y-%m-%dT%H:%M:%S%z").astimezone().date()
    except (ValueError, OverflowError, OSError):
        return date.min


def format_answer(identity: str, answer: Answer) -> str:
    """The line for an answer, without its end."""
    result = "solved" if answer.solved else "failed"
    return " ".join(filter(None, (answer.moment, result, identity, answer.source)))


def parse_answers(lines: str) -> dict[str, list[Answer]]:
    """All answers by the identity of their puzzle."""
    answers: dict[str, list[Answer]] = {}
    for moment, result, identity, source in _LINE.findall(lines):
        answer = Answer(moment, result == "solved", source)
        answers.setdefault(identity, []).append(answer)
    return answers


class PracticeLog:
    """The file of answers, in the user's data directory by default."""

    def __init__(self, path: str | None = None) -> None:
        self.path = path or data_path("practice.log")

    def read(self) -> dict[str, list[Answer]]:
        """All answers by the identity of their puzzle; raises OSError if they cannot be read."""
        try:
            with open(self.path, encoding="utf-8", errors="replace") as file:
                return parse_answers(file.read())
        except FileNotFoundError:
            return {}

    def add(self, identity: str, answer: Answer) -> None:
        """Append one answer on a line of its own, even after a broken line; raises OSError."""
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        line = f"{format_answer(identity, answer)}\n"
        lock = Lock(self.path, WAIT)
        try:
            with FileIO(self.path, "a+") as file:
                end = file.seek(0, os.SEEK_END)
                file.seek(max(0, end - 1))
                cut_off = file.read(1) not in (b"\n", b"")
                write_all(file, f"\n{line}" if cut_off else line)
        finally:
            lock.release()
