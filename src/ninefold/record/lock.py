"""Locks: one process at a time writes to a file, on every system."""

import os
from contextlib import suppress
from warnings import catch_warnings, simplefilter

SUFFIX = ".lock"
# Seconds to wait for somebody who is just letting go.
MOMENT = 0.3


class Busy(OSError):
    """Another process holds the file."""


class Lock:
    """Holds a file for us until we let go or end, even if we are killed; raises Busy, OSError.

    What is locked is a file next to it, and its mere existence means nothing. The file itself
    cannot be locked: on some systems, nobody could read it or give it another name meanwhile.
    """

    def __init__(self, path: str, seconds: float = MOMENT) -> None:
        self._path = os.path.realpath(path) + SUFFIX
        with catch_warnings():
            # Without locks of the system, the file itself is one while its process lives.
            simplefilter("ignore", UserWarning)
            from filelock import FileLock, Timeout

            self._lock = FileLock(self._path, thread_local=False)
            try:
                self._lock.acquire(timeout=seconds)
            except Timeout:
                raise Busy(None, "it is in use elsewhere") from None

    def release(self) -> None:
        """Let another process have it, and leave nothing behind."""
        # Removed while it is held: whoever has just opened it notices, and makes a new one.
        # Windows keeps what is open, but there it is removed when it is released.
        with suppress(OSError):
            os.unlink(self._path)
        self._lock.release()


def remove_unused(folder: str, suffix: str) -> None:
    """Remove what processes that were killed have left next to files with this suffix."""
    for name in os.listdir(folder):
        if name.endswith(suffix + SUFFIX):
            with suppress(OSError):
                Lock(os.path.join(folder, name.removesuffix(SUFFIX)), 0).release()
