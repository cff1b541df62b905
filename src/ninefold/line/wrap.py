"""Lines broken between words, so that a narrow terminal does not break them within one."""

import re
import sys

_LEAD = re.compile(r" *(?:[0-9]+\. )?")


def wrap(text: str) -> str:
    """The text with lines too long for the terminal broken; in a pipe, the text as it is.

    What follows a break is indented like its line, or like the text of a numbered item.
    """
    if not sys.stdout.isatty() or "\x1b" in text:
        return text
    from shutil import get_terminal_size

    width = get_terminal_size().columns
    return "\n".join(
        line if len(line) < width else wrap_line(line, width - 1) for line in text.split("\n")
    )


def wrap_line(line: str, width: int) -> str:
    """One line broken between words; its trailing space is kept."""
    from textwrap import fill

    lead = _LEAD.match(line)
    indent = " " * len(lead[0]) if lead else ""
    trail = line[len(line.rstrip()) :]
    return fill(line, width, subsequent_indent=indent, break_on_hyphens=False) + trail
