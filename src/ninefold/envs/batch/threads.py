"""A few threads that share work on many games, if that work releases the interpreter lock."""

import os
from collections.abc import Callable
from functools import cache
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeAlias

# Fewer games than this are not worth another thread.
WORTH_A_THREAD = 1 << 13

# Work on the games from a first one up to a last one.
Work: TypeAlias = Callable[[int, int], Any]


def share(work: Work, count: int) -> list[Any]:
    """Split the work on this many games between the cores; the results of all parts."""
    parts = min(_cores(), count // WORTH_A_THREAD)
    if parts < 2:
        return [work(0, count)]
    bounds = [count * part // parts for part in range(parts + 1)]
    done: SimpleQueue[Any] = SimpleQueue()
    for inbox, first, last in zip(_inboxes(), bounds[1:-1], bounds[2:], strict=False):
        inbox.put((work, first, last, done))
    results = [work(0, bounds[1])]
    for _ in range(parts - 1):
        result = done.get()
        if isinstance(result, BaseException):
            raise result
        results.append(result)
    return results


@cache
def _cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _inboxes() -> list["SimpleQueue[Any]"]:
    """Start the threads, once; each waits for work in its own inbox."""
    inboxes: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(_cores() - 1)]
    for inbox in inboxes:
        Thread(target=_work, args=(inbox,), name="ninefold-games", daemon=True).start()
    return inboxes


def _work(inbox: "SimpleQueue[Any]") -> None:
    while True:
        work, first, last, done = inbox.get()
        try:
            done.put(work(first, last))
        except BaseException as failure:  # noqa: BLE001 - the caller of share raises it
            done.put(failure)


if hasattr(os, "register_at_fork"):
    # Threads do not survive a fork: the child starts its own.
    os.register_at_fork(after_in_child=_inboxes.cache_clear)
