"""A worker process as the server sees it: one request at a time, and killed if it must be."""

import asyncio
import json
import logging
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, Self, TypeAlias

from ninefold import cleanup
from ninefold.core.errors import NinefoldError
from ninefold.web.server.work.turns import closing

Progress: TypeAlias = Callable[[Any], object]

# An answer is data for one page; a longer line is a fault of ours.
MAX_ANSWER = 1 << 24
_CPU_SIGNAL = -getattr(signal, "SIGXCPU", 0)
_TRY = "Try a smaller pool or fewer rules."
_log = logging.getLogger(__name__)


class Limits(NamedTuple):
    """What one request may take: seconds of processor time, and seconds until it must be done."""

    cpu: float
    wall: float


class WorkerDied(Exception):
    """The process ended without an answer; the argument is its exit code."""


class Worker:
    """One process. After an error other than a refusal it is gone, and so is its request."""

    def __init__(self, process: asyncio.subprocess.Process, memory: int) -> None:
        self._process = process
        self._memory = memory
        self._is_stopped = False
        self.limited: Mapping[str, bool] = {}

    @classmethod
    async def start(cls, memory: int) -> Self:
        """A new process that may use so many bytes of memory."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            __package__,
            str(memory),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=MAX_ANSWER,
            # Ctrl-C and a closed window are for the server, which ends its workers itself.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        worker = cls(process, memory)
        cleanup.promise(process.pid)
        try:
            _, worker.limited = await worker._read()
        except WorkerDied as error:
            _log.error("A worker process does not start: it exited with code %s.", error)
            await worker.stop()
            raise _failure() from None
        except BaseException:
            await worker.stop()
            raise
        return worker

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked again."""
        return not self._is_stopped and self._process.returncode is None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    async def ask(
        self, call: str, arguments: Mapping[str, Any], limits: Limits, progress: Progress
    ) -> Any:
        """The result of a function of ours; raises NinefoldError, also past the limits."""
        try:
            async with asyncio.timeout(limits.wall):
                return await self._ask(call, arguments, limits, progress)
        except TimeoutError:
            await self.stop()
            reason = f"This took more than {_seconds(limits.wall)}."
            raise NinefoldError("took-too-long", reason, _TRY) from None
        except WorkerDied as error:
            if self._is_stopped:
                raise closing() from None
            await self.stop()
            raise self._explain(call, error.args[0], limits) from None
        except NinefoldError:
            raise
        except BaseException:
            await self.stop()
            raise

    async def _ask(
        self, call: str, arguments: Mapping[str, Any], limits: Limits, progress: Progress
    ) -> Any:
        assert self._process.stdin is not None
        with suppress(ConnectionError):  # that it has died is read below
            self._process.stdin.write(json.dumps([call, arguments, limits.cpu]).encode() + b"\n")
            await self._process.stdin.drain()
        while (message := await self._read())[0] == "progress":
            progress(message[1])
        kind, data, *is_full = message
        if kind == "memory":
            await self.stop()
            reason = f"This needed more than {self._memory >> 20:,} MB of memory."
            raise NinefoldError("too-large", reason, _TRY)
        if any(is_full):
            await self.stop()
        if kind == "refused":
            raise NinefoldError(*data)
        if kind == "failed":
            _log.error("%s failed:\n%s", call, data)
            raise _failure()
        return data

    async def _read(self) -> list[Any]:
        """The next message; raises WorkerDied if there is none."""
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
        except ValueError:
            raise WorkerDied("none: its answer is too long") from None
        if not line.endswith(b"\n"):
            raise WorkerDied(await self._process.wait())
        message: list[Any] = json.loads(line)
        return message

    def _explain(self, call: str, code: object, limits: Limits) -> NinefoldError:
        if code == _CPU_SIGNAL:
            reason = f"This took more than {_seconds(limits.cpu)} of computing."
            return NinefoldError("took-too-long", reason, _TRY)
        _log.error("%s: the worker process exited with code %s.", call, code)
        return _failure()

    async def stop(self) -> None:
        """Kill the process, and wait for its end."""
        self._is_stopped = True
        with suppress(ProcessLookupError):
            self._process.kill()
        cleanup.forget(self._process.pid)
        await self._process.wait()


def _seconds(count: float) -> str:
    return f"{count:g} second{'' if count == 1 else 's'}"


def _failure() -> NinefoldError:
    reason = "Something went wrong here, and this could not be done. The error was noted."
    return NinefoldError("failed", reason)
