"""The tables of the database, and the steps from each older version to the next."""

from ninefold.core.errors import NinefoldError
from ninefold.web.server.database import Connection

# Each entry leads from one version to the next. Only ever append. A ``clustered`` table is kept in
# the order of its primary key, where the database can do that.
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
            PRIMARY KEY (game, seq)){clustered}""",
        "CREATE TABLE tokens (digest TEXT PRIMARY KEY, who TEXT NOT NULL, name TEXT NOT NULL)",
    ),
    (
        # The key is the name without differences that people cannot see.
        """CREATE TABLE accounts (
            who TEXT PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            password TEXT NOT NULL,
            created BIGINT NOT NULL)""",
        """CREATE TABLE sessions (
            digest TEXT PRIMARY KEY,
            who TEXT NOT NULL,
            created BIGINT NOT NULL)""",
        "CREATE INDEX sessions_of_account ON sessions (who, created)",
        "ALTER TABLE tokens ADD COLUMN owner TEXT",
        "ALTER TABLE tokens ADD COLUMN created BIGINT",
        "CREATE INDEX tokens_of_owner ON tokens (owner)",
        "CREATE INDEX tokens_of_bot ON tokens (who)",
    ),
    (
        # Which games a bot plays, in a line, and until when it is ready unless it says so again.
        """CREATE TABLE ready_bots (
            who TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            games TEXT NOT NULL,
            until BIGINT NOT NULL)""",
        "CREATE INDEX ready_bots_until ON ready_bots (until)",
        "CREATE INDEX playing_player1 ON games (who1) WHERE state = 'playing'",
        "CREATE INDEX playing_player2 ON games (who2) WHERE state = 'playing'",
    ),
    (
        # Who won, 0 for a draw; null while nobody knows.
        "ALTER TABLE games ADD COLUMN winner BIGINT",
        "CREATE INDEX unfinished_of_player1 ON games (who1, created)"
        " WHERE state IN ('open', 'playing')",
        "CREATE INDEX unfinished_of_player2 ON games (who2, created)"
        " WHERE state IN ('open', 'playing')",
    ),
    (
        # Of an attempt at a puzzle, only the first answer counts.
        """CREATE TABLE answers (
            who TEXT NOT NULL,
            attempt TEXT NOT NULL,
            at BIGINT NOT NULL,
            line TEXT NOT NULL,
            PRIMARY KEY (who, attempt))""",
        "CREATE INDEX answers_in_order ON answers (who, at)",
    ),
    (
        # The size comes first, so that nobody reads long texts to add sizes up.
        """CREATE TABLE books (
            id TEXT PRIMARY KEY,
            created BIGINT NOT NULL,
            size BIGINT NOT NULL,
            title TEXT NOT NULL,
            text TEXT NOT NULL,
            copy TEXT NOT NULL)""",
        "CREATE INDEX book_sizes ON books (size)",
        # Whose books they are: the same text may have been saved by several people.
        """CREATE TABLE shelves (
            who TEXT NOT NULL,
            book TEXT NOT NULL,
            created BIGINT NOT NULL,
            PRIMARY KEY (who, book))""",
        "CREATE INDEX shelves_of_book ON shelves (book)",
        "ALTER TABLE games RENAME COLUMN copy TO book",
        "ALTER TABLE games ADD COLUMN title TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX games_of_book ON games (book) WHERE book IS NOT NULL",
        """CREATE TABLE audits (
            id TEXT PRIMARY KEY,
            created BIGINT NOT NULL,
            result TEXT NOT NULL)""",
        "CREATE INDEX newest_audits ON audits (created)",
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
                connection.execute(statement.format(clustered=connection.clustered))
        if version < len(MIGRATIONS):
            connection.execute("INSERT INTO version VALUES (?)", (len(MIGRATIONS),))
    except Exception:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
