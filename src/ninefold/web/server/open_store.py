"""Which database a name or a URL means."""

from collections.abc import Callable

from ninefold.core.errors import NinefoldError
from ninefold.require import require_package
from ninefold.web.server.database import Connection
from ninefold.web.server.store import Store

_POSTGRES = ("postgres://", "postgresql://")


def is_postgres(url: str) -> bool:
    """Whether this is the URL of a PostgreSQL database, not the name of a file."""
    return url.startswith(_POSTGRES)


def open_store(url: str, report: Callable[[str], None]) -> Store:
    """The store in this file or at this URL; raises NinefoldError.

    ``report`` is called, in another thread, with whatever some process announces: the game in which
    it has stored events, and the number of the last one, or one of the words of the store. It is
    called with nothing if announcements may have been missed.
    """
    if not is_postgres(url):
        if "://" in url:
            reason = f"Unknown kind of database: {url.partition(':')[0]}."
            advice = "Name a file, or a URL that begins with postgresql://."
            raise NinefoldError("bad-database", reason, advice)
        from ninefold.web.server.sqlite import SqliteConnection

        def tell(_connection: Connection, reports: list[str]) -> None:
            for text in reports:
                report(text)

        return Store(lambda: SqliteConnection(url), tell)
    require_package("psycopg", "postgres")
    from ninefold.web.server.postgres import CHANNEL, Listener, PostgresConnection

    def announce(connection: Connection, reports: list[str]) -> None:
        sql = "SELECT pg_notify(?, report) FROM unnest(CAST(? AS text[])) AS report"
        connection.execute(sql, (CHANNEL, reports))

    store = Store(lambda: PostgresConnection(url), announce)
    store.listener = Listener(url, report)
    return store
