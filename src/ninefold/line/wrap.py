"""Lines broken between words, so that a narrow terminal does not break them within one."""

import re
import sys
from typing import TextIO

# Space, and then the number of an item, or a first column with two spaces behind it at least.
_LEAD = re.compile(r" *(?:[0-9]+\. |(?:\S+ )+ +(?=\S))?")
MAX_LEAD = 20


def wrap(text: str, errors: bool = False) -> str:
    """The text with lines too long for the terminal broken; in a pipe, the text as it is.

    What follows a break is indented like its line, or like the text of a numbered item or of the
    second column. ``errors`` tells that it goes to standard error.
    """
    stream = sys.stderr if errors else sys.stdout
    if stream is None or not stream.isatty() or "\x1b" in text:
        return text
    width = _width(stream)
    return "\n".join(
        line if len(line) < width else wrap_line(line, width - 1) for line in text.split("\n")
    )


def _width(stream: TextIO) -> int:
    """The columns of the terminal, also where standard output is something else."""
    import os
    from shutil import get_terminal_size

    if "COLUMNS" not in os.environ:
        try:
            return os.get_terminal_size(stream.fileno()).columns or 80
        except (OSError, ValueError):
            pass  # a terminal that does not tell
    return get_terminal_size().columns


def wrap_line(line: str, width: int) -> str:
    """One line broken between words; its trailing space is kept."""
    from textwrap import fill

    lead = _LEAD.match(line)
    indent = " " * len(lead[0]) if lead and len(lead[0]) <= MAX_LEAD else ""
    if lead and not indent and line.startswith("  "):
        # A first column so wide leaves no room beside it.
        first, second = lead[0].rstrip(), f"      {line[len(lead[0]) :]}"
        return f"{first}\n{wrap_line(second, width)}"
    trail = line[len(line.rstrip()) :]
    return fill(line, width, subsequent_indent=indent, break_on_hyphens=False) + trail
