"""What is wrong below HTTP: heads without an end, requests that never arrive, early leavers."""

import logging
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from processes import PATIENCE, wait_until
from unit.web.server.live import Client, live, receive, send

from ninefold.web.server import protocol

pytestmark = pytest.mark.slow
HOST = b"Host: localhost\r\n"


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """The port of a server with an empty database."""
    with live(str(tmp_path / "games.sqlite")) as found:
        yield found


def answer_to(port: int, *parts: bytes) -> bytes:
    """Everything that the server answers to this until it closes the connection."""
    found = b""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        try:
            for part in parts:
                client.sendall(part)
            while chunk := client.recv(65_536):
                found += chunk
        except (ConnectionResetError, BrokenPipeError):
            pass
    return found


@pytest.mark.parametrize(
    "endless", [b"x" * 1_000, b"X-Many: y\r\n" * 100], ids=["one line", "many lines"]
)
def test_a_head_without_an_end_is_refused(port: int, endless: bytes) -> None:
    """Before it fills the memory, whether it is one line or many."""
    start = b"GET /health HTTP/1.1\r\n" + HOST
    found = answer_to(port, start, *[endless] * 1_000)
    assert found.startswith(b"HTTP/1.1 431 ") or not found  # reset while we were still writing
    found = answer_to(port, start + endless * (protocol.MAX_HEAD // len(endless) + 1))
    assert found.startswith(b"HTTP/1.1 431 ") and b'"too-large"' in found


@pytest.mark.parametrize(
    "part",
    [
        b"",
        b"GET /hea",
        b"GET /health HTTP/1.1\r\nHos",
        b"POST /api/me HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
        b'Content-Length: 99\r\n\r\n{"na',
        b"GET /health HTTP/1.1\r\n" + HOST + b"\r\nGET /hea",
    ],
    ids=["nothing", "a path", "a head", "a body", "a second request"],
)
def test_a_request_that_never_arrives_is_given_up(
    port: int, part: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The connection is closed after a while, and nobody calls that a failure of the server."""
    monkeypatch.setattr(protocol, "PATIENCE", 0.2)
    found = answer_to(port, part)
    assert found.startswith(b"HTTP/1.1 200") if part.count(b"GET") == 2 else not found
    assert Client(port).ask("GET", "/health").status == 200
    assert not [one for one in caplog.records if one.levelno >= logging.ERROR]


def test_a_client_that_leaves_while_it_asks_is_no_failure(
    port: int, caplog: pytest.LogCaptureFixture
) -> None:
    """It is not logged, so that nobody can fill the log."""
    head = b"POST /api/me HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        client.sendall(head + b"Content-Length: 99\r\n\r\n{")
    wait_until(lambda: Client(port).ask("GET", "/health").status == 200)
    assert not [one for one in caplog.records if one.levelno >= logging.ERROR]


@pytest.mark.parametrize("path", ["/health", "/api/openapi.json", "/api/books"])
def test_a_client_that_asks_several_things_at_once_and_leaves_is_no_failure(
    port: int, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whichever of its requests is being answered then."""
    asked = f"GET {path} HTTP/1.1\r\n".encode() + HOST + b"\r\n"
    for count in (2, 5, 50):
        for is_reset in (0, 1):
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
                linger = struct.pack("ii", is_reset, 0)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                client.sendall(asked * count)
    wait_until(lambda: Client(port).ask("GET", "/health").status == 200)
    assert not [one for one in caplog.records if one.levelno >= logging.ERROR]


def test_a_long_request_is_served(port: int) -> None:
    """Bounds are on what has not arrived: a connection that asks again and again goes on."""
    one = b"GET /health HTTP/1.1\r\n" + HOST + b"X-Long: " + b"x" * 8_000 + b"\r\n\r\n"
    last = b"GET /health HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
    assert answer_to(port, *[one] * 20, last).count(b"200 OK") == 21


def test_a_websocket_goes_on(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds on requests do not end it, however long it is open."""
    monkeypatch.setattr(protocol, "PATIENCE", 0.05)
    with Client(port).open() as one:
        time.sleep(0.3)  # much longer than a request may take
        send(one, type="ping")
        assert receive(one, "pong")["type"] == "pong"


PING = b'{"type":"ping","key":"\xc3\xa4"}'
KEY = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
OPENING = b"GET /ws HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n" + KEY


def frame(data: bytes, first: int = 0x81) -> bytes:
    """A frame of a client, masked."""
    mask = b"\x01\x02\x03\x04"
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
    return bytes((first, 0x80 | len(data))) + mask + masked


@pytest.mark.parametrize(
    "parts",
    [
        [frame(PING)],
        [frame(PING)[:1], frame(PING)[1:]],
        [frame(PING)[:9], frame(PING)[9:]],
        [frame(PING[:5], 0x01), frame(PING[5:], 0x80)],
        [frame(PING[:5], 0x01), frame(b"", 0x89), frame(PING[5:], 0x80)],
        [frame(b"", 0x01), frame(PING, 0x80)],
        [frame(b"", 0x89) + frame(PING)],
        [frame(PING) + frame(PING)[:3], frame(PING)[3:]],
        [frame(PING) * 3 + frame(b"", 0x89) + frame(PING)],
    ],
    ids=[
        "whole",
        "head",
        "body",
        "parts",
        "ping between",
        "empty part",
        "after a ping",
        "two",
        "many",
    ],
)
def test_a_message_is_read_however_it_arrives(port: int, parts: list[bytes]) -> None:
    """In one piece or several, alone or with others; and so is the next one."""
    text, count = b"", b"".join(parts).count(frame(PING)) + 1
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.sendall(OPENING)
        while b"\r\n\r\n" not in text:
            text += client.recv(4096)
        for part in parts:
            client.sendall(part)
            time.sleep(0.02)  # so that it usually arrives alone
        client.sendall(frame(PING))
        while text.count(b'"pong"') < max(count, 2):
            chunk = client.recv(4096)
            assert chunk, text
            text += chunk
    assert text.count(b'"key":"\xc3\xa4"') == max(count, 2)


@pytest.mark.parametrize(
    "begin",
    [frame(b'{"type"', 0x01), b"\x81\xfe" + len(frame(PING)).to_bytes(2, "big") + bytes(4)],
    ids=["part", "long"],
)
def test_what_looks_like_a_message_inside_another_is_none(port: int, begin: bytes) -> None:
    """Neither between two parts of a message nor within a long one."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        client.sendall(OPENING)
        assert client.recv(4096).startswith(b"HTTP/1.1 101")
        client.sendall(begin)
        time.sleep(0.05)  # so that it usually arrives alone
        client.sendall(frame(PING))
        found = b""
        while chunk := client.recv(4096):
            found += chunk
    assert found[0] == 0x88 and b"pong" not in found


def test_what_is_not_text_ends_the_connection(port: int) -> None:
    """Bytes that are not UTF-8 are no message."""
    assert b"\x88" in answer_to(port, OPENING, frame(b'{"\xff"}'))
    assert Client(port).ask("GET", "/health").status == 200


@pytest.mark.parametrize(
    "frame", [b"\x89\xfd", b"\x8a\xfd", b"\x01\xfd"], ids=["ping", "pong", "part"]
)
def test_a_flood_of_frames_ends_the_connection(port: int, frame: bytes) -> None:
    """Whoever sends pings, pongs or parts of a message without end is sent away."""
    start = OPENING
    flood = (frame + bytes(4) + bytes(125)) * 100
    if frame[0] == 1:  # a message that begins, followed by empty parts
        flood = b"\x00\x80\x00\x00\x00\x00" * 1_000
        start += frame + bytes(4) + bytes(125)
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
        client.sendall(start)
        assert client.recv(12) == b"HTTP/1.1 101"
        with suppress(ConnectionResetError, BrokenPipeError):
            while True:
                client.sendall(flood)
    assert Client(port).ask("GET", "/health").status == 200
