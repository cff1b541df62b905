"""Puzzles: what is due today, then every game by rating."""

import os
from collections import Counter
from functools import partial
from random import Random
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Static

from ninefold import books
from ninefold.books import Book
from ninefold.coach.attempt import PuzzleRun, Task, task_of
from ninefold.coach.mistakes import Mistake
from ninefold.coach.practice import PracticeLog, due_now, origin_of
from ninefold.coach.puzzle import RATINGS, Puzzle, choose, puzzles
from ninefold.core.errors import NinefoldError
from ninefold.core.text import plural
from ninefold.players import LEVELS
from ninefold.tui.background import in_background
from ninefold.tui.base import ControlledPage
from ninefold.tui.puzzle import PuzzleScreen

# So many puzzles are asked in a row.
IN_A_ROW = 10
COUNT = 5  # columns of a count
NARROW = 60  # below, there is no room between columns
ANY = "any"
ABOUT = {ANY: "Any rating, the easiest first"}
ABOUT |= {str(level): f"Rating {level}: {deed}" for level, deed in RATINGS.items()}


class PuzzlesScreen(ControlledPage):
    """A table of games and ratings; a cell with a count is a choice of puzzles."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "due", "Practise what is due"),
        Binding("escape", "leave", "Back"),
    ]
    CONTROLS: ClassVar = {"due": "d Practise", "leave": "Esc Back"}
    PALETTE: ClassVar = {"due": ("Practise what is due", "Wins that you missed, asked again")}

    def __init__(self) -> None:
        super().__init__()
        self._due: list[Mistake] = []
        self._books: dict[str, Book] = {}
        self._found: dict[str, tuple[Puzzle, ...]] = {}
        self._reasons: dict[str, str] = {}  # why the puzzles of a game cannot be found

    def compose(self) -> ComposeResult:
        """What is due, then the table."""
        yield Static("Puzzles", id="title", markup=False)
        yield Static("Looking for wins that you missed …", id="due", markup=False)
        yield DataTable(id="by-game", cursor_type="cell", cell_padding=1)
        yield Static(id="about-cell", markup=False)
        yield from self.compose_controls()

    def on_mount(self) -> None:
        """List the games, and count their puzzles one game after the other."""
        self._books = _all_books(self.preferences.books)
        self._fill_table()
        self.query_one(DataTable).focus()
        self._count_next([*self._books])
        self.show_controls()

    @on(events.Resize)
    def _fill_table(self) -> None:
        """All games and counts, as wide as there is room."""
        table = self.query_one(DataTable)
        cursor = table.cursor_coordinate
        table.clear(columns=True)
        table.cell_padding = int(self.size.width >= NARROW)
        room = self.size.width - len(LEVELS) * (COUNT + 2 * table.cell_padding) - 6
        table.add_column("By rating:", key=ANY, width=max(10, min(40, room)))
        for level in LEVELS:
            table.add_column(Text(f"{level}", justify="right"), key=str(level), width=COUNT)
        for name, book in self._books.items():
            table.add_row(Text(_title_of(book)), *self._counts(name), key=name)
        table.cursor_coordinate = cursor

    def _counts(self, name: str) -> list[Text]:
        """How many puzzles of each rating a game has."""
        found = self._found.get(name)
        counts = Counter(puzzle.rating for puzzle in found or ())
        shown = [str(counts[level] or "-") if found is not None else "…" for level in LEVELS]
        return [Text(count, justify="right") for count in shown]

    @property
    def is_complete(self) -> bool:
        """Whether the puzzles of every game are counted."""
        return len(self._found) == len(self._books)

    def on_screen_resume(self) -> None:
        """Look again at what is due, whenever this screen comes back."""
        in_background(self, due_now, self._looked)

    def _looked(self, due: list[Mistake] | NinefoldError) -> None:
        self._due = [] if isinstance(due, NinefoldError) else due
        text = f"Due today: {plural(len(self._due), 'puzzle')} that you missed."
        if isinstance(due, NinefoldError):
            text = due.message
        elif not due:
            text = "Nothing is due today. Wins that you miss come back here."
        self.query_one("#due", Static).update(text)
        self.show_controls()

    def _count_next(self, names: list[str]) -> None:
        """Count the puzzles of these games, which takes a second or two for each."""
        if names:
            work = partial(puzzles, self._books[names[0]].game)
            in_background(self, work, partial(self._counted, names))

    def _counted(self, names: list[str], found: tuple[Puzzle, ...] | NinefoldError) -> None:
        name, *rest = names
        if isinstance(found, NinefoldError):
            self._found[name], self._reasons[name] = (), found.message
        else:
            self._found[name] = found
        for level, count in zip(LEVELS, self._counts(name), strict=True):
            self.query_one(DataTable).update_cell(name, str(level), count)
        self._count_next(rest)

    @on(DataTable.CellHighlighted)
    def _explain(self, event: DataTable.CellHighlighted) -> None:
        name, level = event.cell_key.row_key.value or "", event.cell_key.column_key.value or ANY
        about = f"{_title_of(self._books[name])}. {ABOUT[level]}"
        self.query_one("#about-cell", Static).update(about)

    @on(DataTable.CellSelected)
    def _selected(self, event: DataTable.CellSelected) -> None:
        name, level = event.cell_key.row_key.value or "", event.cell_key.column_key.value
        about = self.query_one("#about-cell", Static)
        if name not in self._found:
            about.update("Still looking for the puzzles of this game …")
            return
        rated = [one for one in self._found[name] if level in (ANY, str(one.rating))]
        if not rated:
            none = "There are none. Choose a cell with a number."
            about.update(self._reasons.get(name, none))
            return
        log = PracticeLog()
        try:
            answered = log.read()
        except OSError:
            answered = {}
        fresh = [one for one in rated if one.identity not in answered] or rated
        chosen = choose(fresh, IN_A_ROW, Random().getrandbits(32))
        book = self._books[name]
        self._ask([Task(puzzle, book) for puzzle in chosen])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """There must be something to practise."""
        return bool(self._due) if action == "due" else True

    def action_due(self) -> None:
        """Ask what is due, the most overdue first."""
        self._ask([task_of(mistake)._replace(origin=origin_of(mistake)) for mistake in self._due])

    def _ask(self, tasks: list[Task]) -> None:
        warn = partial(self.app.notify, severity="warning", markup=False)
        self.app.push_screen(PuzzleScreen(PuzzleRun(tasks, PracticeLog(), warn)))

    def action_leave(self) -> None:
        """Back to where this was opened."""
        self.app.pop_screen()


def _all_books(files: tuple[str, ...]) -> dict[str, Book]:
    """Built-in games and the user's rule books, by what loads them."""
    found = {book.id: book for book in books.load_all()}
    for file in files:
        if os.path.isfile(file):
            try:
                found[file] = books.load_book(file)
            except NinefoldError:
                continue  # My rule books says what is wrong with it
    return found


def _title_of(book: Book) -> str:
    return book.title if book.file is None else f"{book.title} (yours)"
