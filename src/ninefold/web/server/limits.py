"""How much one address, connection or name may ask for."""

import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import NamedTuple

from ninefold.core.errors import NinefoldError

# Buckets that are remembered; the one that was used longest ago is forgotten first.
_MAX_BUCKETS = 10_000


class Limits(NamedTuple):
    """What is allowed. A burst is ten times the rate."""

    requests: float = 20.0  # per second and address
    messages: float = 100.0  # per second and connection
    shared: float = 25.0  # messages per second and address, for each request that it may make
    connections: int = 500  # at a time and address
    body: int = 65_536  # bytes of a request
    message: int = 16_384  # bytes of a message
    watched: int = 50  # games at a time and connection
    backlog: int = 64  # messages that a slow client has not read
    name_tries: int = 10  # passwords for one name from one address at once, then one per minute
    address_tries: int = 60  # passwords from one address at once, then one per 3 seconds
    bots: int = 20  # of one owner
    exports: int = 10  # of all data to one address at once, then one per minute
    text: int = 1 << 19  # bytes of a request that holds a rule book
    saves: int = 64  # rule books from one address at once, then one per 5 seconds
    all_tries: int = 1_000  # passwords for one name from anywhere at once, then one per 3 seconds
    challenges: int = 20  # to anyone from one address at once, then one per minute
    open_challenges: int = 5  # to anyone, of one person at a time
    new_bots: int = 20  # from one address at once, then one per 10 minutes


class Bucket:
    """Allows so many per second, and so many at once: usually ten seconds' worth."""

    __slots__ = ("_at", "_clock", "_left", "_most", "_rate")

    def __init__(
        self, rate: float, clock: Callable[[], float] = time.monotonic, most: float = 0
    ) -> None:
        self._rate = rate
        self._clock = clock
        self._most = self._left = most or 10 * rate
        self._at = clock()

    def take(self, count: float = 1) -> float:
        """Take so many, if there are; the seconds to wait before there are, 0 if they are taken."""
        wait = self.reserve(count)
        if wait:
            self._left += count
        return wait

    def reserve(self, count: float = 1, now: float | None = None) -> float:
        """Take so many, even if there are not as many yet; the seconds to wait for them."""
        if now is None:
            now = self._clock()
        left = self._left + (now - self._at) * self._rate
        if left > self._most:
            left = self._most
        self._left, self._at = left - count, now
        return 0.0 if left >= count else (count - left) / self._rate


class Buckets:
    """A bucket for everybody who asks, or for everything that is asked for."""

    def __init__(
        self, rate: float, most: float = 0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._most, self._clock = rate, most, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, key: str) -> Bucket:
        """The bucket of this one, for now: one that nobody uses for long is forgotten."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, self._clock, self._most)
            if len(self._buckets) > _MAX_BUCKETS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket

    def take(self, key: str, count: float = 1) -> float:
        """Take so many from this bucket; the seconds to wait before it is allowed, 0 if it is."""
        return self.of(key).take(count)

    def require(self, key: str, count: float = 1) -> None:
        """Take so many from this bucket; raises NinefoldError if it has not as many."""
        if seconds := ceil(self.take(key, count)):
            advice = f"Wait {seconds} seconds."
            raise NinefoldError("too-many-requests", "Too many attempts.", advice, number=seconds)


class Addresses:
    """The requests and connections of every address."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._requests = Buckets(limits.requests)
        self._messages = Buckets(limits.shared * limits.requests)
        self._connections: dict[str, int] = {}

    def ask(self, address: str) -> float:
        """The seconds this address has to wait before its next request, 0 if it is allowed."""
        return self._requests.take(address)

    def messages(self, address: str) -> Bucket:
        """The messages of all connections of an address."""
        return self._messages.of(address)

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
