"""A word to whoever waits: nothing at first, then what is taking so long."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from ninefold.line.note import note

PATIENCE = 2.0


@contextmanager
def patience(text: str, seconds: float = PATIENCE) -> Iterator[None]:
    """Say this on standard error if what is done meanwhile takes longer than so many seconds."""
    notice = Timer(seconds, note, (text,))
    notice.daemon = True
    notice.start()
    try:
        yield
    finally:
        notice.cancel()
