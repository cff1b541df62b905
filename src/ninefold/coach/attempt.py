"""Solving puzzles: what counts as solved, and what is asked again; for every front end."""

from collections.abc import Callable, Sequence

from ninefold.books import Book
from ninefold.coach.hint import answers_to, hint_for
from ninefold.coach.mistakes import Mistake
from ninefold.coach.practice import Answer, PracticeLog, source_of
from ninefold.coach.puzzle import Puzzle
from ninefold.coach.words import STEPS, sentence, what_is_wrong
from ninefold.core.moves import PASS, Move
from ninefold.core.position import Position
from ninefold.core.text import NamedTuple, plural
from ninefold.players import LEVELS
from ninefold.session import timestamp
from ninefold.solver import solver_for

AGAIN = "Again: you missed this one last time."


class Task(NamedTuple):
    """A puzzle to solve, its book, and where it comes from, if that is worth saying."""

    puzzle: Puzzle
    book: Book
    origin: str = ""
    names: tuple[str, str] = ("Player 1", "Player 2")


def task_of(mistake: Mistake) -> Task:
    """The puzzle that was missed, to be solved."""
    return Task(mistake.puzzle, mistake.book, mistake.origin, mistake.names)


class Attempt:
    """One puzzle until it is solved, shown or skipped; only the first result counts, at once."""

    def __init__(self, task: Task, report: Callable[[Task, bool], None]) -> None:
        self.task = task
        self.hint = hint_for(task.puzzle.position)
        self.step = 0  # how much of the hint has been shown
        self.result: bool | None = None
        self._report = report

    @property
    def position(self) -> Position:
        """The position in which one number wins."""
        return self.task.puzzle.position

    def answer(self, number: int) -> tuple[bool, str]:
        """Whether a number that may be taken is the one that wins, and why or why not."""
        right = number == self.task.puzzle.answer
        self._count(right)
        if right:
            return True, f"Right! {sentence(self.hint, STEPS)}"
        return False, f"{what_is_wrong(self.position, number)} Try again."

    def line_after(self, number: int) -> tuple[Move, ...]:
        """Best play after this number, which comes first."""
        position = self.position
        asked = (PASS,) if position.play(number).asking else ()
        return (number, *asked, *answers_to(position, number, solver_for(position.game)))

    def more_hint(self) -> str:
        """A little more each time; from the second hint on, the puzzle counts as missed."""
        self.step = min(self.step + 1, STEPS)
        if self.step > 1:
            self._count(False)
        return sentence(self.hint, self.step)

    def solution(self) -> str:
        """The number and why it wins; the puzzle counts as missed."""
        self.step = STEPS
        self._count(False)
        return sentence(self.hint, STEPS)

    def _count(self, solved: bool) -> None:
        """Leaving does not undo it."""
        if self.result is None:
            self.result = solved
            self._report(self.task, solved)


class PuzzleRun:
    """Puzzles one after another; with a log, every result is saved."""

    def __init__(
        self,
        tasks: Sequence[Task],
        log: PracticeLog | None,
        warn: Callable[[str], None],
        again: bool = True,  # whether what was missed is asked until it is solved
    ) -> None:
        self.queue = list(tasks)
        self.number = 0
        self.results: list[bool] = []  # of the first attempt at each puzzle
        self._attempt: Attempt | None = None
        self._log = log
        self._warn = warn
        self._again = again

    def next(self) -> Attempt | None:
        """The next puzzle, and at the end what was missed; None when nothing is left."""
        last = self._attempt
        if last is not None and last.result is False and self._again:
            self.queue.append(last.task._replace(origin=AGAIN))
        self._attempt = None
        if self.number < len(self.queue):
            self._attempt = Attempt(self.queue[self.number], self._count)
            self.number += 1
        return self._attempt

    @property
    def place(self) -> str:
        """Which puzzle this is, of how many."""
        return f"Puzzle {self.number} of {len(self.queue)}"

    @property
    def summary(self) -> str:
        """How many were solved on the first try."""
        if not self.results:
            return "You answered no puzzles."
        puzzles = plural(len(self.results), "puzzle")
        return f"Solved on the first try: {sum(self.results)} of {puzzles}."

    def _count(self, task: Task, solved: bool) -> None:
        if task.origin != AGAIN:
            self.results.append(solved)
        if self._log is None:
            return
        source = "" if solved else source_of(task.puzzle, task.book)
        try:
            self._log.add(task.puzzle.identity, Answer(timestamp(), solved, source))
        except OSError as error:
            self._log = None
            self._warn(f"Your progress cannot be saved ({error.strerror or error}).")


def rating_of(puzzle: Puzzle) -> str:
    """How hard it is, in words."""
    return f"rating {puzzle.rating} of {max(LEVELS)}"
