"""Waiting for other processes: for an event, however long a busy machine takes."""

import os
import subprocess
import time
from collections.abc import Callable
from typing import TypeVar

# How many seconds a test waits for what must happen; only a test that fails waits this long.
PATIENCE = 300.0

T = TypeVar("T")


def wait_until(condition: Callable[[], T]) -> T:
    """The first true answer of the condition; fails if there is none for a very long time."""
    end = time.monotonic() + PATIENCE
    while not (answer := condition()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
    return answer


def is_gone(pid: int) -> bool:
    """Whether no process of this number runs; one that is dead but not yet reaped is gone, too."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    state = ["ps", "-o", "stat=", "-p", str(pid)]
    shown = subprocess.run(state, capture_output=True, text=True, check=False)
    return shown.stdout.strip()[:1] in ("", "Z")
