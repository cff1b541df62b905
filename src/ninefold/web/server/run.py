"""Starts the server, says where it is, and stops it gracefully."""

import gc
import logging
import os
import socket
import sys
from collections.abc import Callable
from functools import partial

import uvicorn

from ninefold.core.errors import NinefoldError
from ninefold.web.server.app import Server
from ninefold.web.server.limits import Limits
from ninefold.web.server.open_store import open_store
from ninefold.web.server.protocol import BoundedProtocol, BoundedWebSocket

# How long open requests may take after the signal to stop, in seconds.
_GRACE = 5
# How long a thread may keep others waiting for the interpreter, in seconds.
_SWITCH = 0.0005
# What uvicorn logs about each request that nobody can read, and each WebSocket that is refused.
_ABOUT_CLIENTS = (
    "Invalid HTTP request received.",
    "ASGI callable returned without completing handshake.",
)
# After how many new objects the garbage collector looks at the young, the older and all of them.
_THRESHOLDS = (20_000, 20, 20)


def default_database() -> str:
    """The file in the user's data folder."""
    from platformdirs import user_data_dir

    return os.path.join(user_data_dir("ninefold", appauthor=False), "server", "games.sqlite")


def serve(
    host: str,
    port: int,
    database: str,
    limits: Limits,
    url: str | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Serve until a signal; ``say`` is told the address. Raises NinefoldError."""
    listener = listen(host, port)
    server = build(database, limits, url)
    shown = f"[{host}]" if ":" in host else host
    say(url or f"http://{shown}:{listener.getsockname()[1]}/")
    # The thread of the database needs the interpreter only for moments, but then at once.
    sys.setswitchinterval(_SWITCH)
    _collect_seldom()
    server.run(sockets=[listener])


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a line of the log is about the server: what clients do wrong could fill the disk."""
    return record.getMessage() not in _ABOUT_CLIENTS


def _collect_seldom() -> None:
    """Garbage is mostly freed without the collector; it need not look at what is never freed."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)


def build(database: str, limits: Limits, url: str | None = None) -> uvicorn.Server:
    """The server of this database, not yet started; raises NinefoldError."""
    server = Server(partial(open_store, database), limits, url)
    config = uvicorn.Config(
        server.app,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        http=BoundedProtocol,
        ws=BoundedWebSocket,
        ws_max_size=limits.message,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=_GRACE,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_ours)
    return uvicorn.Server(config)


def listen(host: str, port: int) -> socket.socket:
    """A socket that clients can connect to at once; raises NinefoldError."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen()  # whoever connects before everything has started waits for it
    except OSError as error:
        reason = f"Cannot listen at {host}, port {port}: {error.strerror}."
        raise NinefoldError("no-address", reason, "Choose another --host or --port.") from None
    return made
