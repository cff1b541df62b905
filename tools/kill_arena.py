"""Kill a tournament at random moments, again and again, and resume it each time.

What must hold: in the end, the file of games has the same lines as that of a tournament that
nobody disturbed, and no process is left. Run it with the number of kills:
``python3 dev kill-arena 50``. With ``--on local`` it plays on Ray, where every other kill hits a
worker, which Ray replaces: ``python3 dev kill-arena 10 --on local``.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ninefold.arena.results import GAMES

COMMAND = [sys.executable, "-m", "ninefold", "arena"]
PLAYERS = "random,greedy,level:2"
# Enough to be killed several times before it is over.
ROUNDS = 2_000
PATIENCE = 300.0


class Tally(NamedTuple):
    """What a run has seen: kills, those that came between two games, and tournaments compared.

    Some of the kills were of workers of Ray.
    """

    kills: int
    midway: int
    tournaments: int
    workers: int = 0


def start(folder: Path, workers: int, *more: str) -> subprocess.Popen[bytes]:
    """Start the tournament in this folder, or resume it."""
    words = ["run", "--players", PLAYERS, "--games", "magic-fifteen", "--rounds", str(ROUNDS)]
    options = ["-o", str(folder), "--workers", str(workers), *more]
    nothing = subprocess.DEVNULL
    return subprocess.Popen([*COMMAND, *words, *options], stdout=nothing, stderr=nothing)


def size_of(folder: Path) -> int:
    """How many bytes of games there are."""
    try:
        return (folder / GAMES).stat().st_size
    except FileNotFoundError:
        return 0


def kill_worker(process: subprocess.Popen[bytes]) -> bool:
    """Kill a worker of Ray that plays; False if the tournament ended before one was seen."""
    end = time.monotonic() + PATIENCE
    while process.poll() is None:
        assert time.monotonic() < end, "nobody plays"
        for pid in workers_below(process.pid)[:1]:
            with suppress(ProcessLookupError):  # it may end at any moment
                os.kill(pid, signal.SIGKILL)
                return True
        time.sleep(0.02)
    return False


def workers_below(pid: int) -> list[int]:
    """The processes of Ray, started by this one, that play now."""
    return [at for at, args in descendants(pid) if args.startswith("ray::_play")]


def descendants(pid: int) -> list[tuple[int, str]]:
    """The processes below this one, with what they say they are."""
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid=,args="], capture_output=True, check=True)
    rows = [line.split(None, 2) for line in listed.stdout.decode().splitlines()]
    parents, found = {int(row[0]): int(row[1]) for row in rows}, []
    for row in rows:
        at = int(row[0])
        while at in parents and at != pid:
            at = parents[at]
        if at == pid != int(row[0]):
            found.append((int(row[0]), row[2]))
    return found


def kill_midway(folder: Path, process: subprocess.Popen[bytes], chance: random.Random) -> bool:
    """Kill it at a random moment after it has begun to write; False if it ended before."""
    before, end = size_of(folder), time.monotonic() + PATIENCE
    if chance.random() < 0.8:
        while size_of(folder) == before and process.poll() is None:
            assert time.monotonic() < end, "it does not play"
            time.sleep(0.005)
    time.sleep(chance.uniform(0, 0.3))
    children = [child for child, _ in descendants(process.pid)]
    ended = process.poll() is not None
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_for_end(children)
    return not ended


def wait_for_end(pids: list[int]) -> None:
    """Wait until these processes are gone: nobody else ends them."""
    end = time.monotonic() + PATIENCE
    for pid in pids:
        while is_running(pid):
            assert time.monotonic() < end, f"process {pid} is left"
            time.sleep(0.02)


def is_running(pid: int) -> bool:
    """Whether there is such a process, and it is not only waiting to be reaped."""
    state = ["ps", "-o", "stat=", "-p", str(pid)]
    shown = subprocess.run(state, capture_output=True, text=True, check=False).stdout
    return shown.strip()[:1] not in ("", "Z")


def lines_of(folder: Path) -> list[bytes]:
    """The games, sorted."""
    return sorted((folder / GAMES).read_bytes().splitlines())


def run(kills: int, seed: int, on: str = "") -> Tally:
    """Kill tournaments so many times; fails if a game is lost, doubled or another one."""
    more = ["--on", on] if on else []
    chance, tally = random.Random(seed), Tally(0, 0, 0)
    with tempfile.TemporaryDirectory() as scratch:
        whole = Path(scratch, "whole")
        assert start(whole, 1).wait() == 0
        expected = lines_of(whole)
        while tally.kills < kills:
            folder = Path(scratch, f"killed-{tally.tournaments}")
            while tally.kills < kills:
                process = start(folder, chance.choice((1, 2)), *more)
                if on and tally.kills % 2 == 0 and kill_worker(process):
                    tally = tally._replace(kills=tally.kills + 1, workers=tally.workers + 1)
                if tally.kills == kills or not kill_midway(folder, process, chance):
                    break
                midway = 0 < size_of(folder) < size_of(whole)
                tally = tally._replace(kills=tally.kills + 1, midway=tally.midway + midway)
            assert process.wait() in (0, -signal.SIGKILL)
            assert start(folder, 1).wait() == 0
            assert lines_of(folder) == expected, "a game was lost, doubled or changed"
            tally = tally._replace(tournaments=tally.tournaments + 1)
    return tally


if __name__ == "__main__":
    os.environ.setdefault("PYTHONPATH", "src")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kills", type=int, nargs="?", default=50)
    parser.add_argument("--on", default="", help="an address of Ray, or local")
    given = parser.parse_args()
    print(run(given.kills, 1, given.on))
