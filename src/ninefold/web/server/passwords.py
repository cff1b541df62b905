"""Passwords: which are accepted, and slow hashes of them that never hold up the games."""

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from ninefold.core.errors import NinefoldError

T = TypeVar("T")
MIN_PASSWORD, MAX_PASSWORD = 8, 200
# The parameters that OWASP recommends for Argon2id; each hash takes 19 MiB meanwhile.
_MEMORY, _PASSES, _LANES = 19_456, 2, 1
# How many hashes are computed at once, and how many may wait for it.
_THREADS, _MAX_WAITING = 2, 50
_NICE = 10
# What is tried first: with few attempts per name, nothing else can be guessed.
_COMMON = frozenset(
    """00000000 11111111 12121212 123123123 12341234 1234567890 123456789 12345678 1234qwer
    1q2w3e4r 1q2w3e4r5t 1qaz2wsx 66666666 87654321 88888888 987654321 a1b2c3d4 aa123456 abc12345
    abcd1234 abcdefgh admin123 administrator asdfasdf asdfghjk asdfghjkl baseball changeme charlie1
    computer football iloveyou internet jennifer letmein1 liverpool michelle ninefold p@ssw0rd
    p@ssword passw0rd password password1 password12 password123 princess q1w2e3r4 qwer1234 qwerty12
    qwerty123 qwertyui qwertyuiop samantha starwars sunshine superman trustno1 welcome1 whatever
    147258369 zaq12wsx zxcvbnm1""".split()
)


def check_password(password: str, name: str) -> None:
    """Refuse a new password that others would guess; raises NinefoldError."""
    plain = _plain(password).casefold()
    if len(plain) < MIN_PASSWORD:
        reason = f"A password needs at least {MIN_PASSWORD} characters."
        raise NinefoldError("weak-password", reason, "Three random words are easy to remember.")
    if plain in _COMMON or plain == _plain(name).casefold():
        reason = "Everybody would try that password first."
        raise NinefoldError("weak-password", reason, "Choose another one.")


class Passwords:
    """Hashes passwords in threads of its own, a few at a time."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(_PASSES, _MEMORY, _LANES)
        self._threads = ThreadPoolExecutor(_THREADS, "passwords", _give_way)
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """What is kept of a password; raises NinefoldError if too many wait."""
        return await self._run(lambda: self._hasher.hash(_plain(password)))

    async def is_right(self, kept: str | None, password: str) -> bool:
        """Whether this is the password; takes as long if there is none. Raises NinefoldError."""
        if kept is None:
            await self.hash(password)
            return False
        return await self._run(lambda: self._verify(kept, password))

    def is_outdated(self, kept: str) -> bool:
        """Whether this hash was made with other parameters than those of today."""
        return self._hasher.check_needs_rehash(kept)

    def close(self) -> None:
        """Stop the threads."""
        self._threads.shutdown(cancel_futures=True)

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, _plain(password))
        except VerificationError:
            return False

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= _MAX_WAITING:
            reason = "Too many people are signing in."
            raise NinefoldError("too-many-requests", reason, "Try again in a few seconds.")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _give_way() -> None:
    """Let the games go first when processors are few; only on Linux, a thread can be nice alone."""
    if sys.platform == "linux":
        os.nice(_NICE)


def _plain(password: str) -> str:
    """The password however the keyboard composes its characters."""
    return normalize("NFKC", password)
