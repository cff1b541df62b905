"""A few threads that share work on many games, if that work releases the interpreter lock."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

# Fewer games than this are not worth another thread.
WORTH_A_THREAD = 1 << 13


def share(work: Callable[[int, int], Any], count: int) -> list[Any]:
    """Split the work on this many games between the cores; the results of all parts.

    A part is the games from a first one up to a last one.
    """
    parts = min(_cores(), count // WORTH_A_THREAD)
    if parts < 2:
        return [work(0, count)]
    (first, last), *others = pairwise([count * part // parts for part in range(parts + 1)])
    shared = [_pool().submit(work, *bounds) for bounds in others]
    return [work(first, last), *(part.result() for part in shared)]


@cache
def _cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_cores() - 1, "ninefold-games")


if hasattr(os, "register_at_fork"):
    # Threads do not survive a fork: the child starts its own.
    os.register_at_fork(after_in_child=_pool.cache_clear)
