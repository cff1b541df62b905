"""Accounts on every kind of database: names, passwords, sessions, and limits on guessing."""

import asyncio
import os
import sys
import threading
from collections.abc import Awaitable, Callable

import pytest
from unit.web.server.tables import refusal

from ninefold.core.errors import NinefoldError
from ninefold.web.server import accounts as module
from ninefold.web.server.accounts import Accounts
from ninefold.web.server.identity import name_key
from ninefold.web.server.limits import Limits
from ninefold.web.server.open_store import open_store
from ninefold.web.server.passwords import Passwords, check_password

pytestmark = pytest.mark.xdist_group("postgres")
PASSWORD = "correct horse"
Work = Callable[[Accounts], Awaitable[None]]


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that cost next to nothing."""
    monkeypatch.setattr("ninefold.web.server.passwords._MEMORY", 8)
    monkeypatch.setattr("ninefold.web.server.passwords._PASSES", 1)


class Clock:
    """A clock to turn."""

    now = 0.0

    def __call__(self) -> float:
        """The time in seconds."""
        return self.now


def with_accounts(
    database: str, work: Work, limits: Limits | None = None, clock: Clock | None = None
) -> None:
    """Do this with a store of its own."""

    async def run() -> None:
        store = open_store(database, lambda _: None)
        found = Accounts(store, limits or Limits(), clock or Clock())
        try:
            await work(found)
        finally:
            store.close()
            found.passwords.close()

    asyncio.run(run())


@pytest.mark.usefixtures("cheap")
def test_who_has_registered_can_sign_in_until_signing_out(database: str) -> None:
    """Each device has a session of its own."""

    async def work(accounts: Accounts) -> None:
        ann = await accounts.register(" Ann ", PASSWORD, "")
        again = await accounts.sign_in("ann", PASSWORD, "")
        assert ann.name == again.name == "Ann" and ann.who == again.who
        assert ann.session != again.session
        assert await accounts.of_session(ann.session) == ann
        await accounts.sign_out(ann)
        assert await accounts.of_session(ann.session) is None
        assert await accounts.of_session(again.session) == again
        third = await accounts.sign_in("Ann", PASSWORD, "")
        await accounts.sign_out_everywhere(ann.who)
        for one in (again, third):
            assert await accounts.of_session(one.session) is None

    with_accounts(database, work)


@pytest.mark.usefixtures("cheap")
def test_accounts_and_sessions_survive_a_restart(database: str) -> None:
    """Only hashes of passwords and sessions are stored."""
    sessions: list[str] = []

    async def before(accounts: Accounts) -> None:
        ann = await accounts.register("Ann", PASSWORD, "")
        sessions.append(ann.session)
        rows = [
            str(row)
            for table in ("accounts", "sessions")
            for row in await accounts._store.database.run(
                lambda it, table=table: it.execute(f"SELECT * FROM {table}").fetchall()  # type: ignore[misc]
            )
        ]
        assert len(rows) == 2 and "$argon2id$" in rows[0]
        assert not any(PASSWORD in row or ann.session in row for row in rows)

    async def after(accounts: Accounts) -> None:
        ann = await accounts.of_session(sessions[0])
        assert ann is not None and ann.name == "Ann"
        assert (await accounts.sign_in("Ann", PASSWORD, "")).who == ann.who

    with_accounts(database, before)
    with_accounts(database, after)


@pytest.mark.usefixtures("cheap")
def test_a_changed_password_ends_all_other_sessions(database: str) -> None:
    """The old password is no longer valid, and a wrong one changes nothing."""

    async def work(accounts: Accounts) -> None:
        ann = await accounts.register("Ann", PASSWORD, "")
        who = ann.who
        wrong = accounts.change_password(who, "wrong", "battery staple", "")
        assert await refusal(wrong) == "wrong-password"
        assert await refusal(accounts.change_password(who, PASSWORD, "short", "")) == (
            "weak-password"
        )
        assert await accounts.of_session(ann.session) == ann
        changed = await accounts.change_password(who, PASSWORD, "battery staple", "")
        assert await accounts.of_session(ann.session) is None
        assert await accounts.of_session(changed.session) == changed
        assert await refusal(accounts.sign_in("Ann", PASSWORD, "")) == "wrong-password"
        assert (await accounts.sign_in("Ann", "battery staple", "")).who == who

    with_accounts(database, work)


@pytest.mark.usefixtures("cheap")
def test_names_are_unique_however_they_are_written(database: str) -> None:
    """By letter case, by compatible characters, and by what nobody sees."""

    async def work(accounts: Accounts) -> None:
        await accounts.register("Zoë Straße 1", PASSWORD, "")
        for name in (
            "ZOË STRASSE 1",
            "Zoe\u0308 straße 1",
            "\uff3aoë Straße ①",
            "Zoë  Straße\ufe0f 1",
        ):
            assert await refusal(accounts.register(name, PASSWORD, "")) == "name-taken"
            assert await refusal(accounts.refuse_taken(name)) == "name-taken"
            assert (await accounts.sign_in(name, PASSWORD, "")).name == "Zoë Straße 1"
        for name in ("you", "", "a\u202eb", "x" * 41, "\u115f"):
            assert await refusal(accounts.register(name, PASSWORD, "")) == "bad-name"
        answers = await asyncio.gather(
            *(accounts.register(name, PASSWORD, "") for name in ("Bob", "BOB", "bob")),
            return_exceptions=True,
        )
        refused = [one.code for one in answers if isinstance(one, NinefoldError)]
        assert refused == ["name-taken", "name-taken"]

    with_accounts(database, work)


@pytest.mark.usefixtures("cheap")
def test_an_account_can_change_its_name(database: str) -> None:
    """It signs in by the new one; the old one is free, and a taken one is refused."""

    async def work(accounts: Accounts) -> None:
        ann = await accounts.register("Ann", PASSWORD, "")
        await accounts.register("Bob", PASSWORD, "")
        assert await refusal(accounts.rename(ann.who, "BOB")) == "name-taken"
        assert await accounts.of_session(ann.session) == ann
        assert await accounts.rename(ann.who, "ANN") == "ANN"
        assert await accounts.rename(ann.who, "Cleo") == "Cleo"
        assert await accounts.of_session(ann.session) == ann._replace(name="Cleo")
        assert await refusal(accounts.sign_in("Ann", PASSWORD, "")) == "wrong-password"
        assert (await accounts.sign_in("Cleo", PASSWORD, "")).who == ann.who
        await accounts.register("Ann", PASSWORD, "")

    with_accounts(database, work)


@pytest.mark.usefixtures("cheap")
def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(database: str) -> None:
    """Both cost a hash, too."""

    async def work(accounts: Accounts) -> None:
        await accounts.register("Ann", PASSWORD, "")
        hashed: list[str] = []
        run = accounts.passwords._run

        async def counted(work: Callable[[], object]) -> object:
            hashed.append("hash")
            return await run(work)

        accounts.passwords._run = counted  # type: ignore[method-assign,assignment]
        messages = []
        for name in ("Ann", "Nobody"):
            with pytest.raises(NinefoldError) as found:
                await accounts.sign_in(name, "wrong", "")
            messages.append((found.value.code, found.value.message))
        assert messages[0] == messages[1] and messages[0][0] == "wrong-password"
        assert hashed == ["hash", "hash"]

    with_accounts(database, work)


@pytest.mark.usefixtures("cheap")
def test_guessing_is_limited_by_name_and_by_address(database: str) -> None:
    """Whether the name exists or not; who has signed in can still change the password."""
    clock = Clock()
    limits = Limits(name_tries=3, address_tries=8)

    async def work(accounts: Accounts) -> None:
        ann = await accounts.register("Ann", PASSWORD, "home")
        for name, address in (("ann", "here"), ("Nobody", "there")):
            for _ in range(3):
                assert await refusal(accounts.sign_in(name, "wrong", address)) == "wrong-password"
            for password in ("wrong", PASSWORD):
                with pytest.raises(NinefoldError, match=r"Too many attempts\. Wait 60 seconds\."):
                    await accounts.sign_in(name, password, address)
        assert (await accounts.check(ann.who, PASSWORD, "home")).name == "Ann"
        clock.now = 60.0
        assert (await accounts.sign_in("Ann", PASSWORD, "here")).who == ann.who
        for number in range(8):
            await refusal(accounts.sign_in(f"Name {number}", "wrong", "elsewhere"))
        for attempt in (
            accounts.sign_in("Name 9", "wrong", "elsewhere"),
            accounts.register("Name 10", PASSWORD, "elsewhere"),
            accounts.change_password(ann.who, "wrong", PASSWORD, "elsewhere"),
        ):
            assert await refusal(attempt) == "too-many-requests"
        clock.now = 63.0
        assert await refusal(accounts.sign_in("Name 9", "wrong", "elsewhere")) == "wrong-password"

    with_accounts(database, work, limits, clock)


@pytest.mark.usefixtures("cheap")
def test_a_stranger_elsewhere_keeps_nobody_out(database: str) -> None:
    """What is refused there does not count here; only very many attempts in all do."""
    clock = Clock()

    async def work(accounts: Accounts) -> None:
        ann = await accounts.register("Ann", PASSWORD, "home")
        answers = [await refusal(accounts.sign_in("ann", "wrong", "there")) for _ in range(20)]
        assert answers == ["wrong-password"] * 3 + ["too-many-requests"] * 17
        assert (await accounts.sign_in("Ann", PASSWORD, "home")).who == ann.who
        for number in range(4):
            await refusal(accounts.sign_in("ann", "wrong", f"address {number}"))
        assert await refusal(accounts.sign_in("Ann", PASSWORD, "home")) == "too-many-requests"
        clock.now = 3.0
        assert (await accounts.sign_in("Ann", PASSWORD, "home")).who == ann.who

    with_accounts(database, work, Limits(name_tries=3, all_tries=8), clock)


def test_a_hash_with_old_parameters_is_replaced(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When its owner signs in; other sessions go on."""

    async def before(accounts: Accounts) -> None:
        sessions.append((await accounts.register("Ann", PASSWORD, "")).session)

    async def after(accounts: Accounts) -> None:
        ann = await accounts.of_session(sessions[0])
        assert ann is not None
        row = await accounts.find(ann.who)
        assert row is not None and "m=8,t=1,p=1" in row.password
        await accounts.sign_in("Ann", PASSWORD, "")
        row = await accounts.find(ann.who)
        assert row is not None and "m=19456,t=2,p=1" in row.password
        await accounts.sign_in("Ann", PASSWORD, "")
        assert await accounts.of_session(sessions[0]) == ann
        assert await accounts.find(ann.who) == row

    sessions: list[str] = []
    with monkeypatch.context() as context:
        context.setattr("ninefold.web.server.passwords._MEMORY", 8)
        context.setattr("ninefold.web.server.passwords._PASSES", 1)
        with_accounts(database, before)
    with_accounts(database, after)


@pytest.mark.usefixtures("cheap")
def test_old_sessions_end(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time of a cookie, and the oldest one if there are too many."""
    monkeypatch.setattr(module, "MAX_SESSIONS", 2)
    wall = [1_000_000_000_000]
    monkeypatch.setattr(module, "wall_time", lambda: wall[0])

    async def work(accounts: Accounts) -> None:
        found = [await accounts.register("Ann", PASSWORD, "")]
        for _ in range(2):
            wall[0] += 1
            found.append(await accounts.sign_in("Ann", PASSWORD, ""))
        assert [await accounts.of_session(one.session) for one in found] == [None, *found[1:]]
        wall[0] += 400 * 86_400_000 - 1
        assert [await accounts.of_session(one.session) for one in found] == [None, None, found[2]]

    with_accounts(database, work)


@pytest.mark.usefixtures("cheap")
def test_whoever_signs_in_while_the_password_changes_is_refused(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session of an old password must not outlive it."""

    async def work(accounts: Accounts) -> None:
        ann = await accounts.register("Ann", PASSWORD, "")
        is_right = accounts.passwords.is_right

        async def slow(kept: str | None, password: str) -> bool:
            answer = await is_right(kept, password)
            monkeypatch.undo()
            await accounts.change_password(ann.who, PASSWORD, "battery staple", "")
            return answer

        monkeypatch.setattr(accounts.passwords, "is_right", slow)
        assert await refusal(accounts.sign_in("Ann", PASSWORD, "")) == "wrong-password"

    with_accounts(database, work)


@pytest.mark.parametrize(
    "password", ["seven77", "Password", "12345678", "Bobby Tables", "\uff51wertyui"]
)
def test_passwords_that_others_would_guess_are_refused(password: str) -> None:
    """Too short, among the first that are tried, or the name."""
    with pytest.raises(NinefoldError) as found:
        check_password(password, "bobby tables")
    assert found.value.code == "weak-password"


def test_any_other_password_is_accepted() -> None:
    """Nobody has to use digits or signs; the same characters are the same password."""
    for password in ("correct horse", "пароль мой", "a" * 200, "x y z w v"):
        check_password(password, "Ann")
    assert name_key("Ann") != name_key("Anne")

    async def work() -> None:
        passwords = Passwords()
        kept = await passwords.hash("Zoë's secret")
        assert await passwords.is_right(kept, "Zoe\u0308's secret")
        assert not await passwords.is_right(kept, "Zoe's secret")
        passwords.close()

    asyncio.run(work())


def test_hashing_is_bounded_and_blocks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two at once, some wait, and the rest is refused; games go on meanwhile."""
    monkeypatch.setattr("ninefold.web.server.passwords._MAX_WAITING", 4)

    async def work() -> None:
        passwords = Passwords()
        tasks = [asyncio.create_task(passwords.hash("correct horse")) for _ in range(6)]
        turns = 0
        while not all(task.done() for task in tasks):
            turns += 1
            await asyncio.sleep(0)
        threads = [one for one in threading.enumerate() if one.name.startswith("passwords")]
        answers = [task.exception() for task in tasks]
        assert turns > 20 and len(threads) == 2
        if sys.platform == "linux":  # only these threads give way
            own = os.getpriority(os.PRIO_PROCESS, 0)
            found = [os.getpriority(os.PRIO_PROCESS, one.native_id or 0) for one in threads]
            assert found == [min(19, own + 10)] * 2
        assert answers[:4] == [None] * 4
        refused = [one for one in answers[4:] if isinstance(one, NinefoldError)]
        assert [one.code for one in refused] == ["too-many-requests"] * 2
        assert await passwords.hash("correct horse")
        passwords.close()

    asyncio.run(work())
