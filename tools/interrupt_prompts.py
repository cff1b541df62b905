"""Press Ctrl-C within milliseconds of other keys, again and again, at a real terminal.

What must hold: the program ends with code 130 and shows no traceback, whatever it was doing.
Run it with the number of tries: ``python3 dev interrupt 500``.
"""

import os
import random
import signal
import sys
import tempfile
import time
from typing import Any

import pexpect

COMMAND = [sys.executable, "-m", "ninefold", "play", "sequence-capture"]
KEYS = ("board\rboard\r", "5\r6\r", "board\r", "\r\r", "bo")
# The program asks where the cursor is, and every terminal answers.
QUESTION, ANSWER = b"\x1b[6n", b"\x1b[10;1R"
PATIENCE = 60.0


class Game:
    """A game at a terminal that answers questions about the cursor."""

    def __init__(self, data: str) -> None:
        environment = {**os.environ, "XDG_DATA_HOME": data, "TERM": "xterm"}
        self.child: Any = pexpect.spawn(COMMAND[0], COMMAND[1:], env=environment)
        self.child.delaybeforesend = None
        self.shown = b""

    def read(self, seconds: float) -> bool:
        """Read what is shown within this time at most; whether the program still runs."""
        try:
            data = self.child.read_nonblocking(65_536, timeout=seconds)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.shown += data
        for _ in range(data.count(QUESTION)):
            self.child.send(ANSWER)
        return True

    def read_until(self, text: bytes) -> bool:
        """Read until this text is shown, or to the end; whether that happened in time."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if not self.read(0.1):
                return True
            if text and text in self.shown:
                return True
        return False


def press_ctrl_c(data: str, chance: random.Random) -> str:
    """Play a little, and press Ctrl-C at a random moment; what is wrong, or nothing."""
    game, keys, wait = Game(data), chance.choice(KEYS), chance.uniform(0, 0.06)
    game.read_until(b"to move. ? for help")
    game.child.send(keys)
    end = time.monotonic() + wait
    while (left := end - time.monotonic()) > 0:
        game.read(left)
    if chance.random() < 0.2:  # from another program, whatever state the terminal is in
        game.child.kill(signal.SIGINT)
    else:
        game.child.send("\x03")
    ended = game.read_until(b"")
    game.child.close(force=True)
    if ended and game.child.exitstatus == 130 and b"Traceback" not in game.shown:
        return ""
    what = f"exit code {game.child.exitstatus}" if ended else "lost"
    return f"{keys!r} and Ctrl-C {wait * 1000:.1f} ms later: {what}\n{game.shown.decode()}"


def main(tries: int, seed: int) -> int:
    """Try so often; the exit code."""
    chance, failures = random.Random(seed), 0
    with tempfile.TemporaryDirectory() as data:
        for _ in range(tries):
            if fault := press_ctrl_c(data, chance):
                failures += 1
                print(fault)
    print(f"Ctrl-C {tries} times: {failures} failures (seed {seed}).")
    return int(failures > 0)


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    sys.exit(main(number, int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)))
