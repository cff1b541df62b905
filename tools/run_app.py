"""Runs the full-screen app without a terminal, and knows when it has come to rest."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from unittest.mock import patch

from textual.pilot import Pilot
from textual.widgets import Button

from ninefold.tui.app import NinefoldApp
from ninefold.tui.background import THREAD

# Far more steps than anything takes; what needs more never ends.
ENDLESS = 100_000


async def rest(app: NinefoldApp) -> None:
    """Wait until nothing is left to do but what waits for time, a thread or the user."""
    loop: Any = asyncio.get_running_loop()
    for _ in range(ENDLESS):
        # The menu holds the screen back while it closes, and an app that ends does so for good.
        if loop._ready or (app._batch_count and app.is_open):
            await asyncio.sleep(0 if loop._ready else 0.005)
            continue
        if app.screen_stack:  # else it is ending
            app.screen._on_timer_update()
        if not loop._ready:
            return
    raise AssertionError(f"{app.screen} never comes to rest")


async def finish(app: NinefoldApp) -> None:
    """Wait until nothing is left to do in the background either."""
    while True:
        await rest(app)
        if not _is_busy():
            await rest(app)  # the last result may have come in between, and begin something
            if not _is_busy():
                return
        await asyncio.sleep(0.01)


def _is_busy() -> bool:
    return any(thread.name == THREAD for thread in threading.enumerate())


@asynccontextmanager
async def running(
    app: NinefoldApp, size: tuple[int, int], **options: Any
) -> AsyncIterator[Pilot[None]]:
    """The app on a screen of this size; each key and click is dealt with before the next.

    Textual's own driver waits until the process uses little of the processor, which takes a while
    and may be too early on a busy machine. Its buttons ignore a second click within 0.2 seconds;
    here no time passes between two clicks.
    """

    async def idle(*_: float) -> None:
        await rest(app)

    with (
        patch("textual.app.wait_for_idle", idle),
        patch("textual.pilot.wait_for_idle", idle),
        patch.object(Button, "_start_active_affect", lambda _: None),
    ):
        async with app.run_test(size=size, **options) as pilot:
            await rest(app)
            yield pilot
