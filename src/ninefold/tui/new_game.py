"""New game: which game and rules, against whom, who starts, clock and match."""

from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Button, Footer, Input, Select, Static

from ninefold import books
from ninefold.books import Book
from ninefold.core.errors import NinefoldError
from ninefold.players import HUMAN, MAX_NAME, PROGRAM, name_of
from ninefold.record.store import Store
from ninefold.referee.settings import MAX_GAMES, MAX_SECONDS
from ninefold.session import Session, new_settings
from ninefold.tui.book_files import remembered, titles
from ninefold.tui.fields import Choice, Form, FormPage, buttons, row, text_row

OTHER = "other"
_PROGRAM = "program"
MAX_COMMAND = 1_000


class Opponent(NamedTuple):
    """An opponent to choose: its name, and how it plays."""

    name: str
    plays: str


OPPONENTS = {
    HUMAN: Opponent("A friend", "You take turns at this keyboard."),
    "level:1": Opponent("Level 1", "It takes a win it can see, and overlooks the rest."),
    "level:2": Opponent("Level 2", "It also blocks you when you are one number away."),
    "level:3": Opponent("Level 3", "It also sees double threats, its own and yours."),
    "level:4": Opponent("Level 4", "It thinks three turns ahead."),
    "level:5": Opponent("Level 5", "It never gives a win away, but does not hurry."),
    "perfect": Opponent("Perfect", "It wins as fast as it can, and sets traps if it cannot."),
    "greedy": Opponent("Greedy", "It wins or blocks at once if it can, else picks anything."),
    "random": Opponent("Random", "It picks any number."),
    _PROGRAM: Opponent("A program", "Another program plays, such as ./mybot or python3 bot.py."),
}
CLOCKS = {
    "": "No clock",
    "10": "10 seconds a turn",
    "30": "30 seconds a turn",
    "60": "1 minute a turn",
    OTHER: "Other …",
}
MATCHES = {
    "": "One game",
    "2": "First to 2 wins",
    "3": "First to 3 wins",
    "5": "First to 5 wins",
    OTHER: "Other …",
}
_CHOICES = ("game", "reading", "opponent", "first", "clock", "wins")
_TEXTS = ("name1", "name2", "command", "seconds", "games")


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
            yield from text_row("Command", "command", last.get("command", ""), MAX_COMMAND)
            yield from text_row("Your name", "name1", one, MAX_NAME)
            yield from text_row("Their name", "name2", two, MAX_NAME)
            starters = {"1": one, "2": two, "random": "Toss a coin"}
            yield from row("Who starts", Choice(starters, last.get("first"), id="first"))
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
    @on(Input.Changed, "#name1,#name2,#command")
    def _show_fields(self) -> None:
        """Show only the fields that matter now, and name the players as they are called."""
        kind = self._chosen("opponent")
        self.query_one("#about-opponent", Static).update(OPPONENTS[kind].plays)
        self.query_one("#row-command").display = kind == _PROGRAM
        self.query_one("#row-name2").display = kind == HUMAN
        self.query_one("#row-seconds").display = self._chosen("clock") == OTHER
        self.query_one("#row-games").display = self._chosen("wins") == OTHER
        one, two = self._names()
        starters = {"1": one, "2": two, "random": "Toss a coin"}
        self.query_one("#first", Choice).offer(starters)
        self._refuse("")

    def _chosen(self, name: str) -> str:
        return self.query_one(f"#{name}", Choice).chosen

    def _text(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value.strip()

    @property
    def _seat(self) -> str:
        """The kind of the opponent."""
        kind = self._chosen("opponent")
        return f"{PROGRAM}{self._text('command')}" if kind == _PROGRAM else kind

    def _names(self) -> tuple[str, str]:
        """What both players are called."""
        one = self._text("name1") or "Player 1"
        kind = self._seat
        return one, self._text("name2") or "Player 2" if kind == HUMAN else name_of(kind)

    @on(Button.Pressed, "#start")
    def action_start(self) -> None:
        """Play, or say next to the buttons what is wrong."""
        try:
            session = self._session()
        except NinefoldError as error:
            self._refuse(error.message)
            return
        choices = {name: self._chosen(name) for name in _CHOICES}
        choices |= {name: self.query_one(f"#{name}", Input).value for name in _TEXTS}
        changes: dict[str, object] = {"new_game": choices}
        if session.book.file is not None:
            changes["books"] = remembered(self.preferences.books, session.book.file)
        self.program.change_preferences(**changes)
        self.app.pop_screen()
        self.program.play(session)

    def _session(self) -> Session:
        """The game that the form describes; raises NinefoldError."""
        one, two = self._names()
        if one.casefold() == two.casefold():
            self.query_one("#name1").focus()
            raise NinefoldError("same-names", "The two names must differ.")
        if not (one + two).isprintable():
            reason = "A name contains a character that the terminal cannot show safely."
            raise NinefoldError("bad-name", reason)
        first = self._chosen("first")
        book = books.load_book(self._chosen("game"), self._chosen("reading") or None)
        settings = new_settings(
            book,
            player1=one,
            player2=two,
            seat2=self._seat,
            first=first if first == "random" else int(first),
            time_limit=self._number("clock", "seconds", "The seconds of a turn", MAX_SECONDS),
            wins=self._number("wins", "games", "The wins of a match", MAX_GAMES),
        )
        return Session(book, settings, Store(), self.tell)

    def _number(self, choice: str, field: str, what: str, most: int) -> int | None:
        """A number chosen or typed, None for none; raises NinefoldError."""
        chosen = self._chosen(choice)
        if chosen != OTHER:
            return int(chosen) if chosen else None
        typed = self._text(field)
        if not (typed.isascii() and typed.isdigit()) or not 1 <= int(typed) <= most:
            self.query_one(f"#{field}").focus()
            raise NinefoldError("bad-number", f"{what} must be a number from 1 to {most:,}.")
        return int(typed)

    @on(Button.Pressed, "#rules")
    def action_rules(self) -> None:
        """Show the rules of the game that is chosen."""
        try:
            book = books.load_book(self._chosen("game"), self._chosen("reading") or None)
        except NinefoldError as error:
            self._refuse(error.message)
        else:
            self.program.show_rules(book)

    @on(Button.Pressed, "#back")
    def _back_pressed(self) -> None:
        self.app.pop_screen()

    def _refuse(self, reason: str) -> None:
        refusal = self.query_one("#refusal", Static)
        refusal.update(reason)
        refusal.display = bool(reason)
