"""Who plays the chunks of a tournament: this process, or several processes of this machine."""

import signal
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import perf_counter
from typing import Any, NamedTuple, Protocol, TypeAlias

from ninefold.arena.schedule import Chunk, Schedule
from ninefold.arena.tournament import Tournament
from ninefold.core.errors import NinefoldError

# Seconds for which rows are collected before they are passed on.
PACE = 0.5
# How often a chunk is given to another process if the one that played it died.
MOST_DEATHS = 3


Error: TypeAlias = NinefoldError | None


class News(NamedTuple):
    """Rows of a chunk; ``seconds`` is how long it took if these are the last ones.

    An ``error`` is why the tournament cannot go on, and ends the chunk as well.
    """

    chunk: Chunk
    rows: list[str]
    seconds: float | None
    error: Error = None


class Crew(Protocol):
    """Plays chunks; at most ``size`` at a time."""

    size: int

    def start(self, chunk: Chunk) -> None:
        """Begin to play a chunk."""

    def wait(self) -> list[News]:
        """What has happened meanwhile, at least something; raises NinefoldError."""

    def close(self) -> None:
        """Stop at once; what was not passed on is played again another time."""


def play_chunk(schedule: Schedule, chunk: Chunk) -> Iterator[News]:
    """Play a chunk, and pass on its rows every now and then."""
    began = last = perf_counter()
    rows: list[str] = []
    try:
        for more in schedule.play(chunk):
            rows += more
            if schedule.is_costly or perf_counter() - last > PACE:
                yield News(chunk, rows, None)
                rows, last = [], perf_counter()
    except NinefoldError as error:
        yield News(chunk, rows, None, error)
        return
    yield News(chunk, rows, perf_counter() - began)


class Alone:
    """Plays in this process: players can be any objects."""

    size = 1

    def __init__(self, tournament: Tournament, folder: str) -> None:
        self._schedule = Schedule(tournament, folder)
        self._news: Iterator[News] = iter(())

    def start(self, chunk: Chunk) -> None:
        """Play this chunk when asked to wait."""
        self._news = play_chunk(self._schedule, chunk)

    def wait(self) -> list[News]:
        """Play on."""
        return [next(self._news)]

    def close(self) -> None:
        """Nothing goes on by itself."""


class _Worker(NamedTuple):
    process: BaseProcess
    line: "Connection[Any, Any]"


class Processes:
    """Plays in so many processes, each at one chunk at a time; one that dies is replaced."""

    def __init__(self, tournament: Tournament, folder: str, size: int) -> None:
        self.size = size
        self._given = tournament, folder, size
        self._idle = [self._hire() for _ in range(size)]
        self._busy: dict[Any, tuple[_Worker, Chunk]] = {}
        self._deaths: dict[Any, int] = {}

    def _hire(self) -> _Worker:
        """A new process. It is not forked: threads and locks of this one would break it."""
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, *self._given), daemon=True)
        process.start()
        theirs.close()  # so that the end of the process is the end of the line
        return _Worker(process, ours)

    def start(self, chunk: Chunk) -> None:
        """Give the chunk to an idle process."""
        worker = self._idle.pop()
        self._busy[worker.line] = worker, chunk
        with suppress(OSError):  # one that has died is noticed below
            worker.line.send(chunk)

    def wait(self) -> list[News]:
        """What the processes have sent."""
        news: list[News] = []
        while not news:
            for line in wait([*self._busy]):
                news += self._receive(line)
        return news

    def _receive(self, line: Any) -> list[News]:
        worker, chunk = self._busy[line]
        try:
            rows, seconds, error = line.recv()
        except (EOFError, OSError):
            self._replace(worker, chunk)
            return []
        chunk = chunk._replace(done=chunk.done | set(map(id_of, rows)))
        self._busy[line] = worker, chunk
        if seconds is not None or error is not None:
            del self._busy[line]
            self._idle.append(worker)
        return [News(chunk, rows, seconds, error)]

    def _replace(self, worker: _Worker, chunk: Chunk) -> None:
        """Give what is left of the chunk to another process; raises NinefoldError after several."""
        del self._busy[worker.line]
        self._dismiss(worker)
        deaths = self._deaths[chunk.pairing] = self._deaths.get(chunk.pairing, 0) + 1
        if deaths > MOST_DEATHS:
            reason = f"A process that plays games died {deaths} times in the same games."
            advice = "Look for a player that crashes, or that needs too much memory."
            raise NinefoldError("worker-died", reason, advice)
        self._idle.append(self._hire())
        self.start(chunk)

    def _dismiss(self, worker: _Worker) -> None:
        worker.line.close()
        worker.process.terminate()
        worker.process.join()

    def close(self) -> None:
        """End all processes."""
        for worker in (*self._idle, *(worker for worker, _ in self._busy.values())):
            self._dismiss(worker)
        self._idle, self._busy = [], {}


def id_of(row: str) -> str:
    """The id of the game of a row, which is its first field."""
    return row[7 : row.index('"', 7)]


def _work(line: "Connection[Any, Any]", tournament: Tournament, folder: str, size: int) -> None:
    """Be a process that plays chunks until nobody sends any."""
    # Ctrl-C means everybody at the terminal; whoever started us decides what becomes of us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    schedule = Schedule(tournament, folder, size)
    with suppress(EOFError, OSError):
        while True:
            chunk = line.recv()
            for news in play_chunk(schedule, chunk):
                line.send(news[1:])
