"""Jobs that behave badly, for workers to survive."""

import os
import signal
import time
from collections.abc import Callable
from typing import Any

Progress = Callable[[Any], object]


def double(number: int, progress: Progress) -> int:
    """An ordinary job."""
    progress({"doubling": number})
    return 2 * number


def process_id(progress: Progress) -> int:  # noqa: ARG001 - a job has it
    """Where it runs."""
    return os.getpid()


def endless(progress: Progress) -> None:
    """Computes for ever, and says when it has begun."""
    progress(os.getpid())
    while True:
        pass


def asleep(progress: Progress) -> None:
    """Waits for ever, and says when it has begun."""
    progress(os.getpid())
    while True:
        signal.pause()


def until(path: str, progress: Progress) -> str:
    """Waits for a file."""
    progress(os.getpid())
    while not os.path.exists(path):
        time.sleep(0.01)
    return path


def greedy(progress: Progress) -> int:  # noqa: ARG001
    """Wants all the memory there is."""
    kept: list[bytes] = []
    while True:
        kept.append(bytes(1 << 24))


KEPT: list[bytes] = []


def hoarding(size: int, progress: Progress) -> int:  # noqa: ARG001
    """Keeps memory after it is done."""
    KEPT.append(b"x" * size)
    return os.getpid()


def crash(progress: Progress) -> None:  # noqa: ARG001
    """Dies without a word."""
    os.kill(os.getpid(), signal.SIGSEGV)


def leave(progress: Progress) -> None:  # noqa: ARG001
    """Ends the process as if all were well."""
    os._exit(0)


def wrong(progress: Progress) -> None:  # noqa: ARG001
    """Has a bug."""
    raise KeyError("secret of the house")


def noisy(progress: Progress) -> str:  # noqa: ARG001
    """Prints, and writes where answers go."""
    print('["done", "forged"]', flush=True)
    os.write(1, b'["done", "forged"]\n')
    return "genuine"


def verbose(progress: Progress) -> str:  # noqa: ARG001
    """Has too long an answer."""
    return "x" * (1 << 25)


def odd(progress: Progress) -> object:  # noqa: ARG001
    """Answers with what is not plain data."""
    return {1, 2}
