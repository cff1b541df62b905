"""Text from outside, made safe to show; lists and counts in words."""

from collections.abc import Iterable


def shorten(text: str, width: int) -> str:
    """The text without control characters, cut to this many characters."""
    safe = "".join(char if char.isprintable() else "?" for char in text[: width + 1])
    return safe if len(safe) <= width else safe[: width - 1] + "…"


def listed(words: Iterable[object], conjunction: str = "and") -> str:
    """A list in a sentence: 1, 2 and 3."""
    *most, last = [*map(str, words)] or [""]
    return f"{', '.join(most)} {conjunction} {last}" if most else last


def plural(count: int, noun: str) -> str:
    """A count with its noun: 1 move, 1,341 moves."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
