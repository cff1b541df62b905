"""What can go wrong in a turn of a player from outside, as it is written into a row."""

from typing import Any, Final

from ninefold.core.text import shorten

# What the codes of players and referee are called in a row; other codes are kinds themselves.
KINDS: Final = {
    "no-answer": "timeout",
    "crash": "error",
    "refusal": "error",
    "unreadable-answer": "unreadable",
    "illegal-answer": "illegal",
    "truncated-answer": "truncated",
    "lost-turn": "illegal",
    "resignation": "resign",
}
KNOWN: Final = ("unreadable", "illegal", "timeout", "truncated", "error", "resign", "repaired")
MOST_RAW = 500


def kind_of(code: str) -> str:
    """The kind of a fault, by the code of whoever noticed it."""
    kind = KINDS.get(code, code)
    return kind if kind in KNOWN else "error"


def fault(seat: int, ply: int, code: str, raw: str) -> dict[str, Any]:
    """A fault of a row; what was answered is cut to a length that can be read."""
    kind = kind_of(code)
    return {"seat": seat, "ply": ply, "kind": kind, "code": code, "raw": shorten(raw, MOST_RAW)}
