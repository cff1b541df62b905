"""Text from outside, made safe to show."""


def shorten(text: str, width: int) -> str:
    """The text without control characters, cut to this many characters."""
    safe = "".join(char if char.isprintable() else "?" for char in text[: width + 1])
    return safe if len(safe) <= width else safe[: width - 1] + "…"
