"""The database in one file: SQLite, for one server process."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import suppress

from filelock import FileLock, Timeout

from ninefold.core.errors import NinefoldError
from ninefold.web.server.database import Cursor, StoreDown
from ninefold.web.server.migrations import migrate

# The key that signs cookies is in the database: only its owner may read it.
_PRIVATE = 0o600
# Prepared statements that are kept: groups of moves come in many sizes.
_STATEMENTS = 300


class SqliteConnection:
    """The only connection to the file; raises NinefoldError if another process has it."""

    clustered = " WITHOUT ROWID"
    was_alone = True
    is_first_beat = True

    def __init__(self, path: str) -> None:
        os.makedirs(os.path.dirname(os.path.abspath(path)), mode=0o700, exist_ok=True)
        # Older versions of SQLite can damage a file that several connections write to.
        self._lock = FileLock(f"{path}.lock", thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            reason = f"Another server uses {path}."
            raise NinefoldError("database-busy", reason, "Stop it, or name another file.") from None
        try:
            self._connection = _open(path)
        except sqlite3.Error as error:
            self._lock.release()
            raise _bad(path, error) from None
        try:
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=FULL")
            migrate(self)
        except (sqlite3.Error, NinefoldError) as error:
            self.close()
            raise error if isinstance(error, NinefoldError) else _bad(path, error) from None

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> Cursor:
        """Run one statement; raises StoreDown if the file cannot be read or written."""
        try:
            return self._connection.execute(sql, parameters)
        except sqlite3.OperationalError as error:
            raise StoreDown(str(error)) from None

    def close(self) -> None:
        """Close the file, and let another process use it."""
        self._connection.close()
        self._lock.release()


def back_up(path: str, target: str) -> None:
    """Copy the database as it is now, while a server uses it or not; raises NinefoldError."""
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL, _PRIVATE))
    except FileExistsError:
        raise NinefoldError(
            "file-exists", f"{target} already exists.", "Name a new file."
        ) from None
    except OSError as error:
        raise NinefoldError("no-backup", f"Cannot write {target}: {error.strerror}.") from None
    try:
        # A connection that cannot write cannot disturb the one that does.
        source = sqlite3.connect(f"file:{_quote(path)}?mode=ro", uri=True)
        copy = sqlite3.connect(target)
        try:
            source.backup(copy)
        finally:
            copy.close()
            source.close()
    except sqlite3.Error as error:
        os.unlink(target)
        reason = f"Cannot back up {path} to {target}: {error}."
        raise NinefoldError("no-backup", reason) from None


def _open(path: str) -> sqlite3.Connection:
    with suppress(OSError):  # SQLite says what is wrong; its other files get the same mode
        os.close(os.open(path, os.O_CREAT, _PRIVATE))
    return sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=_STATEMENTS
    )


def _bad(path: str, error: sqlite3.Error) -> NinefoldError:
    return NinefoldError("bad-database", f"Cannot use {path}: {error}.")


def _quote(path: str) -> str:
    from urllib.parse import quote

    return quote(os.path.abspath(path))
