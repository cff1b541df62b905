"""A real terminal for the program: a pseudo-terminal and a screen that can be read."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pexpect
import pyte
from e2e.program import COMMAND, Ninefold
from processes import PATIENCE


class Screen(pyte.Screen):
    """A screen that answers the program's questions, as terminals do."""

    answer: Callable[[str], object]

    def write_process_input(self, data: str) -> None:
        """Send the answer to the program."""
        self.answer(data)


class Terminal:
    """The program on a terminal of this size."""

    def __init__(
        self,
        ninefold: Ninefold,
        *arguments: str,
        columns: int = 80,
        rows: int = 24,
        environment: Mapping[str, str] | None = None,
        command: Sequence[str] = COMMAND,
    ) -> None:
        self.child: Any = pexpect.spawn(
            command[0],
            [*command[1:], *arguments],
            env={**ninefold.environment, **(environment or {})},
            dimensions=(rows, columns),
            timeout=PATIENCE,
        )
        self.raw = b""
        self._screen = Screen(columns, rows)
        self._screen.answer = self.child.send
        self._stream = pyte.ByteStream(self._screen)

    @property
    def text(self) -> str:
        """What is on the screen now."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    def type(self, keys: str) -> None:
        """Type these keys."""
        self.child.send(keys)

    def enter(self, line: str) -> None:
        """Type a line and press Enter."""
        self.child.send(line + "\r")

    def wait_for(self, *texts: str) -> None:
        """Read until one of these is on the screen; fails with the screen if none ever is."""
        self.wait_until(lambda: any(text in self.text for text in texts), str(texts))

    def wait_until(self, condition: Callable[[], bool], what: str) -> None:
        """Read until this is so; fails with the screen if it never is."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"{what} is not on the screen:\n{self.text}"
            assert self._read() or condition(), f"{what} was never on the screen:\n{self.text}"

    def resize(self, columns: int, rows: int) -> None:
        """Make the window larger or smaller."""
        self._screen.resize(rows, columns)
        self._screen.reset()
        self.child.setwinsize(rows, columns)

    def close_window(self) -> None:
        """Close the window: the program's terminal is gone."""
        # By its owner: closed behind its back, it would close the number once more, which may be
        # another terminal's by then.
        self.child.ptyproc.fileobj.close()
        self.child.child_fd = -1

    def wait_for_change(self) -> None:
        """Read until the screen looks different."""
        before, end = self.text, time.monotonic() + PATIENCE
        while self.text == before:
            assert time.monotonic() < end, f"nothing changes:\n{self.text}"
            self._read()

    def wait_for_end(self) -> int:
        """Read to the end; the exit code."""
        end = time.monotonic() + PATIENCE
        while self._read():
            assert time.monotonic() < end, f"still running:\n{self.text}"
        self.child.close()
        return int(self.child.exitstatus)

    def _read(self) -> bool:
        try:
            data = self.child.read_nonblocking(65_536, timeout=0.1)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += data
        self._stream.feed(data)
        return True
