"""Work that takes a while, done next to the screen; leaving the program never waits for it."""

from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

from textual.app import App

from ninefold.core.errors import NinefoldError

T = TypeVar("T")


def in_background(
    app: App[Any], work: Callable[[], T], then: Callable[[T | NinefoldError], object]
) -> None:
    """Do the work in a thread, then hand its result, or the error it raised, to the screen."""

    def run() -> None:
        result: T | NinefoldError
        try:
            result = work()
        except NinefoldError as error:
            result = error
        except BaseException as error:  # noqa: BLE001 - raised again where it is seen
            failure = error
            from_thread(app, lambda: _raise(failure))
            return
        from_thread(app, then, result)

    Thread(target=run, daemon=True).start()


def from_thread(app: App[Any], call: Callable[..., object], *values: object) -> None:
    """Call this from a thread, where the screen is, unless the program has ended meanwhile."""
    with suppress(RuntimeError):
        app.call_from_thread(call, *values)


def _raise(error: BaseException) -> None:
    raise error
