"""How long an audit may take: what is not settled by then is reported as not settled."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ninefold.solver import OutOfBudget

# How long a whole audit may take if nobody says otherwise, and one search for values in it.
SECONDS, SEARCH = 600.0, 10.0
# Otherwise each search may take this share of the time, so that something is left for the rest.
SHARE = 6
NO_TIME = "There was no time left for this."
Found = TypeVar("Found")


class OutOfTime(Exception):
    """The time for the audit, or for this part of it, ran out."""


class Clock:
    """The time of one audit, counted from now on; whatever takes long asks it now and then."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._until = time.monotonic() + seconds

    @property
    def late(self) -> bool:
        """Whether the time ran out."""
        return time.monotonic() >= self._until

    def within(self, seconds: float) -> float:
        """The moment at which something has to give up that starts now and may take so long."""
        return min(time.monotonic() + seconds, self._until)

    def check(self) -> None:
        """Raise OutOfTime if it is time to stop."""
        if self.late:
            raise OutOfTime

    def in_time(self, work: Callable[[], Found], late: Found) -> Found:
        """What this work finds within the time that is left, else ``late``."""
        try:
            with self.limit():
                return work()
        except OutOfTime:
            return late

    @contextmanager
    def limit(self, share: float = 1.0) -> Iterator[None]:
        """Give what is done inside no more than this share of the time; raises OutOfTime."""
        self.check()
        before = self._until
        self._until = self.within(share * (before - time.monotonic()))
        try:
            yield
        except OutOfBudget:  # a search gave up by itself
            raise OutOfTime from None
        finally:
            self._until = before
