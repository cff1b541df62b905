"""Home: continue a game, start a new one, or go anywhere else."""

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from ninefold.core.errors import NinefoldError
from ninefold.match import recorded_games
from ninefold.record.store import Store
from ninefold.record.text import Record
from ninefold.session import Session
from ninefold.tui.background import in_background
from ninefold.tui.base import Page

if TYPE_CHECKING:
    from ninefold.tui.app import NinefoldApp

LOGO = "Ninefold\nClaim numbers, complete a set, win."
# As many unfinished games are offered.
MOST_OFFERED = 5


class Place(NamedTuple):
    """Something that Home and the command palette lead to."""

    key: str
    title: str
    summary: str
    open: "Callable[[NinefoldApp], None]"


def _new_game(app: "NinefoldApp") -> None:
    from ninefold.tui.new_game import NewGame

    app.push_screen(NewGame())


PUZZLES = Place("z", "Puzzles", "One number wins: find it", lambda app: app.show_puzzles())
PLACES: list[Place] = [
    Place("n", "New game", "Against a friend or the computer", _new_game),
    PUZZLES,
]


class Home(Page):
    """The first screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(place.key, f"open({at})", place.title) for at, place in enumerate(PLACES)),
        Binding("c", "continue", "Continue"),
        Binding("q,escape", "app.quit", "Quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._unfinished: list[tuple[str, Record]] = []
        self._due = 0  # how many puzzles are due today

    def compose(self) -> ComposeResult:
        """The name, and a list of places."""
        with Vertical(id="home"):
            yield Static(LOGO, id="logo", markup=False)
            yield OptionList(id="places")
        yield Footer(compact=True)

    def on_screen_resume(self) -> None:
        """Look again for unfinished games, whenever this screen comes back."""
        self._show()
        in_background(self.app, _find_unfinished, self._found)
        in_background(self.app, _count_due, self._counted)

    def _found(self, games: "list[tuple[str, Record]] | NinefoldError") -> None:
        if not isinstance(games, NinefoldError) and games != self._unfinished:
            self._unfinished = games
            self._show()
            self.refresh_bindings()

    def _counted(self, due: int | NinefoldError) -> None:
        if not isinstance(due, NinefoldError) and due != self._due:
            self._due = due
            self._show()

    def _show(self) -> None:
        places = self.query_one("#places", OptionList)
        chosen = places.highlighted_option.id if places.highlighted_option else None
        options = [
            Option(f"Continue  {_describe(record)}", id=f"resume-{name}")
            for name, record in self._unfinished
        ]
        options += [
            Option(f"{place.title}  {self._summary(place)}", id=f"place-{at}")
            for at, place in enumerate(PLACES)
        ]
        places.set_options([*options, Option("Quit", id="quit")])
        ids = [option.id for option in places.options]
        places.highlighted = ids.index(chosen) if chosen in ids and not self._unfinished else 0

    def _summary(self, place: Place) -> str:
        return f"{self._due} due today" if place is PUZZLES and self._due else place.summary

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        kind, _, rest = (event.option_id or "").partition("-")
        if kind == "resume":
            self.resume(rest)
        elif kind == "place":
            self.action_open(int(rest))
        else:
            self.app.exit()

    def action_open(self, at: int) -> None:
        """Go to a place."""
        PLACES[at].open(self.program)

    def action_continue(self) -> None:
        """Continue the newest unfinished game."""
        if self._unfinished:
            self.resume(self._unfinished[0][0])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """A game can be continued only if there is one."""
        return bool(self._unfinished) if action == "continue" else True

    def resume(self, name: str) -> None:
        """Continue a recorded game or match, after asking if it runs a program."""
        try:
            session = Session.resume(Store().find(name), self.app.notify)
        except NinefoldError as error:
            self.app.notify(error.message, severity="warning", markup=False)
            return
        self.program.play_if_agreed(session)


def _find_unfinished() -> list[tuple[str, Record]]:
    """The newest games and matches that can be continued, each match once."""
    found: dict[str, tuple[str, Record]] = {}
    for name, record, resumable in recorded_games(Store()):
        if resumable:
            found.setdefault(record.settings.match or name, (name, record))
        if len(found) == MOST_OFFERED:
            break
    return [*found.values()]


def _count_due() -> int:
    from ninefold.coach.practice import due_now

    return len(due_now())


def _describe(record: Record) -> str:
    settings = record.settings
    return f"{settings.game}: {' - '.join(settings.players)}, move {record.plies + 1}"
