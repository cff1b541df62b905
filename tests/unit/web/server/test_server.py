"""The server over the network: who may do what, and what nobody can do to it."""

import asyncio
import json
import socket
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
from processes import PATIENCE, wait_until
from starlette.responses import PlainTextResponse
from unit.web.server.live import Client, live, receive, send
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ninefold.core.errors import NinefoldError
from ninefold.web.server.database import StoreDown
from ninefold.web.server.guard import _GONE, Guard, origin_of
from ninefold.web.server.limits import Addresses, Limits

pytestmark = pytest.mark.slow


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """The port of a server with an empty database."""
    with live(str(tmp_path / "games.sqlite")) as found:
        yield found


def game_of_two(port: int) -> tuple[Client, Client, str]:
    """Ann, Bob, and the game that they play."""
    ann, bob = Client(port), Client(port)
    ann.post("/api/me", name="Ann")
    bob.post("/api/me", name="Bob")
    game = ann.post("/api/games", game="magic-fifteen")["id"]
    assert bob.post(f"/api/games/{game}/join")["state"] == "playing"
    return ann, bob, game


def refused_socket(client: Client, **headers: str) -> tuple[int, str | None]:
    """The status with which a WebSocket is refused, and when to try again."""
    with pytest.raises(InvalidStatus) as refused:
        client.open(**headers)
    response = refused.value.response
    return response.status_code, response.headers.get("Retry-After")


def test_a_websocket_is_refused_for_now_without_a_database(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a status that lets clients try again; when it is back, they are let in."""
    bot = Client(port)
    bot.headers = {"Authorization": f"Bearer {bot.post('/api/tokens', name='Bot')['token']}"}

    async def fail(*_: object) -> None:
        raise StoreDown("secret")

    with monkeypatch.context() as context:
        context.setattr("ninefold.web.server.app.bot_of", fail)
        assert refused_socket(bot) == (503, "1")
    with bot.open():
        pass


def test_two_people_play_over_websockets(port: int) -> None:
    """Every move is acknowledged, and shown to both and to a spectator."""
    ann, bob, game = game_of_two(port)
    with ann.open() as one, bob.open() as two, Client(port).open() as third:
        for each in (one, two, third):
            send(each, type="watch", game=game)
            receive(each, "event")
        for at, move in enumerate((5, 1, 4, 2, 6)):
            mover, after = (one, two)[at % 2], at + 1
            send(mover, type="move", game=game, after=after, move=str(move), key=f"k{at}")
            seen = [receive(each, "event") for each in (two, third)]
            assert [one["seq"] for one in seen] == [after + 1] * 2
            answer = receive(mover, "ok") if mover is one else {"seq": after + 1}
            assert answer["seq"] == after + 1
        assert seen[1]["view"]["status"] == "Ann wins."


def test_a_client_that_reconnects_gets_what_it_missed(port: int) -> None:
    """From the last event it saw; a move that is sent again is not made again."""
    ann, bob, game = game_of_two(port)
    with ann.open() as socket:
        send(socket, type="move", game=game, move="5", key="k")
        assert receive(socket, "ok")["seq"] == 2
    bob.post(f"/api/games/{game}/act", type="move", move="1")
    with ann.open() as socket:
        send(socket, type="move", game=game, move="5", key="k")
        assert receive(socket, "ok") == {"type": "ok", "game": game, "seq": 2, "key": "k"}
        send(socket, type="watch", game=game, **{"from": 2})
        message = receive(socket, "event")
        assert [event["text"] for event in message["events"]] == ["Bob takes 1."]
        assert message["view"]["hands"] == [[5], [1]]


def test_a_stranger_cannot_move(port: int) -> None:
    """A seat belongs to a cookie; a cookie that was changed belongs to nobody."""
    ann, _, game = game_of_two(port)
    eve, forger = Client(port), Client(port)
    forger.cookie = ann.cookie[:-1] + ("0" if ann.cookie[-1] != "0" else "1")
    for client in (eve, forger):
        with client.open() as socket:
            send(socket, type="move", game=game, move="5", key="k")
            refused = receive(socket, "refused")
            assert (refused["code"], refused["key"]) == ("not-a-player", "k")
        answer = client.ask("POST", f"/api/games/{game}/act", b'{"type":"resign"}')
        assert (answer.status, answer.json["code"]) == (409, "not-a-player")


def test_a_bot_plays_with_its_token(port: int) -> None:
    """A deleted token is no longer valid."""
    ann, bot = Client(port), Client(port)
    made = bot.post("/api/tokens", name="Bot")
    bot.headers = {"Authorization": f"Bearer {made['token']}"}
    game = ann.post("/api/games", game="magic-fifteen", opponent="anyone")["id"]
    (challenge,) = bot.get("/api/games/open")["games"]
    assert challenge["id"] == game
    assert bot.post(f"/api/games/{game}/join")["view"]["you"] == 2
    assert ann.post(f"/api/games/{game}/act", type="move", move="5") == {"seq": 2}
    assert bot.post(f"/api/games/{game}/act", type="move", move="1") == {"seq": 3}
    assert bot.ask("DELETE", "/api/tokens").status == 204
    refused = bot.ask("POST", f"/api/games/{game}/act", b'{"type":"resign"}')
    assert (refused.status, refused.json["code"]) == (401, "not-identified")
    assert refused_socket(bot) == (401, None)


def test_other_sites_are_refused(port: int) -> None:
    """By their origin, for requests that change something and for WebSockets; by a foreign host."""
    client = Client(port)
    own, other = f"http://127.0.0.1:{port}", "https://evil.example"
    body = b'{"name":"Ann"}'
    assert client.ask("POST", "/api/me", body, Origin=own).status == 200
    for origin in (other, "null", "http://[", f"http://127.0.0.1:{port + 1}"):
        refused = client.ask("POST", "/api/me", body, Origin=origin)
        assert (refused.status, refused.json["code"]) == (403, "wrong-origin")
        assert refused_socket(client, Origin=origin) == (403, None)
    with client.open(Origin=own):
        pass
    for host in ("evil.example", "[", "127.0.0.1.evil.example", ""):
        foreign = client.ask("GET", "/api/books", Host=host)
        assert (foreign.status, foreign.json["code"]) == (421, "wrong-host")
    simple = client.ask("POST", "/api/me", body, **{"Content-Type": "text/plain"})
    assert (simple.status, simple.json["code"]) == (400, "bad-request")


def test_behind_a_proxy_the_public_address_is_its_own(tmp_path: Path) -> None:
    """Cookies are then only sent over TLS; its page without TLS is another site."""
    with live(str(tmp_path / "games.sqlite"), url="https://Games.Example:443/") as port:
        client = Client(port)
        body, origin = b'{"name":"Ann"}', "https://games.example"
        for host in ("games.example", "Games.Example", "games.example:443"):
            answer = client.ask("POST", "/api/me", body, Host=host, Origin=origin)
            assert answer.status == 200 and "Secure" in answer.headers["set-cookie"]
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
        for origin in ("http://games.example", "https://games.example:8443", "https://127.0.0.1"):
            answer = client.ask("POST", "/api/me", body, Host="games.example", Origin=origin)
            assert (answer.status, answer.json["code"]) == (403, "wrong-origin")
            assert "strict-transport-security" in answer.headers
        assert client.ask("GET", "/api/me", Host="games.example:80").status == 421
        own = f"http://127.0.0.1:{port}"
        assert client.ask("POST", "/api/me", body, Origin=own).status == 200


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Games.Example", "https://games.example"),
        ("HTTP://games.example:80/", "http://games.example"),
        ("https://games.example:8443", "https://games.example:8443"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("http://[::1]:443", "http://[::1]:443"),
        ("http://192.0.2.1", "http://192.0.2.1"),
    ],
)
def test_a_public_address_is_known_as_browsers_write_it(url: str, origin: str) -> None:
    """Whatever its letters, and without the usual port."""
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    "url",
    [
        "games.example",
        "https://",
        "ftp://games.example",
        "https://games.example/play",
        "https://games.example?x",
        "https://games.example#",
        "https://ann@games.example",
        "https://games example",
        "https://games.example:0",
        "https://games.example:x",
        "https://[",
        "https://[::x]",
    ],
)
def test_what_is_no_public_address_is_refused(url: str) -> None:
    """The message says how to write it."""
    with pytest.raises(NinefoldError, match=r"is not the public .* Write --url as https://"):
        origin_of(url)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "expected a JSON object"),
        (b"[" * 50_000, "expected a JSON object"),
        (b"[]", "expected a JSON object"),
        (b'{"game":"/etc/passwd"}', "game must be one of"),
        (b'{"game":"nim.toml"}', "game must be one of"),
        (b'{"game":["magic-fifteen"]}', "game must be one of"),
        (b'{"game":"magic-fifteen","opponent":"program:sh"}', "opponent must be one of"),
        (b'{"game":"magic-fifteen","first":true}', "first must be one of"),
        (b'{"game":"magic-fifteen","time_limit":NaN}', "time_limit must be a number"),
        (b'{"game":"magic-fifteen","time_limit":1e999}', "time_limit must be a number"),
        (b'{"game":"magic-fifteen","wins":1.5}', "wins must be a whole number"),
        (b'{"game":"magic-fifteen","extra":1}', "unknown field 'extra'"),
    ],
)
def test_a_wrong_request_is_explained(tmp_path: Path, body: bytes, message: str) -> None:
    """Status 400, a code and a sentence; never a stack trace."""
    with live(str(tmp_path / "games.sqlite")) as port:
        answer = Client(port).ask("POST", "/api/games", body)
        assert (answer.status, answer.json["code"]) == (400, "bad-request")
        assert message in answer.json["message"]


def test_names_are_checked(port: int) -> None:
    """Nobody is called You, nothing invisible is in a name, and two players have two names."""
    ann, bob = Client(port), Client(port)
    hidden = ("\u115f", "\u2800", "Y\ufe0fou", "\uff39\uff4f\uff55", "a" + 4 * "\u0301")
    for name in (*hidden, "you", " ", "a\u202eb", "x" * 41, "\N{WOMAN}\u200d\N{GIRL}"):
        answer = ann.post("/api/me", name=name)
        assert answer["code"] in ("bad-name", "bad-request")
    wanted = "name must be 1 to 40 visible characters, without joined emoji"
    assert answer["message"] == wanted
    for client in (ann, bob):
        client.post("/api/me", name='<b>"A\\')
    game = ann.post("/api/games", game="magic-fifteen")["id"]
    assert bob.post(f"/api/games/{game}/join")["view"]["names"] == ['<b>"A\\', '<b>"A\\ (2)']


def test_wrong_messages_are_refused_one_by_one(port: int) -> None:
    """The connection goes on; only one that is too large ends it."""
    ann, _, game = game_of_two(port)
    wrong = [
        "x",
        "[]",
        "[" * 10_000,
        "{}",
        '{"type":"watch"}',
        '{"type":"watch","game":"none"}',
        json.dumps({"type": "move", "game": game, "move": "5\x00"}),
        json.dumps({"type": "move", "game": game, "move": 5}),
        json.dumps({"type": "move", "game": game, "move": "5", "key": "k" * 65}),
        json.dumps({"type": "move", "game": game, "move": "5", "after": -1}),
        json.dumps({"type": "win", "game": game}),
    ]
    with ann.open() as each:
        for text in wrong:
            each.send(text)
            assert receive(each, "refused")["code"] in ("bad-request", "no-such-game")
        each.send(b"\x00\xff")
        assert receive(each, "refused")["code"] == "bad-request"
        send(each, type="ping", key="p")
        assert receive(each, "pong") == {"type": "pong", "key": "p"}
        each.send("x" * 20_000)
        with pytest.raises(ConnectionClosed):
            receive(each, "never")


def test_bodies_and_rates_are_limited(tmp_path: Path) -> None:
    """Too large, too many: refused without harm to others."""
    limits = Limits(requests=1, connections=2)
    with live(str(tmp_path / "games.sqlite"), limits) as port:
        client = Client(port)
        assert client.ask("POST", "/api/games", b" " * 70_000).status == 413
        with client.open(), client.open():
            assert refused_socket(client) == (429, "1")
        answers = [client.ask("GET", "/api/books") for _ in range(12)]
        refused = [answer for answer in answers if answer.status == 429]
        assert refused and refused[0].headers["retry-after"] == "1"


def test_nobody_can_fill_the_list_of_open_games(tmp_path: Path) -> None:
    """One person has a few challenges to anyone, and one address begins a few at once."""
    limits = Limits(requests=10_000, open_challenges=2, challenges=4)

    def challenge(client: Client, opponent: str = "anyone") -> object:
        answer = client.post("/api/games", game="magic-fifteen", opponent=opponent)
        return answer.get("code", "begun")

    with live(str(tmp_path / "games.sqlite"), limits) as port:
        honest, flood, many = Client(port), Client(port), Client(port)
        honest.headers = {"X-Forwarded-For": "203.0.113.5"}
        own = honest.post("/api/games", game="magic-fifteen", opponent="anyone")["id"]
        assert [challenge(flood) for _ in range(3)] == ["begun"] * 2 + ["too-many-challenges"]
        assert challenge(flood, "friend") == challenge(flood, "random") == "begun"
        (first, *_) = flood.get("/api/games/open")["mine"]
        flood.post(f"/api/games/{first}/act", type="withdraw")
        assert challenge(flood) == challenge(many) == "begun"
        refused = many.ask("POST", "/api/games", b'{"game":"magic-fifteen","opponent":"anyone"}')
        assert (refused.status, refused.json["code"]) == (429, "too-many-requests")
        assert challenge(honest) == "begun"
        assert own in [one["id"] for one in many.get("/api/games/open")["games"]]


def test_answers_have_safe_headers(port: int) -> None:
    """No page may load anything from elsewhere, whatever the answer is."""
    client = Client(port)
    for path, status in (("/api/books", 200), ("/nowhere", 404), ("/api/games/none", 404)):
        answer = client.ask("GET", path)
        assert answer.status == status
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "server" not in answer.headers
        assert "strict-transport-security" not in answer.headers
    assert client.ask("PUT", "/api/games").status == 405


def test_an_unknown_address_is_a_page_to_a_browser_and_json_to_a_program(port: int) -> None:
    """Both with the same status."""
    client = Client(port)
    program = client.ask("GET", "/nowhere")
    assert (program.status, program.json["code"]) == (404, "not-found")
    browser = client.ask("GET", "/nowhere", Accept="text/html,*/*")
    assert browser.status == 404
    assert browser.headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize("code", ["busy", "closing", "failed", "unavailable"])
def test_what_may_work_later_says_so(port: int, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """It is not the fault of the request: status 503, and when to try again."""

    async def refuse(*_: object) -> None:
        raise NinefoldError(code, "Not now.")

    monkeypatch.setattr("ninefold.web.server.games.Games.begin", refuse)
    answer = Client(port).ask("POST", "/api/games", b'{"game":"magic-fifteen"}')
    assert (answer.status, answer.headers["retry-after"]) == (503, "1")
    assert answer.json == {"code": code, "message": "Not now."}


def test_a_failure_inside_shows_nothing_of_it(
    port: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Clients are told that it is the server's fault; the log knows why."""

    def fail() -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("ninefold.web.server.choices.books.load_all", fail)
    answer = Client(port).ask("GET", "/api/books")
    assert (answer.status, answer.json["code"]) == (500, "internal-error")
    assert b"secret" not in answer.body
    wait_until(lambda: "ZeroDivisionError" in caplog.text)
    ann, _, game = game_of_two(port)
    monkeypatch.setattr("ninefold.web.server.connection.check_action", lambda _: fail())
    with ann.open() as each:
        send(each, type="move", game=game, move="5")
        assert receive(each, "refused")["code"] == "internal-error"


@pytest.mark.parametrize(
    ("reason", "logged"),
    [
        ("unable to perform operation on <TCPTransport closed=True>; the handler is closed", ""),
        ("Response content longer than Content-Length", "GET '/a\\nb' failed"),
    ],
)
def test_only_failures_of_ours_are_logged(
    caplog: pytest.LogCaptureFixture, reason: str, logged: str
) -> None:
    """Not a client that is gone before it is answered; a path cannot look like another line."""

    async def send(_: MutableMapping[str, Any]) -> None:
        raise RuntimeError(reason)

    async def receive() -> MutableMapping[str, Any]:
        raise AssertionError("there is no body")

    scope = {"type": "http", "method": "GET", "path": "/a\nb", "headers": [(b"host", b"localhost")]}
    guard = Guard(PlainTextResponse("answer"), Limits(), Addresses(Limits()), "")
    asyncio.run(guard(scope, receive, send))
    assert [record.getMessage() for record in caplog.records] == ([logged] if logged else [])


def test_clients_cannot_fill_the_log(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A request that nobody can read and a WebSocket from another site leave no line in it."""
    with live(str(tmp_path / "games.sqlite")) as port:
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as sent:
            sent.sendall(b"X" * 1_000 + b"\r\n\r\n")
            assert sent.recv(100).startswith(b"HTTP/1.1 400")
        assert refused_socket(Client(port), Origin="http://evil.example") == (403, None)
    assert capsys.readouterr().err == ""


def test_uvloop_still_calls_it_like_this() -> None:
    """What is written after the end of a connection, as by the first of two pipelined requests."""
    uvloop = pytest.importorskip("uvloop")

    async def run() -> str:
        one, two = socket.socketpair()
        reader, writer = await asyncio.open_connection(sock=one)
        two.close()
        assert await reader.read() == b""
        writer.transport.abort()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError) as refused:
            writer.transport.write(b"late")
        return str(refused.value)

    assert _GONE in uvloop.run(run())


def test_health_and_metrics(port: int) -> None:
    """For whoever watches the server."""
    ann, _, _ = game_of_two(port)
    assert ann.ask("GET", "/health").body == b"ok\n"
    assert b"ninefold_games_in_memory 1\n" in ann.ask("GET", "/metrics").body


def test_the_record_of_a_game_can_be_downloaded(port: int) -> None:
    """As a file that every command reads."""
    ann, _, game = game_of_two(port)
    ann.post(f"/api/games/{game}/act", type="move", move="5")
    answer = ann.ask("GET", f"/api/games/{game}/record")
    assert answer.headers["content-disposition"] == f'attachment; filename="{game}.ninefold"'
    assert answer.body.endswith(b"\n\n1. 5\n*\n")


def test_games_survive_a_restart(tmp_path: Path) -> None:
    """The cookie is still valid, and the game goes on."""
    path = str(tmp_path / "games.sqlite")
    with live(path) as port:
        ann, bob, game = game_of_two(port)
        ann.post(f"/api/games/{game}/act", type="move", move="5")
    with live(path) as port:
        bob.port = port
        assert bob.post(f"/api/games/{game}/act", type="move", move="1") == {"seq": 3}
