"""Work that takes a while, done next to the screen; leaving the program never waits for it."""

from asyncio import get_running_loop
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from inspect import isawaitable
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from ninefold.core.errors import NinefoldError

if TYPE_CHECKING:
    from ninefold.tui.app import NinefoldApp
    from ninefold.tui.base import Page

T = TypeVar("T")
THREAD = "ninefold background"


def in_background(
    page: "Page | NinefoldApp", work: Callable[[], T], then: Callable[[T | NinefoldError], object]
) -> None:
    """Do the work in a thread, then give its result or its error to the page, if still open."""
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
            loop.call_soon_threadsafe(page.call_later, _if_open, page, done)

    Thread(target=run, name=THREAD, daemon=True).start()


def from_thread(page: "Page", call: Callable[..., object], *values: object) -> None:
    """Call this from a thread, where the screen is, if the page is still open."""
    with suppress(RuntimeError):  # the program has ended meanwhile
        page.app.call_from_thread(_if_open, page, partial(call, *values))  # type: ignore[arg-type]


async def _if_open(page: "Page | NinefoldApp", call: Callable[[], object]) -> None:
    if page.is_open and isawaitable(done := call()):
        await done


def _raise(error: BaseException) -> None:
    raise error
