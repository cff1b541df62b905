"""Drives the app as a player does: by keys alone or by the mouse alone."""

import asyncio
from collections.abc import Awaitable, Callable
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest
from effort import Effort
from processes import PATIENCE
from textual import events
from textual.pilot import Pilot

from ninefold.books import Book
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move
from ninefold.preferences import Preferences
from ninefold.record.store import Store
from ninefold.session import Session, new_settings
from ninefold.tui.app import NinefoldApp
from ninefold.tui.base import Page
from ninefold.tui.board import Board
from ninefold.tui.game import GameScreen
from tools.run_app import rest, running

SIZES = ((40, 12), (80, 24), (120, 40))
# Every day, keys and the mouse are tried where most must be scrolled to, and what is shown where
# least and most fits; the other tests use the size in between, and the long run each of them.
SIZES_FOR_KEYS = SIZES_FOR_MOUSE = SIZES if Effort.is_long else SIZES[:1]
SIZES_TO_LOOK_AT = SIZES if Effort.is_long else SIZES[::2]
KEYS_AND_MOUSE = [
    *((size, False) for size in SIZES_FOR_KEYS),
    *((size, True) for size in SIZES_FOR_MOUSE),
]
QUIET = Preferences(animations=False)
Play = Callable[[Pilot[None], GameScreen, Move], Awaitable[None]]


def session_of(book: Book, store: Store | None = None, **given: Any) -> Session:
    """A new session, by default of two people and without a record."""
    return Session(book, new_settings(book, seed=1, **given), store, pytest.fail)


def run(
    script: Callable[[Pilot[None]], Awaitable[None]],
    first: Callable[[], Page] | None = None,
    size: tuple[int, int] = (80, 24),
    **options: Any,
) -> NinefoldApp:
    """The app after this script, which began on Home or on the screen given."""
    app = NinefoldApp(first, **{"settings": QUIET, **options})

    async def main() -> None:
        async with running(app, size) as pilot:
            await script(pilot)

    asyncio.run(main())
    return app


def game_on(pilot: Pilot[None]) -> GameScreen:
    """The game on the screen."""
    screen = pilot.app.screen
    assert isinstance(screen, GameScreen)
    return screen


def moves_of(screen: GameScreen) -> list[Move]:
    """The moves made so far."""
    return [*screen.game.referee.moves]


async def settle(pilot: Pilot[None]) -> None:
    """Let everything that was caused so far happen."""
    await rest(pilot.app)  # type: ignore[arg-type]


async def press_at_once(pilot: Pilot[None], *keys: str) -> None:
    """Press keys faster than the app can react to each of them."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
    await settle(pilot)


async def until(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    """Wait for something that happens in the background."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)
            await settle(pilot)


def text_of(app: NinefoldApp) -> str:
    """What is on the screen, as text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


def compare(name: str, shown: str) -> None:
    """Compare a screen with the one on file; a file that does not exist is written, and fails."""
    file = Path(__file__).parent / "screens" / f"{name}.txt"
    if not file.exists():
        file.write_text(shown, "utf-8")
        pytest.fail(f"{file.name} is new: look at it")
    kept = file.read_text("utf-8")
    changes = "\n".join(unified_diff(kept.split("\n"), shown.split("\n"), lineterm=""))
    if changes:
        pytest.fail(changes)


async def by_keys(pilot: Pilot[None], screen: GameScreen, move: Move) -> None:
    """Make a move with the keyboard alone."""
    if isinstance(move, int):
        await pilot.press(*str(move), "enter")
    elif isinstance(move, Declare):
        if not screen.is_choosing:
            await pilot.press("d")
        for number in move.numbers:
            await pilot.press(*str(number), "space")
        await pilot.press("enter")
    elif move is LOST:
        await pilot.press("g", "y")
    else:
        await pilot.press("p" if move is PASS else "s")
    await settle(pilot)


async def by_mouse(pilot: Pilot[None], screen: GameScreen, move: Move) -> None:
    """Make a move with the mouse alone."""
    if isinstance(move, int):
        await click_tile(pilot, screen, move)
    elif isinstance(move, Declare):
        if not screen.is_choosing:
            await pilot.click("#do-declare")
        for number in move.numbers:
            await click_tile(pilot, screen, number)
        await pilot.click("#do-declare")
    elif move is LOST:
        await pilot.click("#do-give_up_turn")
        await settle(pilot)
        await pilot.click("#yes")
    else:
        assert move in (PASS, SWAP)
        await pilot.click("#do-pass" if move is PASS else "#do-swap")
    await settle(pilot)


async def click_tile(pilot: Pilot[None], screen: Page, number: int) -> None:
    """Click a number on the board, after scrolling to it with the wheel if necessary."""
    board = screen.query_one(Board)
    grid = board.grid
    row, column = divmod(board.numbers.index(number), grid.columns)
    offset = column * (grid.width + 1) + 1, row * grid.height + grid.height // 2
    frame = board.parent
    assert frame is not None
    while not frame.region.contains(  # type: ignore[attr-defined]
        board.region.x + offset[0], board.region.y + offset[1]
    ):
        below = board.region.y + offset[1] >= frame.region.bottom  # type: ignore[attr-defined]
        frame.scroll_relative(y=1 if below else -1, animate=False)  # type: ignore[attr-defined]
        await settle(pilot)
    await pilot.click(Board, offset=offset)
    await settle(pilot)
