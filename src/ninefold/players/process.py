"""A program connected by pipes: every wait has a limit, and no process is left behind."""

import os
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, Queue, SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import IO, TypeAlias

from ninefold import cleanup
from ninefold.core.text import shorten
from ninefold.players import UnknownPlayer

# An answer is a few bytes; more than this is not an answer.
MAX_OUTPUT = 1 << 16
MAX_ERRORS = 2_000
CHUNK = 1 << 16
# So many chunks wait to be read; then the program has to wait.
MAX_CHUNKS = 8
# By this many seconds we may notice a deadline late; if it is more, something held us up.
SLOW = 0.05
# Seconds to wait for the last errors of a program that has closed its output.
LAST_WORDS = 0.5
MAX_QUOTE = 60
# The exit code of a program that we had to kill.
KILLED = -9
_CONTROL = {code: None for code in (*range(32), 127) if chr(code) not in "\t\n"}


class Late(Exception):
    """The program did not write enough in time."""


class Closed(Exception):
    """The program has exited, or closed its output."""


class Flooded(Exception):
    """The program wrote more than any answer needs."""


def find_program(arguments: Sequence[str]) -> None:
    """Refuse a program that does not exist or cannot be run; raises UnknownPlayer."""
    from shutil import which

    name = arguments[0]
    if which(name) is not None:
        return
    reason, advice = f"There is no program {name!r}.", "Write its path, or a name found on PATH."
    if os.path.isfile(name):
        reason = f"{name} cannot be run."
        advice = f"Make it executable (chmod +x {name}), or name its interpreter: python3 {name}"
    raise UnknownPlayer("no-program", reason, advice)


# What has arrived on which stream; nothing at its end.
Arrived: TypeAlias = tuple[IO[bytes], bytes]


class Process:
    """A running program in its own process group; raises UnknownPlayer if it does not start.

    Threads read and write the pipes, since not every system can wait for several pipes at once.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                arguments,
                bufsize=0,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UnknownPlayer(
                "no-program", f"{arguments[0]} does not start: {reason}.", "Try it in a shell."
            ) from None
        cleanup.promise(self._process.pid)
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin and stdout and stderr
        self._stdout = stdout
        self._open = {stdout, stderr}
        self.output = b""
        self.errors = b""
        self._code: int | None = None
        self._outgoing: SimpleQueue[bytes] = SimpleQueue()
        self._arrived: Queue[Arrived] = Queue(MAX_CHUNKS)
        Thread(target=_write_all, args=(stdin, self._outgoing), daemon=True).start()
        for stream in self._open:
            Thread(target=_read_all, args=(stream, self._arrived), daemon=True).start()

    @property
    def _ended(self) -> bool:
        return self._stdout not in self._open

    def send(self, data: bytes) -> None:
        """Queue this for the program's input; it is written while the output is read."""
        if data:
            self._outgoing.put(data)

    def read(self, measure: Callable[[bytes], int], deadline: float) -> bytes:
        """The first bytes of its output, as ``measure`` says; raises Late, Closed, Flooded."""
        late = False
        while not (length := measure(self.output)):
            if len(self.output) > MAX_OUTPUT:
                raise Flooded
            if self._ended:
                raise Closed
            if late:
                raise Late
            late = self._pump(deadline)
        taken, self.output = self.output[:length], self.output[length:]
        return taken

    def close_input(self) -> None:
        """Close the program's input after what was sent."""
        self._outgoing.put(b"")

    def wait_for_end(self, seconds: float) -> bool:
        """Whether the program closes its output in time; the start of the rest is kept."""
        deadline = monotonic() + seconds
        late = False
        while not (self._ended or late):
            late = self._pump(deadline)
            self.output = self.output[:MAX_OUTPUT]
        return self._ended

    def stop(self) -> int:
        """Kill the program and everything it has started; its exit code."""
        if self._code is not None:
            return self._code
        self.close_input()
        if self._ended:  # its last errors may come after the end of its output
            deadline = monotonic() + LAST_WORDS
            while self._open and not self._pump(deadline):
                pass
        self._code = self._kill()
        self._take_arrived()  # so that no thread waits for room
        return self._code

    def interrupt(self) -> None:
        """Kill the program, from any thread; whoever reads its output gets Closed."""
        if cleanup.GROUPS:
            cleanup.kill(self._process.pid)
        else:
            self._process.kill()

    def _kill(self) -> int:
        """Kill the program if it is still running; its exit code."""
        if cleanup.GROUPS:  # until we wait for the leader, the id of the group cannot be reused
            cleanup.kill(self._process.pid)
            cleanup.forget(self._process.pid)
            return self._wait(5)
        # Its exit code would not tell that we killed it, so it may exit by itself first.
        code = self._wait(LAST_WORDS if self._ended else 0)
        self._process.kill()
        cleanup.forget(self._process.pid)
        self._wait(5)
        return code

    def _wait(self, seconds: float) -> int:
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return KILLED  # or it hangs in the kernel and ends later

    def last_words(self) -> str:
        """How a program that closed its output exited, and its last line on standard error."""
        code = self.stop()
        lines = clean(self.errors).split("\n")
        said = f" Its last error line: {shorten(lines[-1], 160)}" if lines[-1] else ""
        if code == KILLED:
            return f"it closed its output.{said}"
        how = f"exited with code {code}" if code >= 0 else f"was killed by signal {-code}"
        return f"it {how}.{said}"

    def _pump(self, deadline: float) -> bool:
        """Take what arrives before the deadline; whether that has passed."""
        wait = deadline - monotonic()
        if wait > 0:
            with suppress(Empty):
                self._take(self._arrived.get(timeout=wait))
            return False
        # Output that arrived in time counts even late: we may have been slow, not the program.
        if -wait > SLOW:
            sleep(SLOW)  # what reads the pipes was held up, too
        self._take_arrived()
        return True

    def _take_arrived(self) -> None:
        """Take everything that has arrived."""
        with suppress(Empty):
            for _ in range(MAX_CHUNKS + len(self._open)):
                self._take(self._arrived.get_nowait())

    def _take(self, arrived: Arrived) -> None:
        stream, chunk = arrived
        if not chunk:
            self._open.discard(stream)
        elif stream is self._stdout:
            self.output += chunk
        else:
            self.errors = (self.errors + chunk)[-MAX_ERRORS:]


def clean(data: bytes) -> str:
    """A program's text without control characters and surrounding space."""
    return data.decode("utf-8", "replace").translate(_CONTROL).strip()


def quote(data: bytes) -> str:
    """The beginning of a program's output, safe to show."""
    return f'"{shorten(" ".join(clean(data).split()), MAX_QUOTE)}"'


def _read(descriptor: int) -> bytes:
    """What can be read now; empty at the end."""
    try:
        return os.read(descriptor, CHUNK)
    except OSError:
        return b""


def _read_all(stream: IO[bytes], arrived: "Queue[Arrived]") -> None:
    """Pass everything on, and the end."""
    with stream:
        while chunk := _read(stream.fileno()):
            arrived.put((stream, chunk))
    arrived.put((stream, b""))


def _write_all(stream: IO[bytes], outgoing: "SimpleQueue[bytes]") -> None:
    """Write everything up to the end; a program that stops reading may still answer."""
    with stream, suppress(OSError):
        while data := outgoing.get():
            while data:
                data = data[os.write(stream.fileno(), data) :]
