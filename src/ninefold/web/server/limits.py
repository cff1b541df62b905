"""How much one address or connection may ask for."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

# Addresses that are remembered; the one that was seen longest ago is forgotten first.
_MAX_ADDRESSES = 10_000


class Limits(NamedTuple):
    """What is allowed. A burst is ten times the rate."""

    requests: float = 20.0  # per second and address
    messages: float = 100.0  # per second and connection
    connections: int = 500  # at a time and address
    body: int = 65_536  # bytes of a request
    message: int = 16_384  # bytes of a message
    watched: int = 50  # games at a time and connection
    backlog: int = 64  # messages that a slow client has not read


class Bucket:
    """Allows so many per second, and ten seconds' worth at once."""

    __slots__ = ("_at", "_clock", "_left", "_rate")

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._left = 10 * rate
        self._at = clock()

    def take(self) -> float:
        """Take one; the seconds to wait before it is allowed, 0 if it is at once."""
        now = self._clock()
        self._left = min(10 * self._rate, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return (1 - self._left) / self._rate
        self._left -= 1
        return 0.0


class Addresses:
    """The requests and connections of every address."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._connections: dict[str, int] = {}

    def ask(self, address: str) -> float:
        """The seconds this address has to wait before its next request, 0 if it is allowed."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._limits.requests)
            if len(self._buckets) > _MAX_ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return bucket.take()

    def connect(self, address: str) -> bool:
        """Whether this address may have one more connection; if so, it has."""
        count = self._connections.get(address, 0)
        if count >= self._limits.connections:
            return False
        self._connections[address] = count + 1
        return True

    def disconnect(self, address: str) -> None:
        """One connection less."""
        self._connections[address] -= 1
        if not self._connections[address]:
            del self._connections[address]
