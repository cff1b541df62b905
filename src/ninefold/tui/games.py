"""My games: every recorded game in a table, to replay, review, continue or delete."""

from collections.abc import Mapping
from functools import partial
from typing import ClassVar, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Footer, Input, Select, Static

from ninefold.core.errors import NinefoldError
from ninefold.core.text import plural
from ninefold.match import all_games, belonging_to, delete_games
from ninefold.record import listing
from ninefold.record.store import SUFFIX, Store
from ninefold.record.text import Record
from ninefold.tui.background import from_thread, in_background
from ninefold.tui.base import Page
from ninefold.tui.dialogs import Confirm
from ninefold.tui.fields import Choice, buttons
from ninefold.tui.home import resume
from ninefold.tui.table import GAP, Table

# As many games are handed to the screen at a time.
BATCH = 500
STATES = {
    "": "All games",
    "unfinished": "Unfinished",
    "finished": "Finished",
    "won": "Won",
    "lost": "Lost",
    "drawn": "Drawn",
    "damaged": "Damaged",
}
_BUTTONS = {
    "open": "Open",
    "review": "Review",
    "continue": "Continue",
    "delete": "Delete",
    "back": "Back",
}
# The width of a table that has room for every column.
WIDE = 70


class Row(NamedTuple):
    """One game as the table shows it."""

    name: str
    record: Record | None  # None if it is damaged
    resumable: bool
    date: str
    game: str
    players: str
    result: str
    moves: str
    states: tuple[str, ...]

    @property
    def details(self) -> str:
        """Everything about it, in a line or two."""
        if self.record is None:
            return f"Damaged record {self.name}: {self.result}"
        settings = self.record.settings
        match = ""
        if settings.match:
            which = "an unfinished match" if self.resumable else "a match"
            match = f", game {settings.round} of {which}"
        moves = plural(self.record.plies, "move")
        return f"{self.game}: {self.players}. {self.date}, {moves}, {self.result}{match}."

    def fits(self, text: str, state: str) -> bool:
        """Whether the filters let it through: every word of the text somewhere, and the state."""
        shown = f"{self.name} {self.date} {self.game} {self.players} {self.result}".casefold()
        return (not state or state in self.states) and all(
            word in shown for word in text.casefold().split()
        )


class MyGames(Page):
    """A table of games, newest first, with filters above and everything about one below."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,o", "open", "Open", key_display="o"),
        Binding("v", "review", "Review"),
        Binding("c", "continue", "Continue"),
        Binding("d,delete", "delete", "Delete", key_display="d"),
        Binding("slash", "filter", "Filter", key_display="/"),
        Binding("f", "state", "Which"),
        Binding("escape", "leave", "Back"),
    ]
    PALETTE: ClassVar[Mapping[str, tuple[str, str]]] = {
        "open": ("Open this game", "Replay it"),
        "review": ("Review this game", "Judge every move"),
        "continue": ("Continue this game", "Play on"),
        "delete": ("Delete this game", "Delete it for good"),
    }

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self._visible: list[Row] = []
        self._reading = 0  # grows with each reading, so that an older one stops
        self._is_reading = False

    def compose(self) -> ComposeResult:
        """Filters, the table, and a line about the game under the cursor."""
        yield Static("My games", classes="title", id="heading", markup=False)
        with Horizontal(id="filters"):
            yield Input(placeholder="Filter: game, player …", id="filter", compact=True)
            yield Choice(STATES, "", id="state")
        yield Table(id="games")
        yield Static(id="details", markup=False)
        yield from buttons(_BUTTONS)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Go straight to the table."""
        self.query_one(Table).focus()

    def on_screen_resume(self) -> None:
        """Read the games again, whenever this screen comes back."""
        self._reading += 1
        self._is_reading = True
        reading = self._reading

        def arrived(rows: list[Row], known: list[Row]) -> None:
            if reading == self._reading:
                self.rows = [*rows, *known[len(rows) :]]
                self._show_rows()

        def work() -> list[Row]:
            rows: list[Row] = []
            known = self.rows
            for item in all_games(Store()):
                rows.append(row_of(*item))
                if len(rows) % BATCH == 0:
                    from_thread(self, arrived, [*rows], known)
                if reading != self._reading or not self.is_open:
                    break
            return rows

        in_background(self, work, partial(self._read, reading))

    def _read(self, reading: int, rows: "list[Row] | NinefoldError") -> None:
        if reading != self._reading or isinstance(rows, NinefoldError):
            return
        self._is_reading = False
        self.rows = rows
        self._show_rows()

    def on_unmount(self) -> None:
        """Stop reading."""
        self._reading += 1

    # What is on the screen

    @on(events.Resize)
    def _fit(self) -> None:
        self.call_after_refresh(self._show_rows)

    @on(Input.Changed, "#filter")
    @on(Select.Changed, "#state")
    def _show_rows(self) -> None:
        """Fill the table with the games that fit, the cursor on the same game as before."""
        table, chosen = self.query_one(Table), self.chosen
        text = self.query_one("#filter", Input).value
        state = self.query_one("#state", Choice).chosen
        visible = [row for row in self.rows if row.fits(text, state)]
        self._visible = visible
        columns = _columns(self.size.width)
        names = [row.name for row in visible]
        at = names.index(chosen.name) if chosen and chosen.name in names else 0
        fields = [_FIELDS[label] for label in columns]
        table.fill(columns, [[getattr(row, name) for name in fields] for row in visible], at)
        self._show_heading()

    def _show_heading(self) -> None:
        """Say how many games there are, and everything about the one under the cursor."""
        shown, all_of_them = len(self._visible), len(self.rows)
        many = plural(all_of_them, "game")
        many = many if shown == all_of_them else f"{shown:,} of {many}"
        reading = ", reading …" if self._is_reading else ""
        self.query_one("#heading", Static).update(f"My games: {many}{reading}")
        row = self.chosen
        nothing = "No game fits the filter." if self.rows else "No games yet. Press Esc, then n."
        if self._is_reading and not self.rows:
            nothing = ""
        self.query_one("#details", Static).update(row.details if row else nothing)
        for action in _BUTTONS:
            self.query_one(f"#{action}").display = bool(self.check_action(action, ()))
        self.refresh_bindings()

    @on(Table.Moved)
    def _highlighted(self) -> None:
        self._show_heading()

    @property
    def chosen(self) -> Row | None:
        """The game under the cursor."""
        at = self.query_one(Table).cursor
        return self._visible[at] if 0 <= at < len(self._visible) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Only what the game under the cursor allows can be pressed or clicked."""
        if action not in ("open", "review", "continue", "delete"):
            return True
        row = self.chosen if self.is_open else None
        if row is None or row.record is None:
            return row is not None and action == "delete"
        return row.resumable if action == "continue" else True

    # What the user does

    @on(Table.Opened)
    def action_open(self) -> None:
        """Replay the game under the cursor."""
        from ninefold.tui.viewer import Viewer

        if (row := self.chosen) is None:
            return
        try:
            self.app.push_screen(Viewer(Store().path(row.name)))
        except NinefoldError as error:
            self.tell(error.message)

    def action_review(self) -> None:
        """Review the game under the cursor."""
        from ninefold.tui.review import review_record

        if (row := self.chosen) is not None:
            review_record(self.program, Store().path(row.name))

    def action_continue(self) -> None:
        """Continue the game under the cursor."""
        if (row := self.chosen) is not None and row.resumable:
            resume(self, row.name)

    def action_delete(self) -> None:
        """Delete the game under the cursor, after a question."""
        if (row := self.chosen) is None:
            return
        gone = belonging_to(Store(), row.name)
        what = "this game" if len(gone) == 1 else f"all {len(gone)} games of this match"

        def answered(yes: bool | None) -> None:
            if not yes:
                return
            try:
                delete_games(Store(), gone)
            except NinefoldError as error:
                self.tell(error.message)
                return
            self.rows = [other for other in self.rows if other.name not in gone]
            self._show_rows()

        self.app.push_screen(Confirm(f"Delete {what}? {row.details}", "Delete", "Keep"), answered)

    def action_filter(self) -> None:
        """Type into the filter."""
        self.query_one("#filter").focus()

    def action_state(self) -> None:
        """Choose which games to show."""
        choice = self.query_one("#state", Choice)
        choice.focus()
        choice.action_show_overlay()

    @on(Input.Submitted, "#filter")
    def _to_table(self) -> None:
        self.query_one(Table).focus()

    def action_leave(self) -> None:
        """From a filter back to the table, from the table back to Home."""
        if self.query_one(Table).has_focus:
            self.app.pop_screen()
        else:
            self.query_one(Table).focus()


_FIELDS = {
    "Date": "date",
    "Game": "game",
    "Players": "players",
    "Result": "result",
    "Moves": "moves",
}


def _columns(width: int) -> dict[str, int]:
    """The columns that fit, with their widths; the scrollbar and the cursor take two more."""
    dates, moves = 15, 5
    if width < WIDE:
        rest = width - 3 - 2 * GAP - 11
        return {"Date": 11, "Game": rest // 2, "Result": rest - rest // 2}
    rest = width - 3 - 4 * GAP - dates - moves
    game, players = rest * 36 // 100, rest * 34 // 100
    result = rest - game - players
    return {"Date": dates, "Game": game, "Players": players, "Result": result, "Moves": moves}


def row_of(name: str, record: Record | NinefoldError, resumable: bool) -> Row:
    """How one game is listed; a damaged record says what is wrong with it."""
    if isinstance(record, NinefoldError):
        reason = record.reason.removeprefix(name + SUFFIX).lstrip(":, ")
        return Row(name, None, False, _date_of(name), "Damaged", "", reason, "", ("damaged",))
    settings = record.settings
    score = listing.score_for_person(record)
    drawn = record.finished and listing.winner_of(record) is None
    states = (
        "finished" if record.finished else "unfinished",
        *(["unfinished"] if resumable and record.finished else []),
        *([score] if score else ["drawn"] if drawn else []),
    )
    return Row(
        name,
        record,
        resumable,
        listing.local_time(settings.date),
        listing.title(settings),
        " - ".join(listing.players(settings)),
        listing.result(record),
        str(record.plies),
        states,
    )


def _date_of(name: str) -> str:
    """The date in the name of a record, which begins with it."""
    day, clock = name[:8], name[9:15]
    written = f"{day[:4]}-{day[4:6]}-{day[6:]}T{clock[:2]}:{clock[2:4]}:{clock[4:]}Z"
    date = listing.local_time(written)
    return "" if date == written else date
