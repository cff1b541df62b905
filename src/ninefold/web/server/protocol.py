"""HTTP and WebSockets as uvicorn reads them, with bounds on what it takes without end."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import (  # type: ignore[attr-defined] # compiled where it can be
    Frame,
    apply_mask,
)
from websockets.http11 import Request
from websockets.protocol import OPEN

from ninefold.web.server.limits import Bucket

MAX_HEAD = 65_536
# How long a request may take to arrive, and a client not to read what it is sent, in seconds.
PATIENCE = 30.0
# Frames of a WebSocket per second that are no messages; a burst is ten times as many.
MAX_FRAMES = 50.0
MAX_UNREAD = 1 << 20
# The extension of a WebSocket's scope: the protocol itself, for its short cuts.
WIRE = "ninefold.wire"
_SWITCHING = 101
# The first byte of the only frame of a text; the second of a client's has this bit, and its size.
_TEXT, _MASKED = 0x81, 0x80
_SHORTEST = 6  # the bytes before a short text: these two, and its mask
_LONGEST = 125  # the bytes of a short text
_REASON = b'{"code": "too-large", "message": "The head of that request is too large."}'
_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n"
    b"content-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(_REASON), _REASON)
)


class _Reader(asyncio.Protocol):
    """A client that must read what it is sent, or the connection is lost."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _unread: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """The client reads too slowly."""
        super().pause_writing()
        # To close it politely would mean to wait until the client reads.
        self._unread = self.loop.call_later(PATIENCE, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read."""
        super().resume_writing()
        self._stop_counting()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._stop_counting()
        super().connection_lost(exc)

    def _stop_counting(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class BoundedProtocol(_Reader, HttpToolsProtocol):
    """A connection is closed if a request does not arrive in time, or its head never ends."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._head = 0  # bytes of a head that has not ended
        self._is_head = True
        self._timer: asyncio.TimerHandle | None = None
        self._running: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected, and shall ask for something."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._stop_waiting()
        super().connection_lost(exc)
        # If there are several requests at once, uvicorn tells only the last one.
        if self._running is not None and not self._running.response_complete:
            self._running.disconnected = True
            self._running.message_event.set()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

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


class BoundedWebSocket(_Reader, WebSocketsSansIOProtocol):
    """A client is sent away if it sends control frames or parts of messages without end.

    Messages have a rate of their own; nothing is read while one waits to be answered. Short
    messages that arrive whole, and texts when there is nothing to wait for, take a short cut.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._frames = Bucket(MAX_FRAMES)
        self._take: Callable[[str], bool] | None = None
        self._is_between = False  # whether the parser waits for a new frame

    def handle_connect(self, event: Request) -> None:
        """Let the application take the short cuts."""
        super().handle_connect(event)
        if self.response.status_code == _SWITCHING:
            self.scope["extensions"][WIRE] = {"wire": self}

    def listen(self, take: Callable[[str], bool]) -> None:
        """Give messages to this function; if it returns False, nothing is read until ``resume``.

        What does not arrive as a short whole message is still to be received.
        """
        self._take = take
        self._is_between = self._parser_is_between_frames()

    def resume(self) -> None:
        """Read again: all messages are answered."""
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()

    def write(self, texts: Sequence[str]) -> bool:
        """Send these together if that need not wait for anything; whether they are sent."""
        if self._unread is not None or self.disconnected or self.conn.state is not OPEN:
            return False
        parts = list[bytes]()
        for text in texts:
            data = text.encode()
            parts += (_head_of(len(data)), data)
        self.transport.write(b"".join(parts))
        return True

    def data_received(self, data: bytes) -> None:
        """Read what has arrived."""
        if self._is_between and (data := self._without_texts(data)) == b"":
            return
        super().data_received(data)
        self._is_between = self._take is not None and self._parser_is_between_frames()

    def _without_texts(self, data: bytes) -> bytes:
        """What is left after the short whole messages at the beginning, which are given away."""
        begin, end = 0, len(data)
        while end - begin >= _SHORTEST and data[begin] == _TEXT and self.conn.state is OPEN:
            text = begin + _SHORTEST
            size = data[begin + 1] - _MASKED
            if not 0 <= size <= _LONGEST or end - text < size:
                break
            try:
                self._give(apply_mask(data[text : text + size], data[text - 4 : text]).decode())
            except UnicodeDecodeError:
                break
            begin = text + size
        return data[begin:]

    def _give(self, text: str) -> None:
        assert self._take is not None
        if not self._take(text) and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _parser_is_between_frames(self) -> bool:
        """Whether the parser waits for any data at all, and not for the rest of a message."""
        waiting: Any = self.conn.parser
        while (inner := waiting.gi_yieldfrom) is not None:
            waiting = inner
        return waiting.__name__ == "at_eof" and not self.frames

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

    def keepalive_timeout(self) -> None:
        """Give up a client that does not answer pings, whether or not it reads."""
        super().keepalive_timeout()
        self.transport.abort()

    def _count(self) -> None:
        # Answers to pings wait in memory until the client reads them.
        if self._frames.take() or self.transport.get_write_buffer_size() > MAX_UNREAD:
            self.transport.abort()


def _head_of(size: int) -> bytes:
    """What begins the only frame of a text with so many bytes."""
    if size < 126:
        return bytes((_TEXT, size))
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big")
    return b"\x81\x7f" + size.to_bytes(8, "big")
