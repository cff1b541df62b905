"""My rule books: files of the user's own games, to play, read, check, audit and write."""

import os
from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.suggester import Suggester
from textual.widgets import Footer, Input, Static

from ninefold import books
from ninefold.book_files import BookFile, find_books, own_folder, remembered, short_path
from ninefold.books import Book
from ninefold.books.describe import pool_of
from ninefold.books.faults import BookError
from ninefold.books.safety import shown
from ninefold.books.sources import BookFileError, is_path, read_text
from ninefold.core.errors import NinefoldError
from ninefold.core.text import plural
from ninefold.tui.background import in_background
from ninefold.tui.base import Page
from ninefold.tui.fields import buttons
from ninefold.tui.table import GAP, Table

_BUTTONS = {
    "play": "Play",
    "rules": "Rules",
    "check": "Check",
    "audit": "Audit",
    "new": "New",
    "back": "Back",
}
NOTHING = "No rule books yet. Press n to write one, or o to open a file."


class MyBooks(Page):
    """A list of files, with what the one under the cursor is about."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "play", "Play"),
        Binding("r", "rules", "Rules"),
        Binding("k", "check", "Check"),
        Binding("a", "audit", "Audit"),
        Binding("n", "new", "New"),
        Binding("o", "path", "Open a file"),
        Binding("escape", "leave", "Back"),
    ]
    PALETTE: ClassVar[Mapping[str, tuple[str, str]]] = {
        "play": ("Play this rule book", "Start a game by its rules"),
        "rules": ("Rules of this rule book", "How it is played"),
        "check": ("Check this rule book", "List every error next to its line"),
        "audit": ("Audit this rule book", "Who wins, and whether every rule matters"),
        "new": ("New rule book", "Answer some questions"),
    }

    def __init__(self) -> None:
        super().__init__()
        self.files: list[BookFile] = []
        self._wanted = ""  # the file to put the cursor on

    def compose(self) -> ComposeResult:
        """The list, a few lines about one book, and a field for the path of another."""
        yield Static("My rule books", classes="title")
        yield Table(id="books")
        yield Static(id="book", markup=False)
        yield Input(
            placeholder="Open a file: type its path",
            id="path",
            compact=True,
            suggester=_Paths(use_cache=False, case_sensitive=True),
        )
        yield Static(id="refusal", markup=False)
        yield from buttons(_BUTTONS)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Go straight to the list."""
        self.query_one("#books").focus()
        self.refuse("")

    def on_screen_resume(self) -> None:
        """Look for files again, whenever this screen comes back."""
        opened = self.preferences.books
        in_background(self, partial(find_books, opened), self._found)

    def _found(self, files: "list[BookFile] | NinefoldError") -> None:
        if isinstance(files, NinefoldError):
            return
        chosen = self._wanted or (self.chosen.path if self.chosen else "")
        self.files, self._wanted = files, ""
        self._show_files(chosen)

    @on(events.Resize)
    def _fit(self) -> None:
        self._show_files(self.chosen.path if self.chosen else "")

    def _show_files(self, chosen: str) -> None:
        """Fill the table, with the cursor on this file."""
        half = max(10, (self.app.size.width - 2 - 2 * GAP) // 2)
        cells = [(file.title, os.path.basename(file.path)) for file in self.files]
        paths = [file.path for file in self.files]
        at = paths.index(chosen) if chosen in paths else 0
        self.query_one(Table).fill({"Title": half, "File": half}, cells, at)
        self._show_book()

    @property
    def chosen(self) -> BookFile | None:
        """The file under the cursor."""
        at = self.query_one(Table).cursor
        return self.files[at] if at < len(self.files) else None

    @on(Table.Moved)
    def _show_book(self) -> None:
        """Say what the book under the cursor is about, once it is loaded."""
        file = self.chosen
        for action in _BUTTONS:
            self.query_one(f"#{action}").display = bool(self.check_action(action, ()))
        self.refresh_bindings()
        about = self.query_one("#book", Static)
        if file is None:
            about.update(f"{NOTHING} New ones go to {short_path(own_folder())}.")
            return

        def loaded(book: Book | NinefoldError) -> None:
            if file == self.chosen:
                about.update(f"{about_book(book)}\n{short_path(file.path)}")

        in_background(self, partial(books.load_book, file.path), loaded)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """A book can be played, read, checked and audited only if there is one."""
        needs_one = action in ("play", "rules", "check", "audit")
        return not needs_one or (self.is_open and self.chosen is not None)

    # What the user does

    @on(Table.Opened)
    def action_play(self) -> None:
        """Go to New game with this book."""
        from ninefold.tui.new_game import NewGame

        if (book := self._load_chosen()) is not None and book.file is not None:
            self.app.push_screen(NewGame(book.file))

    def action_rules(self) -> None:
        """Show the rules of this book."""
        if (book := self._load_chosen()) is not None:
            self.program.show_rules(book)

    def action_check(self) -> None:
        """Show the file with its errors."""
        from ninefold.tui.check import CheckBook

        if (file := self.chosen) is not None:
            self.app.push_screen(CheckBook(file.path))

    def action_audit(self) -> None:
        """Show a summary of the audit."""
        from ninefold.tui.audit import AuditBook

        if (book := self._load_chosen()) is not None:
            self.app.push_screen(AuditBook(book))

    def action_new(self) -> None:
        """Write a new book by answering questions."""
        from ninefold.tui.new_book import NewBook

        self.app.push_screen(NewBook(self._remember))

    def action_path(self) -> None:
        """Type the path of a file."""
        self.query_one("#path").focus()

    def action_leave(self) -> None:
        """From the path back to the list, from the list back to Home."""
        if self.query_one("#path").has_focus:
            self.query_one("#books").focus()
            self.refuse("")
        else:
            self.app.pop_screen()

    @on(Input.Submitted, "#path")
    def _open_path(self, event: Input.Submitted) -> None:
        """Open the file, valid or not; what is no file is refused next to the field."""
        path = os.path.expanduser(event.value.strip())
        if not path:
            self.query_one("#books").focus()
            return
        try:
            read_text(path)
        except BookFileError as error:
            self.refuse(error.message)
            return
        event.input.clear()
        self.refuse("")
        self._remember(path if is_path(path) else os.path.join(os.curdir, path))
        self.query_one("#books").focus()

    def _remember(self, path: str) -> None:
        kept = remembered(self.preferences.books, path)
        self.program.change_preferences(books=kept)
        self._wanted = kept[0]
        self.on_screen_resume()

    def _load_chosen(self) -> Book | None:
        """The book under the cursor; if it has errors, they are shown instead."""
        file = self.chosen
        if file is None:
            return None
        try:
            return books.load_book(file.path)
        except NinefoldError:
            self.action_check()
            return None


def about_book(book: Book | NinefoldError) -> str:
    """A book in a line or two: its numbers and what wins, or how many errors it has."""
    if isinstance(book, BookError):
        return f"{plural(len(book.faults), 'error')}. Press k to see where."
    if isinstance(book, NinefoldError):
        return book.message
    variants = f" {len(book.readings)} rules variants." if len(book.readings) > 1 else ""
    return f"{shown(book.summary, 300)} Numbers: {pool_of(book.game)}.{variants}"


class _Paths(Suggester):
    """Completes the path of a file: the right arrow key accepts it."""

    async def get_suggestion(self, value: str) -> str | None:
        """The first folder or rule book that begins like this."""
        folder, start = os.path.split(value)
        try:
            entries = sorted(os.scandir(os.path.expanduser(folder) or os.curdir), key=_by_name)
        except OSError:
            return None
        for entry in entries:
            if start and entry.name.startswith(start) and entry.name.isprintable():
                if entry.is_dir():
                    return os.path.join(folder, entry.name) + os.sep
                if entry.name.endswith(".toml"):
                    return os.path.join(folder, entry.name)
        return None


def _by_name(entry: "os.DirEntry[str]") -> str:
    return entry.name
