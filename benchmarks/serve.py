"""The server under load: 128 games of magic fifteen at once over WebSockets, every move durable.

Both players of every game are clients of their own. A move is done when its player is told that
it is durable and the opponent has been shown it. Beside it, boardgame.io's own server does the same
work, if npm is there to install it; its moves are not durable. Run it with ``python3 dev
bench-serve [--games N] [--seconds N] [--rounds N] [--spectators N] [--stored N] [--database URL]``.
Both take turns, round by round, because machines are faster now and slower then. The clients make
and read no JSON for a move; their share of a processor is printed, because near 100% they are what
is measured. A short run on a busy machine is unfair to boardgame.io, which starts slowly; longer
ones (``--seconds 60``) also show whose memory grows. With ``--stored``,
a last run has so many finished games in its database.
"""

import argparse
import asyncio
import http.client
import json
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, cast

import uvloop

from ninefold.web.server.open_store import open_store
from ninefold.web.server.store import Changes

THEIRS = Path(__file__).parent / "boardgame_io"
JSON = {"Content-Type": "application/json"}
OPENING = (
    b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n%s\r\n"
)


# What the clients send and look for: no JSON is made or read for a move, on either server.
MOVE = b'{"type":"move","move":"%d","key":"%d","game":"%s"}'
ASK = b'{"type":"%s","game":"%s"}'
NEXT = re.compile(rb'"next":"([^"]+)"')
UPDATE = (
    b'42/magic-fifteen,["update",{"type":"MAKE_MOVE","payload":{"type":"take","args":[%d],'
    b'"playerID":"%d"}},%d,"%s","%d"]'
)
SYNC = b'42/magic-fifteen,["sync","%s","%d",null,2]'


class Figures(NamedTuple):
    """What a run has shown."""

    moves: int
    seconds: float
    latencies: list[float]
    memory: int  # MiB, of the server and its processes
    cpu: float  # seconds of the server's processor time
    clients: float = 0.0  # the same of the clients, which share the machine with it

    @property
    def rate(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds

    @property
    def per_processor(self) -> float:
        """Moves per second of processor time: what a busy machine changes least."""
        return self.moves / max(self.cpu, 0.01)

    @property
    def busy_clients(self) -> float:
        """The share of one processor that the clients took: near 1, they are what is measured."""
        return self.clients / self.seconds

    def percentile(self, share: float) -> float:
        """The latency of this share of all moves, in milliseconds."""
        return sorted(self.latencies)[int(share * (len(self.latencies) - 1))] * 1000


class Socket(asyncio.Protocol):
    """A WebSocket client that does just enough, so that the server is measured and not this."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._is_open = False
        self._unread = b""
        self._texts = deque[bytes]()
        self._waiter: asyncio.Future[None] | None = None
        self._wanted = 1  # how many texts the waiting caller needs

    @classmethod
    async def open(cls, port: int, path: str = "/ws", headers: str = "") -> "Socket":
        """A connection whose handshake is done."""
        loop = asyncio.get_running_loop()
        _, made = await loop.create_connection(cls, "127.0.0.1", port)
        assert made._transport is not None
        made._transport.write(OPENING % (path.encode(), headers.encode()))
        answer = await made.receive()
        assert answer.startswith(b"HTTP/1.1 101"), answer[:200]
        return made

    def send(self, data: bytes) -> None:
        """Send a text; the mask is zero."""
        size = len(data)
        head = bytes((0x81, 0x80 | size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        assert self._transport is not None
        self._transport.write(head + bytes(4) + data)

    async def receive(self) -> bytes:
        """The next text."""
        if not self._texts:
            await self._wait(1)
        return self._texts.popleft()

    async def receive_all(self, count: int) -> list[bytes]:
        """The next texts."""
        if len(self._texts) < count:
            await self._wait(count)
        return [self._texts.popleft() for _ in range(count)]

    async def _wait(self, count: int) -> None:
        """Until there are so many texts."""
        self._wanted, self._waiter = count, asyncio.get_running_loop().create_future()
        await self._waiter

    def close(self) -> None:
        """Leave."""
        assert self._transport is not None
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is there."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Take the texts apart."""
        self._unread = data = self._unread + data if self._unread else data
        if not self._is_open:
            head, end, self._unread = data.partition(b"\r\n\r\n")
            if not end:
                self._unread = data
                return
            self._is_open = True
            self._texts.append(head)
        self._take_frames()
        waiter = self._waiter
        if waiter is not None and len(self._texts) >= self._wanted and not waiter.done():
            waiter.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        """Whoever waits for a text waits for nothing."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(error or ConnectionError("the server has left"))

    def _take_frames(self) -> None:
        data, at = self._unread, 0
        while len(data) >= at + 2:
            head, size, begin = data[at], data[at + 1], at + 2
            if size >= 126:
                begin += 2 if size == 126 else 8
                size = int.from_bytes(data[at + 2 : begin], "big")
            if len(data) < begin + size or begin > len(data):
                break
            at = begin + size
            if head & 0xF == 1:
                self._texts.append(data[begin:at])
        self._unread = data[at:]


class Api:
    """The JSON over HTTP, for one visitor."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self.cookie = ""

    def post(self, path: str, **data: object) -> dict[str, object]:
        """The answer to a request."""
        headers = {**JSON, **({"Cookie": self.cookie} if self.cookie else {})}
        self._connection.request("POST", path, json.dumps(data), headers)
        answer = self._connection.getresponse()
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.partition(";")[0]
        found: dict[str, object] = json.loads(answer.read())
        assert answer.status < 400, found
        return found


@contextmanager
def running(command: list[str], port: int) -> Iterator["subprocess.Popen[bytes]"]:
    """A server at this port, stopped afterwards."""
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while True:
            assert server.poll() is None, "the server did not start"
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        yield server
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:  # it waits for its clients
            server.kill()
            server.wait()


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def memory_of(pid: int) -> int:
    """The resident memory of a process, in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) // 1024


def cpu_of(pid: int) -> float:
    """The processor time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


class Pair:
    """Two players who play one game after the other with random moves."""

    def __init__(self, port: int, number: int) -> None:
        self.port = port
        self.number = number
        self.sockets: list[Socket] = []
        self.seat = 0  # whose turn it is, counted from 0
        self.latencies: list[float] = []
        self._chance = random.Random(number)

    async def sit_down(self) -> None:
        """Begin the first game, and watch it from both sides."""
        raise NotImplementedError

    async def move(self, number: int) -> bool:
        """Make a move, and wait until both players know; whether it has ended the game."""
        raise NotImplementedError

    async def begin_next(self) -> None:
        """Begin another game."""
        raise NotImplementedError

    async def play(self, end: float) -> None:
        """Play until this time."""
        while await self._play_game(end):
            await self.begin_next()
        for each in self.sockets:
            each.close()

    async def _play_game(self, end: float) -> bool:
        """Play a game; whether there is time for another one."""
        for number in self._chance.sample(range(1, 10), 9):
            began = time.perf_counter()
            is_over = await self.move(number)
            self.latencies.append(time.perf_counter() - began)
            if is_over or time.monotonic() > end:
                break
            self.seat = 1 - self.seat
        return time.monotonic() <= end


class OurPair(Pair):
    """Players on our server: every move is durable before it is shown or acknowledged."""

    _game = b""

    async def sit_down(self) -> None:
        """Begin a game, join it, and watch it from both sides."""
        one, two = Api(self.port), Api(self.port)
        game = str(one.post("/api/games", game="magic-fifteen")["id"])
        two.post(f"/api/games/{game}/join")
        self._game = game.encode()
        for api in (one, two):
            made = await Socket.open(self.port, headers=f"Cookie: {api.cookie}\r\n")
            self.sockets.append(made)
        await self._watch()

    async def move(self, number: int) -> bool:
        """The mover gets the event and the answer, the other one the event."""
        mover, other = self.sockets[self.seat], self.sockets[1 - self.seat]
        mover.send(MOVE % (number, number, self._game))
        event, answer = await mover.receive_all(2)
        shown = await other.receive()
        assert b'"ok"' in answer[:20] and b'"event"' in event[:20], answer
        return b'"state":"over"' in shown[:120]

    async def begin_next(self) -> None:
        """Both want a rematch: each is answered and shown both requests; one has the next game."""
        for each in self.sockets:
            each.send(ASK % (b"rematch", self._game))
        answers = [await each.receive_all(3) for each in self.sockets]
        found = next(found for answer in answers[0] if (found := NEXT.search(answer)))
        for each in self.sockets:
            each.send(ASK % (b"leave", self._game))
        self._game = found[1]
        await self._watch()

    async def _watch(self) -> None:
        for each in self.sockets:
            each.send(ASK % (b"watch", self._game))
        shown = [await each.receive() for each in self.sockets]
        self.seat = int(shown[0].partition(b'"turn":')[2][:1]) - 1


class TheirPair(Pair):
    """Players on boardgame.io's server, over Socket.IO: moves are kept in memory."""

    _round, _match, _state = 0, b"", 0

    async def sit_down(self) -> None:
        """Connect, and begin a match by asking for it."""
        for _ in (0, 1):
            made = await Socket.open(self.port, "/socket.io/?EIO=4&transport=websocket")
            await made.receive()
            made.send(b"40/magic-fifteen,")
            await made.receive()
            self.sockets.append(made)
        await self.begin_next()

    async def move(self, number: int) -> bool:
        """Both get an update with the whole state."""
        seat = self.seat
        update = UPDATE % (number, seat, self._state, self._match, seat)
        self.sockets[seat].send(update)
        shown = [await self._receive(each, b'["update"') for each in self.sockets]
        # The state comes before the log of what led to it, which has older numbers.
        self._state = int(shown[0].partition(b'"_stateID":')[2].partition(b"}")[0])
        return b'"gameover"' in shown[1]

    async def begin_next(self) -> None:
        """A match begins when somebody asks for it."""
        self._round += 1
        self._match, self._state, self.seat = b"m%d-%d" % (self.number, self._round), 0, 0
        for seat, each in enumerate(self.sockets):
            each.send(SYNC % (self._match, seat))
            await self._receive(each, b'["sync"')

    async def _receive(self, each: Socket, wanted: bytes) -> bytes:
        while True:
            message = await each.receive()
            if message == b"2":
                each.send(b"3")  # it wants to know whether we are there
            elif message.startswith(b"42/magic-fifteen," + wanted):
                return message


async def load(pairs: Sequence[Pair], pid: int, seconds: float) -> Figures:
    """Let all of them play for so long."""
    await asyncio.gather(*(pair.sit_down() for pair in pairs))
    cpu, own, began = cpu_of(pid), time.process_time(), time.monotonic()
    await asyncio.gather(*(pair.play(began + seconds) for pair in pairs))
    passed, own = time.monotonic() - began, time.process_time() - own
    latencies = [one for pair in pairs for one in pair.latencies]
    return Figures(len(latencies), passed, latencies, memory_of(pid), cpu_of(pid) - cpu, own)


async def spectate(port: int, pid: int, count: int) -> int:
    """The memory of the server with so many idle spectators of one game, in MiB."""
    game = str(Api(port).post("/api/games", game="magic-fifteen")["id"])
    watch = ASK % (b"watch", game.encode())
    sockets = []
    for _ in range(count):
        each = await Socket.open(port)
        each.send(watch)
        await each.receive()
        sockets.append(each)
    memory = memory_of(pid)
    for each in sockets:
        each.close()
    return memory


def main(arguments: list[str]) -> int:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=128)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--spectators", type=int, default=0)
    parser.add_argument("--stored", type=int, default=0)
    parser.add_argument("--database", help="a URL (default: a new SQLite file)")
    options = parser.parse_args(arguments)
    theirs, ours = list[Figures](), list[Figures]()
    with tempfile.TemporaryDirectory() as folder:
        database = options.database or f"{folder}/games.sqlite"
        for _ in range(options.rounds):
            theirs += measure_theirs(options.games, options.seconds)
            ours.append(measure_ours(database, options.games, options.seconds))
            show("ninefold, durable", ours[-1])
        if options.spectators:
            measure_spectators(database, options.spectators)
        if options.stored:
            asyncio.run(store_games(database, options.stored))
            full = measure_ours(database, options.games, options.seconds)
            show(f"ninefold, with {options.stored:,} games more", full)
    if theirs:
        compare(together(ours), together(theirs))
    return 0


def together(found: Sequence[Figures]) -> Figures:
    """All rounds as one; the most memory that any of them took."""
    return Figures(
        sum(one.moves for one in found),
        sum(one.seconds for one in found),
        [latency for one in found for latency in one.latencies],
        max(one.memory for one in found),
        sum(one.cpu for one in found),
        sum(one.clients for one in found),
    )


def compare(ours: Figures, theirs: Figures) -> None:
    """Print the ratios."""
    print(
        f"In all: {ours.rate / theirs.rate:.2f} times the moves per second, "
        f"{ours.per_processor / theirs.per_processor:.2f} times as many per second of "
        f"processor time, 99% in {ours.percentile(0.99):.0f} ms instead of "
        f"{theirs.percentile(0.99):.0f} ms, {ours.memory / theirs.memory:.2f} times the memory"
    )


@contextmanager
def our_server(database: str) -> "Iterator[tuple[int, int]]":
    """The port and the process of our server, meanwhile."""
    port = free_port()
    command = [sys.executable, "-m", "ninefold", "serve", "--port", str(port)]
    command += ["--database", database, "--rate", "1000", "--connections", "100000"]
    with running(command, port) as server:
        yield port, server.pid


def measure_ours(database: str, games: int, seconds: float) -> Figures:
    """The figures of our server on this database."""
    with our_server(database) as (port, pid):
        pairs = [OurPair(port, number) for number in range(games)]
        return uvloop.run(load(pairs, pid, seconds))


def measure_spectators(database: str, count: int) -> None:
    """Print the memory that idle spectators take."""
    with our_server(database) as (port, pid):
        memory = uvloop.run(spectate(port, pid, count))
    print(f"{count:,} idle spectators: {memory} MiB in all")


async def store_games(database: str, count: int) -> None:
    """Store copies of a game that was played."""
    store = open_store(database, lambda _: None)
    rows = store.database.run(lambda it: it.execute("SELECT id FROM games WHERE state = 'over'"))
    loaded = await store.load((await rows).fetchone()[0])
    assert loaded is not None
    row, events = loaded
    for begin in range(0, count, 500):
        copies = [row._replace(id=f"copy-{at}") for at in range(begin, min(begin + 500, count))]
        await store.write(
            Changes([], [(each.id, event) for each in copies for event in events], copies)
        )
    store.close()


def measure_theirs(games: int, seconds: float) -> list[Figures]:
    """The figures of boardgame.io's server, installed with npm; none if there is no npm."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        print("boardgame.io: not measured, because npm is not installed")
        return []
    if not (THEIRS / "node_modules").exists():
        subprocess.run([npm, "install", "--no-audit", "--no-fund"], cwd=THEIRS, check=True)
    port = free_port()
    with running([node, str(THEIRS / "server.js"), str(port)], port) as server:
        pairs = [TheirPair(port, number) for number in range(games)]
        found = uvloop.run(load(pairs, server.pid, seconds))
    show("boardgame.io, in memory", found)
    return [found]


def show(name: str, found: Figures) -> None:
    """Print the figures of a run."""
    print(
        f"{name}: {found.rate:,.0f} moves/s, half in {found.percentile(0.5):.1f} ms, "
        f"99% in {found.percentile(0.99):.1f} ms, {found.memory} MiB, "
        f"{1e6 / found.per_processor:,.0f} us of the server's processor time per move, "
        f"clients took {found.busy_clients:.0%} of a processor",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
