"""Practice: when a puzzle comes back. A failed one soon, a solved one less and less often.

Every answer is appended to one text file as a line, and these lines decide when a puzzle is due.
Nothing is ever rewritten, so no crash, second window or other version can lose an answer;
unreadable lines are left alone.
"""

import os
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from io import FileIO

from ninefold.coach.mistakes import Mistake
from ninefold.core.text import NamedTuple
from ninefold.record.lock import Lock
from ninefold.record.store import data_path, write_all

# Days until a puzzle comes back, after it was solved once, twice, …
INTERVALS = (1, 3, 7, 16, 35, 80, 180)
# Seconds to wait for another window that is writing.
WAIT = 10.0
_LINE = re.compile(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) (solved|failed) (\S+)$", re.MULTILINE)


class Answer(NamedTuple):
    """One answer: when (in UTC, as written), and whether it was right at the first try."""

    moment: str
    solved: bool


class Progress(NamedTuple):
    """How often in a row a puzzle was solved when it was due, and when it is due again."""

    solved: int
    due: date


class Lesson(NamedTuple):
    """A mistake, and when to practise it."""

    mistake: Mistake
    progress: Progress


def agenda(mistakes: Iterable[Mistake], answers: Mapping[str, list[Answer]]) -> list[Lesson]:
    """All mistakes with their progress so far, the most overdue first."""
    lessons = [
        Lesson(mistake, progress(mistake.date, answers.get(mistake.puzzle.identity, [])))
        for mistake in mistakes
    ]
    return sorted(lessons, key=lambda lesson: lesson.progress.due)


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


class PracticeLog:
    """The file of answers, in the user's data directory by default."""

    def __init__(self, path: str | None = None) -> None:
        self.path = path or data_path("practice.log")

    def read(self) -> dict[str, list[Answer]]:
        """All answers by the identity of their puzzle; raises OSError if they cannot be read."""
        try:
            with open(self.path, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except FileNotFoundError:
            return {}
        answers: dict[str, list[Answer]] = {}
        for moment, result, identity in _LINE.findall(text):
            answers.setdefault(identity, []).append(Answer(moment, result == "solved"))
        return answers

    def add(self, identity: str, answer: Answer) -> None:
        """Append one answer on a line of its own, even after a broken line; raises OSError."""
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        line = f"{answer.moment} {'solved' if answer.solved else 'failed'} {identity}\n"
        lock = Lock(self.path, WAIT)
        try:
            with FileIO(self.path, "a+") as file:
                end = file.seek(0, os.SEEK_END)
                file.seek(max(0, end - 1))
                cut_off = file.read(1) not in (b"\n", b"")
                write_all(file, f"\n{line}" if cut_off else line)
        finally:
            lock.release()
