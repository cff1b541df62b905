"""Send a server what clients never should, and look at what becomes of it.

Requests from its own document, right and wrong (schemathesis); random frames; bytes that are not
HTTP, also slowly; players and strangers who act in a game with each other's keys; clients that
never read. What must hold: no answer is a 5xx or not as the document says, nobody moves for
somebody else, the log of the server has no failure, and its memory is bounded. Run it with the
number of cases: ``python3 dev fuzz-server 20000 [--seed 1] [--database URL]``.
"""

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tools.fuzz_http import fuzz_http, operations, request, visitor
from tools.fuzz_sockets import fuzz_bytes, fuzz_frames, fuzz_seats, open_socket

# How many megabytes the server may grow while everything is tried.
GROWTH = 150
_SLOW_CLIENTS = 20


class Served(NamedTuple):
    """A server in a process of its own."""

    port: int
    pid: int
    log: Path

    def megabytes(self) -> float:
        """The memory that it has now; 0 where the system does not say."""
        try:
            found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())
        except OSError:
            return 0.0
        return int(found[1]) / 1024 if found else 0.0

    def check(self) -> None:
        """Fail unless the server answers, and its log has nothing but clients' mistakes."""
        assert request(self.port, "GET", "/health", None, {})[0] == 200
        lines = self.log.read_text().splitlines()
        wrong = [line for line in lines if not line.startswith("WARNING:  ")]
        assert not wrong, "\n".join(wrong[:40])


@contextmanager
def serving(folder: Path, database: str | None = None) -> Iterator[Served]:
    """A server that is stopped afterwards."""
    log = folder / "log"
    command = [sys.executable, "-m", "ninefold", "serve", "--port", "0", "--rate", "1000"]
    command += ["--connections", "100000", "--database", database or str(folder / "games.sqlite")]
    with log.open("w") as errors:
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            assert server.stdout is not None
            found = re.search(r":(\d+)/", server.stdout.readline())
            assert found is not None, log.read_text()
            yield Served(int(found[1]), server.pid, log)
        finally:
            server.terminate()
            server.communicate()


async def flood_with_pings(port: int, pings: int) -> int:
    """Send pings as fast as possible, and read none of the answers, in a few connections."""

    async def flood() -> None:
        ping = b"\x89\xfd" + bytes(4) + bytes(125)
        async with open_socket(port, {}, max_queue=1) as socket:
            for _ in range(pings // 10):
                socket.transport.write(ping * 10)
                await asyncio.sleep(0)
            socket.transport.abort()

    await asyncio.gather(*(flood() for _ in range(10)))
    return 10 * pings


async def fuzz_slow_clients(port: int, events: int, seed: int) -> int:
    """Let clients ask for much and read nothing; others are served meanwhile. May raise."""
    chance = random.Random(seed)
    ann = await asyncio.to_thread(visitor, port, "Ann")
    game = (await asyncio.to_thread(ann.ask, "POST", "/api/games", game="magic-fifteen"))["id"]
    watch = json.dumps({"type": "watch", "game": game})
    deaf = [open_socket(port, ann.headers, max_queue=1) for _ in range(_SLOW_CLIENTS)]
    sockets = [await one.__aenter__() for one in deaf]
    for _ in range(events):
        socket = chance.choice(sockets)
        try:
            async with asyncio.timeout(0.05):
                await socket.send(watch)
        except Exception:  # noqa: BLE001 (it was sent away, or cannot write any more)
            continue
    for socket in sockets:
        socket.transport.abort()
    return events


def run(cases: int, seed: int, database: str | None = None) -> dict[str, int]:
    """How many cases of each kind were tried; raises AssertionError, or what a check raises."""
    with tempfile.TemporaryDirectory() as name, serving(Path(name), database) as server:
        port = server.port
        count = len([*operations(port)])
        # What is needed once is there before we measure.
        asyncio.run(_others(port, min(cases, 200), seed))
        before, tried = server.megabytes(), dict[str, int]()
        tried["requests"] = fuzz_http(port, max(2, cases // (4 * count)), seed)
        server.check()
        tried |= asyncio.run(_others(port, cases, seed))
        server.check()
        growth = server.megabytes() - before
        assert growth < GROWTH, f"the server grew by {growth:.0f} MB"
        tried["megabytes of growth"] = round(growth)
    return tried


async def _others(port: int, cases: int, seed: int) -> dict[str, int]:
    return {
        "frames": await fuzz_frames(port, cases, seed),
        "streams of bytes": await fuzz_bytes(port, cases // 10, seed),
        "actions": await fuzz_seats(port, cases // 4, seed),
        "messages of slow clients": await fuzz_slow_clients(port, cases // 4, seed),
        "pings": await flood_with_pings(port, cases),
    }


def main() -> None:
    """Fuzz a server, and say how much."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("cases", type=int, nargs="?", default=20_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--database", metavar="URL", help="an empty PostgreSQL database")
    options = parser.parse_args()
    print(f"Seed {options.seed}.", flush=True)
    tried = run(options.cases, options.seed, options.database)
    print(", ".join(f"{count:,} {kind}" for kind, count in tried.items()) + ". No fault found.")


if __name__ == "__main__":
    main()
