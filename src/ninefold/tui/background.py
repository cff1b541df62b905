"""Work that takes a while, done next to the screen; leaving the program never waits for it."""

from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

from textual.app import App

from ninefold.core.errors import NinefoldError

T = TypeVar("T")


def in_background(
    app: App[Any], work: Callable[[], T], then: Callable[[T | NinefoldError], None]
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
            with suppress(RuntimeError):
                app.call_from_thread(lambda: _raise(failure))
            return
        with suppress(RuntimeError):  # the program has ended meanwhile
            app.call_from_thread(then, result)

    Thread(target=run, daemon=True).start()


def _raise(error: BaseException) -> None:
    raise error
