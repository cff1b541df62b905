"""Who works next: a few places, shared so that no client and no long work can take them all."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from ninefold.core.errors import NinefoldError


class Ticket(NamedTuple):
    """Somebody's place in the queue."""

    client: str
    is_long: bool
    granted: asyncio.Future[None]


class Turns:
    """So many places for work. Clients take turns, however much each of them asks for.

    If there are several places, one client never holds all of them, and neither does long work.
    """

    def __init__(self, places: int, most_waiting: int, most_each: int) -> None:
        self._places = places
        self._share = max(1, places - 1)  # of one client, and of long work
        self._most_waiting, self._most_each = most_waiting, most_each
        self._waiting: dict[str, deque[Ticket]] = {}  # whose turn it is comes first
        self._working: Counter[str] = Counter()
        self._long = 0
        self._closed = False
        self._empty = asyncio.Event()
        self._empty.set()

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return sum(map(len, self._waiting.values()))

    @property
    def working(self) -> int:
        """How many places are taken."""
        return self._working.total()

    @asynccontextmanager
    async def turn(self, client: str, is_long: bool = False) -> AsyncIterator[None]:
        """Wait for a place and hold it; raises NinefoldError if too many wait already."""
        self._check(client)
        ticket = Ticket(client, is_long, asyncio.get_running_loop().create_future())
        self._waiting.setdefault(client, deque()).append(ticket)
        self._grant()
        try:
            await ticket.granted
        except asyncio.CancelledError:
            if ticket.granted.cancelled():
                self._leave_queue(ticket)
            else:  # it was granted at the same moment
                self._release(ticket)
            raise
        try:
            yield
        finally:
            self._release(ticket)

    def close(self) -> None:
        """Refuse everybody from now on, also those who wait."""
        self._closed = True
        for tickets in self._waiting.values():
            for ticket in tickets:
                if not ticket.granted.done():
                    ticket.granted.set_exception(closing())
        self._waiting.clear()

    async def wait_until_empty(self) -> None:
        """Wait until no place is taken."""
        await self._empty.wait()

    def _check(self, client: str) -> None:
        if self._closed:
            raise closing()
        if len(self._waiting.get(client, ())) >= self._most_each:
            reason = f"You already have {self._most_each} requests in the queue."
            raise NinefoldError("busy", reason, "Wait until one of them is done.")
        if self.waiting >= self._most_waiting:
            raise NinefoldError("busy", "The server is busy.", "Try again in a moment.")

    def _grant(self) -> None:
        """Give free places to those whose turn it is."""
        while self.working < self._places and (ticket := self._next()) is not None:
            self._leave_queue(ticket)
            if ticket.client in self._waiting:  # its next turn comes after everybody else's
                self._waiting[ticket.client] = self._waiting.pop(ticket.client)
            self._working[ticket.client] += 1
            self._long += ticket.is_long
            self._empty.clear()
            ticket.granted.set_result(None)

    def _next(self) -> Ticket | None:
        for client, tickets in self._waiting.items():
            if self._working[client] < self._share:
                for ticket in tickets:
                    fits = not ticket.is_long or self._long < self._share
                    if fits and not ticket.granted.done():
                        return ticket
        return None

    def _leave_queue(self, ticket: Ticket) -> None:
        tickets = self._waiting.get(ticket.client)
        if tickets is not None and ticket in tickets:
            tickets.remove(ticket)
            if not tickets:
                del self._waiting[ticket.client]

    def _release(self, ticket: Ticket) -> None:
        self._working[ticket.client] -= 1
        if not self._working[ticket.client]:
            del self._working[ticket.client]
        self._long -= ticket.is_long
        if not self.working:
            self._empty.set()
        self._grant()


def closing() -> NinefoldError:
    """What to say to somebody whose work ends because the server does."""
    return NinefoldError("closing", "The server is restarting.", "Try again in a moment.")
