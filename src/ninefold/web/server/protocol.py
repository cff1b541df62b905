"""HTTP and WebSockets as uvicorn reads them, with bounds on what it takes without end."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from ninefold.web.server.limits import Bucket

MAX_HEAD = 65_536
# How long a request may take to arrive, in seconds.
PATIENCE = 30.0
# Frames of a WebSocket per second that are no messages; a burst is ten times as many.
MAX_FRAMES = 50.0
MAX_UNREAD = 1 << 20
_REASON = b'{"code": "too-large", "message": "The head of that request is too large."}'
_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n"
    b"content-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(_REASON), _REASON)
)


class BoundedProtocol(HttpToolsProtocol):
    """A connection is closed if a request does not arrive in time, or its head never ends."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._head = 0  # bytes of a head that has not ended
        self._is_head = True
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected, and shall ask for something."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what has arrived."""
        if self._timer is None:
            self._wait()
        if self._is_head:
            self._head += len(data)
        super().data_received(data)
        if self._is_head and self._head > MAX_HEAD:
            self.transport.write(_TOO_LARGE)
            self.transport.close()

    def on_headers_complete(self) -> None:
        """The head of a request is here."""
        self._is_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The whole request is here."""
        self._is_head, self._head = True, 0
        self._stop_waiting()
        super().on_message_complete()

    def _wait(self) -> None:
        self._timer = self.loop.call_later(PATIENCE, self._give_up)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """A client is sent away if it sends control frames or parts of messages without end.

    Messages have a rate of their own; nothing is read while one waits to be answered.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._frames = Bucket(MAX_FRAMES)

    def handle_ping(self) -> None:
        """Answer a ping."""
        super().handle_ping()
        self._count()

    def handle_pong(self, event: Frame) -> None:
        """Take note of a pong."""
        super().handle_pong(event)
        self._count()

    def handle_cont(self, event: Frame) -> None:
        """Take the next part of a message."""
        super().handle_cont(event)
        self._count()

    def _count(self) -> None:
        # Answers to pings wait in memory until the client reads them.
        if self._frames.take() or self.transport.get_write_buffer_size() > MAX_UNREAD:
            self.transport.abort()
