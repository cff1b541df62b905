"""Games on a server without a network: players, what they are shown, and a clock to turn."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from ninefold.core.errors import NinefoldError
from ninefold.web.server.actions import Action
from ninefold.web.server.games import Games
from ninefold.web.server.identity import Identity
from ninefold.web.server.open_store import open_store
from ninefold.web.server.requests import read_new_game
from ninefold.web.server.table import Table
from ninefold.web.server.work.pool import Workers

T = TypeVar("T")
ANN, BOB, EVE = (Identity(f"v-{name}", name.capitalize()) for name in ("ann", "bob", "eve"))


class Eyes:
    """Somebody who watches, and remembers every message."""

    def __init__(self, who: Identity) -> None:
        self.who = who.who
        self.seen: list[dict[str, Any]] = []

    def push(self, text: str) -> None:
        """Take note of a message."""
        self.seen.append(json.loads(text))

    @property
    def view(self) -> dict[str, Any]:
        """What is shown now."""
        view: dict[str, Any] = self.seen[-1]["view"]
        return view

    async def until(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first message that fulfils the condition."""
        while True:
            for message in self.seen:
                if condition(message):
                    return message
            await asyncio.sleep(0.01)


@asynccontextmanager
async def serving(database: str) -> AsyncIterator[Games]:
    """A server of this database, which stops afterwards."""
    loop, found = asyncio.get_running_loop(), list[Games]()

    def report(text: str) -> None:
        for games in found:
            loop.call_soon_threadsafe(games.reported, text)

    games = Games(open_store(database, report), Workers(1))
    found.append(games)
    await games.start()
    try:
        yield games
    finally:
        await games.stop()


def on_server(database: str, work: Callable[[Games], Awaitable[T]]) -> T:
    """What the work returns on a server of its own."""

    async def run() -> T:
        async with serving(database) as games:
            return await work(games)

    return asyncio.run(run())


async def begin(games: Games, **wanted: object) -> Table:
    """A game of magic fifteen that Ann has begun, and Bob has joined if it is with a friend."""
    request = read_new_game({"game": "magic-fifteen", **wanted})
    table = await games.begin(ANN, request)
    if table.game.row.state == "open":
        await games.join(table.game.row.id, BOB)
    return table


async def play(table: Table, *moves: object, first: int = 1) -> int:
    """Let both players move in turn; the number of the last event."""
    seq = 0
    for at, move in enumerate(moves):
        seat = first if at % 2 == 0 else 3 - first
        seq = await table.act((ANN, BOB)[seat - 1].who, Action("move", str(move)))
    return seq


async def refusal(work: Awaitable[object]) -> str:
    """The code of the refusal."""
    try:
        await work
    except NinefoldError as error:
        return error.code
    raise AssertionError("it was not refused")
