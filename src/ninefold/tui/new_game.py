"""New game: which game and rules, against whom, who starts, clock and match."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Input, Select, Static

from ninefold import books
from ninefold.book_files import remembered, titles
from ninefold.books import Book
from ninefold.core.errors import NinefoldError
from ninefold.new_game import (
    CLOCKS,
    MATCHES,
    OPPONENTS,
    OTHER,
    OUTSIDERS,
    begin,
    names,
    starters,
)
from ninefold.players import HUMAN, MAX_NAME
from ninefold.tui.fields import Choice, Form, FormPage, buttons, row, text_row

# The field to correct, by what was refused.
_AT_FAULT = {
    "bad-name": "name1",
    "bad-seconds": "seconds",
    "bad-games": "games",
    **dict.fromkeys(("bad-command", "no-program"), "command"),
    "bad-player": "code",
    "bad-agent": "file",
    **dict.fromkeys(("bad-model", "bad-option"), "model"),
}
_CHOICES = ("game", "reading", "opponent", "first", "clock", "wins")
_FIELDS = tuple(outsider.field for outsider in OUTSIDERS.values())
_TEXTS = ("name1", "name2", *_FIELDS, "seconds", "games")


class NewGame(FormPage):
    """A form; the answers of last time are proposed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "start", "Start", priority=True),
        Binding("ctrl+r", "rules", "Rules"),
        Binding("escape", "app.pop_screen", "Back"),
    ]

    def __init__(self, game: str | None = None, reading: str | None = None) -> None:
        super().__init__()
        self._given = game, reading
        self._book: Book | None = None

    def compose(self) -> ComposeResult:
        """One row for each choice, with a line about it where that helps."""
        last = dict(self.preferences.new_game)
        game, _ = self._given
        games = titles(self.preferences.books)
        if game is not None:
            last["game"] = game
            games.setdefault(game, game)
        one, two = last.get("name1", "Player 1"), last.get("name2", "Player 2")
        yield Static("New game", classes="title")
        with Form(id="form"):
            yield from row("Game", Choice(games, last.get("game"), id="game"))
            yield Static(id="about-game", classes="about", markup=False)
            yield from row("Rules", Choice({"": ""}, None, id="reading"))
            yield Static(id="about-reading", classes="about", markup=False)
            opponents = {kind: opponent.name for kind, opponent in OPPONENTS.items()}
            yield from row("Opponent", Choice(opponents, last.get("opponent"), id="opponent"))
            yield Static(id="about-opponent", classes="about", markup=False)
            for to in OUTSIDERS.values():
                yield from text_row(to.label, to.field, last.get(to.field, ""), 1_000)
            yield from text_row("Your name", "name1", one, MAX_NAME)
            yield from text_row("Their name", "name2", two, MAX_NAME)
            yield from row("Who starts", Choice(starters(one, two), last.get("first"), id="first"))
            yield from row("Clock", Choice(CLOCKS, last.get("clock"), id="clock"))
            yield from text_row("Seconds", "seconds", last.get("seconds", "90"), 6)
            yield from row("Match", Choice(MATCHES, last.get("wins"), id="wins"))
            yield from text_row("Wins", "games", last.get("games", "10"), 4)
        yield Static(id="refusal", markup=False)
        yield from buttons({"start": "Start (^s)", "rules": "Rules (^r)", "back": "Back (Esc)"})
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Show what belongs to the choices of last time."""
        self._game_changed()
        self._show_fields()
        self.query_one("#game").focus()

    @on(Select.Changed, "#game")
    def _game_changed(self) -> None:
        """Offer the rules variants of this game."""
        reading, about = self.query_one("#reading", Choice), self.query_one("#about-game", Static)
        try:
            self._book = books.load_book(self._chosen("game"))
        except NinefoldError as error:
            self._book = None
            about.update(error.message)
        else:
            last, (game, wanted) = self.preferences.new_game, self._given
            if wanted is None or game != self._chosen("game"):
                wanted = last.get("reading") if last.get("game") == self._chosen("game") else None
            known = wanted if wanted in self._book.readings else self._book.reading
            reading.offer({name: name for name in self._book.readings}, known)
            about.update(self._book.summary)
        several = self._book is not None and len(self._book.readings) > 1
        self.query_one("#row-reading").display = several
        self.query_one("#about-reading").display = several
        self._reading_changed()

    @on(Select.Changed, "#reading")
    def _reading_changed(self) -> None:
        """Say how this variant differs."""
        found = self._book.readings.get(self._chosen("reading")) if self._book else None
        self.query_one("#about-reading", Static).update(found.summary if found else "")

    @on(Select.Changed, "#opponent,#clock,#wins")
    @on(Input.Changed, ",".join(f"#{name}" for name in ("name1", "name2", *_FIELDS)))
    def _show_fields(self) -> None:
        """Show only the fields that matter now, and name the players as they are called."""
        kind = self._chosen("opponent")
        self.query_one("#about-opponent", Static).update(OPPONENTS[kind].plays)
        for name, outsider in OUTSIDERS.items():
            self.query_one(f"#row-{outsider.field}").display = kind == name
        self.query_one("#row-name2").display = kind == HUMAN
        self.query_one("#row-seconds").display = self._chosen("clock") == OTHER
        self.query_one("#row-games").display = self._chosen("wins") == OTHER
        self.query_one("#first", Choice).offer(starters(*names(self._answers())))
        self.refuse("")

    def _chosen(self, name: str) -> str:
        return self.query_one(f"#{name}", Choice).chosen

    def _answers(self) -> dict[str, str]:
        """Everything that is chosen and typed now."""
        choices = {name: self._chosen(name) for name in _CHOICES}
        return choices | {name: self.query_one(f"#{name}", Input).value for name in _TEXTS}

    def action_start(self) -> None:
        """Play, or say next to the buttons what is wrong."""
        if not self.is_current:  # a second key came before the screen was gone
            return
        choices = self._answers()
        try:
            session = begin(choices, self.tell)
        except NinefoldError as error:
            self.refuse(error.message)
            if field := _AT_FAULT.get(error.code):
                self.query_one(f"#{field}").focus()
            return
        changes: dict[str, object] = {"new_game": choices}
        if session.book.file is not None:
            changes["books"] = remembered(self.preferences.books, session.book.file)
        self.program.change_preferences(**changes)
        self.app.pop_screen()
        self.program.play(session)

    def action_rules(self) -> None:
        """Show the rules of the game that is chosen."""
        try:
            book = books.load_book(self._chosen("game"), self._chosen("reading") or None)
        except NinefoldError as error:
            self.refuse(error.message)
        else:
            self.program.show_rules(book)
