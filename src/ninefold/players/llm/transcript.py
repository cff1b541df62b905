"""Everything that was said to a model and that it said: JSON lines, one file per game."""

import json
import os
import re
from collections.abc import Mapping
from itertools import count
from typing import Any

from ninefold.players import UnknownPlayer

FORMAT = "ninefold-llm-1"
_number = count(1)


class Transcript:
    """Appends to a file, or does nothing without one; raises UnknownPlayer if it cannot."""

    def __init__(self, path: str | None, about: Mapping[str, Any]) -> None:
        self._path = path
        if path is not None:
            try:
                os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
                self.write({"transcript": FORMAT, **about})
            except OSError as error:
                reason = f"Cannot write a transcript: {error.strerror}: {path}"
                raise UnknownPlayer("transcript", reason) from None

    def write(self, entry: Mapping[str, Any]) -> None:
        """Append one line; another thread's or process's line never gets into it."""
        if self._path is None:
            return
        line = json.dumps(entry) + "\n"
        with open(self._path, "ab", buffering=0) as file:
            file.write(line.encode())


def new_path(folder: str | None, game: str, stamp: str) -> str | None:
    """A new file for a game in this folder; None if no transcripts are kept."""
    if folder is None:
        return None
    name = re.sub("[^a-zA-Z0-9-]", "-", game)[:60]
    return os.path.join(folder, f"{stamp}-{os.getpid()}-{next(_number)}-{name}.jsonl")
