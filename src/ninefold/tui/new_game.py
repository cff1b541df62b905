"""New game: which game and rules, against whom, who starts, clock and match."""

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Footer, Input, Label, Select, Static

from ninefold import books
from ninefold.books import Book
from ninefold.core.errors import NinefoldError
from ninefold.new_game import CLOCKS, MATCHES, OPPONENTS, begin, games, names, starters
from ninefold.players import HUMAN
from ninefold.tui.base import Page


class NewGame(Page):
    """A form; the answers of last time are proposed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "start", "Start"),
        Binding("escape", "app.pop_screen", "Back"),
    ]

    def __init__(self, game: str | None = None) -> None:
        super().__init__()
        self._given = game
        self._book: Book | None = None

    def compose(self) -> ComposeResult:
        """One line for each choice."""
        last = dict(self.preferences.new_game)
        if self._given is not None:
            last["game"] = self._given
        yield Static("New game", classes="title")
        with VerticalScroll(id="form"):
            yield from self._row("Game", "game", games(self.preferences.books), last)
            yield from self._row("Rules", "reading", {"": "as usual"}, last)
            yield Static(id="about", markup=False)
            yield from self._row("Opponent", "opponent", OPPONENTS, last)
            yield from self._text_row("Your name", "name1", last.get("name1", "Player 1"))
            yield from self._text_row("Their name", "name2", last.get("name2", ""))
            yield from self._row("Who starts", "first", starters("You", "They"), last)
            yield from self._row("Clock", "clock", CLOCKS, last)
            yield from self._row("Match", "wins", MATCHES, last)
            yield Static(id="refusal", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Start", id="start", variant="primary", compact=True)
                yield Button("Back", id="back", compact=True)
        yield Footer(compact=True)

    def _row(
        self, label: str, name: str, options: Mapping[str, str], last: Mapping[str, str]
    ) -> ComposeResult:
        chosen = last.get(name)
        with Horizontal(classes="row"):
            yield Label(label)
            yield Select(
                [(text, value) for value, text in options.items()],
                value=chosen if chosen in options else next(iter(options)),
                allow_blank=False,
                id=name,
                compact=True,
            )

    def _text_row(self, label: str, name: str, value: str) -> ComposeResult:
        with Horizontal(classes="row", id=f"row-{name}"):
            yield Label(label)
            yield Input(value, id=name, max_length=40, compact=True)

    @on(Select.Changed, "#game")
    def _game_changed(self) -> None:
        """Offer the rules variants of this game."""
        reading = self.query_one("#reading", Select)
        try:
            self._book = books.load_book(self._value("game"))
        except NinefoldError as error:
            self._book = None
            self.query_one("#about", Static).update(error.message)
            return
        options = [(f"{name}: {item.summary}", name) for name, item in self._book.readings.items()]
        reading.set_options(options)
        last = self.preferences.new_game
        wanted = last.get("reading", "") if last.get("game") == self._value("game") else ""
        reading.value = wanted if wanted in self._book.readings else self._book.reading
        reading.disabled = len(options) == 1
        self.query_one("#about", Static).update(self._book.summary)

    @on(Select.Changed, "#opponent")
    def _opponent_changed(self) -> None:
        """A friend has a name; a computer is called what it is."""
        friend = self._value("opponent") == HUMAN
        self.query_one("#row-name2").display = friend
        self.query_one("#first", Select).set_options(
            [(text, value) for value, text in starters(*names(self._choices())).items()]
        )

    def _value(self, name: str) -> str:
        return str(self.query_one(f"#{name}", Select).value)

    def _choices(self) -> dict[str, str]:
        """Everything that is chosen now."""
        names = ("game", "reading", "opponent", "first", "clock", "wins")
        choices = {name: self._value(name) for name in names}
        return choices | {
            name: self.query_one(f"#{name}", Input).value for name in ("name1", "name2")
        }

    @on(Button.Pressed, "#start")
    def action_start(self) -> None:
        """Play."""
        choices = self._choices()
        try:
            session = begin(choices, self.app.notify)
        except NinefoldError as error:
            self._refuse(error.message)
            return
        self.program.change_preferences(new_game=choices)
        self.app.pop_screen()
        self.program.play(session)

    @on(Button.Pressed, "#back")
    def _back(self) -> None:
        self.app.pop_screen()

    def _refuse(self, reason: str) -> None:
        self.query_one("#refusal", Static).update(reason)
