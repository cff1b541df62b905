"""Rules of every game and variant, and settings that apply and are kept at once."""

import pytest
from textual.pilot import Pilot
from unit.tui.driving import KEYS_AND_MOUSE, QUIET, run, settle, text_of
from unit.tui.forms import app_of, choose_by_mouse, click, focus

from ninefold import books, preferences
from ninefold.book_files import short_path
from ninefold.tui.board import Board
from ninefold.tui.fields import Choice
from ninefold.tui.new_game import NewGame
from ninefold.tui.rules import Rules, rules_text
from ninefold.tui.settings import Settings


@pytest.mark.parametrize(("size", "mouse"), KEYS_AND_MOUSE)
def test_rules_of_any_game_and_variant(size: tuple[int, int], mouse: bool) -> None:
    """Wrapped to the width; from there, the game can be played."""

    async def script(pilot: Pilot[None]) -> None:
        if mouse:
            await choose_by_mouse(pilot, "game", "pattern-builder")
            await choose_by_mouse(pilot, "reading", "declare")
        else:
            await focus(pilot, "game")
            while pilot.app.screen.query_one("#game", Choice).chosen != "pattern-builder":
                await pilot.press("right")
                await settle(pilot)
            await pilot.press("down", "right")
            await settle(pilot)
        shown = " ".join(text_of(app_of(pilot)).split())
        book = books.load_book("pattern-builder", "declare")
        assert " ".join(book.summary.split()[:4]) in shown
        assert not mouse or "declare" in shown
        await (click(pilot, "play") if mouse else pilot.press("p"))
        await settle(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, NewGame)
        assert screen.query_one("#reading", Choice).chosen == "declare"

    run(script, Rules, size)


@pytest.mark.parametrize("name", books.names())
def test_everything_about_the_rules_is_shown(name: str) -> None:
    """The same paragraphs as in line mode, without its options."""
    for reading, about in books.load_book(name).readings.items():
        book = books.load_book(name, reading)
        text = rules_text(book).plain
        for part in (book.text, about.text, book.notes):
            assert " ".join(part.split()) in " ".join(text.split())
        assert "--reading" not in text


@pytest.mark.parametrize(("size", "mouse"), KEYS_AND_MOUSE)
def test_settings_apply_and_are_kept_at_once(size: tuple[int, int], mouse: bool) -> None:
    """The theme, the tiles of the sample, and every switch; in the file that is named."""
    preferences.save(QUIET)

    async def script(pilot: Pilot[None]) -> None:
        wanted = {"theme": "light", "tiles": "small", "threats": "on", "accessible": "on"}
        for name, value in {**wanted, "countdown": "off", "animations": "on"}.items():
            if mouse:
                await choose_by_mouse(pilot, name, value)
            else:
                await focus(pilot, name)
                await pilot.press("left" if value == "on" else "right")
                await settle(pilot)
        assert pilot.app.theme == "textual-light"
        sample = pilot.app.screen.query_one(Board)
        assert sample.grid.size == "small"
        await pilot.press("end", "escape")
        await settle(pilot)

    run(script, Settings, size, settings=None)
    assert preferences.load() == QUIET._replace(
        theme="light",
        tiles="small",
        threats=True,
        accessible=True,
        countdown=False,
        animations=True,
    )


def test_settings_name_their_file() -> None:
    """For whoever wants to copy or remove it."""

    async def script(pilot: Pilot[None]) -> None:
        shown = text_of(app_of(pilot)).replace("\n", "").replace(" ", "")
        assert short_path(preferences.settings_path()).replace(" ", "") in shown

    run(script, Settings, (120, 40))
