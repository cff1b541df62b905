"""The bot on a server: its token, kept in a file that only its owner reads, and its requests."""

import asyncio
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from ninefold.core.errors import NinefoldError
from ninefold.core.text import NamedTuple, shorten

TOKEN = "NINEFOLD_TOKEN"
_SECONDS = 30.0
_MAX_ANSWER = 8 << 20


class Account(NamedTuple):
    """A bot on the server at this address."""

    url: str
    token: str

    @property
    def socket(self) -> str:
        """The address of the WebSocket."""
        return f"{self.url.replace('http', 'ws', 1)}/ws"

    @property
    def headers(self) -> dict[str, str]:
        """What proves who asks."""
        return {"Authorization": f"Bearer {self.token}"}

    async def ask(self, path: str) -> Any:
        """The JSON at this path; raises NinefoldError."""
        return await asyncio.to_thread(_ask, self.url + path, self.headers)


def open_account(url: str, file: str | None, name: str) -> Account:
    """The bot whose token is in the environment or in a file; raises NinefoldError.

    If there is no such file, a new bot with this name is made, and its token is written there.
    """
    url = _checked(url)
    # Programs that are started later shall not find it.
    if token := os.environ.pop(TOKEN, "").strip():
        return Account(url, token)
    if file is None:
        advice = f"Set {TOKEN}, or name a file with --token-file."
        raise NinefoldError("no-token", "A bot needs a token.", advice)
    with suppress(FileNotFoundError):
        return Account(url, _read(file))
    return Account(url, _make(url, file, name))


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
        is_right = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_right = False
    if not is_right:
        reason = f"{shorten(url, 60)!r} is not the address of a server."
        raise NinefoldError("bad-server", reason, "Write it as http://127.0.0.1:8000/.")
    return url.rstrip("/")


def _read(file: str) -> str:
    try:
        with open(file, encoding="utf-8") as opened:
            token = opened.read(1_000).strip()
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise NinefoldError("no-token", f"Cannot read {file}: {reason}.") from None
    if not token.isascii() or not token.isprintable() or not token or " " in token:
        raise NinefoldError("no-token", f"There is no token in {file}.", "Name another file.")
    return token


def _make(url: str, file: str, name: str) -> str:
    """The token of a new bot, in a new file that only we can read."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise NinefoldError("no-token", f"Cannot write {file}: {error.strerror}.") from None
    try:
        token = str(_ask(f"{url}/api/tokens", {}, {"name": name})["token"])
        os.write(descriptor, f"{token}\n".encode())
    except BaseException:
        os.unlink(file)
        raise
    finally:
        os.close(descriptor)
    return token


def _ask(url: str, headers: Mapping[str, str], body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"Content-Type": "application/json"})
    for name, value in headers.items():
        request.add_unredirected_header(name, value)
    try:
        with urlopen(request, timeout=_SECONDS) as answer:
            return json.loads(answer.read(_MAX_ANSWER))
    except HTTPError as error:
        raise _refusal(error.code, error.read(_MAX_ANSWER)) from None
    except (OSError, URLError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise NinefoldError("no-server", f"{url} does not answer: {reason}.") from None


def _refusal(status: int, body: bytes) -> NinefoldError:
    """What the server says is wrong."""
    try:
        found = json.loads(body)
        return NinefoldError(str(found["code"]), shorten(str(found["message"]), 300))
    except (ValueError, KeyError, TypeError, RecursionError):
        return NinefoldError("no-server", f"The server answered with status {status}.")
