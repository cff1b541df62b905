"""The engine beside a bare loop, the batch judge, and start-up beside bare Python and Textual.

Everything compared is measured in turns within one run, so that a noisy machine disturbs both
sides alike; the median of the rounds is printed.
"""

import os
import pty
import random
import statistics
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from contextlib import suppress
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


def seconds_to_paint(command: list[str], shown: bytes, environment: dict[str, str]) -> float:
    """How long the command takes to show this on a terminal, or to end if it never does."""
    master, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    ) as process:
        os.close(terminal)
        text = b""
        while shown not in text:
            try:
                text += os.read(master, 65_536)
            except OSError:  # the program has ended
                break
        seconds = time.perf_counter() - start
        process.terminate()
        with suppress(OSError):  # read on, or it could not write its last words
            while os.read(master, 65_536):
                pass
    os.close(master)
    return seconds


def compare_full_screen() -> None:
    """The first painted Home beside importing Textual; the quickest of several starts each."""
    home = [sys.executable, "-m", "ninefold"]
    textual = [sys.executable, "-c", "import textual.app"]
    pairs = []
    with tempfile.TemporaryDirectory() as data:
        own = {"XDG_DATA_HOME": data, "XDG_CONFIG_HOME": data, "TERM": "xterm-256color"}
        environment = {**os.environ, **own}
        for _ in range(STARTS):
            bare = seconds_to_paint(textual, b"\0never\0", environment)
            pairs.append((bare, seconds_to_paint(home, b"New game", environment)))
    bare, ours = (min(times) * 1000 for times in zip(*pairs, strict=True))
    print(f"\n{'full screen':32} {'ms':>7}")
    print(f"{'import textual.app':32} {bare:7.1f}")
    print(f"{'ninefold, first painted Home':32} {ours:7.1f}")
    print(f"{'difference (at most 400)':32} {ours - bare:7.1f}")


if __name__ == "__main__":
    compare_engines()
    measure_judge()
    compare_starts()
    compare_full_screen()
