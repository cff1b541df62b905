"""Worker processes: limited, replaced when they die, and never left behind."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from processes import PATIENCE, is_gone, wait_until

from ninefold.core.errors import NinefoldError
from ninefold.web.server.work.pool import Job, Workers
from ninefold.web.server.work.worker import Limits

HERE = Path(__file__).parent
ALLOWED = Limits(cpu=PATIENCE, wall=PATIENCE)
NAMES = "double process_id endless asleep until greedy hoarding crash leave wrong noisy verbose odd"
JOBS = {name: Job(f"strange_jobs:{name}", ALLOWED) for name in NAMES.split()} | {
    "endless-briefly": Job("strange_jobs:endless", ALLOWED._replace(cpu=1)),
    "asleep-briefly": Job("strange_jobs:asleep", ALLOWED._replace(wall=0.1)),
}


@pytest.fixture(autouse=True)
def _jobs_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    path = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))


@asynccontextmanager
async def pool(size: int = 1, memory: int = 1 << 28) -> AsyncIterator[Workers]:
    """Some workers, closed at the end."""
    workers = Workers(size, memory, JOBS)
    try:
        yield workers
    finally:
        await workers.close()


async def refusal(workers: Workers, name: str, **arguments: Any) -> str:
    """Why a job was refused; the next one works."""
    with pytest.raises(NinefoldError) as caught:
        await workers.run(name, arguments)
    assert await workers.run("double", {"number": 4}) == 8
    return f"{caught.value.code}: {caught.value.message}"


def test_a_job_reports_and_returns() -> None:
    """All in one process, as long as it behaves."""
    reported: list[object] = []

    async def test() -> None:
        async with pool() as workers:
            first = await workers.run("process_id", {})
            assert await workers.run("double", {"number": 21}, "me", reported.append) == 42
            assert await workers.run("process_id", {}) == first != os.getpid()
        assert wait_until(lambda: is_gone(first))

    asyncio.run(test())
    assert reported == [{"doubling": 21}]


BAD = {
    "endless-briefly": "took-too-long: This took more than 1 second of computing. "
    "Try a smaller pool or fewer rules.",
    "asleep-briefly": "took-too-long: This took more than 0.1 seconds. "
    "Try a smaller pool or fewer rules.",
    "greedy": "too-large: This needed more than 256 MB of memory. "
    "Try a smaller pool or fewer rules.",
    **dict.fromkeys(
        ("crash", "leave", "wrong", "verbose", "odd"),
        "failed: Something went wrong here, and this could not be done. The error was noted.",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BAD)
def test_what_goes_wrong_is_an_ordinary_error(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Past a limit, after a crash or with a bug; users never see a trace, the log does."""

    async def test() -> None:
        async with pool() as workers:
            assert await refusal(workers, name) == BAD[name]

    caplog.set_level(logging.ERROR)
    asyncio.run(test())
    assert bool(caplog.records) == BAD[name].startswith("failed")
    assert ("secret of the house" in caplog.text) == (name == "wrong")


def test_what_a_job_prints_is_no_answer() -> None:
    """Answers go another way."""

    async def test() -> None:
        async with pool() as workers:
            assert await workers.run("noisy", {}) == "genuine"

    asyncio.run(test())


def test_a_process_full_of_old_results_is_replaced() -> None:
    """So that every job has room, whatever was done before it."""

    async def test() -> None:
        async with pool() as workers:
            first = await workers.run("hoarding", {"size": 1 << 20})
            assert await workers.run("hoarding", {"size": 1 << 27}) == first
            assert await workers.run("process_id", {}) != first
            assert wait_until(lambda: is_gone(first))

    asyncio.run(test())


def test_a_process_that_dies_while_idle_is_replaced() -> None:
    """Nobody notices."""

    async def test() -> None:
        async with pool() as workers:
            first = await workers.run("process_id", {})
            os.kill(first, signal.SIGKILL)
            while workers._idle[0].is_alive:
                await asyncio.sleep(0.01)
            assert await workers.run("process_id", {}) != first

    asyncio.run(test())


async def begin(workers: Workers, name: str, client: str = "") -> tuple[asyncio.Task[Any], int]:
    """A job that has begun, and its process."""
    begun: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(workers.run(name, {}, client, begun.set_result))
    return task, await begun


def test_a_cancelled_job_ends_at_once() -> None:
    """Its process is killed, and the place is free."""

    async def test() -> None:
        async with pool() as workers:
            task, process = await begin(workers, "endless")
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert wait_until(lambda: is_gone(process))
            assert await workers.run("double", {"number": 1}) == 2

    asyncio.run(test())


def test_whoever_reports_to_nobody_is_stopped() -> None:
    """What is wrong with the callback is seen by its owner."""

    async def test() -> None:
        async with pool() as workers:
            with pytest.raises(ZeroDivisionError):
                await workers.run("endless", {}, "", lambda _: 1 / 0)

    asyncio.run(test())


def test_a_stranger_cannot_occupy_all_workers() -> None:
    """With all they have begun, another client is served."""

    async def test() -> None:
        async with pool(2) as workers:
            task, _ = await begin(workers, "asleep", "stranger")
            more = [asyncio.create_task(workers.run("asleep", {}, "stranger")) for _ in range(5)]
            assert await workers.run("double", {"number": 3}, "friend") == 6
            for each in (task, *more):
                each.cancel()
            await asyncio.gather(task, *more, return_exceptions=True)

    asyncio.run(test())


def test_closing_waits_for_what_is_done_soon(tmp_path: Path) -> None:
    """And refuses everything else."""

    async def test() -> None:
        path = tmp_path / "done"
        workers = Workers(1, 1 << 28, JOBS)
        begun = asyncio.Event()
        task = asyncio.create_task(
            workers.run("until", {"path": str(path)}, "", lambda _: begun.set())
        )
        await begun.wait()
        closing = asyncio.create_task(workers.close(PATIENCE))
        await asyncio.sleep(0)
        with pytest.raises(NinefoldError, match="The server is restarting"):
            await workers.run("double", {"number": 1})
        path.touch()
        assert await task == str(path)
        await closing

    asyncio.run(test())


def test_closing_ends_what_takes_too_long() -> None:
    """Whoever waits for it is told."""

    async def test() -> None:
        workers = Workers(2, 1 << 28, JOBS)
        task, process = await begin(workers, "endless")
        starting = asyncio.create_task(workers.run("double", {"number": 1}, "other"))
        await asyncio.sleep(0)
        await workers.close()
        assert wait_until(lambda: is_gone(process))
        for each in (task, starting):
            with pytest.raises(NinefoldError, match="The server is restarting"):
                await each

    asyncio.run(test())


SERVER = """
import asyncio, os
from unit.web.work.test_workers import JOBS
from ninefold.web.server.work.pool import Workers

async def serve():
    workers = Workers(3, 1 << 28, JOBS)
    await workers.run("double", {"number": 1})
    tell = lambda process: print(process, flush=True)
    jobs = [workers.run(name, {}, name, tell) for name in ("endless", "asleep")]
    await asyncio.gather(*jobs)

asyncio.run(serve())
"""


@pytest.mark.parametrize("ending", ["SIGKILL", "SIGTERM", "SIGINT"])
def test_no_process_outlives_a_killed_server(ending: str) -> None:
    """However it is killed."""
    path = [str(HERE), str(HERE.parents[2]), *sys.path]
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))},
    )
    with server:
        assert server.stdout is not None
        processes = [int(server.stdout.readline()) for _ in range(2)]
        server.send_signal(getattr(signal, ending))
    assert all(wait_until(lambda each=process: is_gone(each)) for process in processes)  # type: ignore[misc]


def test_this_system_limits_everything() -> None:
    """Where something is not limited, one sentence says so."""

    async def test() -> None:
        async with pool() as workers:
            assert await workers.missing_limits() == ""
            workers._idle[0].limited = {"processor time": False, "memory": False}
            assert await workers.missing_limits() == (
                "This system does not limit the processor time and memory of a process. "
                "A hostile rule book can slow this computer down until its time is over."
            )

    asyncio.run(test())
