"""What stands before every request: its host and origin, limits, and safe headers."""

import json
import logging
import re
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ninefold.core.errors import NinefoldError
from ninefold.core.text import shorten
from ninefold.web.server.limits import Addresses, Limits

log = logging.getLogger("ninefold.server")
# How uvloop says that the client has disconnected; it has no exception of its own for that.
_GONE = "the handler is closed"
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


# For a year, browsers that have been here over TLS come over TLS only.
_ONLY_SECURE = {"Strict-Transport-Security": "max-age=31536000"}
_PORTS = {"http": 80, "https": 443}
_DOMAIN = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?")


def origin_of(url: str) -> str:
    """The public address of a server as browsers write it; raises NinefoldError."""
    try:
        parts = urlsplit(url)
        host, port = _host_of(parts.hostname or ""), parts.port
        is_right = parts.scheme in _PORTS and port != 0 and parts.path in ("", "/")
        if not is_right or "@" in parts.netloc or re.search("[?#]", url):
            raise ValueError
    except ValueError:
        reason = f"{shorten(url, 60)!r} is not the public address of a server."
        advice = "Write --url as https://games.example, with a port if needed, and without a path."
        raise NinefoldError("bad-url", reason, advice) from None
    shown = "" if port in (None, _PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{shown}"


def _host_of(name: str) -> str:
    """A host as it is in addresses; raises ValueError."""
    if ":" in name:
        return f"[{IPv6Address(name)}]"
    found = name.encode("idna").decode().lower()
    if not _DOMAIN.fullmatch(found):
        raise ValueError
    return found


class Guard:
    """Refuses requests from other sites and too many of them, and logs what fails."""

    def __init__(self, app: ASGIApp, limits: Limits, addresses: Addresses, public: str) -> None:
        self._app = app
        self._limits = limits
        self._addresses = addresses
        self._public = public  # the origin that browsers know, if a proxy stands in front
        self._hosts = _hosts_of(public)
        is_secure = public.startswith("https:")
        self._headers = {**HEADERS, **(_ONLY_SECURE if is_secure else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if (refusal := self._refuse(scope)) is not None:
            await refuse(scope, send, *refusal, self._headers)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._serve(scope, receive, send)

    def _refuse(self, scope: Scope) -> tuple[int, str, str] | None:
        """Why this request is not served: status, code and message; None if it is."""
        headers = Headers(scope=scope)
        host, origin = headers.get("host", "").lower(), headers.get("origin")
        if not self._is_own(host):
            return 421, "wrong-host", "This server does not answer to that name."
        is_unsafe = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if is_unsafe and origin is not None and origin not in self._origins(host):
            return 403, "wrong-origin", "This request comes from another site."
        if self._addresses.ask(address_of(scope)):
            return 429, "too-many-requests", "Too many requests. Wait a moment."
        return None

    def _is_own(self, host: str) -> bool:
        """Whether no foreign name can lead here: that is how other sites reach a local server."""
        if host in self._hosts:
            return True
        name = _split(f"//{host}").hostname or ""
        try:
            ip_address(name)
        except ValueError:
            return name == "localhost"
        return True

    def _origins(self, host: str) -> tuple[str, ...]:
        """The sites that may send requests to this host: only that of the host itself."""
        if host in self._hosts:
            return (self._public,)
        return f"http://{host}", f"https://{host}", self._public

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
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            try:
                await send(message)
            except RuntimeError as error:
                if _GONE not in str(error):
                    raise
                raise ClientDisconnect from None

        try:
            await self._app(scope, receive_limited, send_marked)
        except ClientDisconnect:
            pass  # nobody waits for an answer
        except Exception:  # the client has been answered
            log.exception("%s %r failed", scope["method"], scope["path"])


def _hosts_of(origin: str) -> tuple[str, ...]:
    """How requests may name the host of this origin."""
    if not origin:
        return ()
    parts = urlsplit(origin)
    return parts.netloc, f"{parts.netloc}:{parts.port or _PORTS[parts.scheme]}"


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


async def refuse(
    scope: Scope,
    send: Send,
    status: int,
    code: str,
    message: str,
    headers: Mapping[str, str] = HEADERS,
) -> None:
    """Answer a request, or a WebSocket that is not accepted, with an error."""
    body = json.dumps({"code": code, "message": message}).encode()
    content = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    headers = {**headers, **content, **retry_after(status)}
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    await send({"type": f"{kind}.start", "status": status, "headers": raw})
    await send({"type": f"{kind}.body", "body": body})


def retry_after(status: int, seconds: int = 1) -> dict[str, str]:
    """The header that says when to ask again, if this status means that it may help."""
    return {"Retry-After": str(seconds)} if status in (429, 503) else {}
