"""The engine beside a bare loop, the batch judge, and start-up beside bare Python: as ratios.

Everything compared is measured in turns within one run, so that a noisy machine disturbs both
sides alike; the median of the rounds is printed.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import ninefold
from ninefold.core.game import Game

ROUNDS = 7
GAMES = 4_000
LINES = 20_000
STARTS = 25


def play_with_the_engine(game: Game, seed: int) -> int:
    """Random games through the ordinary API; how many moves were made."""
    chance = random.Random(seed).random
    moves = 0
    for _ in range(GAMES):
        position = game.start()
        while position.outcome is None:
            available = position.available
            position = position.play(available[int(chance() * len(available))])
            moves += 1
    return moves


def play_with_bare_masks(game: Game, seed: int) -> int:
    """The same games with two integers and a table: no rules, no hands, no outcome."""
    chance = random.Random(seed).random
    table, full = game.table, game.full
    assert table is not None
    bits = [1 << at for at in range(len(game.pool))]
    moves = 0
    for _ in range(GAMES):
        own = other = 0
        free = full
        while True:
            available = [bit for bit in bits if free & bit]
            bit = available[int(chance() * len(available))]
            own |= bit
            free ^= bit
            moves += 1
            if table[own] or not free:
                break
            own, other = other, own
    return moves


def rate(work: Callable[[], int]) -> float:
    """How many things this work does in a second."""
    start = time.perf_counter()
    done = work()
    return done / (time.perf_counter() - start)


def compare_engines() -> None:
    """Moves per second, both ways, and how many times faster the bare loop is."""
    print(f"{'random play, moves/s':32} {'engine':>10} {'bare loop':>10} {'ratio':>7}")
    for name in ninefold.games():
        game = ninefold.load(name)
        pairs = [
            (
                rate(lambda game=game, seed=seed: play_with_the_engine(game, seed)),  # type: ignore[misc]
                rate(lambda game=game, seed=seed: play_with_bare_masks(game, seed)),  # type: ignore[misc]
            )
            for seed in range(ROUNDS)
        ]
        engine = statistics.median(pair[0] for pair in pairs)
        bare = statistics.median(pair[1] for pair in pairs)
        ratio = statistics.median(bare / engine for engine, bare in pairs)
        print(f"{name:32} {engine:10,.0f} {bare:10,.0f} {ratio:6.2f}x")


def measure_judge() -> None:
    """Lines per second through ``ninefold referee``, start-up included."""
    chance = random.Random(1)
    numbers = [*ninefold.load("sequence-capture").pool]
    lines = []
    for _ in range(LINES):
        chance.shuffle(numbers)
        lines.append(" ".join(map(str, numbers[: chance.randint(0, 7)])))
    command = [sys.executable, "-m", "ninefold", "referee", "sequence-capture"]

    def judge() -> int:
        text = "\n".join(lines).encode()
        subprocess.run(command, input=text, stdout=subprocess.DEVNULL, check=True)
        return LINES

    rates = [rate(judge) for _ in range(ROUNDS)]
    print(f"\nninefold referee, lines/s: {statistics.median(rates):,.0f}")


def seconds_to(command: list[str], until: bytes, environment: dict[str, str]) -> float:
    """How long the command takes to print this, or to end if it is nothing."""
    start = time.perf_counter()
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as process:
        assert process.stdin and process.stdout
        shown = b""
        while not (until and shown.endswith(until)):
            chunk = os.read(process.stdout.fileno(), 65_536)
            if not chunk:
                break
            shown += chunk
        seconds = time.perf_counter() - start
        process.stdin.close()
    return seconds


def compare_starts() -> None:
    """Start-up as a multiple of bare Python in the same virtual environment."""
    program = str(Path(sys.executable).with_name("ninefold"))
    cases = {
        "python -c pass": ([sys.executable, "-c", "pass"], b""),
        "ninefold --version": ([program, "--version"], b""),
        "ninefold play, first prompt": ([program, "play", "sequence-builder"], b"number: "),
    }
    times: dict[str, list[float]] = {name: [] for name in cases}
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "XDG_DATA_HOME": data}
        for _ in range(STARTS):
            for name, (command, until) in cases.items():
                times[name].append(seconds_to(command, until, environment))
    base = times["python -c pass"]
    print(f"\n{'start-up':32} {'ms':>7} {'ratio':>7}")
    for name, seconds in times.items():
        ratio = statistics.median(one / bare for one, bare in zip(seconds, base, strict=True))
        print(f"{name:32} {statistics.median(seconds) * 1000:7.1f} {ratio:6.2f}x")


if __name__ == "__main__":
    compare_engines()
    measure_judge()
    compare_starts()
