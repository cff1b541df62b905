"""A few threads that share the work on many games, where the work lets others run."""

import os
from collections.abc import Callable
from functools import cache
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeAlias

# Fewer games than this are not worth another thread.
WORTH_A_THREAD = 1 << 13

# Some work on the games from the first to the last.
Work: TypeAlias = Callable[[int, int], Any]


def share(work: Work, count: int) -> list[Any]:
    """Do some work on so many games, in as many parts as there are cores; what each returned."""
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
    """Start the helpers, once; each waits for work in an inbox of its own."""
    inboxes: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(_cores() - 1)]
    for inbox in inboxes:
        Thread(target=_help, args=(inbox,), name="ninefold-games", daemon=True).start()
    return inboxes


def _help(inbox: "SimpleQueue[Any]") -> None:
    while True:
        work, first, last, done = inbox.get()
        try:
            done.put(work(first, last))
        except BaseException as failure:  # noqa: BLE001 - it is raised where the work was given
            done.put(failure)


if hasattr(os, "register_at_fork"):
    # Threads do not live on in a forked process: it starts its own.
    os.register_at_fork(after_in_child=_inboxes.cache_clear)
