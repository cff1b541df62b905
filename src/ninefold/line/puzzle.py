"""Puzzles in line mode: the player names a number, and sees why it wins or loses."""

from contextlib import suppress

from ninefold.coach.attempt import Attempt, PuzzleRun, rating_of
from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console
from ninefold.line.rules import rules_text
from ninefold.line.screen import Screen
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


def play_puzzles(console: Console, run: PuzzleRun) -> None:
    """Ask all puzzles, and say how many were solved."""
    with suppress(EOFError):
        while attempt := run.next():
            task = attempt.task
            gap = "" if run.number == 1 else "\n"
            head = f"{run.place}: {task.book.label}, {rating_of(task.puzzle)}."
            origin = f"{task.origin}\n" if task.origin else ""
            console.show(f"{gap}{head}\n{origin}\n")
            _Question(console, attempt).ask()
    console.show(f"\n{run.summary}\n")


class _Question:
    """One puzzle until it is solved, shown or skipped."""

    def __init__(self, console: Console, attempt: Attempt) -> None:
        self.attempt = attempt
        self.task = attempt.task
        self.position = attempt.position
        self.screen = Screen(console, self.task.book, self.task.names, (True, True))

    def ask(self) -> None:
        """Ask until this puzzle is finished. Raises EOFError."""
        seat, markers = self.position.turn, self.task.book.words.markers
        marker = "" if markers == ("1", "2") else f" ({markers[seat - 1]})"
        self._obey("board")
        self.screen.show(f"{self.task.names[seat - 1]}{marker} is to move. One number wins.\n\n")
        words = [*map(str, self.position.picks), *WORDS]
        prompt, status = self.screen.prompt(self.position), "One number wins. ? for help"
        while not self._answer(self.screen.console.ask(prompt, None, words, status)):
            pass

    def _answer(self, text: str) -> bool:
        """Answer what was typed; whether this puzzle is finished."""
        word = text.strip().casefold()
        if word == "skip":
            return True
        if word == "solution":
            self.screen.show(self.attempt.solution() + "\n")
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
        right, why = self.attempt.answer(given)
        self.screen.show(f"{why}\n", "win" if right else "refusal")
        return right

    def _obey(self, command: str) -> None:
        if command == "quit":
            raise EOFError
        if command == "hint":
            self.screen.show(self.attempt.more_hint() + "\n")
        elif command == "board":
            self.screen.show(self.screen.text("board", self.position))
        elif command == "help":
            self.screen.show(HELP)
        elif command == "rules":
            self.screen.show(rules_text(self.task.book))
        else:
            self.screen.show(f"{command} does not work in a puzzle. Try help.\n", "refusal")
