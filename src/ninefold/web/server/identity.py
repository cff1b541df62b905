"""Who somebody is: a visitor or an account with a signed cookie, or a bot with a token."""

import base64
import hashlib
import hmac
import json
import secrets
from unicodedata import normalize

from ninefold.board_words import YOU
from ninefold.books.safety import has_tower
from ninefold.core.errors import NinefoldError
from ninefold.core.text import NamedTuple
from ninefold.new_game import check_name

COOKIE = "ninefold"
COOKIE_SECONDS = 400 * 86_400
_MAX_COOKIE = 1_000
_VISITOR, _BOT = "v-", "b-"
# Characters that nobody sees and that Python calls printable all the same.
_FILLERS = (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)
_SELECTORS = (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
_INVISIBLE = dict.fromkeys((*_FILLERS, *_SELECTORS))


class Identity(NamedTuple):
    """An id that nobody can guess, and a name that everybody sees.

    ``session`` proves that an account has signed in; it is nothing for visitors and bots.
    """

    who: str
    name: str
    session: str = ""


def new_visitor() -> Identity:
    """Somebody who has never been here."""
    return Identity(_new_id(_VISITOR), f"Guest {secrets.randbelow(9000) + 1000}")


def new_account(name: str) -> Identity:
    """An account that has just signed in."""
    return Identity(_new_id("a-"), name, new_secret())


def new_bot(name: str) -> Identity:
    """A bot with this name; raises NinefoldError."""
    return named(Identity(_new_id(_BOT), ""), name)


def can_end(who: str) -> bool:
    """Whether this identity needs a session or a token, which may end."""
    return not who.startswith(_VISITOR)


def is_bot(who: str) -> bool:
    """Whether this identity is a bot."""
    return who.startswith(_BOT)


def _new_id(kind: str) -> str:
    return f"{kind}{secrets.token_urlsafe(12)}"


def name_key(name: str) -> str:
    """The same text for all names that look the same to people, apart from similar letters."""
    visible = normalize("NFKC", name.translate(_INVISIBLE))
    return " ".join(normalize("NFKC", visible.casefold()).split())


def named(who: Identity, name: str) -> Identity:
    """The same person with another name; raises NinefoldError."""
    checked = check_name(name)
    if has_tower(checked) or not name_key(checked):
        raise NinefoldError("bad-name", "Nobody could read that name.", "Choose another one.")
    if name_key(checked) == name_key(YOU):
        raise NinefoldError("bad-name", f"{YOU} is what everybody is called on their own screen.")
    return who._replace(name=checked)


def new_secret() -> str:
    """A text that nobody can guess."""
    return secrets.token_urlsafe(32)


def digest_of(secret: str) -> str:
    """What is kept of a secret text: enough to know it again."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Signer:
    """Writes and reads cookies that only this server can have written."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def write(self, who: Identity) -> str:
        """The cookie of a visitor or an account."""
        text = base64.urlsafe_b64encode(json.dumps([*who]).encode()).decode()
        return f"{text}.{self._sign(text)}"

    def read(self, cookie: str) -> Identity | None:
        """The identity of a cookie; None if it was not written here."""
        text, _, signature = cookie[:_MAX_COOKIE].rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign(text).encode()):
            return None
        return Identity(*json.loads(base64.urlsafe_b64decode(text)))

    def _sign(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest()
