"""Text for the terminal: lines broken between words, and notes on standard error."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

# Space, then the number of an item, or a first column followed by at least two spaces.
_LEAD = re.compile(r" *(?:[0-9]+\. |(?:\S+ )+ +(?=\S))?")
MAX_LEAD = 20
# Seconds of silence before it is said what is going on.
PATIENCE = 2.0


def wrap(text: str, errors: bool = False) -> str:
    """The text with its long lines broken to fit the terminal; unchanged in a pipe."""
    stream = sys.stderr if errors else sys.stdout
    if stream is None or not stream.isatty() or "\x1b" in text:
        return text
    width = max(2, _width(stream))
    return "\n".join(
        line if len(line) < width else wrap_line(line, width - 1) for line in text.split("\n")
    )


def note(text: str) -> None:
    """Print a line on standard error, after everything printed so far."""
    with suppress(OSError):  # perhaps nobody reads it any more
        sys.stdout.flush()
    print(wrap(text, errors=True), file=sys.stderr, flush=True)


@contextmanager
def patience(task: str = "", seconds: float = PATIENCE) -> Iterator[Callable[[str], None]]:
    """Print on standard error what the work inside says it is doing, every few seconds at most."""
    from threading import Event, Thread

    newest, over = task, Event()

    def say(text: str) -> None:
        nonlocal newest
        newest = text

    def report() -> None:
        printed = ""
        while not over.wait(seconds):
            if newest and newest != printed:
                printed = newest
                note(printed)

    thread = Thread(target=report, daemon=True)
    thread.start()
    try:
        yield say
    finally:
        over.set()
        thread.join()


def _width(stream: TextIO) -> int:
    """The columns of this terminal, even if standard output is something else."""
    import os
    from shutil import get_terminal_size

    if "COLUMNS" not in os.environ:
        try:
            return os.get_terminal_size(stream.fileno()).columns or 80
        except (OSError, ValueError):
            pass  # this terminal does not say
    return get_terminal_size().columns


def wrap_line(line: str, width: int) -> str:
    """One line broken between words; trailing space is kept."""
    from textwrap import fill

    lead = _LEAD.match(line)
    indent = " " * len(lead[0]) if lead and len(lead[0]) <= MAX_LEAD else ""
    if lead and not indent and line.startswith("  "):
        # Such a wide first column leaves no room next to it.
        first, second = lead[0].rstrip(), f"      {line[len(lead[0]) :]}"
        return f"{first}\n{wrap_line(second, width)}"
    trail = line[len(line.rstrip()) :]
    return fill(line, width, subsequent_indent=indent, break_on_hyphens=False) + trail
