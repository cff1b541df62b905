"""Puzzles in line mode: the player names a number, and sees why it wins or loses."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ninefold.books import Book
from ninefold.coach.hint import hint_for
from ninefold.coach.puzzle import Puzzle
from ninefold.coach.words import STEPS, sentence, what_is_wrong
from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console
from ninefold.line.screen import Screen
from ninefold.players import LEVELS
from ninefold.referee.events import Command, Refused
from ninefold.referee.parse import parse_input

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
    repeated: bool = False


class Quit(Exception):
    """The player leaves."""


class PuzzleSession:
    """Puzzles one after another; ``answered`` gets each result as soon as it is final.

    A puzzle counts as solved if the first answer was right and no hint had named the number.
    """

    def __init__(self, console: Console, answered: Callable[[Task, bool], None]) -> None:
        self.console = console
        self.answered = answered
        self.solved = 0
        self.failed = 0

    def play(self, tasks: Sequence[Task], again: bool = False) -> None:
        """Ask all puzzles; with ``again``, missed puzzles come back until they are solved."""
        queue = list(tasks)
        try:
            for number, task in enumerate(queue, 1):
                self._head(task, number, len(queue))
                solved = _Attempt(self, task).ask()
                if solved is False and again:
                    queue.append(task._replace(origin=AGAIN, repeated=True))
        except (EOFError, Quit):
            pass
        self.console.show(f"\n{self._summary()}\n")

    def count(self, task: Task, solved: bool) -> None:
        """Count a result; a puzzle that came back counts once in the summary."""
        if not task.repeated:
            self.solved += solved
            self.failed += not solved
        self.answered(task, solved)

    def _head(self, task: Task, number: int, total: int) -> None:
        origin = f"{task.origin}\n" if task.origin else ""
        gap = "" if number == 1 else "\n"
        rating = f"rating {task.puzzle.rating} of {max(LEVELS)}"
        self.console.show(
            f"{gap}Puzzle {number} of {total}: {task.book.label}, {rating}.\n{origin}\n"
        )

    def _summary(self) -> str:
        total = self.solved + self.failed
        if not total:
            return "You answered no puzzles."
        puzzles = "1 puzzle" if total == 1 else f"{total} puzzles"
        return f"Solved on the first try: {self.solved} of {puzzles}."


class _Attempt:
    """One puzzle until it is solved, shown or skipped."""

    def __init__(self, session: PuzzleSession, task: Task) -> None:
        self.session = session
        self.task = task
        self.position = task.puzzle.position
        self.screen = Screen(session.console, task.book, task.names, (True, True))
        self._hint = hint_for(self.position)
        self._step = 0
        self._result: bool | None = None

    def ask(self) -> bool | None:
        """Whether the puzzle was solved on the first try; None if it was skipped."""
        seat, markers = self.position.turn, self.task.book.words.markers
        marker = "" if markers == ("1", "2") else f" ({markers[seat - 1]})"
        self._board()
        self.screen.show(f"{self.task.names[seat - 1]}{marker} is to move. One number wins.\n\n")
        while not self._answer(self._read()):
            pass
        return self._result

    def _read(self) -> str:
        words = [*map(str, self.position.picks), *WORDS]
        prompt = self.screen.view.prompt(self.position)
        return self.session.console.ask(prompt, None, words, "One number wins. ? for help")

    def _answer(self, text: str) -> bool:
        """Answer what was typed; whether this puzzle is finished."""
        word = text.strip().casefold()
        if word == "solution":
            self._count(False)
            self.screen.show(sentence(self._hint, STEPS) + "\n")
            return True
        if word == "skip":
            return True
        try:
            given = parse_input(text)
            if isinstance(given, Command):
                return self._obey(given)
            self.position.play(given)
            return self._judge(given if isinstance(given, int) else None)
        except NinefoldError as error:
            self._refuse(error)
        return False

    def _judge(self, number: int | None) -> bool:
        """Whether this legal number is the answer."""
        if number == self.task.puzzle.answer:
            self._count(True)
            self.screen.show(f"Right! {sentence(self._hint, STEPS)}\n", "win")
            return True
        if number is not None:
            self._count(False)
            wrong = what_is_wrong(self.position, number)
            self.screen.show(f"{wrong} Try again.\n", "refusal")
        return False

    def _obey(self, command: Command) -> bool:
        if command.name == "quit":
            raise Quit
        if command.name == "hint":
            self._give_hint()
        elif command.name == "board":
            self._board()
        elif command.name == "help":
            self.screen.show(HELP)
        elif command.name == "rules":
            from ninefold.line.rules import rules_text

            self.screen.show(rules_text(self.task.book))
        else:
            self.screen.show(f"{command.name} does not work in a puzzle. Try help.\n", "refusal")
        return False

    def _give_hint(self) -> None:
        """Show a little more each time; from the second hint on, the puzzle counts as missed."""
        self._step = min(self._step + 1, STEPS)
        if self._step > 1:
            self._count(False)
        self.screen.show(sentence(self._hint, self._step) + "\n")

    def _refuse(self, error: NinefoldError) -> None:
        """Refuse a slip in the words of the book; it does not count as an answer."""
        refused = Refused(self.position.turn, error)
        self.screen.show(self.screen.view.refused(refused, self.position), "refusal")

    def _board(self) -> None:
        self.screen.show(self.screen.view.board(self.position))

    def _count(self, solved: bool) -> None:
        """Only the first result counts, and at once: leaving does not undo it."""
        if self._result is None:
            self._result = solved
            self.session.count(self.task, solved)
