"""Puzzles in line mode: the player names a number, and sees why it wins or loses."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from ninefold.books import Book
from ninefold.coach.hint import hint_for
from ninefold.coach.practice import Answer, PracticeLog
from ninefold.coach.puzzle import Puzzle
from ninefold.coach.words import STEPS, sentence, what_is_wrong
from ninefold.core.errors import NinefoldError
from ninefold.core.text import plural
from ninefold.line.console import Console
from ninefold.line.rules import rules_text
from ninefold.line.screen import Screen
from ninefold.line.wrap import note
from ninefold.players import LEVELS
from ninefold.referee.events import Command, Refused
from ninefold.referee.parse import parse_input
from ninefold.session import timestamp

WORDS = ("hint", "solution", "skip", "board", "rules", "help", "quit")
HELP = """\
4              the number you think wins (pick 4 does the same)
hint           hint (type it again for more)
solution       show the number and why
skip           skip this puzzle
board          show all numbers again
rules          the rules of this game
quit           leave
"""
AGAIN = "Again: you missed this one last time."


class Task(NamedTuple):
    """A puzzle to solve, its book, and the game it comes from, if any."""

    puzzle: Puzzle
    book: Book
    origin: str = ""
    names: tuple[str, str] = ("Player 1", "Player 2")


def play_puzzles(console: Console, tasks: Sequence[Task], log: PracticeLog | None = None) -> None:
    """Ask all puzzles; with a log, save each result, and ask what was missed until it is solved."""
    queue, results, again = list(tasks), list[bool](), log is not None

    def count(task: Task, solved: bool) -> None:
        nonlocal log
        if task.origin != AGAIN:
            results.append(solved)
        try:
            if log is not None:
                log.add(task.puzzle.identity, Answer(timestamp(), solved))
        except OSError as error:
            log = None
            note(f"ninefold: your progress cannot be saved ({error.strerror or error}).")

    with suppress(EOFError):
        for number, task in enumerate(queue, 1):
            gap = "" if number == 1 else "\n"
            rating = f"rating {task.puzzle.rating} of {max(LEVELS)}"
            head = f"Puzzle {number} of {len(queue)}: {task.book.label}, {rating}."
            origin = f"{task.origin}\n" if task.origin else ""
            console.show(f"{gap}{head}\n{origin}\n")
            if _Attempt(console, task, count).ask() is False and again:
                queue.append(task._replace(origin=AGAIN))
    summary = f"Solved on the first try: {sum(results)} of {plural(len(results), 'puzzle')}."
    console.show(f"\n{summary if results else 'You answered no puzzles.'}\n")


class _Attempt:
    """One puzzle until it is solved, shown or skipped."""

    def __init__(self, console: Console, task: Task, count: Callable[[Task, bool], None]) -> None:
        self.task = task
        self.position = task.puzzle.position
        self.screen = Screen(console, task.book, task.names, (True, True))
        self._report = count
        self._hint = hint_for(self.position)
        self._step = 0
        self._result: bool | None = None

    def ask(self) -> bool | None:
        """Whether it was solved on the first try; None if it was skipped. Raises EOFError."""
        seat, markers = self.position.turn, self.task.book.words.markers
        marker = "" if markers == ("1", "2") else f" ({markers[seat - 1]})"
        self._obey("board")
        self.screen.show(f"{self.task.names[seat - 1]}{marker} is to move. One number wins.\n\n")
        words = [*map(str, self.position.picks), *WORDS]
        prompt, status = self.screen.prompt(self.position), "One number wins. ? for help"
        while not self._answer(self.screen.console.ask(prompt, None, words, status)):
            pass
        return self._result

    def _answer(self, text: str) -> bool:
        """Answer what was typed; whether this puzzle is finished."""
        word = text.strip().casefold()
        if word == "skip":
            return True
        if word == "solution":
            self._count(False)
            self.screen.show(sentence(self._hint, STEPS) + "\n")
            return True
        try:
            given = parse_input(text)
            if isinstance(given, Command):
                self._obey(given.name)
                return False
            self.position.play(given)
        except NinefoldError as error:  # in the words of the book; it does not count as an answer
            refusal = self.screen.refused(Refused(self.position.turn, error), self.position)
            self.screen.show(refusal, "refusal")
            return False
        if not isinstance(given, int):
            return False
        right = given == self.task.puzzle.answer
        self._count(right)
        if right:
            self.screen.show(f"Right! {sentence(self._hint, STEPS)}\n", "win")
        else:
            self.screen.show(f"{what_is_wrong(self.position, given)} Try again.\n", "refusal")
        return right

    def _obey(self, command: str) -> None:
        if command == "quit":
            raise EOFError
        if command == "hint":
            # A little more each time; from the second hint on, the puzzle counts as missed.
            self._step = min(self._step + 1, STEPS)
            if self._step > 1:
                self._count(False)
            self.screen.show(sentence(self._hint, self._step) + "\n")
        elif command == "board":
            self.screen.show(self.screen.board(self.position))
        elif command == "help":
            self.screen.show(HELP)
        elif command == "rules":
            self.screen.show(rules_text(self.task.book))
        else:
            self.screen.show(f"{command} does not work in a puzzle. Try help.\n", "refusal")

    def _count(self, solved: bool) -> None:
        """Only the first result counts, and at once: leaving does not undo it."""
        if self._result is None:
            self._result = solved
            self._report(self.task, solved)
