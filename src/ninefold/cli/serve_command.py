"""``ninefold serve``: games for everyone, or a backup of them."""

import argparse

from ninefold.core.errors import NinefoldError
from ninefold.require import require_package


def run_serve(options: argparse.Namespace) -> None:
    """Serve until Ctrl-C; with ``--backup``, copy the database instead."""
    for package in ("starlette", "uvicorn", "websockets", "httptools", "argon2", "orjson"):
        require_package(package, "serve")
    from ninefold.web.server.limits import Limits
    from ninefold.web.server.run import default_database, serve

    database = options.database or default_database()
    if options.backup is not None:
        _back_up(database, options.backup)
        return
    limits = Limits(requests=options.rate, connections=options.connections)
    serve(options.host, options.port, database, limits, options.url, _say)


def _say(address: str) -> None:
    print(f"Ninefold is at {address} (Ctrl-C stops it).", flush=True)


def _back_up(database: str, target: str) -> None:
    from ninefold.web.server.open_store import is_postgres
    from ninefold.web.server.sqlite import back_up

    if is_postgres(database):
        reason = "--backup copies SQLite databases only."
        raise NinefoldError("usage", reason, "For PostgreSQL, use pg_dump.")
    back_up(database, target)
    print(f"Copied {database} to {target}.")
