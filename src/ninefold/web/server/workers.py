"""The processes in which computer players think, so that nobody else has to wait."""

import asyncio
import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import ParamSpec, TypeVar

from ninefold.core.moves import format_move
from ninefold.players import NoMove, make
from ninefold.record.text import parse_record
from ninefold.referee import Referee, decide
from ninefold.web.server.hosted import read_book

P = ParamSpec("P")
T = TypeVar("T")
# The memory of one process, in bytes.
MEMORY = 2 << 30


class Workers:
    """A pool of processes that starts when it is first needed; ``close`` ends them."""

    def __init__(self, count: int | None = None) -> None:
        self._count = count or max(1, (os.cpu_count() or 2) - 1)
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """What the function returns in another process; a process that dies is replaced."""
        loop, call = asyncio.get_running_loop(), partial(function, *arguments, **options)
        try:
            return await loop.run_in_executor(self._open(), call)
        except BrokenProcessPool:
            self._pool = None
            return await loop.run_in_executor(self._open(), call)

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._count,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_begin,
                initargs=(os.getpid(),),
            )
        return self._pool

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def think(settings: str, copy: str | None, lines: Sequence[str]) -> str:
    """The notation of the move that the computer player to act chooses; runs in a worker."""
    record = parse_record("".join((settings, *(f"{line}\n" for line in lines))).encode(), "game")
    referee = Referee(read_book(record.settings, copy).game, record.settings)
    for entry in record.entries:
        referee.replay(entry.fact)
    player = make(record.settings.seats[referee.position.turn - 1], referee.game)
    assert player is not None, "a computer player is to act"
    decision = decide(referee, player)
    if isinstance(decision, NoMove):
        raise decision
    return format_move(decision)


def _begin(server: int) -> None:
    """Limit the memory of this process, and end it when the server is gone."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    if os.name == "posix":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    threading.Thread(target=_watch, args=(server,), daemon=True).start()


def _watch(server: int) -> None:
    while os.getppid() == server:
        time.sleep(0.5)
    os._exit(0)
