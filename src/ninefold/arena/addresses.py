"""Addresses of Ray clusters, tried before Ray is: it waits for minutes where nobody answers."""

import os
import re
import socket

from ninefold.core.errors import NinefoldError
from ninefold.core.text import shorten
from ninefold.require import is_installed

LOCAL, AUTO, CLIENT = "local", "auto", "ray://"
USUAL_PORT = 10001
# Seconds until somebody must have answered.
PATIENCE = 5.0
ADVICE = "Use HOST:6379 or ray://HOST:10001, auto for a cluster of this machine, or local."
_HOST = re.compile(r"(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:(?P<port>[0-9]{1,5}))?\Z")
# What a client of HTTP/2 says first, with empty settings; a server answers with its own.
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
_SETTINGS = 4


def check_address(address: str) -> None:
    """Return if a cluster can be reached at this address; raises NinefoldError within seconds."""
    if address == AUTO:
        address = os.environ.get("RAY_ADDRESS", AUTO)
    if address in (LOCAL, AUTO):
        return
    host, port = parse_address(address)
    if address.startswith(CLIENT) and not is_installed("grpc"):
        reason = f"An address with {CLIENT} needs the client of Ray."
        raise NinefoldError("no-client", reason, "Install it with: pip install 'ray[client]'")
    try:
        is_ray = _answers(host, port)
    except OSError as error:
        raise unreachable(address, error.strerror or "nobody answers") from None
    if not is_ray:
        raise unreachable(address, "whoever answers there is not Ray")


def parse_address(address: str) -> tuple[str, int]:
    """The host and the port; raises NinefoldError."""
    found = _HOST.match(address.removeprefix(CLIENT))
    usual = USUAL_PORT if address.startswith(CLIENT) else 0
    port = int(found["port"] or usual) if found else 0
    if not found or not 0 < port < 1 << 16:
        reason = f"{shorten(address, 60)!r} is not the address of a Ray cluster."
        raise NinefoldError("bad-address", reason, ADVICE)
    return found["host"].strip("[]"), port


def unreachable(address: str, why: str) -> NinefoldError:
    """The error for a cluster that is not there."""
    return NinefoldError("no-cluster", f"Cannot reach a Ray cluster at {address}: {why}.", ADVICE)


def _answers(host: str, port: int) -> bool:
    """Whether a server of gRPC is there, which all of Ray's are; raises OSError."""
    with socket.create_connection((host, port), PATIENCE) as line:
        if os.environ.get("RAY_USE_TLS", "0") == "1":
            return True  # it does not talk to strangers
        line.settimeout(PATIENCE)
        line.sendall(_GREETING)
        try:
            return line.recv(9)[3:4] == bytes([_SETTINGS])
        except (TimeoutError, ConnectionError):
            return False
