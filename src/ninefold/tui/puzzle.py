"""A puzzle: one number wins, and the player is to find it."""

from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from ninefold.board_words import markers_of
from ninefold.coach.attempt import Attempt, PuzzleRun, rating_of
from ninefold.coach.words import STEPS, you_and_they
from ninefold.core.errors import NinefoldError
from ninefold.narration import View
from ninefold.referee.events import Refused
from ninefold.tui.background import in_background
from ninefold.tui.base import ControlledPage
from ninefold.tui.board import Board, BoardFrame
from ninefold.tui.line_of_play import LineOfPlay
from ninefold.tui.position_tiles import (
    hands_text,
    hint_marks,
    last_number,
    tiles_of,
)


class PuzzleScreen(ControlledPage):
    """Asks the puzzles of a run; a result counts at once, so leaving is always fine."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint"),
        Binding("s", "solution", "Solution"),
        Binding("w", "why", "Why"),
        Binding("n", "next", "Next"),
        Binding("r", "rules", "Rules"),
        Binding("escape", "leave", "Close"),
    ]
    CONTROLS: ClassVar = {
        "hint": "h Hint",
        "solution": "s Solve",
        "why": "w Why",
        "next": "n Next",
        "rules": "r Rules",
        "leave": "Esc Close",
    }
    PALETTE: ClassVar = {
        "hint": ("Hint", "An area, then the number, then the reason"),
        "solution": ("Solution", "The number that wins, and why"),
        "why": ("Why", "Play out on the board what follows"),
        "next": ("Next puzzle", "Skip this one, or go on"),
        "rules": ("Rules of this game", "How it is played"),
        "leave": ("Close the puzzles", "What you answered is kept"),
    }

    def __init__(self, run: PuzzleRun) -> None:
        super().__init__()
        self.run = run
        self.attempt: Attempt | None = None
        self._is_solved = False  # found or shown
        self._wrong: set[int] = set()
        self._tried: int | None = None  # the number whose line can be seen
        self.said = ""

    def compose(self) -> ComposeResult:
        """The task above the board, what follows from an answer below it."""
        yield Static("Puzzle", id="title", markup=False)
        with Horizontal(id="main"), Vertical(id="left"):
            yield Static(id="turn", markup=False)
            with BoardFrame(id="frame"):
                pool = self.run.queue[0].book.game.pool
                yield Board(pool, self.preferences.tiles, id="board")
            yield Static(id="hands", markup=False)
            yield Static(id="message", markup=False)
        yield from self.compose_controls()

    def on_mount(self) -> None:
        """Ask the first puzzle."""
        self.show_controls()
        self.action_next()

    def on_screen_resume(self) -> None:
        """After a look at a line or at the rules, the next key is for the board."""
        self.refresh_all()

    def action_next(self) -> None:
        """The next puzzle; if there is none, the end."""
        self.attempt = None
        self.show_controls()
        in_background(self, self.run.next, self._begun)

    def _begun(self, attempt: Attempt | NinefoldError | None) -> None:
        if isinstance(attempt, NinefoldError):
            self.app.notify(attempt.message, severity="warning", markup=False)
            self.action_leave()
            return
        self._is_solved, self._tried, self.said, self._wrong = False, None, "", set()
        if attempt is None:
            self._end()
            return
        self.attempt = attempt
        self.query_one(Board).renew(attempt.task.book.game.pool)
        self.refresh_all()

    def _end(self) -> None:
        self.query_one("#title", Static).update("Puzzles")
        self.query_one("#turn", Static).update("That was the last one.")
        self.query_one("#hands", Static).update("")
        self.query_one("#message", Static).update(self.run.summary)
        self.query_one(Board).display = False
        self.show_controls()
        self.query_one("#do-leave", Button).focus()

    def refresh_all(self) -> None:
        """Show everything as it is now."""
        attempt = self.attempt
        if attempt is None:
            return
        task, position = attempt.task, attempt.position
        shown = position.play(task.puzzle.answer) if self._is_solved else position
        moves = (*task.puzzle.moves, task.puzzle.answer) if self._is_solved else task.puzzle.moves
        tiles = tiles_of(task.book, shown, last_number(moves), hints=self.marks)
        self.query_one(Board).show(tiles)
        title = f"{self.run.place} · {task.book.title} · {rating_of(task.puzzle)}"
        self.query_one("#title", Static).update(title)
        self.query_one("#turn", Static).update(self._question(attempt))
        self.query_one("#hands", Static).update(self._hands(attempt))
        self.query_one("#message", Static).update(self.said)
        self.query_one("#do-next", Button).label = "n Next" if self._is_solved else "n Skip"
        self.show_controls()
        if not self._is_solved:
            self.query_one(Board).focus()

    @property
    def marks(self) -> dict[int, str]:
        """Wrong answers, and what the hint marks on the board."""
        attempt = self.attempt
        if attempt is None:
            return {}
        step = STEPS if self._is_solved else attempt.step
        return hint_marks(attempt.hint, step) | dict.fromkeys(self._wrong, "x")

    def _question(self, attempt: Attempt) -> str:
        marker = markers_of(attempt.task.book)[attempt.position.turn - 1]
        task = f"One number wins. You are {marker}."
        origin = attempt.task.origin
        return task if not origin or self.has_class("-short") else f"{task} {origin}"

    def _hands(self, attempt: Attempt) -> str:
        one, two = you_and_they(attempt.position.turn)
        names = one.capitalize(), two.capitalize()
        return hands_text(attempt.task.book, names, attempt.position)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Only what is possible now can be pressed or clicked."""
        asked = self.attempt is not None
        possible = {
            "hint": asked and not self._is_solved,
            "solution": asked and not self._is_solved,
            "why": asked and self._tried is not None,
            "next": asked,
            "rules": asked,
        }
        return possible.get(action, True)

    # What the player does

    @on(Board.Taken)
    def _answered(self, event: Board.Taken) -> None:
        attempt = self.attempt
        if attempt is None or self._is_solved:
            return
        position, number = attempt.position, event.number
        try:
            position.play(number)
        except NinefoldError as error:  # in the words of the book; it does not count as an answer
            view = View(attempt.task.book, attempt.task.names, (True, True))
            self.said = view.refused(Refused(position.turn, error), position).strip()
            self.refresh_all()
            return
        right, self.said = attempt.answer(number)
        self._tried = number
        if right:
            self._finish()
        else:
            self._wrong.add(number)
            self.refresh_all()

    @on(Board.Toggled)
    def _toggled(self, event: Board.Toggled) -> None:
        self._answered(Board.Taken(event.number))

    @on(Board.Moved)
    def _typing(self) -> None:
        typing = self.query_one(Board).typing
        if typing:
            self.query_one("#message", Static).update(typing)

    def _finish(self) -> None:
        """The number is known; Enter goes on."""
        self._is_solved = True
        self.refresh_all()
        self.call_after_refresh(partial(self.set_focus, self.query_one("#do-next", Button)))

    def action_hint(self) -> None:
        """A little more each time: an area, the number, then the reason."""
        if self.attempt is not None:
            self.said = self.attempt.more_hint()
            self.refresh_all()

    def action_solution(self) -> None:
        """Show the number that wins, and why."""
        if self.attempt is not None:
            self.said = self.attempt.solution()
            self._tried = self.attempt.task.puzzle.answer
            self._finish()

    def action_why(self) -> None:
        """Play out what follows from the last answer."""
        attempt, number = self.attempt, self._tried
        if attempt is not None and number is not None:
            names = you_and_they(attempt.position.turn)
            line, book = attempt.line_after(number), attempt.task.book
            self.app.push_screen(LineOfPlay(book, attempt.position, line, names, self.said))

    def action_rules(self) -> None:
        """Show the rules."""
        if self.attempt is not None:
            self.program.show_rules(self.attempt.task.book)

    def action_leave(self) -> None:
        """Close the puzzles; what was answered is kept."""
        self.app.pop_screen()
