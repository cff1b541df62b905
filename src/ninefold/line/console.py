"""Where line mode reads and writes: a pipe, a plain terminal, or a terminal with line editing."""

import os
import sys
from collections.abc import Callable, Sequence
from select import select
from time import monotonic
from typing import Protocol

from ninefold.core.text import shorten
from ninefold.line import colour
from ninefold.line.wrap import wrap

# A line may be longer than anything sensible; what is behind this is read and thrown away.
MAX_LINE = 20_000
MAX_ECHO = 60


class TimeUp(Exception):
    """The player did not answer in time."""


class Console(Protocol):
    """What line mode needs of a terminal."""

    interactive: bool
    coloured: bool

    def show(self, text: str, style: str | None = None) -> None:
        """Write text to standard output, as it is."""

    def ask(
        self,
        prompt: str,
        deadline: float | None = None,
        words: Sequence[str] = (),
        status: str = "",
    ) -> str:
        """One line from the player; raises TimeUp, EOFError or KeyboardInterrupt.

        ``words`` can be completed, ``status`` says who is asked, where there is room for it.
        """


class PlainConsole:
    """Standard input and output as they are. Input that nobody saw being typed is echoed.

    There is no place for completion or a status here, so ``ask`` leaves them out.
    """

    def __init__(self) -> None:
        self.coloured = colour.wanted()
        self.interactive = _is_terminal(0) and sys.stdout.isatty()
        self._echo = not _is_terminal(0)
        self._buffer = b""
        self._late = False

    def show(self, text: str, style: str | None = None) -> None:
        """Write text to standard output, as it is."""
        sys.stdout.write(colour.paint(text, style) if style and self.coloured else text)

    def ask(
        self,
        prompt: str,
        deadline: float | None = None,
        words: Sequence[str] = (),  # noqa: ARG002 - the protocol
        status: str = "",  # noqa: ARG002 - the protocol
    ) -> str:
        """One line from standard input; raises TimeUp, EOFError or KeyboardInterrupt."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        try:
            line = self._read_line(deadline)
        except BaseException:
            sys.stdout.write("\n")
            raise
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if self._echo:
            sys.stdout.write(shorten(text, MAX_ECHO) + "\n")
        return text

    def _read_line(self, deadline: float | None) -> bytes:
        while b"\n" not in self._buffer:
            wait = None if deadline is None else max(0.0, deadline - monotonic())
            if deadline is not None and not select([0], [], [], wait)[0]:
                self._forget_typing()
                raise TimeUp
            chunk = _read(65_536)
            if not chunk:
                rest, self._buffer = self._buffer, b""
                if rest and not self._late:
                    return rest
                raise EOFError
            self._buffer += chunk
            if len(self._buffer) > MAX_LINE and b"\n" not in self._buffer:
                self._buffer = self._buffer[:MAX_LINE]
        line, _, self._buffer = self._buffer.partition(b"\n")
        if self._late:
            self._late = False
            return self._read_line(deadline)
        return line[:MAX_LINE]

    def _forget_typing(self) -> None:
        """What a player had begun to type when the time ran out is not the next player's input."""
        self._late = self._late or bool(self._buffer)
        self._buffer = b""
        if not self._echo:
            import termios

            termios.tcflush(0, termios.TCIFLUSH)


class EditingConsole:
    """A terminal with line editing, history, completion and a countdown below the prompt."""

    interactive = True

    def __init__(self) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.output import ColorDepth
        from prompt_toolkit.styles import Style

        self.coloured = colour.wanted()
        self._session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(),
            color_depth=None if self.coloured else ColorDepth.DEPTH_1_BIT,
            style=Style.from_dict({"bottom-toolbar": "noreverse"}),
            complete_while_typing=False,
        )

    def show(self, text: str, style: str | None = None) -> None:
        """Write text to the terminal, broken between words where a line is too long."""
        text = wrap(text)
        sys.stdout.write(colour.paint(text, style) if style and self.coloured else text)

    def ask(
        self,
        prompt: str,
        deadline: float | None = None,
        words: Sequence[str] = (),
        status: str = "",
    ) -> str:
        """One line, edited by the player; raises TimeUp, EOFError or KeyboardInterrupt."""
        from prompt_toolkit.application import get_app
        from prompt_toolkit.completion import WordCompleter

        def watch_clock() -> None:
            if deadline is not None:
                app = get_app()
                wait = max(0.0, deadline - monotonic())
                loop = app.loop
                assert loop is not None, "the prompt is running, so it has a loop"
                loop.call_later(wait, _stop, app.exit)

        def toolbar() -> str:
            if deadline is None:
                return status
            left = max(0, round(deadline - monotonic() + 0.49))
            return f"{left // 60}:{left % 60:02} left. {status}"

        sys.stdout.flush()
        # Given to prompt(), None would mean: the same as last time.
        self._session.bottom_toolbar = toolbar if status or deadline is not None else None
        return self._session.prompt(
            wrap(prompt),
            completer=WordCompleter(list(words)),
            refresh_interval=0.5 if deadline is not None else 0,
            enable_suspend=True,
            pre_run=watch_clock,
        )


def _stop(leave: Callable[..., None]) -> None:
    try:
        leave(exception=TimeUp())
    except Exception:  # noqa: BLE001 - the answer came in the same instant; prompt_toolkit raises bare Exception
        return


def open_console() -> Console:
    """The best console for what standard input and output are connected to."""
    dumb = os.environ.get("TERM", "dumb") in ("dumb", "")
    if _is_terminal(0) and sys.stdout.isatty() and not dumb:
        return EditingConsole()
    return PlainConsole()


def _is_terminal(descriptor: int) -> bool:
    try:
        return os.isatty(descriptor)
    except OSError:
        return False


def _read(size: int) -> bytes:
    """Bytes from standard input; none if it is closed."""
    try:
        return os.read(0, size)
    except OSError:
        return b""
