"""The database on a PostgreSQL server, which several server processes share."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import psycopg

from ninefold.web.server.database import Cursor, StoreDown
from ninefold.web.server.migrations import migrate

CHANNEL = "ninefold_events"
# The locks of this program among those of the database: who migrates, and who serves.
_MIGRATING, _SERVING = 9_015_001, 9_015_002
_RETRY_SECONDS = 0.5


class PostgresConnection:
    """A connection of one server process; raises StoreDown if there is no database."""

    clustered = ""

    def __init__(self, url: str) -> None:
        self._connection = _connect(url)
        try:
            # Two processes may start at the same time.
            self.execute("SELECT pg_advisory_lock(?)", (_MIGRATING,))
            migrate(self)
            self.execute("SELECT pg_advisory_unlock(?)", (_MIGRATING,))
            self.was_alone = self.is_first_beat = self._begin_to_serve()
        except Exception:
            self._connection.close()  # and with it the lock
            raise

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> Cursor:
        """Run one statement; raises StoreDown if the server is gone."""
        try:
            return self._connection.execute(_own_marks(sql), parameters)
        except psycopg.OperationalError as error:
            raise StoreDown(_in_a_line(error)) from None

    def _begin_to_serve(self) -> bool:
        """Whether no other process serves; from now on this one does."""
        found = self.execute("SELECT pg_try_advisory_lock(?)", (_SERVING,)).fetchone()[0]
        self.execute("SELECT pg_advisory_lock_shared(?)", (_SERVING,))
        if found:
            self.execute("SELECT pg_advisory_unlock(?)", (_SERVING,))
        return bool(found)

    def close(self) -> None:
        """Leave the database; from now on, this process does not serve."""
        # The database would notice a little later, when it ends the session.
        with suppress(psycopg.Error):
            self._connection.execute("SELECT pg_advisory_unlock_all()")
        self._connection.close()


class Listener:
    """A thread that reports every event another process has stored: its game and number."""

    def __init__(self, url: str, report: Callable[[str], None]) -> None:
        self._url = url
        self._report = report
        self._stop = threading.Event()
        self._connection = _listen(url)
        self._thread = threading.Thread(target=self._serve, name="listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._stop.set()
        self._thread.join()

    def _serve(self) -> None:
        while not self._stop.is_set():
            try:
                for found in self._connection.notifies(timeout=0.2):
                    self._report(found.payload)
            except psycopg.Error:
                self._reconnect()
        self._connection.close()

    def _reconnect(self) -> None:
        """Listen again; an empty report says that some events may have been missed."""
        self._connection.close()
        while not self._stop.wait(_RETRY_SECONDS):
            try:
                self._connection = _listen(self._url)
            except StoreDown:
                continue
            self._report("")
            return


def _connect(url: str) -> "psycopg.Connection[Any]":
    try:
        return psycopg.connect(url, autocommit=True, prepare_threshold=2, connect_timeout=10)
    except psycopg.Error as error:
        raise StoreDown(_in_a_line(error)) from None


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).split()).removesuffix(".")


def _listen(url: str) -> "psycopg.Connection[Any]":
    connection = _connect(url)
    try:
        connection.execute(f"LISTEN {CHANNEL}")
    except psycopg.Error as error:
        connection.close()
        raise StoreDown(_in_a_line(error)) from None
    return connection


@cache
def _own_marks(sql: str) -> Any:
    return sql.replace("?", "%s")
