"""Who somebody is: an anonymous visitor with a signed cookie, or a bot with a token."""

import base64
import hashlib
import hmac
import json
import secrets

from ninefold.board_words import YOU
from ninefold.core.errors import NinefoldError
from ninefold.core.text import NamedTuple
from ninefold.new_game import check_name
from ninefold.web.server.store import Store

COOKIE = "ninefold"
COOKIE_SECONDS = 400 * 86_400
_MAX_COOKIE = 1_000


class Identity(NamedTuple):
    """An id that nobody can guess, and a name that everybody sees."""

    who: str
    name: str


def new_visitor() -> Identity:
    """Somebody who has never been here."""
    return Identity(f"v-{secrets.token_urlsafe(12)}", f"Guest {secrets.randbelow(9000) + 1000}")


def named(who: Identity, name: str) -> Identity:
    """The same person with another name; raises NinefoldError."""
    checked = check_name(name)
    if checked.casefold() == YOU.casefold():
        raise NinefoldError("bad-name", f"{YOU} is what everybody is called on their own screen.")
    return who._replace(name=checked)


class Signer:
    """Writes and reads cookies that only this server can have written."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def write(self, who: Identity) -> str:
        """The cookie of a visitor."""
        text = base64.urlsafe_b64encode(json.dumps([*who]).encode()).decode()
        return f"{text}.{self._sign(text)}"

    def read(self, cookie: str) -> Identity | None:
        """The visitor of a cookie; None if it was not written here."""
        text, _, signature = cookie[:_MAX_COOKIE].rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign(text).encode()):
            return None
        who, name = json.loads(base64.urlsafe_b64decode(text))
        return Identity(who, name)

    def _sign(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest()


async def new_token(store: Store, name: str) -> tuple[str, Identity]:
    """A new bot with this name, and the token that proves it; raises NinefoldError."""
    bot = named(Identity(f"b-{secrets.token_urlsafe(12)}", ""), name)
    token = f"ninefold_{secrets.token_urlsafe(32)}"
    await store.add_token(_digest(token), bot.who, bot.name)
    return token, bot


async def bot_of(store: Store, token: str) -> Identity | None:
    """The bot with this token."""
    found = await store.find_token(_digest(token))
    return None if found is None else Identity(*found)


async def delete_token(store: Store, token: str) -> None:
    """Forget a bot's token."""
    await store.delete_token(_digest(token))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
