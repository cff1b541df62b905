"""Consoles for line mode: a pipe, a plain terminal, or a terminal with line editing and colour."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from select import select
from time import monotonic
from typing import TypeVar

from ninefold.core.errors import NinefoldError
from ninefold.core.text import shorten
from ninefold.line.wrap import wrap

# The rest of a longer line is read and dropped.
MAX_LINE = 20_000
MAX_ECHO = 60
# What means yes and no wherever either can be typed.
YES_OR_NO = {"y": True, "yes": True, "n": False, "no": False, "q": False, "quit": False}
_STYLES = {"win": "1;32", "refusal": "33", "one": "36", "two": "35"}

T = TypeVar("T")


class TimeUp(Exception):
    """The player did not answer in time."""


class Console:
    """Standard input and output as they are; input from a pipe is echoed."""

    def __init__(self) -> None:
        self.coloured = wants_colour()
        self.interactive = os.isatty(0) and sys.stdout.isatty()
        self._echo = not os.isatty(0)
        self._buffer = b""
        self._late = False

    def show(self, text: str, style: str | None = None) -> None:
        """Write text to standard output, unchanged except for colour."""
        sys.stdout.write(paint(text, style) if style and self.coloured else text)

    def ask(
        self,
        prompt: str,
        deadline: float | None = None,
        words: Sequence[str] = (),  # noqa: ARG002 - nothing is completed here
        status: str = "",  # noqa: ARG002 - there is no room for it
    ) -> str:
        """One line from the player; raises TimeUp, EOFError or KeyboardInterrupt."""
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

    def ask_until(self, prompt: str, parse: Callable[[str], T]) -> T:
        """One answer that ``parse`` accepts; whatever it refuses is asked for again."""
        while True:
            try:
                return parse(self.ask(prompt).strip())
            except NinefoldError as error:
                self.show(f"{error.message}\n", "refusal")

    def choose(self, prompt: str, answers: Mapping[str, T], advice: str) -> T:
        """What one of the answers stands for; anything else gets the advice."""

        def parse(text: str) -> T:
            word = str(int(text[:9])) if text.isdecimal() else text.casefold()
            if word not in answers:
                raise NinefoldError("bad-answer", advice)
            return answers[word]

        return self.ask_until(prompt, parse)

    def show_menu(self, question: str, options: Iterable[str]) -> None:
        """Show a question with numbered options."""
        self.show(f"\n{question}\n")
        for number, option in enumerate(options, 1):
            self.show(f"  {number}. {option}\n")

    def _read_line(self, deadline: float | None) -> bytes:
        while b"\n" not in self._buffer:
            wait = None if deadline is None else max(0.0, deadline - monotonic())
            if deadline is not None and not select([0], [], [], wait)[0]:
                self._forget_typing()
                raise TimeUp
            try:
                chunk = os.read(0, 65_536)
            except OSError:
                chunk = b""  # standard input is closed
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
        """Drop a half-typed line when the time runs out: it is not the next player's input."""
        self._late = self._late or bool(self._buffer)
        self._buffer = b""
        if not self._echo:
            import termios

            termios.tcflush(0, termios.TCIFLUSH)


class EditingConsole(Console):
    """A terminal with line editing, history, completion and a countdown below the prompt."""

    def __init__(self) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.output import ColorDepth
        from prompt_toolkit.styles import Style

        super().__init__()
        self._session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(),
            color_depth=None if self.coloured else ColorDepth.DEPTH_1_BIT,
            style=Style.from_dict({"bottom-toolbar": "noreverse"}),
            complete_while_typing=False,
        )

    def show(self, text: str, style: str | None = None) -> None:
        """Write text to the terminal, with long lines broken between words."""
        super().show(wrap(text), style)

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
                assert app.loop is not None, "the prompt is running, so it has a loop"
                app.loop.call_later(max(0.0, deadline - monotonic()), _stop, app.exit)

        def toolbar() -> str:
            if deadline is None:
                return status
            left = max(0, round(deadline - monotonic() + 0.49))
            return f"{left // 60}:{left % 60:02} left. {status}"

        sys.stdout.flush()
        # Passed to prompt(), None would mean "the same as last time".
        self._session.bottom_toolbar = toolbar if status or deadline is not None else None
        return self._session.prompt(
            wrap(prompt),
            completer=WordCompleter(list(words)),
            refresh_interval=0.5 if deadline is not None else 0,
            enable_suspend=True,
            pre_run=watch_clock,
        )


def _stop(leave: Callable[..., None]) -> None:
    with suppress(Exception):  # the answer came just in time; prompt_toolkit raises bare Exception
        leave(exception=TimeUp())


def open_console() -> Console:
    """The best console for this standard input and output."""
    dumb = os.environ.get("TERM", "dumb") in ("dumb", "")
    terminal = os.isatty(0) and sys.stdout.isatty() and not dumb
    return EditingConsole() if terminal else Console()


def wants_colour() -> bool:
    """Whether to use colour: honours NO_COLOR, FORCE_COLOR, dumb terminals and pipes."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def paint(text: str, style: str) -> str:
    """The text in a style, line by line; the style never carries information alone."""
    code = _STYLES[style]
    return re.sub(r"[^\n]+", lambda line: f"\x1b[{code}m{line[0]}\x1b[0m", text)
