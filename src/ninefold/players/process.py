"""A program connected by pipes: every wait has a limit, and no process is left behind."""

import atexit
import os
import selectors
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from types import FrameType

from ninefold.core.text import shorten
from ninefold.players import UnknownPlayer

# An answer is a few bytes; more than this is not an answer.
MAX_OUTPUT = 1 << 16
MAX_ERRORS = 2_000
CHUNK = 1 << 16
# Seconds to wait for the last errors of a program that has closed its output.
LAST_WORDS = 0.5
MAX_QUOTE = 60
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


class Process:
    """A running program in its own process group; raises UnknownPlayer if it does not start."""

    def __init__(self, arguments: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                arguments, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UnknownPlayer(
                "no-program", f"{arguments[0]} does not start: {reason}.", "Try it in a shell."
            ) from None
        _kill_with_us(self._process.pid)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._stderr = self._process.stderr
        self.output = b""
        self.errors = b""
        self._outgoing = b""
        self._code: int | None = None
        self._ended = False
        os.set_blocking(self._stdin.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)

    def send(self, data: bytes) -> None:
        """Queue this for the program's input; it is written while the output is read."""
        if not self._outgoing and not self._stdin.closed:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        self._outgoing += data

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
        """Close the program's input."""
        if self._outgoing and not self._stdin.closed:
            self._selector.unregister(self._stdin)
        self._outgoing = b""
        self._stdin.close()

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
        if self._ended:  # its last errors may come after the end of its output
            self.close_input()
            deadline = monotonic() + LAST_WORDS
            while self._selector.get_map() and not self._pump(deadline):
                pass
        # Until we wait for the leader, the id of the group cannot be reused.
        _kill(self._process.pid)
        try:
            self._code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._code = -signal.SIGKILL  # it hangs in the kernel and ends later
        _running.discard(self._process.pid)
        self._selector.close()
        for stream in (self._stdin, self._stdout, self._stderr):
            stream.close()
        return self._code

    def last_words(self) -> str:
        """How a program that closed its output exited, and its last line on standard error."""
        code = self.stop()
        lines = clean(self.errors).split("\n")
        said = f" Its last error line: {shorten(lines[-1], 160)}" if lines[-1] else ""
        if code == -signal.SIGKILL:
            return f"it closed its output.{said}"
        how = f"exited with code {code}" if code >= 0 else f"was killed by signal {-code}"
        return f"it {how}.{said}"

    def _pump(self, deadline: float) -> bool:
        """Write and read what is ready before the deadline; whether it has passed."""
        wait = deadline - monotonic()
        # Output that arrived in time is read even late: we may have been slow, not the program.
        for key, _ in self._selector.select(max(0.0, wait)):
            if key.fileobj is self._stdin:
                self._write()
                continue
            chunk = _read(key.fd)
            if not chunk:
                self._selector.unregister(key.fileobj)
            if key.fileobj is self._stderr:
                self.errors = (self.errors + chunk)[-MAX_ERRORS:]
            else:
                self.output += chunk
                self._ended = not chunk
        return wait <= 0

    def _write(self) -> None:
        try:
            written = os.write(self._stdin.fileno(), self._outgoing)
        except BlockingIOError:
            return
        except OSError:
            self.close_input()  # it stopped reading, but may still answer
            return
        self._outgoing = self._outgoing[written:]
        if not self._outgoing:
            self._selector.unregister(self._stdin)


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


# The running programs: they end when we end, for whatever reason.
_running: set[int] = set()


def _kill(group: int) -> None:
    # It may be gone already; macOS denies permission for a group of zombies.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


@atexit.register
def _kill_all() -> None:
    for group in _running:
        _kill(group)


def _kill_with_us(pid: int) -> None:
    """Remember a program; only the main thread may listen to signals."""
    _running.add(pid)
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _on_signal)


def _on_signal(number: int, _: FrameType | None) -> None:
    """Kill the programs, then let the signal do what it does by default."""
    _kill_all()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
