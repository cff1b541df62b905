"""Starts the server, says where it is, and stops it gracefully."""

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
    server.run(sockets=[listener])


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
