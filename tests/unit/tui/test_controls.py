"""Everything around the board, by the mouse alone and from the menu, at the three sizes."""

from pathlib import Path
from typing import Any

import pytest
from textual.command import CommandList, CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen
from unit.tui.driving import (
    SIZES_FOR_KEYS,
    SIZES_FOR_MOUSE,
    click_tile,
    game_on,
    run,
    session_of,
    settle,
    text_of,
    until,
)
from unit.tui.forms import app_of, click

from ninefold import books
from ninefold.session import Session, new_settings
from ninefold.tui.audit import AuditBook
from ninefold.tui.base import Page
from ninefold.tui.check import CheckBook
from ninefold.tui.dialogs import Confirm, Text
from ninefold.tui.game import GameScreen
from ninefold.tui.home import Home
from ninefold.tui.line_of_play import LineOfPlay
from ninefold.tui.review import ReviewScreen
from ninefold.tui.settings import Settings
from ninefold.tui.watch import WatchScreen, screen_of
from tools.run_app import finish

FIFTEEN = books.load_book("magic-fifteen")


def is_on(pilot: Pilot[None], kind: type[Screen[Any]]) -> bool:
    """Whether this kind of screen is shown."""
    return isinstance(pilot.app.screen, kind)


async def pick_from_menu(pilot: Pilot[None], title: str) -> None:
    """Open the menu and click one of its lines."""
    await pilot.click("#do-menu")
    options = pilot.app.screen.query_one(CommandList)
    await until(pilot, lambda: options.region.height > 3 and options.option_count > 5)
    for at in range(options.option_count):
        if str(options.get_option_at_index(at).prompt).startswith(title):
            options.scroll_to(y=options._index_to_line[at], animate=False)
            await settle(pilot)
            line = options._index_to_line[at] - round(options.scroll_y)
            await pilot.click(CommandList, offset=(4, line + 1))
            await until(pilot, lambda: not isinstance(pilot.app.screen, CommandPalette))
            return
    pytest.fail(f"{title} is not in the menu:\n{text_of(app_of(pilot))}")


async def press(pilot: Pilot[None], action: str, title: str) -> None:
    """Click a button below the board; if there is no room for it, its line in the menu."""
    if pilot.app.screen.query_one(f"#do-{action}").region.area:
        await pilot.click(f"#do-{action}")
        await settle(pilot)
    else:
        await pick_from_menu(pilot, title)


@pytest.mark.parametrize("size", SIZES_FOR_MOUSE)
def test_a_game_by_the_mouse_alone(size: tuple[int, int]) -> None:
    """Hints, undo, threats, the log, resigning, a review, a rematch, and home."""
    session = session_of(FIFTEEN)

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        await click_tile(pilot, screen, 5)
        await press(pilot, "undo", "Undo")
        assert screen.game.referee.plies == 0
        for number in (1, 5, 9):
            await click_tile(pilot, screen, number)
        for _ in range(3):
            await press(pilot, "hint", "Hint")
            await finish(app_of(pilot))
        assert is_on(pilot, LineOfPlay)
        await pilot.click("#line-forward")
        await pilot.click("#line-back")
        await pilot.click("#line-close")
        await settle(pilot)
        await pick_from_menu(pilot, "Moves and log")
        assert is_on(pilot, Text)
        assert "3. X 9" in text_of(app_of(pilot))
        await click(pilot, "back")
        await pick_from_menu(pilot, "Show threats")
        assert screen.preferences.threats
        await press(pilot, "resign", "Resign")
        assert is_on(pilot, Confirm)
        await pilot.click("#no")
        await settle(pilot)
        assert "Player 1 wins." not in text_of(app_of(pilot))
        await press(pilot, "resign", "Resign")
        await pilot.click("#yes")
        await settle(pilot)
        assert "Player 1 wins." in text_of(app_of(pilot))
        await press(pilot, "review", "Review")
        await finish(app_of(pilot))
        assert is_on(pilot, ReviewScreen)
        await press(pilot, "leave", "Close")
        await press(pilot, "next", "Next game")
        await press(pilot, "leave", "Home")
        assert is_on(pilot, Home)

    run(script, lambda: GameScreen(session), size)


@pytest.mark.parametrize("size", SIZES_FOR_KEYS)
def test_the_menu_by_keys(size: tuple[int, int]) -> None:
    """A few letters and Enter lead to any place; Escape closes it."""

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+p")
        assert is_on(pilot, CommandPalette)
        await pilot.press(*"setti")
        options = pilot.app.screen.query_one(CommandList)
        await until(pilot, lambda: options.option_count == 1)
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Settings))
        await pilot.press("ctrl+p", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, Settings))

    run(script, None, size)


@pytest.mark.parametrize("size", SIZES_FOR_MOUSE)
def test_watching_by_the_mouse_alone(size: tuple[int, int]) -> None:
    """Computers stop between moves, and go on."""
    seats = new_settings(FIFTEEN, 1, seat1="random", seat2="random")
    session = Session(FIFTEEN, seats, None, pytest.fail)

    async def script(pilot: Pilot[None]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, WatchScreen)
        await pilot.click("#do-pause")
        await finish(app_of(pilot))
        assert "Paused. Space: go on" in text_of(app_of(pilot))
        made = screen.game.referee.plies
        await finish(app_of(pilot))
        assert screen.game.referee.plies == made
        screen.action_pace(0.05)  # the rest of the game need not take as long
        await pilot.click("#do-pause")
        await until(pilot, lambda: screen.game.outcome is not None)

    # Slow enough that the game cannot be over before the first click.
    run(script, lambda: screen_of(session, 1.0), size)


@pytest.mark.parametrize("size", SIZES_FOR_MOUSE)
def test_checking_and_auditing_by_the_mouse_alone(own_folder: Path, size: tuple[int, int]) -> None:
    """From one fault to the next and back, read again, and leave."""
    file = own_folder / "two.toml"
    file.write_text('title = "Two"\n[rules]\npol = 1\npool = "1-9"\nwinns = 2\n')

    async def script(pilot: Pilot[None]) -> None:
        page: Page = CheckBook(str(file))
        app_of(pilot).push_screen(page)
        await finish(app_of(pilot))
        for name in ("next", "next", "previous"):
            await click(pilot, name)
        file.write_text(
            'title = "Two"\n[rules]\npool = "1-9"\n[rules.wins]\nsum = { count = 2, equals = 7 }\n'
        )
        await click(pilot, "update")
        await finish(app_of(pilot))
        assert "No errors. It can be played." in text_of(app_of(pilot))
        await click(pilot, "back")
        assert is_on(pilot, Home)
        app_of(pilot).push_screen(AuditBook(FIFTEEN))
        await finish(app_of(pilot))
        assert "Best play: a draw." in text_of(app_of(pilot))
        await click(pilot, "back")
        assert is_on(pilot, Home)

    run(script, None, size)
