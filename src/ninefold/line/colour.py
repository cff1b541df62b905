"""A little colour, where it is wanted; nothing is ever told by colour alone."""

import os
import re
import sys

_STYLES = {"win": "1;32", "refusal": "33", "one": "36", "two": "35"}


def wanted() -> bool:
    """Whether colour is wanted: NO_COLOR, FORCE_COLOR, a dumb terminal and pipes are honoured."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def paint(text: str, style: str) -> str:
    """The text in a style, line by line."""
    code = _STYLES[style]
    return re.sub(r"[^\n]+", lambda line: f"\x1b[{code}m{line[0]}\x1b[0m", text)


def paint_markers(text: str, markers: tuple[str, str]) -> str:
    """The text with both players' markers in brackets coloured."""
    for marker, style in zip(markers, ("one", "two"), strict=True):
        text = text.replace(f"[{marker}]", paint(f"[{marker}]", style))
    return text
