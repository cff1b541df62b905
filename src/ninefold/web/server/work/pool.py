"""The worker processes: ``await workers.run("audit", {...}, client)``, with limits and fairness."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple

from ninefold.core.text import listed
from ninefold.web.server.work.turns import Turns, closing
from ninefold.web.server.work.worker import Limits, Progress, Worker

# Of addresses, per process: what Numba compiles takes 600 MB of them.
MEMORY = 2 << 30
MOST_WAITING, MOST_EACH = 200, 8


class Job(NamedTuple):
    """A function of ours that a worker runs, and what it may take.

    It takes plain data by name, and ``progress``, a function for plain data; it returns plain data.
    A job is ``is_long`` if somebody waits for it on purpose; then it never takes all places.
    """

    call: str
    limits: Limits
    is_long: bool = False


_HERE = __name__.rpartition(".")[0]
JOBS: Mapping[str, Job] = {
    "check": Job(f"{_HERE}.design:check", Limits(cpu=20, wall=60)),
    "describe": Job(f"{_HERE}.design:describe", Limits(cpu=20, wall=60)),
    "audit": Job(f"{_HERE}.design:audit_book", Limits(cpu=180, wall=600), is_long=True),
    "analyse": Job(f"{_HERE}.analysis:analyse", Limits(cpu=90, wall=300)),
    "about": Job(f"{_HERE}.boards:about", Limits(cpu=20, wall=60)),
    "line": Job(f"{_HERE}.boards:show_line", Limits(cpu=20, wall=60)),
    "review": Job(f"{_HERE}.review:review", Limits(cpu=180, wall=600), is_long=True),
    "think": Job(f"{_HERE}.thinking:think", Limits(cpu=60, wall=180)),
    "daily": Job(f"{_HERE}.puzzles:daily", Limits(cpu=60, wall=180)),
    "puzzles": Job(f"{_HERE}.puzzles:choose_puzzles", Limits(cpu=60, wall=180)),
    "answer": Job(f"{_HERE}.puzzles:answer", Limits(cpu=60, wall=180)),
    "help": Job(f"{_HERE}.puzzles:assist", Limits(cpu=60, wall=180)),
    "lessons": Job(f"{_HERE}.puzzles:lessons", Limits(cpu=180, wall=600), is_long=True),
}


class Workers:
    """A few worker processes, started when they are needed; close it in the end."""

    def __init__(
        self,
        size: int | None = None,
        memory: int = MEMORY,
        jobs: Mapping[str, Job] = JOBS,
        most_waiting: int = MOST_WAITING,
        most_each: int = MOST_EACH,
    ) -> None:
        self.turns = Turns(size or max(2, os.cpu_count() or 1), most_waiting, most_each)
        self._memory = memory
        self._jobs = jobs
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._is_closed = False

    async def run(
        self,
        name: str,
        arguments: Mapping[str, Any],
        client: str = "",
        progress: Progress = lambda _: None,
    ) -> Any:
        """The result of a job for this client; raises NinefoldError, also past its limits.

        Cancelling it ends the work at once. ``progress`` is called with what the job reports.
        """
        job = self._jobs[name]
        async with self.turns.turn(client, job.is_long), self._worker() as worker:
            return await worker.ask(job.call, arguments, job.limits, progress)

    async def missing_limits(self) -> str:
        """A warning if this system does not limit what a worker may take; empty if it does."""
        async with self._worker() as worker:
            missing = [what for what, is_limited in worker.limited.items() if not is_limited]
        if not missing:
            return ""
        danger = "A hostile rule book can slow this computer down until its time is over."
        return f"This system does not limit the {listed(missing)} of a process. {danger}"

    async def close(self, grace: float = 0.0) -> None:
        """Refuse all work from now on, give what is being done some seconds, and end everything."""
        self.turns.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await self.turns.wait_until_empty()
        self._is_closed = True
        for worker in [*self._busy, *self._idle]:
            await worker.stop()
        await self.turns.wait_until_empty()

    @asynccontextmanager
    async def _worker(self) -> AsyncIterator[Worker]:
        """A worker for one request, an idle one or a new one."""
        idle = [worker for worker in self._idle if worker.is_alive]
        worker = idle.pop() if idle else None
        self._idle = idle
        if worker is None:
            worker = await Worker.start(self._memory)
        if self._is_closed:
            await worker.stop()
            raise closing()
        self._busy.add(worker)
        try:
            yield worker
        finally:
            self._busy.discard(worker)
            if worker.is_alive:
                self._idle.append(worker)
