"""What a program writes: responses of the Go Text Protocol, last words, and anything else."""

import re
from signal import SIGKILL
from typing import NamedTuple

from ninefold.core.text import shorten
from ninefold.players.process import Process

MAX_QUOTE = 60
_END = re.compile(rb"\n[ \t\r]*\n")
_HEAD = re.compile(r"([=?])([0-9]*)(?:[ \t]+(.*))?\Z", re.DOTALL)
_CONTROL = {code: None for code in (*range(32), 127) if chr(code) not in "\t\n"}


class Response(NamedTuple):
    """A program's answer: the id of the command, success or failure, and the text."""

    id: str
    ok: bool
    text: str

    def __str__(self) -> str:
        return f"{'=' if self.ok else '?'}{self.id} {self.text}".strip()


def response_length(data: bytes) -> int:
    """The length of the first response in bytes; 0 while it is incomplete.

    A first line that cannot start a response counts alone: waiting for more is useless.
    """
    start = len(data) - len(data.lstrip())
    line = data.find(b"\n", start) + 1
    if line and data[start : start + 1] not in (b"=", b"?"):
        return line
    found = _END.search(data, start)
    return found.end() if found else 0


def parse_response(data: bytes) -> Response | None:
    """The response in these bytes; None if there is none."""
    found = _HEAD.match(clean(data))
    if not found:
        return None
    return Response(found[2], found[1] == "=", (found[3] or "").strip())


def last_words(process: Process) -> str:
    """How a program that closed its output exited, and the last line on its standard error."""
    code = process.stop()
    lines = clean(process.errors).split("\n")
    said = f" Its last error line: {shorten(lines[-1], 160)}" if lines[-1] else ""
    if code == -SIGKILL:
        return f"it closed its output.{said}"
    how = f"exited with code {code}" if code >= 0 else f"was killed by signal {-code}"
    return f"it {how}.{said}"


def clean(data: bytes) -> str:
    """A program's text without control characters and surrounding space."""
    return data.decode("utf-8", "replace").translate(_CONTROL).strip()


def quote(data: bytes) -> str:
    """The beginning of a program's output, safe to show."""
    return f'"{shorten(" ".join(clean(data).split()), MAX_QUOTE)}"'
