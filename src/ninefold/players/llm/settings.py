"""Where language models are reached and what they may cost, from the environment.

The key is kept in an object that shows nothing of it, and that takes it out of any text.
"""

import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ninefold.players import UnknownPlayer
from ninefold.players.llm.options import Prices, read_prices

PREFIX = "NINEFOLD_LLM_"
URL, KEY = ("NINEFOLD_LLM_URL", "OPENAI_BASE_URL"), ("NINEFOLD_LLM_KEY", "OPENAI_API_KEY")
HIDDEN = "[key]"
# A shorter key, such as the word that a server on this machine asks for, is no secret.
SHORT = 8


class Secret:
    """A key that no text shows."""

    def __init__(self, key: str = "") -> None:
        self._key = key

    def __repr__(self) -> str:
        return f"Secret({HIDDEN if self._key else ''})"

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a key is not written anywhere; every process reads its environment")

    @property
    def headers(self) -> dict[str, str]:
        """The header that shows the key to the endpoint, and to nobody else."""
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def hide(self, value: Any) -> Any:
        """The same text, list or dict, with the key taken out wherever it stands."""
        if len(self._key) < SHORT:
            return value
        if isinstance(value, str):
            return value.replace(self._key, HIDDEN)
        if isinstance(value, list | tuple):
            return [self.hide(part) for part in value]
        if isinstance(value, dict):
            return {self.hide(name): self.hide(part) for name, part in value.items()}
        return value


class Settings(NamedTuple):
    """An endpoint, its key, and the limits of all requests of this process together."""

    url: str
    secret: Secret
    concurrency: int = 8
    tokens: int | None = None  # the budget in tokens
    money: float | None = None  # the budget in the currency of the prices
    prices: Prices | None = None
    cache: str | None = None  # a folder; None is the usual one
    transcripts: str | None = None  # a folder; None keeps none

    @property
    def shown_url(self) -> str:
        """The address without a user, a password or a query."""
        parts = urlsplit(self.url)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}{parts.path}"


def settings_from(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings in the environment; raises UnknownPlayer, which repeats no secret."""
    given = os.environ if environment is None else environment
    url = next((given[name] for name in URL if given.get(name)), "")
    if not url:
        reason = "A language model needs the address of an endpoint."
        advice = (
            f"Set {URL[0]} to the base URL of an OpenAI-compatible one, such as "
            f"http://localhost:8000/v1, and {KEY[0]} to its key if it has one."
        )
        raise UnknownPlayer("no-endpoint", reason, advice)
    key = next((given[name] for name in KEY if given.get(name)), "").strip()
    if not (key.isascii() and key.isprintable()):
        raise UnknownPlayer("bad-key", f"{KEY[0]} is not a key: it must be one line of ASCII.")
    number = _Numbers(given)
    return Settings(
        _checked(url),
        Secret(key),
        int(number.read("CONCURRENCY", 8, whole=True) or 8),
        None if (tokens := number.read("TOKENS", None, whole=True)) is None else int(tokens),
        number.read("MONEY", None),
        _prices(given),
        given.get(f"{PREFIX}CACHE") or None,
        given.get(f"{PREFIX}TRANSCRIPTS") or None,
    )


def _checked(url: str) -> str:
    """The base URL without a slash at its end; raises UnknownPlayer."""
    try:
        parts = urlsplit(url.strip())
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fine = False
    if not fine or not url.strip().isprintable() or parts.username or parts.password or parts.query:
        reason = f"{URL[0]} must be an address such as https://api.example.com/v1"
        advice = f"without a user, a password or a query; a key belongs into {KEY[0]}."
        raise UnknownPlayer("bad-endpoint", f"{reason},", advice)
    return url.strip().rstrip("/")


def _prices(given: Mapping[str, str]) -> Prices | None:
    text = given.get(f"{PREFIX}PRICES", "")
    try:
        return read_prices(text) if text else None
    except ValueError as expected:
        raise UnknownPlayer("bad-setting", f"{PREFIX}PRICES must be {expected}.") from None


class _Numbers(NamedTuple):
    given: Mapping[str, str]

    def read(self, name: str, usual: float | None, whole: bool = False) -> float | None:
        """The positive number in this variable; raises UnknownPlayer."""
        text = self.given.get(f"{PREFIX}{name}", "").strip()
        if not text:
            return usual
        pattern = r"[0-9]{1,15}" if whole else r"[0-9]{1,12}([.][0-9]{1,9})?"
        if not re.fullmatch(pattern, text) or not float(text) > 0:
            kind = "whole number" if whole else "number"
            raise UnknownPlayer(
                "bad-setting", f"{PREFIX}{name} must be a positive {kind}, such as 10."
            )
        return float(text)
