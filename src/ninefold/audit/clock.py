"""How long an audit may take: what is not settled by then is said to be not settled."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ninefold.audit.finding import Answer, answer

# How long a whole audit may take if nobody says otherwise, and one search for values in it.
SECONDS, SEARCH = 600.0, 10.0
# Otherwise each search may take this share of the time, so that something is left for the rest.
SHARE = 6
NO_TIME = "There was no time left for this."


class OutOfTime(Exception):
    """The time for the whole audit is over."""


class Clock:
    """The time of one audit, counted from now on."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._until = time.monotonic() + seconds
        self._armed = False

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self._until

    def within(self, seconds: float) -> float:
        """When something has to give up that begins now and may take so long."""
        return min(time.monotonic() + seconds, self._until)

    def check(self) -> None:
        """Raise OutOfTime if it is time to stop."""
        if self.late:
            raise OutOfTime

    @property
    def left(self) -> float:
        """How many seconds there are still."""
        return max(self._until - time.monotonic(), 0.0)

    @contextmanager
    def limit(self, share: float = 1.0) -> Iterator[None]:
        """Let what is done meanwhile take no more than this share of the time; raises OutOfTime.

        A signal stops it wherever it is. Only the main thread can be stopped like that, and only
        if nobody else uses that signal; elsewhere it is stopped when it asks, or tells what it
        does.
        """
        self.check()
        if self._armed or not _is_free():
            yield
            return
        before = signal.signal(signal.SIGALRM, self._alarm)
        self._armed = True
        try:
            # Once: another alarm could come while the first one is dealt with.
            signal.setitimer(signal.ITIMER_REAL, max(share * self.left, 1e-3))
            try:
                yield
            finally:
                self._armed = False
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _alarm(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self._armed:
            raise OutOfTime


def _is_free() -> bool:
    """Whether the alarm can be set, and is nobody else's: a host's own must still go off."""
    if threading.current_thread() is not threading.main_thread():
        return False
    unused = signal.getsignal(signal.SIGALRM) in (signal.SIG_DFL, signal.SIG_IGN)
    return unused and signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def no_time() -> Answer:
    """The answer to a question for which there was no time."""
    return answer(None, NO_TIME)
