"""Consoles for line mode: a pipe, a plain terminal, or a terminal with line editing and colour."""

import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from ninefold.core.errors import NinefoldError
from ninefold.core.text import shorten
from ninefold.line.wrap import wrap

if TYPE_CHECKING:
    from prompt_toolkit.application import Application

# The rest of a longer line is read and dropped.
MAX_LINE = 20_000
MAX_ECHO = 60
# A signal that arrives just before we wait is noticed after this many seconds at the latest.
LONGEST_WAIT = 1.0
# What means yes and no wherever either can be typed.
YES_OR_NO = {"y": True, "yes": True, "n": False, "no": False, "q": False, "quit": False}
_STYLES = {"win": "1;32", "refusal": "33", "one": "36", "two": "35"}

T = TypeVar("T")


class TimeUp(Exception):
    """The player did not answer in time."""


class Lines:
    """Bytes as lines; half a line that a player did not finish in time is nobody's."""

    def __init__(self) -> None:
        self._pending = b""
        self._late = False

    def add(self, data: bytes) -> None:
        """Add what was read; of a very long line, only the start is kept."""
        self._pending += data
        if len(self._pending) > MAX_LINE and b"\n" not in self._pending:
            self._pending = self._pending[:MAX_LINE]

    def take(self) -> bytes | None:
        """The next whole line; None if there is none yet."""
        while b"\n" in self._pending:
            line, _, self._pending = self._pending.partition(b"\n")
            late, self._late = self._late, False
            if not late:
                return line[:MAX_LINE]
        return None

    def take_rest(self) -> bytes:
        """What the input ended with, although it has no line end; perhaps nothing."""
        rest, self._pending = self._pending, b""
        return b"" if self._late else rest

    def drop_half(self) -> None:
        """Drop a half-typed line, and the rest of it when it arrives."""
        self._late = self._late or bool(self._pending)
        self._pending = b""


class Console:
    """Standard input and output as they are; input from a pipe is echoed."""

    def __init__(self, accessible: bool = False) -> None:
        self.accessible = accessible
        self.coloured = wants_colour()
        self.interactive = os.isatty(0) and sys.stdout.isatty()
        self._echo = not os.isatty(0)
        self._lines = Lines()
        self._input = _Input()

    def show(
        self, text: str, style: str | None = None, marks: Mapping[str, str] | None = None
    ) -> None:
        """Write text, wrapped at a terminal; ``marks`` are styles of words inside it."""
        shown = wrap(text)
        if self.coloured:
            for word, colour in (marks or {}).items():
                shown = shown.replace(word, paint(word, colour))
            shown = paint(shown, style) if style else shown
        sys.stdout.write(shown)

    def ask(
        self,
        prompt: str,
        deadline: float | None = None,
        words: Sequence[str] = (),  # noqa: ARG002 - nothing is completed here
        status: str = "",  # noqa: ARG002 - there is no room for it
    ) -> str:
        """One line from the player; raises TimeUp, EOFError or KeyboardInterrupt."""
        sys.stdout.write(wrap(prompt))
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
        while (line := self._lines.take()) is None:
            try:
                data = self._input.read(deadline)
            except TimeUp:
                self._forget_typing()
                raise
            if not data:
                if rest := self._lines.take_rest():
                    return rest
                raise EOFError
            self._lines.add(data)
        return line

    def _forget_typing(self) -> None:
        """Drop a half-typed line when the time runs out: it is not the next player's input."""
        self._lines.drop_half()
        if not self._echo:
            with suppress(ImportError):  # where it is missing, terminals are EditingConsoles
                import termios

                termios.tcflush(0, termios.TCIFLUSH)


class _Input:
    """Reads standard input in a thread, when asked to: every system can wait for that."""

    def __init__(self) -> None:
        from queue import SimpleQueue

        self._data: SimpleQueue[bytes] = SimpleQueue()
        self._reading = False

    def read(self, deadline: float | None) -> bytes:
        """The next bytes, none at the end; raises TimeUp, and the bytes wait for the next call."""
        from queue import Empty
        from threading import Thread

        if not self._reading:
            self._reading = True
            Thread(target=self._read, daemon=True).start()
        while True:
            left = LONGEST_WAIT if deadline is None else deadline - monotonic()
            try:
                data = self._data.get(timeout=min(LONGEST_WAIT, max(0.0, left)))
            except Empty:
                if left <= 0:
                    raise TimeUp from None
            else:
                self._reading = False
                return data

    def _read(self) -> None:
        try:
            data = os.read(0, 65_536)
        except OSError:
            data = b""  # standard input is closed
        self._data.put(data)


class EditingConsole(Console):
    """A terminal with line editing, history, completion and a countdown below the prompt."""

    def __init__(self, countdown: bool = True) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.output import ColorDepth
        from prompt_toolkit.styles import Style

        super().__init__()
        self._countdown = countdown
        self._session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(),
            color_depth=None if self.coloured else ColorDepth.DEPTH_1_BIT,
            style=Style.from_dict({"bottom-toolbar": "noreverse"}),
            complete_while_typing=False,
        )

    def ask(
        self,
        prompt: str,
        deadline: float | None = None,
        words: Sequence[str] = (),
        status: str = "",
    ) -> str:
        """One line, edited by the player; raises TimeUp, EOFError or KeyboardInterrupt."""
        from prompt_toolkit.completion import WordCompleter

        app = self._session.app
        counts = self._countdown and deadline is not None

        def watch_clock() -> None:
            if deadline is not None:
                assert app.loop is not None, "the prompt is running, so it has a loop"
                app.loop.call_later(max(0.0, deadline - monotonic()), _leave, app, TimeUp())

        def toolbar() -> str:
            if not counts or deadline is None:
                return status
            left = max(0, round(deadline - monotonic() + 0.49))
            return f"{left // 60}:{left % 60:02} left. {status}"

        sys.stdout.flush()
        # Passed to prompt(), None would mean "the same as last time".
        self._session.bottom_toolbar = toolbar if status or counts else None
        with _interruptible(app) as leave_if_pressed:

            def begin() -> None:
                watch_clock()
                leave_if_pressed()

            return self._session.prompt(
                wrap(prompt),
                completer=WordCompleter(list(words)),
                refresh_interval=0.5 if counts else 0,
                enable_suspend=True,
                pre_run=begin,
                handle_sigint=False,
            )


@contextmanager
def holding_ctrl_c(at_once: Callable[[], object] = lambda: None) -> Iterator[Callable[[], bool]]:
    """Raise KeyboardInterrupt for Ctrl-C only at the end; yields whether it was pressed so far."""
    pressed = False

    def on_signal(*_: object) -> None:
        nonlocal pressed
        pressed = True
        at_once()

    before = signal.signal(signal.SIGINT, on_signal)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed:
            raise KeyboardInterrupt


@contextmanager
def _interruptible(app: "Application[str]") -> Iterator[Callable[[], None]]:
    """Make Ctrl-C leave this prompt, whenever it comes; yields what to call when it has begun.

    prompt_toolkit takes note of signals only while its loop runs, and fails on those just after.
    """
    from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
    from prompt_toolkit.keys import Keys

    def wake() -> None:
        if app.loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                app.loop.call_soon_threadsafe(_leave, app, KeyboardInterrupt())

    with holding_ctrl_c(wake) as is_pressed:
        yield lambda: _leave(app, KeyboardInterrupt()) if is_pressed() else None
    # It may also be a key that was read together with the end of this line.
    ahead = get_typeahead(app.input)
    if any(press.key == Keys.ControlC for press in ahead):
        raise KeyboardInterrupt
    store_typeahead(app.input, ahead)


def _leave(app: "Application[str]", why: BaseException) -> None:
    with suppress(Exception):  # the answer came just in time; prompt_toolkit raises bare Exception
        app.exit(exception=why)


def open_console(accessible: bool = False, countdown: bool = True) -> Console:
    """The best console for this standard input and output; a plain one for a screen reader."""
    plain = accessible or os.environ.get("NINEFOLD_ACCESSIBLE", "0") not in ("", "0")
    terminal = os.isatty(0) and sys.stdout.isatty() and not _is_dumb()
    return EditingConsole(countdown) if terminal and not plain else Console(plain)


def _is_dumb() -> bool:
    """Whether the terminal shows plain text only; Windows does not name its own in TERM."""
    return (os.environ.get("TERM") or ("windows" if os.name == "nt" else "dumb")) == "dumb"


def wants_colour() -> bool:
    """Whether to use colour: honours NO_COLOR, FORCE_COLOR, dumb terminals and pipes."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return sys.stdout.isatty() and not _is_dumb()


def paint(text: str, style: str) -> str:
    """The text in a style, line by line; the style never carries information alone."""
    code = _STYLES[style]
    return re.sub(r"[^\n]+", lambda line: f"\x1b[{code}m{line[0]}\x1b[0m", text)
