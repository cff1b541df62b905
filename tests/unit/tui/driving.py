"""Drives the app as a player does: by keys alone or by the mouse alone."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from processes import PATIENCE
from textual.pilot import Pilot

from ninefold.books import Book
from ninefold.preferences import Preferences
from ninefold.record.store import Store
from ninefold.session import Session, new_settings
from ninefold.tui.app import NinefoldApp
from ninefold.tui.base import Page

SIZES = ((40, 12), (80, 24), (120, 40))
QUIET = Preferences(animations=False)


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
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await script(pilot)

    asyncio.run(main())
    return app


async def settle(pilot: Pilot[None]) -> None:
    """Let everything that was caused so far happen."""
    await pilot.pause()
    await pilot.pause()


async def until(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    """Wait for something that happens in the background."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await pilot.pause(0.01)
    await settle(pilot)


def text_of(app: NinefoldApp) -> str:
    """What is on the screen, as text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)
