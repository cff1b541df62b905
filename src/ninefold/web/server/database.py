"""The thread that does all work on the database: what is queued is committed together."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar

from ninefold.core.errors import NinefoldError

T = TypeVar("T")


class Cursor(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows the statement wrote."""

    def fetchone(self) -> Any:
        """The next row, or None."""

    def fetchall(self) -> list[Any]:
        """All rows that are left."""


class Connection(Protocol):
    """What SQLite and PostgreSQL have in common; parameters are written as question marks."""

    clustered: str  # what makes a table be kept in the order of its primary key
    was_alone: bool  # whether nobody else served when the connection was made
    is_first_beat: bool  # if so, the time before the next beat is time without a server

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> Cursor:
        """Run one statement."""

    def close(self) -> None:
        """Leave the database."""


Work = Callable[[Connection], T]


class StoreDown(NinefoldError):
    """The database did not answer; what was asked for may or may not have been done."""

    def __init__(self, reason: str) -> None:
        super().__init__("unavailable", f"The database does not answer: {reason}.")


def public_message(error: NinefoldError) -> str:
    """What clients are told about an error: not where the database is, or what it says."""
    return "The database is down." if isinstance(error, StoreDown) else error.message


class Conflict(Exception):
    """What was to be written contradicts what is stored."""


class _Job:
    """What somebody asked for, and where the result goes."""

    __slots__ = ("future", "given", "loop", "work")

    def __init__(self, work: Work[Any] | None, given: object) -> None:
        self.work = work  # None: what is given is written together with that of other jobs
        self.given = given
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()


class Database:
    """One connection in one thread. A result is only given once its transaction is durable."""

    def __init__(
        self,
        connect: Callable[[], Connection],
        write: Callable[[Connection, Sequence[Any]], int] = lambda *_: 0,
        finish: Work[None] = lambda _: None,
    ) -> None:
        self._connect = connect
        self._write = write
        self._finish = finish  # is part of every transaction
        self.commits = 0
        self.written = 0  # as counted by ``write``
        self._connection: Connection | None = connect()
        self._new: list[_Job] = []  # asked for since the event loop last looked
        self._queue: SimpleQueue[list[_Job] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="database", daemon=True)
        self._thread.start()

    def run(self, work: Work[T]) -> "asyncio.Future[T]":
        """The result of this work, once it is durable; may raise StoreDown."""
        return self._put(work, None)

    def write(self, given: object) -> "asyncio.Future[bool]":
        """Whether this is written, once it is durable: not after a Conflict. May raise StoreDown.

        It is written together with what others give at the same time, and alone if that fails.
        """
        return self._put(None, given)

    def _put(self, work: Work[Any] | None, given: object) -> "asyncio.Future[Any]":
        job = _Job(work, given)
        if not self._new:  # waking the thread once for all of them costs both threads less
            job.loop.call_soon(self._hand_over)
        self._new.append(job)
        return job.future

    def _hand_over(self) -> None:
        if self._new:
            self._queue.put(self._new)
            self._new = []

    def close(self) -> None:
        """Finish what is queued, and leave the database."""
        self._hand_over()
        self._queue.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while True:
            jobs, is_last = self._take()
            if jobs:
                results = self._do_together(jobs)
                jobs[0].loop.call_soon_threadsafe(_resolve, jobs, results)
            if is_last:
                break
        if self._connection is not None:
            self._connection.close()

    def _take(self) -> tuple[list[_Job], bool]:
        """Everything that is queued, at least one job; and whether it is the last."""
        jobs: list[_Job] = []
        while not jobs or not self._queue.empty():
            more = self._queue.get()
            if more is None:
                return jobs, True
            jobs += more
        return jobs, False

    def _do_together(self, jobs: Sequence[_Job]) -> list[object]:
        """The result or exception of each job."""
        try:
            return self._transact(jobs)
        except Exception as error:  # noqa: BLE001 (whoever asked gets it)
            if len(jobs) == 1:
                is_lost = isinstance(error, Conflict) and jobs[0].work is None
                return [False if is_lost else error]
        # One of them is to blame; nobody else shall suffer.
        return [self._do_together([job])[0] for job in jobs]

    def _transact(self, jobs: Sequence[_Job]) -> list[object]:
        try:
            if self._connection is None:
                self._connection = self._connect()
            self._connection.execute("BEGIN")
            results, written = self._do_all(self._connection, jobs)
            self._finish(self._connection)
            self._connection.execute("COMMIT")
            self.commits += 1
            self.written += written
        except Exception:
            self._roll_back()
            raise
        return results

    def _do_all(self, connection: Connection, jobs: Sequence[_Job]) -> tuple[list[object], int]:
        given = [job.given for job in jobs if job.work is None]
        written = self._write(connection, given) if given else 0
        results = [True if job.work is None else job.work(connection) for job in jobs]
        return results, written

    def _roll_back(self) -> None:
        """Undo the transaction; a connection that cannot do so is given up."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            connection.execute("ROLLBACK")
        except Exception:  # noqa: BLE001 (it is broken, whatever the driver calls it)
            connection.close()
        else:
            self._connection = connection


def _resolve(jobs: Sequence[_Job], results: Sequence[object]) -> None:
    for job, result in zip(jobs, results, strict=True):
        if job.future.cancelled():
            continue
        if isinstance(result, Exception):
            job.future.set_exception(result)
        else:
            job.future.set_result(result)
