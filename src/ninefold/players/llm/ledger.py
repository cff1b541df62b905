"""What all processes of a tournament spend on language models: a file with a line per answer."""

import json
import os

from ninefold.players import PlayStopped

SPENT = "spent.jsonl"


class Ledger:
    """Sums of a file that others append to as well; raises PlayStopped if it is not there."""

    def __init__(self, path: str) -> None:
        self._path, self._read = path, 0
        self.tokens, self.money = 0, 0.0

    def open(self, tokens: int, money: float) -> None:
        """Create the file, or enter what is missing in it: so much is known to be spent."""
        with open(self._path, "a+b") as file:
            if size := file.seek(0, os.SEEK_END):
                file.seek(size - 1)
                if file.read() != b"\n":
                    file.write(b"\n")  # after a line that was torn by a crash
        self.catch_up()
        if self.tokens < tokens or self.money < money - 1e-9:
            self.add(max(0, tokens - self.tokens), max(0.0, money - self.money))

    def add(self, tokens: int, money: float) -> None:
        """Enter what one answer took; lines of other processes never get into it."""
        line = json.dumps({"tokens": tokens, "money": money}) + "\n"
        try:
            file = os.open(self._path, os.O_WRONLY | os.O_APPEND)
        except OSError:
            raise self._missing() from None
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)

    def catch_up(self) -> None:
        """Count what was entered since the last time."""
        try:
            with open(self._path, "rb") as file:
                file.seek(self._read)
                lines = file.read().splitlines(keepends=True)
        except OSError:
            raise self._missing() from None
        for line in lines:
            if not line.endswith(b"\n"):
                return  # somebody is writing it
            self._read += len(line)
            self._count(line)

    def _count(self, line: bytes) -> None:
        try:
            entry = json.loads(line)
            tokens, money = int(entry["tokens"]), float(entry["money"])
        except (ValueError, KeyError, TypeError):
            return  # torn by a crash
        self.tokens, self.money = self.tokens + tokens, self.money + money

    def _missing(self) -> PlayStopped:
        reason = f"{self._path} is not there: it counts what language models spend."
        advice = "All machines of a cluster must see the folder of the tournament."
        return PlayStopped("no-ledger", reason, advice)
