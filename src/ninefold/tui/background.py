"""Work that takes a while, done next to the screen; leaving the program never waits for it."""

from asyncio import get_running_loop
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Any, TypeVar

from textual.app import App

from ninefold.core.errors import NinefoldError

T = TypeVar("T")


def in_background(
    app: App[Any], work: Callable[[], T], then: Callable[[T | NinefoldError], object]
) -> None:
    """Do the work in a thread, then hand its result, or the error it raised, to the screen."""
    loop = get_running_loop()

    def run() -> None:
        done: Callable[[], object]
        try:
            done = partial(then, work())
        except NinefoldError as error:
            done = partial(then, error)
        except BaseException as error:  # noqa: BLE001 - raised again where it is seen
            done = partial(_raise, error)
        with suppress(RuntimeError):  # the program has ended meanwhile
            loop.call_soon_threadsafe(app.call_later, done)

    Thread(target=run, daemon=True).start()


def _raise(error: BaseException) -> None:
    raise error
