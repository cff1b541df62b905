"""A remark to the person at the terminal, beside what the program prints as its result."""

import sys

from ninefold.line.wrap import wrap


def note(text: str) -> None:
    """A line on standard error, behind everything shown so far."""
    try:
        sys.stdout.flush()
    except OSError:
        pass  # nobody reads it any more
    print(wrap(text, errors=True), file=sys.stderr, flush=True)
