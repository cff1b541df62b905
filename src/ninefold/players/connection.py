"""A connection over the Go Text Protocol: each command gets one response, or a clear failure."""

import re
from collections.abc import Sequence
from signal import SIGKILL
from time import monotonic
from typing import NamedTuple

from ninefold.core.text import shorten
from ninefold.players import NoMove
from ninefold.players.process import Closed, Flooded, Late, Process

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


class Connection:
    """A running program. Commands carry ids, so that answers cannot be mixed up."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.process = Process(arguments)
        self._number = 0

    def ask(self, command: str, seconds: float) -> Response:
        """Send a command and read its response; raises NoMove.

        After a NoMove the two sides are out of step, and only ``close`` may follow.
        """
        self._number += 1
        if self.process.output.strip():
            raise NoMove("unreadable-answer", f"unexpected output: {quote(self.process.output)}.")
        self.process.send(f"{self._number} {command}\n".encode())
        data = self._read(command, monotonic() + seconds)
        response = parse_response(data)
        if response is None:
            raise NoMove(
                "unreadable-answer", f"{quote(data)} is not a response, which starts with = or ?."
            )
        if response.id != str(self._number):
            wrong = f"{quote(data)} does not repeat the id {self._number} of the command."
            raise NoMove("unreadable-answer", wrong)
        return response

    def close(self, grace: float = 0.0) -> int:
        """Stop the program after so many seconds to exit on its own; its exit code."""
        if grace:
            self.process.close_input()
            self.process.wait_for_end(grace)
        return self.process.stop()

    def _read(self, command: str, deadline: float) -> bytes:
        word = command.split(maxsplit=1)[0]
        try:
            return self.process.read(response_length, deadline)
        except Flooded:
            raise NoMove("unreadable-answer", f"its answer to {word} never ends.") from None
        except Closed:
            raise NoMove("crash", f"on {word}, {last_words(self.process)}") from None
        except Late:
            partial = self.process.output.strip()
            why = f": no empty line after {quote(partial)}" if partial else ""
            raise NoMove("no-answer", f"no complete answer to {word} in time{why}.") from None


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
