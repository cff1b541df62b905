"""A real server on loopback in a thread of its own, and clients that talk to it."""

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from processes import PATIENCE, wait_until
from unit.web.server.conforming import check_answer
from websockets.sync.client import ClientConnection, connect

from ninefold.web.server.limits import Limits
from ninefold.web.server.run import build, listen

JSON = {"Content-Type": "application/json"}
PLENTY = 10_000


class Reply(NamedTuple):
    """What the server answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The answer as JSON."""
        return json.loads(self.body)


class Client:
    """A browser or a bot: keeps its cookie, and finds every answer in the document."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = ""
        self.headers: dict[str, str] = {}

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Reply:
        """The answer to a request."""
        given = {**JSON, **self.headers, **headers}
        if self.cookie:
            given["Cookie"] = self.cookie
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, given)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            if "set-cookie" in found:
                self.cookie = found["set-cookie"].partition(";")[0]
            reply = Reply(answer.status, found, answer.read())
            check_answer(method, path, reply.status, found.get("content-type", ""), reply.body)
            return reply
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """The JSON at this address."""
        return self.ask("GET", path).json

    def post(self, path: str, **data: object) -> Any:
        """The JSON in answer to this."""
        return self.ask("POST", path, json.dumps(data).encode()).json

    def open(self, **headers: str) -> ClientConnection:
        """A WebSocket."""
        given = {**self.headers, **headers}
        if self.cookie:
            given["Cookie"] = self.cookie
        url = f"ws://127.0.0.1:{self.port}/ws"
        return connect(url, additional_headers=given, open_timeout=PATIENCE)


def send(socket: ClientConnection, **message: object) -> None:
    """Send a message."""
    socket.send(json.dumps(message))


def receive(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of this type."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
        if message["type"] == kind:
            return message


@contextmanager
def live(
    database: str, limits: Limits | None = None, url: str | None = None, port: int = 0
) -> Iterator[int]:
    """The port of a server that runs meanwhile."""
    listener = listen("127.0.0.1", port)
    plenty = Limits(requests=PLENTY, challenges=PLENTY, new_bots=PLENTY)
    server = build(database, limits or plenty, url)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        wait_until(lambda: server.started)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
