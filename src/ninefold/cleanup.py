"""Cleaning up after this process however it ends, even if it is killed: a helper process does it.

A handler of signals would run between two steps of the main thread, and never while that waits for
input. The helper waits for the end of a pipe instead, which comes with our own end.
"""

import atexit
import json
import os
import signal
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from subprocess import Popen

# A program to end, by its number, or a file to remove, by its full path.
Leftover: TypeAlias = int | str

# Whether the system can end a program with all that it has started.
GROUPS = hasattr(os, "killpg")
# Seconds that the helper gets to clean up when we exit.
PATIENCE = 5.0

_leftovers: set[Leftover] = set()
_helper: "Popen[bytes] | None" = None
_one_at_a_time = threading.Lock()


def promise(leftover: Leftover) -> None:
    """Clean this up when this process ends, unless it is forgotten before."""
    with _one_at_a_time:
        _leftovers.add(leftover)
        _tell([True, leftover])


def forget(leftover: Leftover) -> None:
    """This needs no cleaning up any more."""
    with _one_at_a_time:
        _leftovers.discard(leftover)
        _tell([False, leftover])


def kill(program: int) -> None:
    """Kill a program and its process group; without groups (Windows), its children live on."""
    # It may be gone already; macOS denies permission for a group of zombies.
    with suppress(ProcessLookupError, PermissionError):
        if GROUPS:
            os.killpg(program, signal.SIGKILL)
        else:
            os.kill(program, getattr(signal, "SIGKILL", signal.SIGTERM))


def _tell(message: list[object]) -> None:
    """Pass a message on to the helper, or everything to a new one if there is none."""
    with suppress(OSError):
        if _helper is not None and _helper.stdin is not None:
            _helper.stdin.write(json.dumps(message).encode() + b"\n")
            return
    # Without a helper, because none can be started, we clean up only if we exit by ourselves.
    with suppress(OSError):
        _start_helper()


def _start_helper() -> None:
    global _helper  # noqa: PLW0603 - one for the whole process
    import subprocess

    nothing = subprocess.DEVNULL
    _helper = subprocess.Popen(
        [sys.executable, "-I", "-S", os.path.abspath(__file__)],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=nothing,
        stderr=nothing,
        # What ends us must not end it: Ctrl-C and a closed window mean everyone at the terminal.
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    assert _helper.stdin is not None
    for leftover in _leftovers:
        _helper.stdin.write(json.dumps([True, leftover]).encode() + b"\n")


@atexit.register
def _finish() -> None:
    """Let the helper clean up, and wait for it; without one, clean up here."""
    global _helper
    helper, _helper = _helper, None
    if helper is None or helper.stdin is None:
        _clean(_leftovers)
        return
    from subprocess import TimeoutExpired

    with suppress(OSError, TimeoutExpired):
        helper.stdin.close()
        helper.wait(PATIENCE)


def _clean(leftovers: Iterable[Leftover]) -> None:
    for leftover in leftovers:
        with suppress(OSError):
            if isinstance(leftover, int):
                kill(leftover)
            else:
                os.unlink(leftover)


def _serve() -> None:
    """Be the helper: read until the process that started us is gone, then clean up."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if number := getattr(signal, name, None):
            signal.signal(number, signal.SIG_IGN)
    leftovers = set[Leftover]()
    for line in sys.stdin.buffer:
        promised, leftover = json.loads(line)
        (leftovers.add if promised else leftovers.discard)(leftover)
    _clean(leftovers)


if __name__ == "__main__":
    _serve()
