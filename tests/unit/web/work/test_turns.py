"""Who works next: bounded, and fair to every client."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from ninefold.core.errors import NinefoldError
from ninefold.web.server.work.turns import Turns


class Visit:
    """Somebody who waits for a place, and holds it until told to leave."""

    def __init__(self, turns: Turns, client: str, is_long: bool = False) -> None:
        self.is_working = False
        self._leave = asyncio.Event()
        self.task = asyncio.create_task(self._work(turns, client, is_long))

    async def _work(self, turns: Turns, client: str, is_long: bool) -> None:
        async with turns.turn(client, is_long):
            self.is_working = True
            try:
                await self._leave.wait()
            finally:
                self.is_working = False

    async def leave(self) -> None:
        """Free the place."""
        self._leave.set()
        await self.task
        await settle()


async def settle() -> None:
    """Let every task run as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def visits(turns: Turns, *clients: str, is_long: bool = False) -> list[Visit]:
    """One visit after the other."""
    found = []
    for client in clients:
        found.append(Visit(turns, client, is_long))
        await settle()
    return found


def working(found: list[Visit]) -> list[bool]:
    """Who holds a place."""
    return [visit.is_working for visit in found]


def in_loop(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    """A test that runs in an event loop."""

    def run() -> None:
        async def whole() -> None:
            await test()
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()

        asyncio.run(whole())

    run.__name__, run.__doc__ = getattr(test, "__name__", ""), test.__doc__
    return run


@in_loop
async def test_one_client_leaves_a_place_for_others() -> None:
    """However much it asks for."""
    turns = Turns(3, 100, 100)
    found = await visits(turns, "a", "a", "a", "a", "b")
    assert working(found) == [True, True, False, False, True]


@in_loop
async def test_clients_take_turns() -> None:
    """Whoever came with one request waits for one of the others, not for all of them."""
    turns = Turns(1, 100, 100)
    found = await visits(turns, "a", "a", "a", "b", "c")
    order = []
    for _ in found:
        at = working(found).index(True)
        order.append(at)
        await found[at].leave()
    assert order == [0, 1, 3, 4, 2]


@in_loop
async def test_long_work_leaves_a_place_for_short_work() -> None:
    """Even if different clients ask for it, and even past what waits longer."""
    turns = Turns(2, 100, 100)
    long = await visits(turns, "a", "b", "c", is_long=True)
    short = await visits(turns, "b", "d")
    assert working(long) == [True, False, False]
    assert working(short) == [True, False]
    await short[0].leave()
    assert working(short) == [False, True]
    await long[0].leave()
    assert working(long) == [False, False, True]  # b had a turn already


@in_loop
async def test_a_single_place_does_all_kinds_of_work() -> None:
    """One after the other."""
    turns = Turns(1, 100, 100)
    found = await visits(turns, "a", "a", is_long=True)
    await found[0].leave()
    assert working(found) == [False, True]


@in_loop
async def test_too_many_requests_are_refused() -> None:
    """Of one client, and of all together."""
    turns = Turns(1, 4, 2)
    await visits(turns, "a", "a", "a", "b", "b")
    with pytest.raises(NinefoldError, match="You already have 2 requests in the queue"):
        async with turns.turn("a"):
            pass
    with pytest.raises(NinefoldError, match="The server is busy"):
        async with turns.turn("c"):
            pass
    assert (turns.waiting, turns.working) == (4, 1)


@in_loop
async def test_whoever_leaves_the_queue_takes_no_place() -> None:
    """Waiting, working, or in the moment between."""
    turns = Turns(1, 100, 100)
    one, two, three, four = await visits(turns, "a", "b", "c", "d")
    two.task.cancel()
    await settle()
    assert turns.waiting == 2
    one._leave.set()
    await one.task  # three is granted its place now, and does not know it yet
    three.task.cancel()
    await settle()
    assert working([two, three, four]) == [False, False, True]
    four.task.cancel()
    await settle()
    assert (turns.waiting, turns.working) == (0, 0)


@in_loop
async def test_closing_refuses_those_who_wait_and_come() -> None:
    """Those who work may finish."""
    turns = Turns(1, 100, 100)
    one, two = await visits(turns, "a", "b")
    turns.close()
    with pytest.raises(NinefoldError, match="The server is restarting"):
        await two.task
    with pytest.raises(NinefoldError, match="The server is restarting"):
        async with turns.turn("c"):
            pass
    await one.leave()
    await turns.wait_until_empty()
