"""Rows of ``games.jsonl``: one line of JSON per finished game, appended and never changed.

A process that is killed may leave a torn last line, which is cut before the next row is written.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ninefold.arena.nodes import Edge
from ninefold.core.errors import NinefoldError

GAMES = "games.jsonl"
# A longer line is no game of ours.
MOST_BYTES = 1 << 22


class Heading(NamedTuple):
    """What the row of a game says before its moves; ``text`` is that part of the line."""

    id: str
    text: str


class DamagedResults(NinefoldError):
    """A file of games that cannot have been written by a tournament."""


def heading(pair: str, seat: int, about: str) -> Heading:
    """The heading of a game; ``about`` is what follows its ids, as JSON."""
    name = f"{pair}-{seat}"
    return Heading(name, f'{{"id":"{name}","pair":"{pair}",{about}')


def dumps(value: Any) -> str:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def format_row(
    heading: Heading,
    edges: Sequence[Edge],
    ending: tuple[int | None, str],
    faults: Sequence[dict[str, Any]],
    more: str,
) -> str:
    """A finished game as a line of JSON, assembled from what each edge keeps; ``more`` ends it."""
    winner, reason = ending
    texts: Any = ("",) * 7
    lost = [0, 0]
    if edges:
        _, _, *texts, losses, seats = zip(*edges, strict=True)
        for half_points, seat in zip(losses, seats, strict=True):
            lost[seat - 1] += half_points
    moves, before, after, depth, worst, good, legal = texts
    return (
        f'{heading.text},"moves":"{" ".join(moves)}",'
        f'"winner":{winner or "null"},"reason":"{reason}",'
        f'"before":[{",".join(before)}],"after":[{",".join(after)}],"depth":[{",".join(depth)}],'
        f'"worst":[{",".join(worst)}],"good":[{",".join(good)}],"legal":[{",".join(legal)}],'
        f'"regret":[{lost[0] / 2:g},{lost[1] / 2:g}],'
        f'"faults":{dumps(faults) if faults else "[]"}{more}}}\n'
    )


class Writer:
    """Appends rows, and makes them durable; one process at a time. Raises NinefoldError."""

    def __init__(self, folder: Path) -> None:
        from filelock import FileLock, Timeout

        self.path = folder / GAMES
        self._lock = FileLock(folder / ".lock")
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            reason = f"Another process is playing the tournament in {folder}."
            raise NinefoldError("busy", reason, "Wait until it ends, or stop it.") from None
        try:
            self._file: BinaryIO = open(self.path, "ab")  # noqa: SIM115 - closed by close
            self.torn = self._cut_torn_line()
        except BaseException:
            self._lock.release()
            raise

    def _cut_torn_line(self) -> int:
        """Remove what follows the last end of a line; how many bytes that were."""
        size = self._file.seek(0, os.SEEK_END)
        with open(self.path, "rb") as file:
            at = size
            while at:
                start = max(0, at - (1 << 16))
                file.seek(start)
                found = file.read(at - start).rfind(b"\n")
                if found >= 0:
                    at = start + found + 1
                    break
                at = start
        self._file.truncate(at)
        return size - at

    def write(self, rows: Iterable[str]) -> None:
        """Append these rows; when it returns, they survive a crash."""
        self._file.write("".join(rows).encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let others write."""
        with suppress(OSError):
            self._file.close()
        self._lock.release()

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_rows(folder: Path) -> Iterator[dict[str, Any]]:
    """The rows of a tournament, one by one; a torn last line is left out. Raises DamagedResults."""
    path = folder / GAMES
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(MOST_BYTES), b""), 1):
                if not line.endswith(b"\n") and not file.read(1):
                    return
                yield _parse(path, number, line)
    except FileNotFoundError:
        return


def count_games(folder: Path) -> tuple[int, int]:
    """How many games there are, and how many of them lack the other game of their pair."""
    games, single = 0, set[bytes]()
    with suppress(OSError), open(folder / GAMES, "rb") as file:
        for line in file:
            # The ids come first: a large file is not parsed to be counted.
            found = _ID.match(line)
            if found and line.endswith(b"\n"):
                games += 1
                single ^= {found[1]}
    return games, len(single)


_ID = re.compile(rb'\{"id":"([0-9a-f]+)-[12]"')


def _parse(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
        if isinstance(row, dict) and isinstance(row["id"], str) and isinstance(row["moves"], str):
            return row
    except (ValueError, KeyError, RecursionError):
        pass
    reason = f"Line {number} of {path} is not a game of a tournament."
    raise DamagedResults("damaged", reason, "Restore the file, or start in another folder.")
