"""Accounts: a name and a password, and a session for every device that has signed in."""

import time
from collections.abc import Callable
from typing import NamedTuple

from ninefold.core.errors import NinefoldError
from ninefold.web.server.database import Connection
from ninefold.web.server.identity import (
    COOKIE_SECONDS,
    Identity,
    digest_of,
    name_key,
    named,
    new_account,
    new_secret,
)
from ninefold.web.server.limits import Buckets, Limits
from ninefold.web.server.passwords import Passwords, check_password
from ninefold.web.server.store import ENDED, Store, wall_time

# How many devices one account can be signed in on; the oldest session ends first.
MAX_SESSIONS = 50


class Account(NamedTuple):
    """An account as it is stored; the password as a hash, the time in milliseconds since 1970."""

    who: str
    name: str
    password: str
    created: int


class Accounts:
    """Everybody who has registered. A session is valid until it ends here, whatever a cookie says.

    Nobody learns whether a name has an account, except by trying to take it.
    """

    def __init__(
        self, store: Store, limits: Limits, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.passwords = Passwords()
        self._store = store
        self._addresses = Buckets(1 / 3, limits.address_tries, clock)
        self._names_here = Buckets(1 / 60, limits.name_tries, clock)  # of each address
        self._names = Buckets(1 / 3, limits.all_tries, clock)

    async def register(self, name: str, password: str, address: str) -> Identity:
        """A new account, signed in; raises NinefoldError."""
        account = new_account(_checked(name))
        check_password(password, account.name)
        self._addresses.require(address)
        await self.refuse_taken(account.name)
        kept = await self.passwords.hash(password)
        await self._store.database.run(lambda it: _add(it, account, kept))
        return account

    async def sign_in(self, name: str, password: str, address: str) -> Identity:
        """The account with this name, in a new session; raises NinefoldError."""
        key = name_key(name)
        self._count(key, address)
        row = await self._check(await self._find("key", key), password)
        is_old = self.passwords.is_outdated(row.password)
        kept = await self.passwords.hash(password) if is_old else row.password
        return await self._begin_session(row, kept)

    async def check(self, who: str, password: str, address: str) -> Account:
        """The account, if this is its password; raises NinefoldError."""
        # Not by name: attempts of strangers to sign in do not count here.
        self._count(who, address)
        return await self._check(await self.find(who), password, "password")

    async def change_password(self, who: str, old: str, new: str, address: str) -> Identity:
        """A new session after all others have ended; raises NinefoldError."""
        row = await self.check(who, old, address)
        check_password(new, row.name)
        return await self._begin_session(row, await self.passwords.hash(new), is_only=True)

    async def rename(self, who: str, name: str) -> str:
        """The new name of an account; raises NinefoldError."""
        checked = _checked(name)
        await self._store.database.run(lambda it: _rename(it, who, checked))
        return checked

    async def refuse_taken(self, name: str, but: str = "") -> None:
        """Raise NinefoldError if an account has this name, but for one that may."""
        row = await self._find("key", name_key(name))
        if row is not None and row.who != but:
            raise _taken()

    async def find(self, who: str) -> Account | None:
        """The account of this identity, if it is one."""
        return await self._find("who", who)

    async def of_session(self, session: str) -> Identity | None:
        """Who has signed in with this session; None if it has ended."""
        sql = (
            "SELECT accounts.who, name FROM sessions JOIN accounts ON accounts.who = sessions.who"
            " WHERE digest = ? AND sessions.created > ?"
        )
        given = digest_of(session), wall_time() - COOKIE_SECONDS * 1000
        row = await self._store.database.run(lambda it: it.execute(sql, given).fetchone())
        return None if row is None else Identity(row[0], row[1], session)

    async def sign_out(self, who: Identity) -> None:
        """End this session."""
        sql = "DELETE FROM sessions WHERE digest = ?"
        await self._end(who.who, (sql, digest_of(who.session)))

    async def sign_out_everywhere(self, who: str) -> None:
        """End all sessions of an account."""
        await self._end(who, ("DELETE FROM sessions WHERE who = ?", who))

    async def delete(self, who: str) -> None:
        """Forget an account."""
        statements = [f"DELETE FROM {table} WHERE who = ?" for table in ("sessions", "accounts")]
        await self._end(who, *((sql, who) for sql in statements))

    def _count(self, key: str, address: str) -> None:
        """Count an attempt; raises NinefoldError if there were too many.

        It takes many addresses to keep the owner of a name out.
        """
        self._addresses.require(address)
        self._names_here.require(f"{address} {key}")
        self._names.require(key)

    async def _find(self, column: str, value: str) -> Account | None:
        sql = f"SELECT who, name, password, created FROM accounts WHERE {column} = ?"
        row = await self._store.database.run(lambda it: it.execute(sql, (value,)).fetchone())
        return None if row is None else Account(*row)

    async def _check(
        self, row: Account | None, password: str, given: str = "name or password"
    ) -> Account:
        is_right = await self.passwords.is_right(row and row.password, password)
        if row is None or not is_right:
            raise _wrong(given)
        return row

    async def _begin_session(self, row: Account, kept: str, is_only: bool = False) -> Identity:
        """A session of this account with this hash; with ``is_only``, all others end."""
        session = Identity(row.who, row.name, new_secret())

        def work(connection: Connection) -> None:
            # It is written even if it is the same: who changes the password meanwhile has to wait.
            sql = "UPDATE accounts SET password = ? WHERE who = ? AND password = ?"
            if connection.execute(sql, (kept, row.who, row.password)).rowcount != 1:
                raise _wrong("password")  # somebody has changed it
            if is_only:
                connection.execute("DELETE FROM sessions WHERE who = ?", (row.who,))
                self._store.announce(connection, [f"{ENDED} {row.who}"])
            _add_session(connection, session)

        await self._store.database.run(work)
        return session

    async def _end(self, who: str, *statements: tuple[str, str]) -> None:
        def work(connection: Connection) -> None:
            for sql, given in statements:
                connection.execute(sql, (given,))
            self._store.announce(connection, [f"{ENDED} {who}"])

        await self._store.database.run(work)


def _checked(name: str) -> str:
    return named(Identity("", ""), name).name


def _add(connection: Connection, account: Identity, kept: str) -> None:
    _insert(connection, account, kept, wall_time())
    _add_session(connection, account)


def _insert(connection: Connection, account: Identity, kept: str, created: int) -> None:
    row = account.who, name_key(account.name), account.name, kept, created
    sql = "INSERT INTO accounts (who, key, name, password, created) VALUES (?, ?, ?, ?, ?)"
    if connection.execute(f"{sql} ON CONFLICT DO NOTHING", row).rowcount != 1:
        raise _taken()


def _rename(connection: Connection, who: str, name: str) -> None:
    # An update could only fail in a way that each database calls differently.
    sql = "DELETE FROM accounts WHERE who = ? RETURNING password, created"
    for kept, created in connection.execute(sql, (who,)).fetchall():
        _insert(connection, Identity(who, name), kept, created)


def _add_session(connection: Connection, account: Identity) -> None:
    sql = "INSERT INTO sessions (digest, who, created) VALUES (?, ?, ?)"
    connection.execute(sql, (digest_of(account.session), account.who, wall_time()))
    newest = "SELECT digest FROM sessions WHERE who = ? ORDER BY created DESC LIMIT ?"
    sql = f"DELETE FROM sessions WHERE who = ? AND digest NOT IN ({newest})"
    connection.execute(sql, (account.who, account.who, MAX_SESSIONS))


def _wrong(given: str) -> NinefoldError:
    return NinefoldError("wrong-password", f"Wrong {given}.", "Try again.")


def _taken() -> NinefoldError:
    return NinefoldError("name-taken", "Somebody has that name already.", "Choose another one.")
