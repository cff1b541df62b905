"""Keys that come faster than the screens change: none is fatal, and none goes to a wrong place."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from effort import Effort
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.command import CommandPalette, SearchIcon
from textual.geometry import Size
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Button, OptionList, Select, Static
from unit.tui.driving import QUIET, press_at_once, run, session_of, settle, text_of, until
from unit.tui.forms import app_of

from ninefold import books
from ninefold.record.store import Store
from ninefold.tui.base import Page
from ninefold.tui.books import MyBooks
from ninefold.tui.game import GameScreen
from ninefold.tui.games import MyGames
from ninefold.tui.home import Home
from ninefold.tui.line_of_play import LineOfPlay
from ninefold.tui.new_book import NewBook
from ninefold.tui.new_game import NewGame
from ninefold.tui.review import ReviewScreen
from ninefold.tui.rules import Rules
from ninefold.tui.viewer import Viewer
from tools.run_app import finish

DUEL = books.load_book("sequence-duel-arithmetic")


def played() -> GameScreen:
    """A finished game, on record."""
    screen = GameScreen(session_of(DUEL, Store()))
    for number in (1, 9, 2, 8, 3):
        screen.game.move(number, 0.0)
    screen.session.close()
    return screen


def test_two_quick_steps_do_not_chase_each_other() -> None:
    """The list follows the board and the board follows the list, but only once."""
    name = played().game.name

    async def script(pilot: Pilot[None]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, Viewer)
        screen.query_one("#steps").focus()
        await press_at_once(pilot, "down", "down", "up", "down")
        assert screen.at == 2

    run(script, lambda: Viewer(Store().path(name)))


def test_two_quick_steps_in_a_review() -> None:
    """As in the replay of a game."""
    screen = ReviewScreen(DUEL, played().game.referee, True)

    async def script(pilot: Pilot[None]) -> None:
        screen.query_one("#moves").focus()
        await settle(pilot)
        await press_at_once(pilot, "home", "down", "down", "up")
        assert screen.query_one("#moves").highlighted == 1  # type: ignore[attr-defined]

    run(script, lambda: screen, (120, 40))


def test_two_quick_changes_of_the_size() -> None:
    """The last one counts, and the screen is not laid out for both in turn for ever."""

    class Busy(Page):
        layouts = 0

        def compose(self) -> ComposeResult:
            yield Static("This screen has something to do after each change.")

        def on_resize(self) -> None:
            self.layouts += 1
            if self.layouts < 100:
                self.call_later(lambda: None)

    async def script(pilot: Pilot[None]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, Busy)
        for size in (Size(40, 12), Size(80, 24)):
            screen.post_message(events.Resize(size, size))
            screen.call_later(lambda: None)
        await settle(pilot)
        assert screen.size == (80, 24)
        assert screen.layouts < 10

    run(script, Busy, (80, 24))


@contextmanager
def just_gone(widget: Widget) -> Iterator[tuple[int, int]]:
    """Where this widget is still painted, though on no screen: so it is until the next layout."""
    offset, parent = widget.region.offset, widget._parent
    widget._parent = None
    widget.refresh()
    yield offset
    widget._parent = parent


def test_a_click_on_a_text_that_has_just_gone() -> None:
    """Whatever is below it is clicked."""

    async def script(pilot: Pilot[None]) -> None:
        with just_gone(pilot.app.screen.query(Static).first()) as (x, y):
            for kind in (events.MouseDown, events.MouseUp):
                pilot.app.post_message(kind(None, x, y, 0, 0, 1, False, False, False, x, y))
            await settle(pilot)
        assert isinstance(pilot.app.screen, Home)

    run(script)


def test_what_is_below_a_part_of_the_menu_that_has_just_gone() -> None:
    """Textual's menu closes if it is the menu itself, and fails if there is nothing."""

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+p")
        icon = pilot.app.screen.query_one(SearchIcon)
        with just_gone(icon) as (x, y):
            found, _ = pilot.app.screen.get_widget_at(x, y)
        assert found is not icon

    run(script)


def test_a_click_in_the_menu_where_there_is_nothing_any_more() -> None:
    """So it is if the window has just become smaller."""

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+p")
        menu = pilot.app.screen
        menu.post_message(events.Click(None, 90, 2, 0, 0, 1, False, False, False, 90, 2))
        await settle(pilot)
        assert pilot.app.screen is menu

    run(script, size=(80, 24))


def test_a_click_on_an_option_that_has_just_gone() -> None:
    """What was painted there does not count any more."""

    async def script(pilot: Pilot[None]) -> None:
        places = pilot.app.screen.query_one(OptionList)
        gone = Style.from_meta({"option": places.option_count})
        click = events.Click(places, 1, 1, 0, 0, 1, False, False, False, style=gone)
        places.post_message(click)
        await settle(pilot)
        assert isinstance(pilot.app.screen, Home)

    run(script)


@pytest.mark.parametrize("keys", [("n", "escape"), ("n", "escape", "n", "escape", "r", "escape")])
def test_a_screen_that_is_left_before_it_is_there(keys: tuple[str, ...]) -> None:
    """Nothing is shown on it, and nothing fails."""

    async def script(pilot: Pilot[None]) -> None:
        await press_at_once(pilot, *keys)
        assert isinstance(pilot.app.screen, Home)

    run(script)


def test_a_key_for_a_screen_that_opens_waits_for_it() -> None:
    """What is typed ahead is not lost."""

    async def script(pilot: Pilot[None]) -> None:
        await press_at_once(pilot, "n", "f1")
        assert type(pilot.app.screen).__name__ == "Text"
        await press_at_once(pilot, "escape", "escape", "r")
        assert isinstance(pilot.app.screen, Rules)

    run(script)


def test_the_moves_of_a_game_that_opens() -> None:
    """A step back that comes up from the screen below waits until the game has a board."""

    async def script(pilot: Pilot[None]) -> None:
        screen, app = played(), app_of(pilot)
        app.push_screen(screen)
        assert not screen.is_open
        assert await app._check_bindings("comma")
        await settle(pilot)
        assert screen.status().startswith("After move 4 of 5")

    run(script)


@pytest.mark.parametrize("page", [NewGame, Rules, MyBooks, MyGames, played])
def test_a_screen_that_is_closed_at_once(page: Callable[[], Page]) -> None:
    """It has no widgets when it is told that it is there."""

    async def script(pilot: Pilot[None]) -> None:
        app = app_of(pilot)
        app.push_screen(page())
        app.pop_screen()
        await finish(app)
        assert isinstance(app.screen, Home)

    run(script)


def test_a_second_enter_is_not_the_answer_to_the_next_question() -> None:
    """It came before the question was there."""
    screen = NewBook(pytest.fail)

    async def script(pilot: Pilot[None]) -> None:
        await press_at_once(pilot, *"My game", "enter", "enter")
        assert len(screen.interview.answered) == 1
        await press_at_once(pilot, *["ctrl+s", "escape"] * 3)
        assert len(screen.interview.answered) == 1

    run(script, lambda: screen)


def test_enter_twice_starts_one_game() -> None:
    """The second Enter comes before the form is gone."""

    async def script(pilot: Pilot[None]) -> None:
        pilot.app.push_screen(NewGame())
        await settle(pilot)
        pilot.app.screen.query_one("#start").focus()
        await press_at_once(pilot, "enter", "enter")
        kinds = [type(screen) for screen in pilot.app.screen_stack]
        assert kinds.count(GameScreen) == 1

    run(script)


@pytest.mark.parametrize("animations", [True, False])
def test_a_step_in_a_line_of_play_that_opens(animations: bool) -> None:
    """It waits for nothing, and does not mind that animations were switched meanwhile."""
    line = LineOfPlay(DUEL, DUEL.game.start(1), (1, 2, 3), ("You", "They"))

    async def script(pilot: Pilot[None]) -> None:
        pilot.app.push_screen(line)
        await press_at_once(pilot, "right")
        line.program.change_preferences(animations=not animations)
        await press_at_once(pilot, "right", "left")
        assert " of 3: " in text_of(line.program)

    run(script, settings=QUIET._replace(animations=animations))


def test_a_second_click_asks_no_second_question() -> None:
    """The first one has covered the button."""
    played()
    screen = MyGames()

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: screen.rows)
        for _ in range(2):
            screen.query_one("#delete", Button).press()
        await settle(pilot)
        assert pilot.app.screen_stack[-2] is screen

    run(script, lambda: screen)


@pytest.mark.parametrize("width", range(1, 9) if Effort.is_long else (1, 4, 6))
def test_lists_open_in_a_window_of_any_width(width: int) -> None:
    """Also where not a single column is left for their texts, with or without a scrollbar."""

    async def script(pilot: Pilot[None]) -> None:
        pilot.app.push_screen(NewGame())
        await settle(pilot)
        for choice in pilot.app.screen.query(Select):
            choice.focus()
            await press_at_once(pilot, "enter", "down", "escape")
        await press_at_once(pilot, "ctrl+p", "down")
        await settle(pilot)
        assert isinstance(pilot.app.screen, CommandPalette)

    run(script, size=(width, 10))
