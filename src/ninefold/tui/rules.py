"""Rules: choose a game and a variant, and read how it is played."""

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Select, Static

from ninefold import books
from ninefold.book_files import titles
from ninefold.books import Book
from ninefold.books.describe import pool_of, rules_of
from ninefold.core.errors import NinefoldError
from ninefold.tui.fields import Choice, FormPage, buttons, row


def rules_text(book: Book) -> Text:
    """The rules, with headings that stand out; whoever shows them wraps them."""
    text = Text(f"{book.summary}\nNumbers: {pool_of(book.game)}.")
    for part in rules_of(book):
        text.append("\n\n")
        text.append(part.text, "bold" if part.is_heading else "")
    return text


class Rules(FormPage):
    """The rules of one game at a time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s,p", "play", "Play it", key_display="p"),
        Binding("escape", "app.pop_screen", "Back"),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    def __init__(self, game: str | None = None) -> None:
        super().__init__()
        self._wanted = game or ""

    def compose(self) -> ComposeResult:
        """Two choices above the text."""
        last = self._wanted or self.preferences.new_game.get("game", "")
        yield Static("Rules", classes="title")
        yield from row("Game", Choice(titles(self.preferences.books), last, id="game"))
        yield from row("Variant", Choice({"": ""}, None, id="reading"))
        with VerticalScroll(id="reader"):
            yield Static(id="rules")
        yield from buttons({"play": "Play it", "back": "Back"})
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Show the first game, and let the arrow keys scroll it."""
        self._game_changed()
        self.query_one("#reader").focus()

    @on(Select.Changed, "#game")
    def _game_changed(self) -> None:
        reading = self.query_one("#reading", Choice)
        try:
            book = books.load_book(self.query_one("#game", Choice).chosen)
        except NinefoldError as error:
            self._show_text(Text(error.message))
            self.query_one("#row-reading").display = False
            return
        reading.offer({name: name for name in book.readings}, book.reading)
        self.query_one("#row-reading").display = len(book.readings) > 1
        self._show_rules()

    @on(Select.Changed, "#reading")
    def _show_rules(self) -> None:
        game, reading = (self.query_one(f"#{name}", Choice).chosen for name in ("game", "reading"))
        try:
            self._show_text(rules_text(books.load_book(game, reading)))
        except NinefoldError as error:  # the file has changed meanwhile
            self._show_text(Text(error.message))

    def _show_text(self, text: Text) -> None:
        self.query_one("#rules", Static).update(text)
        self.query_one("#reader").scroll_home(animate=False)

    def action_page(self, by: int) -> None:
        """Scroll by a page, wherever the focus is."""
        reader = self.query_one("#reader")
        reader.scroll_relative(y=by * max(1, reader.size.height - 1), animate=False)

    def action_play(self) -> None:
        """Play this game."""
        from ninefold.tui.new_game import NewGame

        game, reading = (self.query_one(f"#{name}", Choice).chosen for name in ("game", "reading"))
        self.app.push_screen(NewGame(game, reading))
