"""End the program by a signal at a random moment, again and again.

What must hold: it ends at once, by that signal, whatever it is doing; no program that it has
started outlives it, though that ignores signals and has a child; no half-written file is left.
Run it with the number of signals: ``python3 dev signals 2000``.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

COMMAND = [sys.executable, "-m", "ninefold"]
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
# Seconds until a run has failed; nothing here takes a hundredth of it on an idle machine.
LIMIT = 120.0
# Answers as the protocol asks, ignores what it can, and has a child in its process group.
PROGRAM = """
import os, signal, subprocess, sys
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "1000"])
with open(sys.argv[1], "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
free = [*map(str, range(1, 10))]
for line in sys.stdin:
    number, command, *rest = line.split()
    answer = ""
    if command == "genmove":
        answer = free.pop(0)
    elif command == "play":
        free.remove(rest[1])
    print(f"={number} {answer}\\n", flush=True)
signal.pause()
"""


class Tally(NamedTuple):
    """How many runs were ended while they did what."""

    at_prompt: int
    writing: int
    slowest: float


def end_at_prompt(folder: Path, number: int, chance: random.Random) -> float:
    """End a game against a program just before or while it waits for input; how long it took."""
    note, script = folder / "pids", folder / "program.py"
    note.unlink(missing_ok=True)
    script.write_text(PROGRAM)
    seat = f"program:{sys.executable} {script} {note}"
    with subprocess.Popen(
        [*COMMAND, "play", "magic-fifteen", "--p1", seat],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "XDG_DATA_HOME": str(folder)},
    ) as game:
        assert game.stdout is not None
        while b"takes" not in (line := game.stdout.readline()):
            assert line, "the game ended by itself"
        pids = [int(pid) for pid in note.read_text().split()]
        time.sleep(chance.choice([0.0, chance.uniform(0, 0.003)]))
        taken = end(game, number)
    wait_until_gone(pids)
    return taken


def end_while_writing(folder: Path, number: int, chance: random.Random) -> float:
    """End a command that writes a large file; how long it took."""
    target = folder / "written"
    target.mkdir(exist_ok=True)
    with subprocess.Popen(
        [*COMMAND, "dataset", "sequence-builder", "-o", str(target / "data.csv")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as writer:
        while writer.poll() is None and not any(target.iterdir()):
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.003))
        taken = end(writer, number)
    wait_until(lambda: not any(target.iterdir()), f"left behind: {[*target.iterdir()]}")
    return taken


def end(process: "subprocess.Popen[bytes]", number: int) -> float:
    """Send the signal, and expect that it ends the process; how long it took."""
    begun = time.monotonic()
    process.send_signal(number)
    try:
        code = process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        raise AssertionError(f"signal {number} was not noticed") from None
    assert code == -number, f"ended with {code} instead of by signal {number}"
    return time.monotonic() - begun


def wait_until_gone(pids: list[int]) -> None:
    """Wait for the end of these processes; fails if one lives on."""
    wait_until(lambda: not any(map(is_running, pids)), f"one of {pids} is left behind")


def is_running(pid: int) -> bool:
    """Whether this process runs; one that is dead but not yet reaped does not."""
    state = ["ps", "-o", "stat=", "-p", str(pid)]
    shown = subprocess.run(state, capture_output=True, text=True, check=False)
    return shown.stdout.strip()[:1] not in ("", "Z")


def wait_until(condition: Callable[[], bool], failure: str) -> None:
    """Wait for something to be true; fails if it never is."""
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, failure
        time.sleep(0.005)


def run(signals: int, seed: int) -> Tally:
    """Send this many signals; the tally."""
    chance = random.Random(seed)
    at_prompt = writing = 0
    slowest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for at in range(signals):
            number = SIGNALS[at % len(SIGNALS)]
            if at % 8 == 7:
                slowest = max(slowest, end_while_writing(Path(folder), number, chance))
                writing += 1
            else:
                slowest = max(slowest, end_at_prompt(Path(folder), number, chance))
                at_prompt += 1
    return Tally(at_prompt, writing, slowest)


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # after nohup, everything we start would ignore it
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    tally = run(wanted, seed=int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns())
    print(
        f"{tally.at_prompt} games ended at a prompt and {tally.writing} commands while they wrote "
        f"a file, the slowest after {tally.slowest:.2f} s; nothing was left behind."
    )
