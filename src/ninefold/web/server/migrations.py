"""The tables of the database, and the steps from each older version to the next."""

from ninefold.core.errors import NinefoldError
from ninefold.web.server.database import Connection

# Each entry leads from one version to the next. Only ever append.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        # When somebody served last, and how long nobody has served in all, in milliseconds.
        "CREATE TABLE clock (beat BIGINT NOT NULL, idle BIGINT NOT NULL)",
        "INSERT INTO clock VALUES (0, 0)",
        "CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        """CREATE TABLE games (
            id TEXT PRIMARY KEY,
            created BIGINT NOT NULL,
            state TEXT NOT NULL,
            listed BOOLEAN NOT NULL,
            who1 TEXT,
            who2 TEXT,
            settings TEXT NOT NULL,
            copy TEXT,
            wins BIGINT,
            winners TEXT NOT NULL,
            wake BIGINT)""",
        "CREATE INDEX open_games ON games (created) WHERE state = 'open' AND listed",
        "CREATE INDEX games_of_player1 ON games (who1, created)",
        "CREATE INDEX games_of_player2 ON games (who2, created)",
        "CREATE INDEX wakes ON games (wake) WHERE wake IS NOT NULL",
        """CREATE TABLE events (
            game TEXT NOT NULL,
            seq BIGINT NOT NULL,
            at BIGINT NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL,
            key TEXT,
            PRIMARY KEY (game, seq))""",
        "CREATE UNIQUE INDEX event_keys ON events (game, key) WHERE key IS NOT NULL",
        "CREATE TABLE tokens (digest TEXT PRIMARY KEY, who TEXT NOT NULL, name TEXT NOT NULL)",
    ),
)


def migrate(connection: Connection) -> None:
    """Bring the tables up to date, all or nothing; raises NinefoldError if they are too new."""
    connection.execute("BEGIN")
    try:
        connection.execute("CREATE TABLE IF NOT EXISTS version (number BIGINT NOT NULL)")
        row = connection.execute("SELECT max(number) FROM version").fetchone()
        version = row[0] or 0
        if version > len(MIGRATIONS):
            raise NinefoldError(
                "newer-database",
                f"The database has version {version}, but this Ninefold knows {len(MIGRATIONS)}.",
                "Install the newer Ninefold that wrote it.",
            )
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        if version < len(MIGRATIONS):
            connection.execute("INSERT INTO version VALUES (?)", (len(MIGRATIONS),))
    except Exception:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
