"""The Go Text Protocol as it is written: a line becomes a command, an answer becomes a response."""

import re
from typing import NamedTuple

# No command is longer; a line without end must not eat the memory.
MAX_LINE = 1 << 16

_CONTROL = {code: None for code in (*range(32), 127) if code != 9} | {9: " "}
_ID = re.compile(r"[0-9]+\Z")


class Failure(Exception):
    """A command that is answered with ``?`` and this text; nothing has changed."""


class Command(NamedTuple):
    """One command: its id (or nothing), its name, and what stands behind it."""

    id: str
    name: str
    rest: str

    @property
    def words(self) -> list[str]:
        """The arguments, separated by spaces."""
        return self.rest.split()


def parse_command(line: bytes) -> Command | None:
    """The command in a line; None if there is nothing but space and comments.

    A line too long to be a command has the name of none.
    """
    text = line[:MAX_LINE].decode("utf-8", "replace").translate(_CONTROL)
    text = text.partition("#")[0].strip()
    if not text:
        return None
    first, _, rest = text.partition(" ")
    if not _ID.match(first):
        return Command("", "" if len(line) > MAX_LINE else first, rest.strip())
    name, _, rest = rest.strip().partition(" ")
    return Command(first, "" if len(line) > MAX_LINE else name, rest.strip())


def format_response(command: Command, ok: bool, text: str) -> str:
    """The response: a sign, the id, the text, and the empty line that ends it."""
    lines = [line.rstrip() for line in text.split("\n")]
    body = "\n".join(line for line in lines if line)
    return f"{'=' if ok else '?'}{command.id} {body}".rstrip() + "\n\n"
