"""The engine on standard input and output: commands in, responses out, each at once."""

import os
import sys

from ninefold.gtp.session import Session
from ninefold.gtp.syntax import MAX_LINE

CHUNK = 1 << 16


def serve(session: Session) -> None:
    """Answer every command until quit or the end of the input."""
    pending = b""
    while not session.over and (chunk := os.read(0, CHUNK)):
        *lines, pending = (pending + chunk).split(b"\n")
        # What is behind this is thrown away, but not that it was there.
        pending = pending[: MAX_LINE + 1]
        _answer(session, lines)
    if pending and not session.over:
        _answer(session, [pending])


def _answer(session: Session, lines: list[bytes]) -> None:
    for line in lines:
        if session.over:
            return
        sys.stdout.write(session.answer(line))
        sys.stdout.flush()
