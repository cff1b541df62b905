"""Kill the server at random moments while games are played, again and again, and start it again.

What must hold: no move that was acknowledged is lost or made twice, every game replays through
the judge, and no clock is wrong by more than 0.1 seconds. With several servers, which then share
a PostgreSQL database, one of them is killed at a time. Run it with the number of kills:
``python3 dev kill-server 1000 [--database URL --servers 2]``.
"""

import argparse
import asyncio
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from ninefold.record.replay import Replay
from ninefold.record.text import parse_record
from ninefold.referee.events import Moved

GAME_TIME = 3_600
TOLERANCE = 0.1
_GONE = (OSError, WebSocketException, http.client.HTTPException)


class Moment(NamedTuple):
    """Between which times something happened: from when it was asked for until it was told."""

    asked: float
    told: float


class Server:
    """One server process at a port of its own."""

    def __init__(self, database: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._database = database
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> Moment:
        """Start it, and wait until it answers: when it did not do so yet, and when it did."""
        command = [sys.executable, "-m", "ninefold", "serve", "--port", str(self.port)]
        command += ["--database", self._database, "--rate", "1000"]
        refused = time.monotonic()
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while True:
            assert self._process.poll() is None, "the server did not start"
            asked = time.monotonic()
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return Moment(refused, time.monotonic())
            except OSError:
                refused = asked
                await asyncio.sleep(0.005)

    def kill(self) -> Moment:
        """Kill it, without any warning; when that was."""
        assert self._process is not None
        asked = time.monotonic()
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        return Moment(asked, time.monotonic())

    def stop(self) -> None:
        """Stop it gracefully."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()


class Cluster:
    """All servers, and when none of them was up."""

    def __init__(self, database: str, count: int, chance: random.Random) -> None:
        self.servers = [Server(database) for _ in range(count)]
        self._chance = chance
        self._up = 0
        self._outages: list[tuple[Moment, Moment]] = []
        self._down_since = Moment(time.monotonic(), time.monotonic())

    async def start(self, server: Server) -> None:
        """Start one of them."""
        up = await server.start()
        if not self._up:
            self._outages.append((self._down_since, up))
        self._up += 1

    def kill_one(self) -> Server:
        """Kill one of them."""
        server = self._chance.choice(self.servers)
        killed = server.kill()
        self._up -= 1
        if not self._up:
            self._down_since = killed
        return server

    def port(self) -> int:
        """The port of one of them, up or not."""
        return self._chance.choice(self.servers).port

    def most_down(self, begin: float, end: float) -> float:
        """For how long none was up in this time, at most."""
        spells = ((down.asked, up.told) for down, up in self._outages)
        return sum(max(0.0, min(end, up) - max(begin, down)) for down, up in spells)

    def least_down(self, begin: float, end: float) -> float:
        """For how long none was up in this time, at least."""
        spells = ((down.told, up.asked) for down, up in self._outages)
        return sum(max(0.0, min(end, up) - max(begin, down)) for down, up in spells)


class Visitor:
    """A player: a cookie, and a connection that is opened again whenever it is lost."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._cookie = ""
        self._socket: ClientConnection | None = None

    async def post(self, path: str, **data: object) -> dict[str, Any]:
        """The answer to a request, however often it has to be made."""
        while True:
            try:
                return await asyncio.to_thread(self._ask, "POST", path, json.dumps(data))
            except _GONE:
                await asyncio.sleep(0.02)

    async def record(self, game: str) -> bytes:
        """The record of a game."""
        while True:
            try:
                return await asyncio.to_thread(self._read, f"/api/games/{game}/record")
            except _GONE:
                await asyncio.sleep(0.02)

    def _ask(self, method: str, path: str, body: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._read(path, method, body))
        return found

    def _read(self, path: str, method: str = "GET", body: str = "") -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self._cluster.port(), timeout=60)
        headers = {"Content-Type": "application/json", "Cookie": self._cookie}
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            data = answer.read()
        finally:
            connection.close()
        if answer.status == 503:
            raise OSError("the database is down")
        assert answer.status < 400, (answer.status, data)
        if cookie := answer.getheader("Set-Cookie"):
            self._cookie = cookie.partition(";")[0]
        return data

    async def act(self, **message: object) -> dict[str, Any]:
        """The answer to a message, sent again with the same key after every lost connection."""
        while True:
            try:
                return await self._act(message)
            except _GONE:
                self._socket = None
                await asyncio.sleep(0.02)

    async def _act(self, message: dict[str, object]) -> dict[str, Any]:
        if self._socket is None:
            url = f"ws://127.0.0.1:{self._cluster.port()}/ws"
            cookie = {"Cookie": self._cookie}
            self._socket = await connect(url, additional_headers=cookie, open_timeout=60)
        await self._socket.send(json.dumps(message))
        while True:
            answer: dict[str, Any] = json.loads(await self._socket.recv())
            if answer.get("code") == "unavailable":
                raise OSError("the database is down")
            if answer.get("key") == message["key"]:
                return answer

    async def leave(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            await self._socket.close()


class Tally(NamedTuple):
    """What a run has seen."""

    kills: int
    games: int
    moves: int
    clock_error: float  # the worst, in seconds


class Pair:
    """Two players who play one game after the other and remember what they were told."""

    def __init__(self, cluster: Cluster, chance: random.Random) -> None:
        self._cluster = cluster
        self._chance = chance
        self._players = Visitor(cluster), Visitor(cluster)
        self.games = self.moves = 0
        self.clock_error = 0.0

    async def play(self, is_over: asyncio.Event) -> None:
        """Play until it is over."""
        for name, player in zip(("Ann", "Bob"), self._players, strict=True):
            await player.post("/api/me", name=name)
        while not is_over.is_set():
            await self._play_game(is_over)
        for player in self._players:
            await player.leave()

    async def _play_game(self, is_over: asyncio.Event) -> None:
        one, two = self._players
        game = (await one.post("/api/games", game="magic-fifteen", game_time=GAME_TIME))["id"]
        asked = time.monotonic()
        await two.post(f"/api/games/{game}/join")
        moments, made = [Moment(asked, time.monotonic())], list[int]()
        for at, number in enumerate(self._chance.sample(range(1, 10), 9)):
            await asyncio.sleep(self._chance.uniform(0, 0.2))
            asked, player = time.monotonic(), self._players[at % 2]
            message = {"type": "move", "game": game, "after": at + 1, "move": str(number)}
            answer = await player.act(**message, key=f"k{at}")
            if answer.get("code") == "game-over":
                break
            assert answer["type"] == "ok" and answer["seq"] == at + 2, (answer, at)
            moments.append(Moment(asked, time.monotonic()))
            made.append(number)
            if is_over.is_set():
                break
        self._check(await one.record(game), made, moments)
        self.games += 1
        self.moves += len(made)

    def _check(self, record: bytes, made: list[int], moments: list[Moment]) -> None:
        """Compare what is stored with what was acknowledged, and with the time that has passed."""
        referee = Replay(parse_record(record, "game")).run()
        assert [*referee.moves] == made, (referee.moves, made)
        left = {1: float(GAME_TIME), 2: float(GAME_TIME)}
        for at, fact in enumerate(referee.made, 1):
            self._check_time(fact, left[fact.seat], moments[at - 1], moments[at])
            left[fact.seat] = fact.left or 0.0

    def _check_time(self, fact: Moved, before: float, begun: Moment, moved: Moment) -> None:
        """The turn began and ended between what was asked and told, and nobody pays for outages."""
        assert fact.left is not None
        spent, cluster = before - fact.left, self._cluster
        least = moved.asked - begun.told - cluster.most_down(begun.told, moved.asked)
        most = moved.told - begun.asked - cluster.least_down(begun.asked, moved.told)
        self.clock_error = max(self.clock_error, least - spent, spent - most)


async def run(
    kills: int, database: str, servers: int = 1, games: int = 8, seed: int | None = None
) -> Tally:
    """Kill servers so many times while so many games are played."""
    chance = random.Random(seed)
    cluster = Cluster(database, servers, chance)
    try:
        for server in cluster.servers:
            await cluster.start(server)
        pairs = [Pair(cluster, chance) for _ in range(games)]
        is_over = asyncio.Event()
        playing = asyncio.gather(*(pair.play(is_over) for pair in pairs))
        for _ in range(kills):
            await asyncio.wait([playing], timeout=chance.uniform(0, 0.5))
            if playing.done():
                break  # something is wrong
            await cluster.start(cluster.kill_one())
        is_over.set()
        await playing
    finally:
        for server in cluster.servers:
            server.stop()
    worst = max(pair.clock_error for pair in pairs)
    return Tally(kills, sum(p.games for p in pairs), sum(p.moves for p in pairs), worst)


def main(arguments: list[str]) -> int:
    """Kill, and say what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kills", type=int, nargs="?", default=1000)
    parser.add_argument("--database", help="a URL (default: a new SQLite file)")
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--games", type=int, default=8, help="at a time")
    parser.add_argument("--seed", type=int)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        database = options.database or f"{folder}/games.sqlite"
        work = run(options.kills, database, options.servers, options.games, options.seed)
        tally = asyncio.run(work)
    print(
        f"{tally.kills} kills, {tally.games} games, {tally.moves} acknowledged moves: none lost, "
        f"none doubled, every game judged again; clocks wrong by at most {tally.clock_error:.3f} s"
    )
    return int(tally.clock_error > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
