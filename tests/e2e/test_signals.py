"""A signal ends the program at once, and everything that it has started."""

import signal
import subprocess
import sys
from pathlib import Path

import bots.faulty
import pytest
from processes import PATIENCE, is_gone, wait_until

from tools.signal_games import run

# The signal reaches another thread while the main thread waits for input. So does every signal
# that comes just before the main thread begins to wait: it interrupts nothing.
UNNOTICED = """
import os, signal, sys, threading, time
from ninefold.players.process import Process

def send():
    while not os.path.exists(sys.argv[1]):
        time.sleep(0.01)
    time.sleep(0.5)
    signal.pthread_kill(threading.get_ident(), int(sys.argv[2]))

program = Process([sys.executable, sys.argv[3], "children", sys.argv[1]])
threading.Thread(target=send).start()
os.read(0, 1)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_interrupts_nothing_ends_the_program(tmp_path: Path, number: int) -> None:
    """Although the main thread waits for input that never comes."""
    note = tmp_path / "pids"
    arguments = [str(note), str(int(number)), bots.faulty.__file__]
    with subprocess.Popen(
        [sys.executable, "-c", UNNOTICED, *arguments], stdin=subprocess.PIPE
    ) as waiting:
        try:
            assert waiting.wait(PATIENCE) == -number
        finally:
            waiting.kill()
    wait_until(lambda: all(map(is_gone, map(int, note.read_text().split()))))


@pytest.mark.parametrize("signals", [16, pytest.param(400, marks=pytest.mark.long)])
def test_a_signal_at_any_moment_leaves_nothing_behind(signals: int) -> None:
    """Neither programs nor drafts; ``python3 dev signals`` runs for longer."""
    tally = run(signals, seed=7)
    assert (tally.at_prompt, tally.writing) == (signals * 7 // 8, signals // 8)
