"""People over the network: accounts, sessions that end, bots with owners, and their data."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator, MutableMapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from processes import PATIENCE
from starlette.applications import Starlette
from unit.web.server.live import Client, live, receive, send
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from ninefold.web.server.app import Server
from ninefold.web.server.guard import address_of
from ninefold.web.server.identity import Identity, Signer
from ninefold.web.server.limits import Limits
from ninefold.web.server.open_store import open_store

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("postgres")]
PASSWORD = "correct horse"


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """The port of a server with an empty database."""
    with live(str(tmp_path / "games.sqlite")) as found:
        yield found


def registered(port: int, name: str = "Ann") -> Client:
    """Somebody with an account."""
    client = Client(port)
    made = client.ask("POST", "/api/account", _json(name=name, password=PASSWORD))
    assert (made.status, made.json) == (201, {"name": name, "account": True})
    return client


def signed_in(port: int, name: str = "Ann") -> Client:
    """The same on another device."""
    client = Client(port)
    assert client.post("/api/session", name=name, password=PASSWORD)["account"]
    return client


def _json(**data: object) -> bytes:
    return json.dumps(data).encode()


def end_of(socket: ClientConnection) -> int:
    """The code with which the server closes a connection."""
    try:
        while True:
            socket.recv(timeout=PATIENCE)
    except ConnectionClosed as closed:
        assert closed.rcvd is not None
        return closed.rcvd.code


def test_a_visitor_becomes_an_account_and_keeps_the_games(port: int) -> None:
    """On every device; the old cookie has none of them."""
    ann, bob = Client(port), Client(port)
    ann.post("/api/me", name="Annie")
    game = ann.post("/api/games", game="magic-fifteen")["id"]
    bob.post(f"/api/games/{game}/join")
    before = Client(port)
    before.cookie = ann.cookie
    assert before.get("/api/me") == {"name": "Annie", "account": False}
    ann.post("/api/account", name="Ann", password=PASSWORD)
    assert ann.get("/api/me") == {"name": "Ann", "account": True}
    for client in (ann, signed_in(port)):
        assert [one["id"] for one in client.get("/api/games/mine")["games"]] == [game]
    assert before.get("/api/games/mine") == {"games": []}
    assert before.post(f"/api/games/{game}/act", type="resign")["code"] == "not-a-player"
    assert ann.post(f"/api/games/{game}/act", type="move", move="5") == {"seq": 3}


def test_signing_in_takes_along_what_was_played_on_this_device(port: int) -> None:
    """Games and bots; a socket that is open is closed, and has the seat when it is back."""
    registered(port)
    phone, bob = Client(port), Client(port)
    game = phone.post("/api/games", game="magic-fifteen")["id"]
    bob.post(f"/api/games/{game}/join")
    phone.post("/api/tokens", name="Bot")
    with phone.open() as socket:
        phone.post("/api/session", name="ann", password=PASSWORD)
        assert end_of(socket) == 4001
    with phone.open() as socket:
        send(socket, type="move", game=game, move="5")
        assert receive(socket, "ok")["seq"] == 3
    other = signed_in(port)
    assert [one["id"] for one in other.get("/api/games/mine")["games"]] == [game]
    assert [one["name"] for one in other.get("/api/tokens")["bots"]] == ["Bot"]


def test_a_stolen_cookie_is_worthless_after_signing_out(port: int) -> None:
    """Over HTTP and over the socket that the thief has open; other devices stay."""
    ann, other, thief = registered(port), signed_in(port), Client(port)
    game = ann.post("/api/games", game="magic-fifteen")["id"]
    thief.cookie = stolen = ann.cookie
    with thief.open() as socket:
        assert ann.ask("DELETE", "/api/session").status == 204
        assert end_of(socket) == 4001
    assert ann.get("/api/me")["account"] is False
    assert thief.get("/api/games/mine") == {"games": []}
    thief.cookie = stolen
    assert thief.get("/api/me")["account"] is False
    thief.cookie = stolen
    assert thief.post(f"/api/games/{game}/act", type="withdraw")["code"] == "not-a-player"
    with thief.open() as socket:
        send(socket, type="withdraw", game=game)
        assert receive(socket, "refused")["code"] == "not-a-player"
    assert other.get("/api/me") == {"name": "Ann", "account": True}
    assert other.post(f"/api/games/{game}/act", type="withdraw") == {"seq": 1}


def test_a_new_password_and_signing_out_everywhere_end_all_sessions(port: int) -> None:
    """Whoever changed the password stays."""
    ann, other = registered(port), signed_in(port)
    wrong = ann.ask("POST", "/api/account/password", _json(old="wrong", new="battery staple"))
    assert (wrong.status, wrong.json["code"]) == (403, "wrong-password")
    assert wrong.json["message"] == "Wrong password. Try again."
    with other.open() as socket:
        answer = ann.post("/api/account/password", old=PASSWORD, new="battery staple")
        assert answer == {"name": "Ann", "account": True}
        assert end_of(socket) == 4001
    assert other.get("/api/me")["account"] is False
    assert ann.get("/api/me")["account"] is True
    refused = Client(port).ask("POST", "/api/session", _json(name="Ann", password=PASSWORD))
    assert (refused.status, refused.json["code"]) == (403, "wrong-password")
    assert "set-cookie" not in refused.headers
    third = Client(port)
    third.post("/api/session", name="Ann", password="battery staple")
    kept = ann.cookie
    assert ann.ask("DELETE", "/api/sessions").status == 204
    ann.cookie = kept
    for client in (ann, third):
        assert client.get("/api/me")["account"] is False


def test_somebody_else_signs_in_on_the_same_device(port: int) -> None:
    """The first session ends, and nothing of the first account is taken along."""
    ann = registered(port)
    registered(port, "Bob")
    game, before = ann.post("/api/games", game="magic-fifteen")["id"], Client(port)
    before.cookie = ann.cookie
    refused = ann.ask("POST", "/api/account", _json(name="Cleo", password=PASSWORD))
    assert (refused.status, refused.json["code"]) == (409, "signed-in")
    assert ann.post("/api/session", name="Bob", password=PASSWORD)["name"] == "Bob"
    assert ann.get("/api/games/mine") == {"games": []}
    assert before.get("/api/me")["account"] is False
    assert [one["id"] for one in signed_in(port).get("/api/games/mine")["games"]] == [game]


def test_the_name_of_an_account_is_its_own(port: int) -> None:
    """No visitor, bot or other account is called so; the account itself can be called otherwise."""
    ann, eve = registered(port), Client(port)
    for path, data in (
        ("/api/me", {"name": "ANN"}),
        ("/api/tokens", {"name": "ann"}),
        ("/api/account", {"name": "Ann", "password": PASSWORD}),
    ):
        refused = eve.ask("POST", path, _json(**data))
        assert (refused.status, refused.json["code"]) == (409, "name-taken")
    assert ann.ask("POST", "/api/tokens", _json(name="Ann")).status == 201
    assert ann.post("/api/me", name="Anna") == {"name": "Anna", "account": True}
    assert ann.get("/api/me")["name"] == "Anna"
    assert eve.post("/api/me", name="Ann") == {"name": "Ann", "account": False}


def test_only_who_has_signed_in_can_sign_out(port: int) -> None:
    """Or change a password."""
    visitor = Client(port)
    visitor.get("/api/me")
    requests = (
        ("DELETE", "/api/session", b""),
        ("DELETE", "/api/sessions", b""),
        ("POST", "/api/account/password", _json(old=PASSWORD, new="battery staple")),
    )
    for client in (visitor, Client(port)):
        for request in requests:
            assert client.ask(*request).json["code"] == "not-signed-in"


def test_a_cookie_proves_nothing_without_its_session(tmp_path: Path) -> None:
    """Not even one that the server has signed, of an account or a bot; a visitor's does."""
    path = str(tmp_path / "games.sqlite")
    with live(path) as port:
        ann = registered(port)
        game = ann.post("/api/games", game="magic-fifteen")["id"]
    with closing(sqlite3.connect(path)) as connection:
        (secret,) = connection.execute("SELECT value FROM secrets").fetchone()
        (who,) = connection.execute("SELECT who1 FROM games").fetchone()
    with live(path) as port:
        for identity in (
            Identity(who, "Ann"),
            Identity(who, "Ann", "guessed"),
            Identity("b-1", "Bot"),
        ):
            forger = Client(port)
            forger.cookie = f"ninefold={Signer(secret).write(identity)}"
            refused = forger.post(f"/api/games/{game}/act", type="withdraw")
            assert refused["code"] == "not-a-player"
            assert forger.get("/api/me")["name"].startswith("Guest")
        visitor = Client(port)
        visitor.cookie = f"ninefold={Signer(secret).write(Identity('v-1', 'Vi'))}"
        assert visitor.get("/api/me") == {"name": "Vi", "account": False}


def test_guessing_is_refused_over_the_network(tmp_path: Path) -> None:
    """With a time to wait, from the whole network of an address."""
    with live(str(tmp_path / "games.sqlite"), Limits(requests=10_000, name_tries=2)) as port:
        ann = registered(port)
        for _ in range(2):
            ann.post("/api/session", name="Ann", password="wrong")
        refused = ann.ask("POST", "/api/session", _json(name="Ann", password=PASSWORD))
        assert (refused.status, refused.json["code"]) == (429, "too-many-requests")
        assert f"Wait {refused.headers['retry-after']} seconds." in refused.json["message"]
    addresses = ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::9", "::ffff:192.0.2.1", "192.0.2.1", "x:y")
    assert [address_of({"client": (one, 1)}) for one in addresses] == [
        "2001:db8:1:2::",
        "2001:db8:1:2::",
        "192.0.2.1",
        "192.0.2.1",
        "x:y",
    ]


def test_other_sites_cannot_sign_anybody_in_or_out(port: int) -> None:
    """By their origin, or by a form, which cannot send JSON."""
    ann = registered(port)
    body = _json(name="Ann", password=PASSWORD)
    for method, path in (
        ("POST", "/api/session"),
        ("POST", "/api/account"),
        ("POST", "/api/me/delete"),
        ("DELETE", "/api/session"),
        ("DELETE", "/api/tokens/x"),
    ):
        refused = ann.ask(method, path, body, Origin="https://evil.example")
        assert (refused.status, refused.json["code"]) == (403, "wrong-origin")
    form = ann.ask("POST", "/api/session", body, **{"Content-Type": "text/plain"})
    assert (form.status, form.json["code"]) == (400, "bad-request")
    assert ann.get("/api/me")["account"] is True


def test_bots_belong_to_who_made_them(port: int) -> None:
    """Only the owner lists and deletes them; what they play is resigned, their socket closed."""
    ann, eve, bob = registered(port), Client(port), Client(port)
    bot = Client(port)
    bot.headers = {"Authorization": f"Bearer {ann.post('/api/tokens', name='Bot')['token']}"}
    ((made),) = ann.get("/api/tokens")["bots"]
    assert made["name"] == "Bot"
    assert eve.get("/api/tokens") == {"bots": []}
    path = f"/api/tokens/{made['id']}"
    assert eve.ask("DELETE", path).json["code"] == "no-such-bot"
    for method, at, body in (
        ("POST", "/api/tokens", _json(name="Bot 2")),
        ("GET", "/api/tokens", b""),
        ("POST", "/api/me", _json(name="Bot 2")),
        ("POST", "/api/account", _json(name="Bot 2", password=PASSWORD)),
        ("POST", "/api/session", _json(name="Ann", password=PASSWORD)),
        ("POST", "/api/me/delete", b"{}"),
        ("DELETE", path, b""),
    ):
        refused = bot.ask(method, at, body)
        assert (refused.status, refused.json["code"]) == (403, "not-for-bots")
    game = bob.post("/api/games", game="magic-fifteen")["id"]
    bot.post(f"/api/games/{game}/join")
    with bot.open() as socket:
        assert ann.ask("DELETE", path).status == 204
        assert end_of(socket) == 4001
    assert bob.get(f"/api/games/{game}")["view"]["status"] == "You win!"
    assert ann.get("/api/tokens") == {"bots": []}
    assert bot.ask("GET", "/api/me").status == 401


def test_somebody_has_only_so_many_bots(tmp_path: Path) -> None:
    """Until one is deleted, by its own token here."""
    with live(str(tmp_path / "games.sqlite"), Limits(requests=10_000, bots=1)) as port:
        ann, bot = Client(port), Client(port)
        token = ann.post("/api/tokens", name="One")["token"]
        assert ann.post("/api/tokens", name="Two")["code"] == "too-many-bots"
        bot.headers = {"Authorization": f"Bearer {token}"}
        assert bot.ask("DELETE", "/api/tokens").status == 204
        assert ann.post("/api/tokens", name="Two")["name"] == "Two"


def test_one_address_makes_only_so_many_bots(tmp_path: Path) -> None:
    """Whoever they are for: others shall find room in the list of bots."""
    with live(str(tmp_path / "games.sqlite"), Limits(requests=10_000, new_bots=2)) as port:
        answers = [Client(port).ask("POST", "/api/tokens", _json(name="Bot")) for _ in range(3)]
        assert [one.status for one in answers] == [201, 201, 429]
        elsewhere = Client(port)
        elsewhere.headers = {"X-Forwarded-For": "203.0.113.5"}
        assert elsewhere.post("/api/tokens", name="Bot")["name"] == "Bot"


def test_my_data_is_a_file(tmp_path: Path) -> None:
    """For accounts and visitors alike, so many times at once."""
    with live(str(tmp_path / "games.sqlite"), Limits(requests=10_000, exports=2)) as port:
        ann = registered(port)
        game = ann.post("/api/games", game="magic-fifteen")["id"]
        answer = ann.ask("GET", "/api/me/data")
        found = answer.headers["content-disposition"], answer.headers["content-type"]
        assert found == ('attachment; filename="ninefold-data.json"', "application/json")
        assert answer.json["name"] == "Ann" and answer.json["bots"] == []
        assert [one["id"] for one in answer.json["games"]] == [game]
        visitor = Client(port).ask("GET", "/api/me/data").json
        assert visitor["games"] == [] and visitor["registered"] is None
        assert ann.ask("GET", "/api/me/data").status == 429


def test_deleting_my_data_needs_my_password(port: int) -> None:
    """A visitor has none; whoever else plays keeps the game."""
    ann, bob = registered(port), Client(port)
    bob.post("/api/me", name="Bob")
    game = ann.post("/api/games", game="magic-fifteen")["id"]
    bob.post(f"/api/games/{game}/join")
    for data in ({}, {"password": "wrong"}):
        refused = ann.ask("POST", "/api/me/delete", _json(**data))
        assert (refused.status, refused.json["code"]) == (403, "wrong-password")
    assert ann.ask("POST", "/api/me/delete", _json(password=PASSWORD)).status == 204
    view = bob.get(f"/api/games/{game}")["view"]
    assert (view["names"], view["status"]) == (["Player 1", "Bob"], "You win!")
    assert ann.post("/api/session", name="Ann", password=PASSWORD)["code"] == "wrong-password"
    assert bob.ask("POST", "/api/me/delete", b"{}").status == 204
    assert bob.get(f"/api/games/{game}")["view"]["names"] == ["Player 1", "Player 2"]
    assert Client(port).ask("POST", "/api/me/delete", b"{}").status == 204


def test_the_list_of_open_games_is_live(port: int) -> None:
    """Until the client has seen enough, or goes."""
    ann, bob = Client(port), Client(port)
    ann.get("/api/me")
    with ann.open() as one, bob.open() as two:
        for each in (one, two):
            send(each, type="lobby")
            assert receive(each, "lobby") == {"type": "lobby", "games": [], "mine": []}
        game = ann.post("/api/games", game="magic-fifteen", opponent="anyone")["id"]
        assert receive(one, "lobby")["mine"] == [game]
        seen = receive(two, "lobby")
        assert [each["id"] for each in seen["games"]] == [game] and seen["mine"] == []
        assert seen["games"] == bob.get("/api/games/open")["games"]
        assert ann.get("/api/games/open")["mine"] == [game]
        send(two, type="leave-lobby")
        send(two, type="ping")
        receive(two, "pong")
        send(one, type="withdraw", game=game)
        assert receive(one, "lobby")["games"] == []
        send(two, type="ping")
        assert json.loads(two.recv(timeout=PATIENCE))["type"] == "pong"


def test_a_session_that_ends_while_a_socket_is_opened_closes_it(tmp_path: Path) -> None:
    """Nobody would close it afterwards."""
    sent: list[MutableMapping[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def receive() -> MutableMapping[str, Any]:
        if not sent:
            return {"type": "websocket.connect"}
        while sent[-1]["type"] != "websocket.close":
            await asyncio.sleep(0.01)
        return {"type": "websocket.disconnect"}

    async def run() -> None:
        server = Server(partial(open_store, str(tmp_path / "games.sqlite")), Limits())
        async with server._lifespan(Starlette()):
            ann = await server.accounts.register("Ann", PASSWORD, "")
            find = server.accounts.of_session

            async def find_and_end(session: str) -> Identity | None:
                found = await find(session)
                await server.accounts.sign_out(ann)
                return found

            server.accounts.of_session = find_and_end  # type: ignore[method-assign]
            cookie = f"ninefold={server.signer.write(ann)}".encode()
            scope = {"type": "websocket", "path": "/ws", "headers": [(b"cookie", cookie)]}
            await server._connect(scope, receive, send)
            close = {"type": "websocket.close", "code": 4001}
            assert sent == [{"type": "websocket.accept"}, close]
            assert server.connections.count == 0

    asyncio.run(run())


def test_sessions_end_in_every_process(postgres: str) -> None:
    """Whichever of them is told."""
    with live(postgres) as one, live(postgres) as other:
        ann = registered(one, "Ann of two")
        ann.port = other
        with ann.open() as socket:
            here = Client(one)
            here.cookie = ann.cookie
            assert here.ask("DELETE", "/api/session").status == 204
            assert end_of(socket) == 4001
        assert ann.get("/api/me")["account"] is False
