"""A talk in the Go Text Protocol: one command out, one response back, or a clear failure."""

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
    """What a program answered: the id of its command, success or failure, and the text behind."""

    id: str
    ok: bool
    text: str

    def __str__(self) -> str:
        return f"{'=' if self.ok else '?'}{self.id} {self.text}".strip()


class Connection:
    """A program that is being spoken to. Commands carry ids, so that answers cannot be mixed up."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.process = Process(arguments)
        self._number = 0

    def ask(self, command: str, seconds: float) -> Response:
        """Send a command and read its response; raises NoMove.

        After a NoMove the two sides are out of step: only ``close`` makes sense then.
        """
        self._number += 1
        if self.process.output.strip():
            raise NoMove(
                "unreadable-answer", f"it wrote without being asked: {quote(self.process.output)}."
            )
        self.process.send(f"{self._number} {command}\n".encode())
        data = self._read(command, monotonic() + seconds)
        response = parse_response(data)
        if response is None:
            raise NoMove("unreadable-answer", f"{quote(data)} is no response (= or ?).")
        if response.id != str(self._number):
            wrong = f"{quote(data)} should carry the id {self._number} of its command."
            raise NoMove("unreadable-answer", wrong)
        return response

    def close(self, grace: float = 0.0) -> int:
        """End the program, after so many seconds to end by itself; its exit code."""
        if grace:
            self.process.close_input()
            self.process.wait_for_end(grace)
        return self.process.stop()

    def _read(self, command: str, deadline: float) -> bytes:
        word = command.split(maxsplit=1)[0]
        try:
            return self.process.read(response_length, deadline)
        except Flooded:
            raise NoMove("unreadable-answer", f"its answer to {word} has no end.") from None
        except Closed:
            raise NoMove("crash", f"at {word} {last_words(self.process)}") from None
        except Late:
            begun = self.process.output.strip()
            why = f": {quote(begun)} is not followed by an empty line" if begun else ""
            raise NoMove("no-answer", f"no complete answer to {word} in time{why}.") from None


def response_length(data: bytes) -> int:
    """How many bytes the response at the start takes; 0 while it is not complete.

    A first line that cannot begin a response is taken alone: nothing is worth waiting for then.
    """
    start = len(data) - len(data.lstrip())
    line = data.find(b"\n", start) + 1
    if line and data[start : start + 1] not in (b"=", b"?"):
        return line
    found = _END.search(data, start)
    return found.end() if found else 0


def parse_response(data: bytes) -> Response | None:
    """The response these bytes hold; None if they hold none."""
    found = _HEAD.match(clean(data))
    if not found:
        return None
    return Response(found[2], found[1] == "=", (found[3] or "").strip())


def last_words(process: Process) -> str:
    """How a program that closed its output ended, and the last line it wrote to standard error."""
    code = process.stop()
    lines = clean(process.errors).split("\n")
    said = f" Its last words: {shorten(lines[-1], 160)}" if lines[-1] else ""
    if code == -SIGKILL:
        return f"it closed its output.{said}"
    how = f"with exit code {code}" if code >= 0 else f"by signal {-code}"
    return f"it ended {how}.{said}"


def clean(data: bytes) -> str:
    """A program's text without control characters, and without space around it."""
    return data.decode("utf-8", "replace").translate(_CONTROL).strip()


def quote(data: bytes) -> str:
    """The beginning of what a program wrote, fit to be shown."""
    return f'"{shorten(" ".join(clean(data).split()), MAX_QUOTE)}"'
