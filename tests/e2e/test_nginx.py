"""The server behind nginx, with the very site file that the documentation has."""

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from processes import PATIENCE, wait_until
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
NAME = "games.example"
pytestmark = pytest.mark.slow


class Proxy(NamedTuple):
    """Where nginx listens, and how to trust it."""

    port: int
    trust: ssl.SSLContext

    def ask(self, method: str, path: str, body: object = None, **more: str) -> "Answer":
        """The answer to a request; ``source`` is the address it comes from."""
        source = more.pop("source", "127.0.0.1")
        sock = socket.create_connection(("127.0.0.1", self.port), PATIENCE, (source, 0))
        connection = http.client.HTTPConnection(NAME)
        connection.sock = self.trust.wrap_socket(sock, server_hostname=NAME)
        headers = {
            "Content-Type": "application/json",
            **more,
        }
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        found = Answer(answer.status, dict(answer.getheaders()), answer.read())
        connection.close()
        return found

    def open(self, cookie: str, origin: str = f"https://{NAME}") -> ClientConnection:
        """A WebSocket."""
        sock = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        return connect(
            f"wss://{NAME}/ws",
            sock=sock,
            ssl=self.trust,
            origin=Origin(origin),
            additional_headers={"Cookie": cookie},
            open_timeout=PATIENCE,
        )


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """A real server behind nginx; without it, these tests are skipped, but never in CI."""
    nginx, openssl = (
        shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"),
        shutil.which("openssl"),
    )
    if nginx is None or openssl is None:
        missing = "nginx is not installed (Debian: apt install nginx openssl)."
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    folder = tmp_path_factory.mktemp("nginx")
    make_certificate(openssl, folder)
    command = [sys.executable, "-m", "ninefold", "serve", "--port", "0", "--rate", "1"]
    command += ["--database", str(folder / "games.sqlite"), "--url", f"https://{NAME}"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        server.stdout.readline()
        listening = listening_port(server.pid)
        port = free_port()
        (folder / "nginx.conf").write_text(site(folder, port, listening))
        proxied = subprocess.Popen([nginx, "-c", str(folder / "nginx.conf"), "-p", str(folder)])
        try:
            trust = ssl.create_default_context(cafile=str(folder / "cert.pem"))
            wait_until(lambda: accepts(port))
            yield Proxy(port, trust)
        finally:
            proxied.terminate()
            proxied.wait(PATIENCE)
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE)


def make_certificate(openssl: str, folder: Path) -> None:
    """A certificate for the name, signed by itself."""
    command = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    command += [
        "-nodes",
        "-days",
        "2",
        "-subj",
        f"/CN={NAME}",
        "-addext",
        f"subjectAltName=DNS:{NAME}",
    ]
    command += ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run(command, check=True, capture_output=True)


def site(folder: Path, port: int, upstream: int) -> str:
    """The file of the documentation with other ports and paths, as a whole configuration."""
    text = (EXAMPLES / "nginx.conf").read_text()
    for old, new in (
        ("server 127.0.0.1:8000;", f"server 127.0.0.1:{upstream};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("listen [::]:443 ssl;", ""),
        ("/etc/ssl/games.example.pem", str(folder / "cert.pem")),
        ("/etc/ssl/games.example.key", str(folder / "key.pem")),
    ):
        assert old in text
        text = text.replace(old, new)
    folders = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    return (
        f"{user}daemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{folders}{text}}}\n"
    )


def listening_port(pid: int) -> int:
    """The port at which a process listens; its address is shown as the public one."""

    def find() -> int:
        sockets = {
            os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()
        }
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                return int(fields[1].rpartition(":")[2], 16)
        return 0

    return wait_until(find)


def accepts(port: int) -> bool:
    """Whether somebody listens."""
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def test_a_game_is_played_over_https_and_websockets(proxy: Proxy) -> None:
    """The cookie travels over HTTPS only, and a move reaches the other player."""
    answer = proxy.ask("POST", "/api/games", {"game": "magic-fifteen"})
    assert answer.status == 201
    assert re.search(r"; secure(;|$)", answer.headers["set-cookie"], re.I)
    one, game = answer.headers["set-cookie"].partition(";")[0], json.loads(answer.body)["id"]
    joined = proxy.ask("POST", f"/api/games/{game}/join", {})
    two = joined.headers["set-cookie"].partition(";")[0]
    with proxy.open(one) as mover, proxy.open(two) as other:
        for each in (mover, other):
            each.send(json.dumps({"type": "watch", "game": game}))
            assert json.loads(each.recv(PATIENCE))["type"] == "event"
        mover.send(json.dumps({"type": "move", "game": game, "move": "5", "key": "k"}))
        shown = json.loads(other.recv(PATIENCE))
        assert [move["number"] for move in shown["view"]["moves"]] == [5]


def test_counts_are_not_for_strangers(proxy: Proxy) -> None:
    """Those of the monitoring; whether the server is well is no secret."""
    found = [proxy.ask("GET", path, source="127.0.0.6").status for path in ("/metrics", "/health")]
    assert found == [403, 200]


def test_another_site_cannot_open_a_websocket(proxy: Proxy) -> None:
    """The origin of the page arrives as it was sent."""
    cookie = proxy.ask("GET", "/api/me", source="127.0.0.9").headers["set-cookie"].partition(";")[0]
    with pytest.raises(InvalidStatus, match="403"), proxy.open(cookie, "https://evil.example"):
        pass


def statuses(proxy: Proxy, headers: Callable[[int], dict[str, str]]) -> Iterator[int]:
    """What many requests from one address are answered."""
    for at in range(2000):
        yield proxy.ask("GET", "/api/books", source="127.0.0.7", **headers(at)).status


def test_requests_are_limited_by_the_address_of_the_client(proxy: Proxy) -> None:
    """Nobody pays for another one's requests, and nobody can claim another address."""
    assert 429 in statuses(proxy, lambda _: {})
    assert proxy.ask("GET", "/api/books", source="127.0.0.8").status == 200
    assert 429 in statuses(proxy, lambda at: {"X-Forwarded-For": f"10.0.{at // 250}.{at % 250}"})
