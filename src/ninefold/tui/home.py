"""Home: continue a game, start a new one, or go anywhere else."""

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from ninefold.core.errors import NinefoldError
from ninefold.match import recorded_games
from ninefold.record.listing import unfinished
from ninefold.record.store import Store
from ninefold.record.text import Record
from ninefold.session import Session
from ninefold.tui.background import in_background
from ninefold.tui.base import Page

if TYPE_CHECKING:
    from ninefold.tui.app import NinefoldApp

LOGO = "Ninefold\nClaim numbers, complete a set, win."
# As many unfinished games are offered; on a screen of few rows, only the newest.
MOST_OFFERED = 4
# The columns of a title, and those it takes to show what is behind it as well.
TITLE, WIDE = 16, 60


class Place(NamedTuple):
    """Something that Home and the command palette lead to."""

    key: str
    title: str
    summary: str
    open: "Callable[[NinefoldApp], None]"


def _new_game(app: "NinefoldApp") -> None:
    from ninefold.tui.new_game import NewGame

    app.push_screen(NewGame())


def _my_games(app: "NinefoldApp") -> None:
    from ninefold.tui.games import MyGames

    app.push_screen(MyGames())


def _my_books(app: "NinefoldApp") -> None:
    from ninefold.tui.books import MyBooks

    app.push_screen(MyBooks())


def _rules(app: "NinefoldApp") -> None:
    from ninefold.tui.rules import Rules

    app.push_screen(Rules())


def _settings(app: "NinefoldApp") -> None:
    from ninefold.tui.settings import Settings

    app.push_screen(Settings())


PUZZLES = Place("z", "Puzzles", "One number wins: find it", lambda app: app.show_puzzles())
PLACES: list[Place] = [
    Place("n", "New game", "Against a friend or the computer", _new_game),
    PUZZLES,
    Place("g", "My games", "Replay, review, continue, delete", _my_games),
    Place("b", "My rule books", "Your own games: check, play, write", _my_books),
    Place("r", "Rules", "How each game is played", _rules),
    Place("s", "Settings", "Theme, tiles, animations", _settings),
]


class Home(Page):
    """The first screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # The list itself names these keys.
        Binding("c", "continue", "Continue", show=False),
        *(
            Binding(place.key, f"open({at})", place.title, show=False)
            for at, place in enumerate(PLACES)
        ),
        Binding("q", "app.quit", "Quit", show=False),
        Binding("question_mark", "app.help", "Keys", key_display="?"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._unfinished: list[tuple[str, Record]] = []
        self._due = 0  # how many puzzles are due today

    def compose(self) -> ComposeResult:
        """The name, and a list of places."""
        with Vertical(id="home"):
            yield Static(LOGO, id="logo", markup=False)
            yield OptionList(id="places", markup=False)
        yield Footer(compact=True)

    def on_screen_resume(self) -> None:
        """Look again for unfinished games, whenever this screen comes back."""
        self._show_places()
        in_background(self, _find_unfinished, self._found)
        in_background(self, _count_due, self._counted)

    @on(events.Resize)
    def _fit(self) -> None:
        self._show_places()

    def _found(self, games: "list[tuple[str, Record]] | NinefoldError") -> None:
        if not isinstance(games, NinefoldError) and games != self._unfinished:
            had_none = not self._unfinished
            self._unfinished = games
            self._show_places(to_first=had_none)
            self.refresh_bindings()

    def _counted(self, due: int | NinefoldError) -> None:
        if not isinstance(due, NinefoldError) and due != self._due:
            self._due = due
            self._show_places()

    def _show_places(self, to_first: bool = False) -> None:
        places = self.query_one("#places", OptionList)
        chosen = places.highlighted_option.id if places.highlighted_option else None
        width, height = self.app.size
        offered = self._unfinished[: MOST_OFFERED if height >= 20 else 1]
        options = [
            Option(
                f"{'c' if at == 0 else ' '}  Continue: {unfinished(record)}", id=f"resume-{name}"
            )
            for at, (name, record) in enumerate(offered)
        ]
        for at, place in enumerate(PLACES):
            summary = self._summary(place)
            words = f"{place.title:<{TITLE}}{summary}" if width >= WIDE else place.title
            options.append(Option(f"{place.key}  {words}", id=f"place-{at}"))
        places.set_options([*options, Option("q  Quit", id="quit")])
        ids = [option.id for option in places.options]
        places.highlighted = ids.index(chosen) if chosen in ids and not to_first else 0

    def _summary(self, place: Place) -> str:
        return f"{self._due} due today" if place is PUZZLES and self._due else place.summary

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        kind, _, rest = (event.option_id or "").partition("-")
        if kind == "resume":
            resume(self, rest)
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
            resume(self, self._unfinished[0][0])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """A game can be continued only if there is one."""
        return bool(self._unfinished) if action == "continue" else True


def resume(page: Page, name: str) -> None:
    """Continue a recorded game or match, after asking if it runs a program."""
    try:
        session = Session.resume(Store().find(name), page.tell)
    except NinefoldError as error:
        page.tell(error.message)
        return
    page.program.play_if_agreed(session)


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
