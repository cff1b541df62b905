"""Runs the app at a terminal: signals, a closed window and unexpected errors lose no game."""

import asyncio
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Event, Thread
from types import FrameType

from ninefold.record.store import data_path
from ninefold.session import Session
from ninefold.tui.app import NinefoldApp
from ninefold.tui.base import Page

# The log of unexpected errors, in the user's data directory; only the newest are kept.
LOG = "errors.log"
MAX_LOG = 100_000
HANGUP = getattr(signal, "SIGHUP", None)


def run(session: Session | None = None, pace: float | None = None) -> int:
    """Show Home, or the games of a session with Home behind them; the exit code.

    Raises NinefoldError if the first game cannot begin.
    """
    first: Callable[[], Page] | None = None
    over = Event()
    try:
        if session is not None:
            from ninefold.tui.watch import screen_of

            first = partial(screen_of, session, pace, session.next_game())
        app = NinefoldApp(first)
        asyncio.run(_run(app, over))
    finally:
        over.set()
        if session is not None:
            session.close()
    if app.failure is not None:
        print(_explain(app.failure), file=sys.stderr)
        return 1
    return app.return_code or 0


async def _run(app: NinefoldApp, over: Event) -> None:
    """Run the app; signals leave it as Ctrl-C does."""
    loop = asyncio.get_running_loop()

    def stop(number: int, _: FrameType | None) -> None:
        loop.call_soon_threadsafe(partial(app.exit, return_code=128 + number))

    def lost(number: int, _: FrameType | None) -> None:
        # The window is gone, and what is written to it blocks or fails: restore nothing.
        with suppress(Exception):
            app.close_games()
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    if HANGUP is not None:
        signal.signal(HANGUP, lost)
        Thread(target=_watch_terminal, args=(over, HANGUP), daemon=True).start()
    await app.run_async()


def _watch_terminal(over: Event, hangup: int) -> None:
    """Notice a closed window even where its signal was ignored, as under nohup."""
    while not over.wait(1.0):
        if not os.isatty(0):
            os.kill(os.getpid(), hangup)
            return


def _explain(error: BaseException) -> str:
    """One line about an unexpected error, whose details are in the log."""
    path = data_path(LOG)
    kind = type(error).__name__
    saved = "Recorded games are safe: start ninefold again to continue."
    if _log(error, path):
        return f"ninefold: An unexpected error ({kind}). {saved} Please report it with {path}"
    return f"ninefold: An unexpected error ({kind}: {error}). {saved}"


def _log(error: BaseException, path: str) -> bool:
    """Add the whole error to the log; whether it worked."""
    when = time.strftime("%Y-%m-%d %H:%M:%S")
    text = f"{when}\n{''.join(traceback.format_exception(error))}\n"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        mode = "a" if os.path.exists(path) and os.path.getsize(path) < MAX_LOG else "w"
        with open(path, mode, encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError:
        return False
    return True
