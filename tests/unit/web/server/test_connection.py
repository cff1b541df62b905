"""A connection: what is pushed arrives in order, and a slow client harms nobody."""

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from unit.web.server.tables import ANN, BOB, EVE, begin, play, serving

from ninefold.web.server.connection import Connection, Connections
from ninefold.web.server.identity import Identity
from ninefold.web.server.limits import Addresses, Bucket, Limits


class Wire:
    """The client's side: takes messages while it is open."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.got: list[str | int] = []
        self.sizes: list[int] = []  # how many texts were written together
        self.resumed = 0

    def write(self, texts: Sequence[str]) -> bool:
        """Nothing has to wait while the client reads."""
        if self.open.is_set():
            self.got += texts
            self.sizes.append(len(texts))
        return self.open.is_set()

    def listen(self, take: Callable[[str], bool]) -> None:
        """Messages come from the test."""

    def resume(self) -> None:
        """Take note of it."""
        self.resumed += 1

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Wait until the client reads."""
        await self.open.wait()
        self.got.append(message.get("text", message.get("code")))


def with_wire(tmp_path: Path, work: Callable[[Wire, Connection], Awaitable[None]]) -> None:
    """Do this with a connection that keeps at most four messages."""

    async def run() -> None:
        async with serving(str(tmp_path / "games.sqlite")) as games:
            wire = Wire()
            await work(wire, Connection(games, ANN, wire.send, Limits(backlog=4), wire))

    asyncio.run(run())


def test_messages_arrive_at_once_while_the_client_reads(tmp_path: Path) -> None:
    """Nobody has to wait for a turn of the event loop."""

    async def work(wire: Wire, connection: Connection) -> None:
        wire.open.set()
        for text in "abc":
            connection.push(text)
        assert wire.got == ["a", "b", "c"]

    with_wire(tmp_path, work)


def test_messages_wait_in_order_for_a_client_that_pauses(tmp_path: Path) -> None:
    """They arrive when it reads again, and later ones after them."""

    async def work(wire: Wire, connection: Connection) -> None:
        for text in "abc":
            connection.push(text)
        assert wire.got == []
        wire.open.set()
        while len(wire.got) < 3:
            await asyncio.sleep(0)
        connection.push("d")
        while len(wire.got) < 4:
            await asyncio.sleep(0)
        assert wire.got == ["a", "b", "c", "d"]

    with_wire(tmp_path, work)


def test_a_client_that_does_not_read_is_sent_away(tmp_path: Path) -> None:
    """It reconnects and asks for what it missed."""

    async def work(wire: Wire, connection: Connection) -> None:
        for text in "abcdefgh":
            connection.push(text)
        wire.open.set()
        while not wire.got:
            await asyncio.sleep(0)
        assert wire.got == [1013]

    with_wire(tmp_path, work)


async def turns(count: int = 3) -> None:
    """Let the event loop do what it has begun."""
    for _ in range(count):
        await asyncio.sleep(0)


def test_a_pause_of_any_length_loses_no_message(tmp_path: Path) -> None:
    """Also if the event loop goes on meanwhile, and the client pauses again."""

    async def work(wire: Wire, connection: Connection) -> None:
        connection.push("a")
        connection.push("b")
        await turns()
        connection.push("c")
        wire.open.set()
        await turns()
        wire.open.clear()
        connection.push("d")
        await turns()
        wire.open.set()
        await turns()
        assert wire.got == ["a", "b", "c", "d"]

    with_wire(tmp_path, work)


def test_nothing_overtakes_what_waits(tmp_path: Path) -> None:
    """Also if the client reads again before the waiting messages are sent."""

    async def work(wire: Wire, connection: Connection) -> None:
        connection.push("a")
        await turns()
        wire.open.set()
        connection.push("b")
        await turns()
        assert wire.got == ["a", "b"]

    with_wire(tmp_path, work)


def test_what_a_client_does_not_read_is_bounded(tmp_path: Path) -> None:
    """However much is pushed while it reads nothing; it is sent away when it can be."""

    async def work(wire: Wire, connection: Connection) -> None:
        for _ in range(100):
            connection.push("a")
            await turns()
        assert len(connection._backlog) <= 4
        assert connection.is_ended
        wire.open.set()
        await turns()
        assert wire.got == ["a", 1013]

    with_wire(tmp_path, work)


def test_a_client_that_is_gone_is_no_error(tmp_path: Path) -> None:
    """Whatever sending raises, whoever made the move does not see it."""

    async def work(_: Wire, connection: Connection) -> None:
        async def fail(_message: MutableMapping[str, Any]) -> None:
            raise ConnectionResetError

        connection._send = fail
        connection.push("a")
        connection.push("b")

    with_wire(tmp_path, work)


def test_an_event_and_the_answer_are_sent_together(tmp_path: Path) -> None:
    """The event first; whoever only watches a game is not kept waiting."""

    async def run() -> None:
        async with serving(str(tmp_path / "games.sqlite")) as games:
            table, wires = await begin(games), [Wire(), Wire()]
            game = table.game.row.id
            for wire, who in zip(wires, (ANN, BOB), strict=True):
                wire.open.set()
                each = Connection(games, who, wire.send, Limits(), wire)
                assert each.take(json.dumps({"type": "watch", "game": game}))
                while not wire.resumed:
                    await asyncio.sleep(0)
                if who is ANN:
                    ann = each
            ann.take(json.dumps({"type": "move", "game": game, "move": "5", "key": "k"}))
            while wires[0].resumed < 2:
                await asyncio.sleep(0)
            assert [wire.sizes for wire in wires] == [[1, 2], [1, 1]]
            event, answer = (json.loads(str(text)) for text in wires[0].got[1:])
            assert (event["type"], event["seq"]) == ("event", 2)
            assert answer == {"type": "ok", "game": game, "seq": 2, "key": "k"}

    asyncio.run(run())


def test_messages_are_answered_in_order(tmp_path: Path) -> None:
    """Those that arrive too early wait, and nothing more is read until all are answered."""

    async def run() -> None:
        async with serving(str(tmp_path / "games.sqlite")) as games:
            table, wire = await begin(games), Wire()
            wire.open.set()
            ann = Connection(games, ANN, wire.send, Limits(), wire)
            wanted = [("move", "5"), ("ping", None), ("resign", None), ("ping", None)]
            taken = []
            for key, (kind, move) in enumerate(wanted):
                message = {"type": kind, "game": table.game.row.id, "key": str(key)}
                taken.append(ann.take(json.dumps({**message, "move": move})))
            assert taken == [True, False, False, False] and not wire.got
            while not wire.resumed:
                await asyncio.sleep(0)
            answers = [json.loads(str(text)) for text in wire.got]
            assert [one["key"] for one in answers] == ["0", "1", "2", "3"]
            assert [one["type"] for one in answers] == ["ok", "pong", "ok", "pong"]
            assert wire.resumed == 1

    asyncio.run(run())


def test_who_leaves_while_a_game_is_found_does_not_watch_it(tmp_path: Path) -> None:
    """Otherwise the game would stay in memory for nobody."""

    async def run() -> None:
        async with serving(str(tmp_path / "games.sqlite")) as games:
            table, wire = await begin(games), Wire()
            wire.open.set()
            ann = Connection(games, ANN, wire.send, Limits(), wire)
            async with table._lock:
                ann.take(json.dumps({"type": "watch", "game": table.game.row.id}))
                await turns()
                await ann.serve(receiving([]))
            while not wire.resumed:
                await asyncio.sleep(0)
            assert not table.watchers

    asyncio.run(run())


def test_who_may_have_signed_out_unnoticed_is_sent_away(tmp_path: Path) -> None:
    """Accounts and bots, not visitors; what they send from then on is ignored."""

    async def run() -> None:
        async with serving(str(tmp_path / "games.sqlite")) as games:
            connections, ended = Connections(), []
            wires = {who: Wire() for who in ("v-ann", "a-bob", "b-bot", "")}
            with ExitStack() as stack:
                for who, wire in wires.items():
                    wire.open.set()
                    identity = Identity(who, "x") if who else None
                    each = Connection(games, identity, wire.send, Limits())
                    stack.enter_context(connections.having(each))
                    ended.append(each)
                assert connections.count == 4
                connections.end("v-nobody")
                connections.end_all_that_can_end()
                await turns()
            assert [wire.got for wire in wires.values()] == [[], [4001], [4001], []]
            assert connections.count == 0

            async def receive() -> MutableMapping[str, Any]:
                return {"type": "websocket.receive", "text": '{"type":"ping"}'}

            await ended[1].serve(receive)
            ended[1].push("late")
            ended[1].end()
            assert wires["a-bob"].got == [4001]

    asyncio.run(run())


def test_a_bucket_allows_ten_seconds_at_once_and_then_its_rate() -> None:
    """By a clock that the test turns."""
    now = [0.0]
    bucket = Bucket(2, lambda: now[0])
    assert [bucket.take() for _ in range(20)] == [0.0] * 20
    assert bucket.take() == pytest.approx(0.5)
    now[0] = 0.5
    assert bucket.take() == 0.0 and bucket.take() > 0


def test_a_bucket_keeps_the_places_of_those_who_wait() -> None:
    """Each of them waits for its own turn, however many there are."""
    bucket = Bucket(2, lambda: 0.0)
    assert bucket.reserve(20) == 0.0
    assert [bucket.reserve() for _ in range(3)] == pytest.approx([0.5, 1.0, 1.5])


def test_connections_of_an_address_share_its_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More connections do not mean more messages, and a long story counts as several."""
    waits = list[float]()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def run() -> None:
        async with serving(str(tmp_path / "games.sqlite")) as games:
            table = await begin(games)
            await play(table, 5, 1, 9)
            limits = Limits(messages=1e9, requests=1.0, shared=0.1)
            shared = Addresses(limits).messages("1.2.3.4")
            asked = [{"type": "watch", "game": table.game.row.id}]
            for _ in range(2):
                wire = Wire()
                wire.open.set()
                each = Connection(games, EVE, wire.send, limits, wire, shared)
                monkeypatch.setattr("ninefold.web.server.connection.asyncio.sleep", sleep)
                await each.serve(receiving(asked))
                monkeypatch.undo()

    asyncio.run(run())
    # A message, and 4 events of which 20 count as one: 1 at once, then one in 10 seconds.
    assert waits == pytest.approx([2.0, 12.0, 14.0], abs=0.5)


def receiving(messages: list[dict[str, str]]) -> Callable[[], Awaitable[dict[str, Any]]]:
    """A client that sends these and leaves."""
    left = [{"type": "websocket.receive", "text": json.dumps(one)} for one in messages]

    async def receive() -> dict[str, Any]:
        return left.pop(0) if left else {"type": "websocket.disconnect"}

    return receive


def test_addresses_that_left_are_forgotten() -> None:
    """Counts are kept for as long as there is a connection."""
    addresses = Addresses(Limits(connections=1))
    assert addresses.connect("a") and not addresses.connect("a") and addresses.connect("b")
    addresses.disconnect("a")
    assert addresses.connect("a")
