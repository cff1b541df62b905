"""What stands before every request: its host and origin, limits, and safe headers."""

import json
import logging
from ipaddress import IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ninefold.web.server.limits import Addresses, Limits

log = logging.getLogger("ninefold.server")
_SAFE = ("GET", "HEAD", "OPTIONS")
_WITH_BOOKS = ("/api/books", "/api/books/check")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Guard:
    """Refuses requests from other sites and too many of them, and logs what fails."""

    def __init__(self, app: ASGIApp, limits: Limits, addresses: Addresses, url: str | None) -> None:
        self._app = app
        self._limits = limits
        self._addresses = addresses
        self._public = urlsplit(url).netloc if url else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._refuse(scope)
        if scope["type"] == "websocket":
            if refusal is None:
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})
        elif refusal is not None:
            await _answer(send, *refusal)
        else:
            await self._serve(scope, receive, send)

    def _refuse(self, scope: Scope) -> tuple[int, str, str] | None:
        """Why this request is not served: status, code and message; None if it is."""
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_own(host):
            return 421, "wrong-host", "This server does not answer to that name."
        is_unsafe = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if is_unsafe and origin is not None and _split(origin).netloc not in (host, self._public):
            return 403, "wrong-origin", "This request comes from another site."
        if self._addresses.ask(address_of(scope)):
            return 429, "too-many-requests", "Too many requests. Wait a moment."
        return None

    def _is_own(self, host: str) -> bool:
        """Whether no foreign name can lead here: that is how other sites reach a local server."""
        if host == self._public:
            return True
        name = _split(f"//{host}").hostname or ""
        try:
            ip_address(name)
        except ValueError:
            return name == "localhost"
        return True

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        left = self._limits.text if scope["path"] in _WITH_BOOKS else self._limits.body

        async def receive_limited() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise HTTPException(413, "That request is too large.")
            return message

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._app(scope, receive_limited, send_marked)
        except ClientDisconnect:
            pass  # nobody waits for an answer
        except Exception:  # the client has been answered
            log.exception("%s %s failed", scope["method"], scope["path"])


def _split(url: str) -> SplitResult:
    """The parts of an address; nothing if it is none."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def address_of(scope: Scope) -> str:
    """The address of the client; with IPv6, its network, all of which one household has."""
    host: str = (scope.get("client") or ("",))[0]
    if ":" not in host:
        return host
    try:
        address = IPv6Address(host)
    except ValueError:
        return host
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))


async def _answer(send: Send, status: int, code: str, message: str) -> None:
    body = json.dumps({"code": code, "message": message}).encode()
    headers = {**HEADERS, "Content-Type": "application/json", "Content-Length": str(len(body))}
    if status == 429:
        headers["Retry-After"] = "1"
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
