"""The app: which screen is shown, the settings, and the commands that work everywhere."""

from collections.abc import Callable, Iterable
from time import monotonic
from typing import ClassVar

from textual.app import App, ScreenStackError, SystemCommand
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import WorkerFailed

from ninefold import preferences
from ninefold.books import Book
from ninefold.core.errors import NinefoldError
from ninefold.players import is_outside
from ninefold.preferences import Preferences
from ninefold.referee import Referee
from ninefold.session import LiveGame, Session
from ninefold.tui import textual_fixes
from ninefold.tui.base import Page

textual_fixes.apply()

THEMES = {"dark": "textual-dark", "light": "textual-light"}


class NinefoldApp(App[None]):
    """Ninefold in full screen; the first screen is Home unless another is given."""

    TITLE = "Ninefold"
    CSS_PATH = "styles.tcss"
    # Selecting text fails in Textual if what is below the mouse has just been removed.
    ALLOW_SELECT = False
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - declared so by Textual
        (0, "-narrow"),
        (70, "-normal"),
        (110, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-short"),
        (20, "-middle"),
        (34, "-tall"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", "Quit", show=False, priority=True),
        Binding("ctrl+d", "quit", "Quit", show=False, priority=True),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
        Binding("question_mark,f1", "help", "Keys", show=False, key_display="?"),
        Binding("ctrl+p", "command_palette", "Menu", show=False, priority=True),
    ]

    def __init__(
        self,
        first: "Callable[[], Page] | None" = None,
        settings: Preferences | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__()
        self.preferences = preferences.load() if settings is None else settings
        self._keep_settings = settings is None
        self._first = first
        self.clock = clock

    def on_mount(self) -> None:
        """Show Home, and the screen asked for on top of it."""
        from ninefold.tui.home import Home

        self._apply_preferences()
        self.push_screen(Home())
        if self._first is not None:
            self.push_screen(self._first())

    async def _check_bindings(self, key: str, priority: bool = False) -> bool:
        """Do what a key is bound to, once the screen that it is for has something on it."""
        screen = self.screen
        if priority or not isinstance(screen, Page) or screen.is_open:
            return await super()._check_bindings(key, priority)
        return self.is_open and screen.call_later(self._check_bindings, key)

    def pop_screen(self) -> AwaitComplete:
        """Go back to the screen below, but never from Home, which is above Textual's own screen."""
        return super().pop_screen() if len(self.screen_stack) > 2 else AwaitComplete()

    @property
    def is_open(self) -> bool:
        """Whether the app goes on."""
        return not self._exit

    @property
    def failure(self) -> Exception | None:
        """The unexpected error that ended the app, if one did."""
        return self._exception

    def _handle_exception(self, error: Exception) -> None:
        """Report an unexpected error, but not that something came late for a screen now gone."""
        late = isinstance(error, ScreenStackError | NoMatches)
        # Only Textual's command palette has workers, and they look for it when it is closed.
        palette = isinstance(error, WorkerFailed) and isinstance(error.error, NoMatches)
        if not palette and not (late and (self._exit or _is_gone(error))):
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Leave without a traceback on the screen; whoever runs the app reports the failure."""
        self._close_messages_no_wait()

    def panic(self, *renderables: object) -> None:  # noqa: ARG002
        """Leave after an error that Textual would print; without one, the terminal is gone."""
        if self._exception is None:
            self._return_code = 1
        self._close_messages_no_wait()

    def close_games(self) -> None:
        """Set the games on all screens aside, and end their programs."""
        from ninefold.tui.game import GameScreen

        for screen in self.screen_stack:
            if isinstance(screen, GameScreen):
                screen.session.close()

    def change_preferences(self, **changes: object) -> None:
        """Change settings, and keep them for next time."""
        self.preferences = self.preferences._replace(**changes)  # type: ignore[arg-type]
        if self._keep_settings:
            preferences.save(self.preferences)
        self._apply_preferences()

    def _apply_preferences(self) -> None:
        self.theme = THEMES[self.preferences.theme]
        self.animation_level = "full" if self.preferences.animations else "none"

    def play(self, session: Session, pace: float | None = None) -> None:
        """Play the games of a session."""
        from ninefold.tui.watch import screen_of

        self.begin(session, lambda game: self.push_screen(screen_of(session, pace, game)))

    def begin(self, session: Session, then: Callable[[LiveGame], object]) -> None:
        """Begin the first game of a session; if that fails, say why and close it."""
        from ninefold.tui.background import in_background

        def begun(game: LiveGame | NinefoldError) -> None:
            if isinstance(game, NinefoldError):
                session.close()
                self.notify(game.message, severity="warning", markup=False)
            else:
                then(game)

        if any(map(is_outside, session.settings.seats)):  # it may be slow to start, or fail to
            in_background(self, session.next_game, begun)
        else:
            begun(session.next_game())

    def play_if_agreed(self, session: Session) -> None:
        """Play the games of a session from a record, after asking if it runs a program."""
        from ninefold.tui.dialogs import Confirm

        if not session.commands:
            self.play(session)
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.play(session)
            else:
                session.close()

        question = f"This game runs a program: {' and '.join(session.commands)}. Run it?"
        self.push_screen(Confirm(question), answered)

    def review_game(self, book: Book, referee: Referee, kept: bool = True) -> None:
        """Review a game that nobody plays now; ``kept``: it is recorded, so mistakes come back."""
        from ninefold.tui.review import ReviewScreen

        self.push_screen(ReviewScreen(book, referee, kept))

    def show_puzzles(self) -> None:
        """Show what is due, and puzzles of every game."""
        from ninefold.tui.puzzles import PuzzlesScreen

        self.push_screen(PuzzlesScreen())

    def show_rules(self, book: Book) -> None:
        """Show the rules of a book."""
        from ninefold.tui.dialogs import Text
        from ninefold.tui.rules import rules_text

        self.push_screen(Text(book.title, rules_text(book)))

    def action_interrupt(self) -> None:
        """Ctrl-C: leave at once; an unfinished game is kept."""
        self.exit(return_code=130)

    def action_help(self) -> None:
        """Show the keys of this screen."""
        from ninefold.tui.dialogs import Text

        rows = [
            (binding.key_display or self.get_key_display(binding), binding.description)
            for node, binding, enabled, _ in self.screen.active_bindings.values()
            if enabled and binding.description and binding.action in _own_actions(node)
        ]
        keys: dict[str, list[str]] = {}
        for key, what in [*dict.fromkeys(rows), ("Tab", "Next field or button")]:
            keys.setdefault(what, []).append(key)
        wide = max(len(" ".join(named)) for named in keys.values())
        text = "\n".join(f"{' '.join(named):<{wide}}  {what}" for what, named in keys.items())
        self.push_screen(Text("Keys", text))

    def action_command_palette(self) -> None:
        """Open the command palette, unless the last one is still closing; Textual fails then."""
        if self._nodes._get_by_id("--command-palette") is None:
            super().action_command_palette()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The command palette: what this screen offers, then every other screen."""
        from ninefold.tui.home import PLACES

        if isinstance(screen, Page):
            yield from screen.commands()
        for place in PLACES:
            yield SystemCommand(place.title, place.summary, lambda place=place: place.open(self))
        yield SystemCommand("Keys", "What every key does here", self.action_help)
        yield SystemCommand("Quit", "Leave; an unfinished game is kept", self.exit)


def _own_actions(node: DOMNode) -> set[str]:
    """What the app's own classes bind keys to, without what every list or field of Textual has."""
    own = [kind for kind in type(node).__mro__ if kind.__module__.startswith("ninefold.")]
    bindings = [binding for kind in own for binding in vars(kind).get("BINDINGS", ())]
    return {binding.action for binding in bindings}


def _is_gone(error: BaseException) -> bool:
    """Whether this happened in a widget that is not on the screen any more, or not yet."""
    trace = error.__traceback__
    while trace is not None:
        owner = trace.tb_frame.f_locals.get("self")
        # Textual's own screens, such as the palette, do not know that they are empty.
        empty = isinstance(owner, Screen) and not isinstance(owner, Page) and not owner.children
        if isinstance(owner, Widget) and (empty or not owner.is_attached):
            return True
        trace = trace.tb_next
    return False
