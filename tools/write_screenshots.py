"""Write the screenshots of the README: ``python3 dev screenshots``.

Everything in them is fixed (records, seeds, size, theme), so the same program writes the same
files; a test compares them. They name no font that would have to be fetched from another host.
"""

import asyncio
import os
import re
import tempfile
from pathlib import Path
from unittest.mock import patch

from textual.pilot import Pilot

from ninefold import books
from ninefold.preferences import Preferences
from ninefold.record.store import Store
from ninefold.session import Session, new_settings
from ninefold.tui.app import NinefoldApp
from ninefold.tui.base import Page
from ninefold.tui.game import GameScreen
from ninefold.tui.watch import screen_of
from tools.run_app import finish, running

SCREENS = Path(__file__).parents[1] / "docs" / "screens"
SIZE = (100, 30)
# A browser's own font instead of Textual's, which comes from another host.
_FONTS = re.compile(r"\s*(?:@font-face \{.*?\}|<!-- Generated.*?-->)", re.DOTALL)
_FONT = re.compile(r"font-family: ?\"?Fira Code\"?")
# The only part that differs between two runs: Textual derives names from a checksum of the style.
_NAMES = re.compile(r"terminal-\d+-")


def settle(svg: str) -> str:
    """The picture as it is kept: no fonts from elsewhere, names that depend on nothing."""
    svg = _FONT.sub("font-family: ui-monospace, Menlo, Consolas", _FONTS.sub("", svg))
    return "\n".join(line.rstrip() for line in _NAMES.sub("terminal-", svg).split("\n")) + "\n"


def _session(seed: int = 1) -> Session:
    book = books.load_book("sequence-capture")
    settings = new_settings(
        book, seed, player1="Ada", player2="Level 3", seat2="level:3", time_limit=30.0, wins=3
    )
    return Session(book, settings, Store(), lambda _: None)


async def _show_home(pilot: "Pilot[None]") -> None:
    """A game is left after two moves each, and Home offers to continue it."""
    await _play(pilot, (5, 7))
    await pilot.press("escape")


async def _show_game(pilot: "Pilot[None]") -> None:
    """A game in the middle, with the threats shown."""
    await _play(pilot, (5, 7, 3))
    await pilot.press("t")


async def _show_review(pilot: "Pilot[None]") -> None:
    """The review of a game, at a mistake."""
    await _play(pilot, (10, 1, 9, 2, 8, 3, 7, 4))
    await pilot.press("v")
    await finish(app_of(pilot))
    await pilot.press("m")


async def _play(pilot: "Pilot[None]", numbers: tuple[int, ...]) -> None:
    """Take these numbers, or the lowest free one instead, each once it is our turn."""
    screen = pilot.app.screen
    assert isinstance(screen, GameScreen)
    for number in numbers:
        if screen.game.outcome is not None:
            return
        free = screen.game.position.picks
        await pilot.press(*str(number if number in free else free[0]), "enter")
        await finish(app_of(pilot))


def app_of(pilot: "Pilot[None]") -> NinefoldApp:
    """The app, by its own type."""
    assert isinstance(pilot.app, NinefoldApp)
    return pilot.app


SHOWN = {"home": _show_home, "game": _show_game, "review": _show_review}


async def picture(name: str) -> str:
    """One screenshot as SVG."""

    def first() -> Page:
        return screen_of(_session(), 0.0)

    settings = Preferences(animations=False, threats=False)
    app = NinefoldApp(first, settings, lambda: 0.0)
    async with running(app, SIZE) as pilot:
        await SHOWN[name](pilot)
        await finish(app)
        return settle(app.export_screenshot(title="Ninefold"))


def pictures() -> dict[str, str]:
    """Every screenshot by the name of its file, made in a home of its own."""
    made = {}
    for name in SHOWN:
        with tempfile.TemporaryDirectory() as folder:
            own = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), folder)
            environment = patch.dict(os.environ, {**own, "COLORTERM": "truecolor"})
            # An old game is shown with its day alone, so nothing depends on the time of today.
            with environment, patch("ninefold.session.timestamp", lambda: "2025-11-03T12:05:00Z"):
                made[f"{name}.svg"] = asyncio.run(picture(name))
    return made


if __name__ == "__main__":
    SCREENS.mkdir(exist_ok=True)
    for file, text in pictures().items():
        (SCREENS / file).write_text(text, "utf-8")
        print(f"docs/screens/{file}")
