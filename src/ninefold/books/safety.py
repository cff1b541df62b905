"""Which text of a stranger's file is safe to show: it says what it looks like, and nothing else."""

import re

# What `is_readable` refuses, for a sentence such as "… is not allowed here".
UNREADABLE = "a line break, a control character or an invisible one"

# Letters and marks by their category, but drawn as nothing, or as a blank that is not a space.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U0001d159\U000e0100-\U000e01ef]"
)
MAX_MARKS = 3


def is_readable(text: str, lines: bool = False) -> bool:
    """Whether this is plain visible text: one line, or several where ``lines`` are allowed.

    Refused are control characters and terminal escapes, characters that are not seen or that turn
    the direction of the text, and letters under a tower of accents.
    """
    if lines:
        text = text.replace("\n", " ")
    if not text.isprintable():  # that is every control, format, private and unknown character
        return False
    return text.isascii() or not (_INVISIBLE.search(text) or _has_tower(text))


def shown(text: str, width: int) -> str:
    """The text with everything that is not safe to show replaced, cut to this width."""
    cut = text[: width + 1]
    if not is_readable(cut):
        cut = "".join(char if char.isascii() and char.isprintable() else "?" for char in cut)
    return cut if len(cut) <= width else cut[: width - 1] + "…"


def _has_tower(text: str) -> bool:
    from unicodedata import category

    marks = 0
    for char in text:
        marks = marks + 1 if category(char) in ("Mn", "Me") else 0
        if marks > MAX_MARKS:
            return True
    return False
