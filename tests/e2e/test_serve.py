"""``ninefold serve`` as users run it: it says where it is, stops cleanly, and makes backups."""

import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from processes import PATIENCE, wait_until

COMMAND = [sys.executable, "-m", "ninefold", "serve", "--database"]


def answers(address: str) -> bool:
    """Whether the server is there and well."""
    try:
        with urlopen(f"{address}health", timeout=PATIENCE) as answer:
            return bool(answer.read() == b"ok\n")
    except OSError:
        return False


@pytest.mark.parametrize(("signal_number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -15)])
def test_it_serves_until_a_signal(tmp_path: Path, signal_number: int, code: int) -> None:
    """Meanwhile nobody else can use its file, but make a backup; afterwards the file is whole."""
    path, copy = tmp_path / "games.sqlite", tmp_path / "copy.sqlite"
    command = [*COMMAND, str(path), "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdout is not None
    line = server.stdout.readline()
    found = re.fullmatch(r"Ninefold is at (http://127\.0\.0\.1:\d+/) \(Ctrl-C stops it\)\.\n", line)
    assert found is not None, line
    wait_until(lambda: answers(found[1]))
    second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert second.returncode == 2
    assert f"Another server uses {path}." in second.stderr
    backup = [*COMMAND, str(path), "--backup", str(copy)]
    made = subprocess.run(backup, capture_output=True, text=True, check=False)
    assert (made.returncode, made.stdout) == (0, f"Copied {path} to {copy}.\n")
    again = subprocess.run(backup, capture_output=True, text=True, check=False)
    assert again.returncode == 2 and "already exists" in again.stderr
    server.send_signal(signal_number)
    _, errors = server.communicate(timeout=PATIENCE)
    assert (server.returncode, errors) == (code, "")
    assert not path.with_name("games.sqlite-wal").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mysql://x/y"], "Unknown kind of database: mysql."),
        (["postgresql://x/y", "--backup", "copy"], "For PostgreSQL, use pg_dump."),
        (["games.sqlite", "--port", "0", "--url", "games.example"], "'games.example' is not the"),
        (["games.sqlite", "--host", "203.0.113.1"], "Cannot listen at 203.0.113.1, port 8000"),
    ],
)
def test_what_cannot_be_served_is_explained(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    """In one line, with exit code 2."""
    result = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert result.returncode == 2 and message in result.stderr
    assert result.stderr.count("\n") == 1
