"""A real PostgreSQL server for tests, on loopback and in a temporary folder."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_FOLDERS = ("/usr/lib/postgresql", "/usr/local/lib/postgresql")


def _programs() -> Path | None:
    """The folder of the newest initdb and postgres; None if there is none."""
    found = [path for folder in _FOLDERS for path in Path(folder).glob("*/bin/initdb")]
    on_path = shutil.which("initdb")
    newest = sorted(found, key=lambda path: int(path.parts[-3]))
    return newest[-1].parent if newest else Path(on_path).parent if on_path else None


def _as_postgres() -> list[str]:
    """What comes before a command: PostgreSQL refuses to run as root."""
    return ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []


def skip_unless_installed() -> Path:
    """The folder of the programs; skips the test if PostgreSQL is not installed, fails in CI."""
    programs = _programs()
    if programs is None:
        reason = "PostgreSQL is not installed (Debian: apt install postgresql)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return programs


@contextmanager
def running_postgres() -> Iterator[str]:
    """The URL of a server that runs meanwhile."""
    programs = skip_unless_installed()
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    with tempfile.TemporaryDirectory(prefix="ninefold-postgres-", ignore_cleanup_errors=True) as at:
        folder = Path(at)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        data, port = folder / "data", _free_port()
        setup = [f"{programs}/initdb", "-D", str(data), "-U", user, "--auth=trust", "--no-sync"]
        subprocess.run([*_as_postgres(), *setup], check=True, capture_output=True, cwd=at)
        options = ["-p", str(port), "-h", "127.0.0.1", "-k", at, "-F"]
        log = open(folder / "log", "wb")  # noqa: SIM115 (closed below)
        command = [*_as_postgres(), f"{programs}/postgres", "-D", str(data), *options]
        server = subprocess.Popen(command, cwd=at, stdout=log, stderr=log)
        url = f"postgresql://{user}@127.0.0.1:{port}/postgres"
        try:
            _wait_for(url, server)
            yield url
        finally:
            server.terminate()
            server.wait()
            log.close()


def _wait_for(url: str, server: "subprocess.Popen[bytes]") -> None:
    import psycopg
    from processes import wait_until

    def is_up() -> bool:
        assert server.poll() is None, "PostgreSQL did not start"
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            return False
        return True

    wait_until(is_up)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
