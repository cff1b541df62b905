"""Which text of a stranger's file is safe to show in a terminal."""

import re

# What `is_readable` refuses in a line of text and in several lines, for error messages.
UNREADABLE = "must not contain line breaks, control characters or invisible characters"
UNREADABLE_LINES = "must not contain control characters or invisible characters"

# Characters that count as letters or marks, but are drawn as nothing or as a blank.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U0001d159\U000e0100-\U000e01ef]"
)
MAX_MARKS = 3


def is_readable(text: str, lines: bool = False) -> bool:
    """Whether this is plain visible text, in one line unless ``lines`` are allowed."""
    if lines:
        text = text.replace("\n", " ")
    if not text.isprintable():  # controls, escapes, changes of direction
        return False
    return text.isascii() or not (_INVISIBLE.search(text) or has_tower(text))


def shown(text: str, width: int) -> str:
    """The text cut to this width, with unsafe characters replaced."""
    cut = text[: width + 1]
    if not is_readable(cut):
        cut = "".join(char if char.isascii() and char.isprintable() else "?" for char in cut)
    return cut if len(cut) <= width else cut[: width - 1] + "…"


def has_tower(text: str) -> bool:
    """Whether so many marks are stacked on a letter that they cover other lines."""
    from unicodedata import category

    marks = "".join("^" if category(char) in ("Mn", "Me") else " " for char in text)
    return "^" * (MAX_MARKS + 1) in marks
