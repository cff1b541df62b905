"""The program, run as a user runs it, with records of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from e2e import starter
from processes import PATIENCE

from ninefold.record.store import Store

COMMAND = [sys.executable, "-m", "ninefold"]


class Ninefold:
    """The program with a data directory of its own."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.games = data / "ninefold" / "games"
        # Neither the colours nor the width of whoever runs the tests.
        ours = ("COLUMNS", "LINES")
        plain = {
            key: value
            for key, value in os.environ.items()
            if "COLOR" not in key and key not in ours
        }
        own = {"XDG_DATA_HOME": str(data), "XDG_CONFIG_HOME": str(data / "config")}
        self.environment = {**plain, **own, "TERM": "xterm"}

    def run(
        self, *arguments: str, typed: str | bytes = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run it in a pipe with this input."""
        data = typed.encode() if isinstance(typed, str) else typed
        everything = {**self.environment, **environment}
        if starter.can_run(data, everything):
            result = starter.run(arguments, data, everything, PATIENCE)
        else:
            result = subprocess.run(
                [*COMMAND, *arguments],
                input=data,
                capture_output=True,
                check=False,
                env=everything,
                timeout=PATIENCE,
            )
        return subprocess.CompletedProcess(
            result.args, result.returncode, result.stdout.decode(), result.stderr.decode()
        )

    def json(self, *arguments: str) -> Any:
        """The data a command prints with --json."""
        return json.loads(self.run(*arguments, "--json").stdout)

    def records(self) -> list[Path]:
        """The record files, the oldest first."""
        return [self.games / f"{name}.ninefold" for name in Store(str(self.games)).names()]
