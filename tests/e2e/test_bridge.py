"""``ninefold bridge`` as users run it: programs play on a real server, well or badly."""

import os
import pkgutil
import shlex
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from processes import PATIENCE, is_gone, wait_until
from unit.web.server.live import Client, live, receive, send
from websockets.sync.client import ClientConnection

from ninefold.web.server.database import StoreDown
from ninefold.web.server.limits import Limits

ENGINE = shlex.join([sys.executable, "-m", "ninefold", "gtp", "magic-fifteen"])
FAULTY = Path(__file__).parents[1] / "bots" / "faulty.py"


def faulty(fault: str) -> str:
    """The command of a program with this fault."""
    return shlex.join([sys.executable, str(FAULTY), fault])


class Bridge:
    """The command while it runs, and all that it has said."""

    def __init__(self, port: int, arguments: Sequence[str], token: str) -> None:
        command = [sys.executable, "-m", "ninefold", "bridge", *arguments]
        self.process = subprocess.Popen(
            [*command, "--server", f"http://127.0.0.1:{port}/"],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "NINEFOLD_TOKEN": token},
        )
        self.said = ""
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said += line

    def end(self, number: int = signal.SIGINT) -> int:
        """Its exit code, after this signal if it still runs."""
        self.process.send_signal(number)  # does nothing to a process that is known to be gone
        code = self.process.wait(PATIENCE)
        self._thread.join()
        assert self.process.stderr is not None
        self.process.stderr.close()
        return code


@contextmanager
def bridge(port: int, *arguments: str, token: str = "") -> Iterator[Bridge]:
    """A bridge, which is ended in the end."""
    started = Bridge(port, arguments, token)
    try:
        wait_until(lambda: "is ready" in started.said or started.process.poll() is not None)
        yield started
    finally:
        started.process.poll()
        started.end()


def challenge(client: Client, **wanted: object) -> str:
    """A new game against the only bot that is ready."""
    (found,) = client.get("/api/bots")["bots"]
    wanted = {"game": "magic-fifteen", "opponent": f"bot:{found['id']}", **wanted}
    return str(client.post("/api/games", **wanted)["id"])


def finish(
    socket: ClientConnection, game: str, choose: Callable[[list[int]], int] = min
) -> dict[str, Any]:
    """The last event of a game in which we take what ``choose`` takes, or pass."""
    send(socket, type="watch", game=game)
    while True:
        event = receive(socket, "event")
        view = event["view"]
        if event["game"] == game and event["state"] == "over":
            return event
        if event["game"] == game and view["turn"] == view["you"]:
            free = [tile["number"] for tile in view["tiles"] if tile["free"]]
            send(socket, type="move", game=game, move=str(choose(free)) if free else "pass")


def test_the_engine_plays_every_game_at_once(tmp_path: Path) -> None:
    """Two copies play five games between them; the perfect player does not lose a drawn one."""
    token = tmp_path / "bot.token"
    arguments = [ENGINE, "--name", "Engine", "--token-file", str(token), "--copies", "2"]
    with live(str(tmp_path / "games.sqlite")) as port, bridge(port, *arguments) as started:
        ann = Client(port)
        wanted: list[dict[str, object]] = [
            {"game": "magic-fifteen"},
            {"game": "magic-fifteen", "first": 2, "time_limit": 600},
            {"game": "sequence-builder", "first": 2, "game_time": 600, "increment": 5},
            {"game": "sequence-capture"},
            {"game": "pattern-builder", "reading": "declare", "first": 2},
        ]
        games = [challenge(ann, **one) for one in wanted]
        with ann.open() as socket:
            ends = [finish(socket, game) for game in games]
        assert {end["view"]["names"][1] for end in ends} == {"Engine"}
        assert ends[0]["view"]["over"]["winner"] != 1
        wait_until(lambda: all(f"game {game}." in started.said for game in games))
        assert "Traceback (most" not in started.said
    assert stat.S_IMODE(token.stat().st_mode) == 0o600


def test_it_takes_back_moves_and_plays_again_when_asked(tmp_path: Path) -> None:
    """The program hears of an undo; a rematch begins at once."""
    arguments = [ENGINE, "--token-file", str(tmp_path / "token"), "--game", "magic-fifteen"]
    with live(str(tmp_path / "games.sqlite")) as port, bridge(port, *arguments):
        ann = Client(port)
        game = challenge(ann)
        with ann.open() as socket:
            send(socket, type="watch", game=game)
            send(socket, type="move", game=game, move="5")
            while len(receive(socket, "event")["view"]["moves"]) < 2:
                pass
            send(socket, type="undo", game=game)
            while receive(socket, "event")["view"]["moves"]:
                pass
            finish(socket, game)
            send(socket, type="rematch", game=game)
            while not (event := receive(socket, "event"))["next"]:
                pass
            assert finish(socket, event["next"])["view"]["first"] == 2
        (found,) = ann.get("/api/bots")["bots"]
        assert found["games"] == ["magic-fifteen"]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("taken", "its move was refused. "),
        ("outside", "its move was refused. "),
        ("exits", "exited with code 7"),
        ("words", "is not a move"),
        ("resigns", "it resigns."),
    ],
)
def test_a_program_that_fails_loses_the_game(tmp_path: Path, fault: str, reason: str) -> None:
    """It is started again for the next one, which it loses, too."""
    arguments = [faulty(fault), "--token-file", str(tmp_path / "token")]
    with live(str(tmp_path / "games.sqlite")) as port, bridge(port, *arguments) as started:
        ann = Client(port)
        ann.post("/api/me", name="Ann")
        with ann.open() as socket:
            for _ in range(2):
                over = finish(socket, challenge(ann))["view"]["over"]
                assert over["winner"] == 1
        wait_until(lambda: started.said.count("Lost against") == 2)
        assert reason in started.said and "Traceback (most" not in started.said


def test_a_slow_program_ends_with_the_bridge(tmp_path: Path) -> None:
    """Ctrl-C does not wait for what it thinks about."""
    pids = tmp_path / "pids"
    program = f'{sys.executable} -c \'import os, runpy, sys; sys.argv[1:] = ["sleeps"]; '
    program += f'print(os.getpid(), file=open("{pids}", "w")); runpy.run_path("{FAULTY}", '
    program += 'run_name="__main__")\''
    arguments = [program, "--token-file", str(tmp_path / "token"), "--time-limit", "3600"]
    with live(str(tmp_path / "games.sqlite")) as port, bridge(port, *arguments) as started:
        game = challenge(Client(port), first=2)
        pid = wait_until(lambda: pids.exists() and pids.read_text().strip())
        assert game and started.end() == 130
        wait_until(lambda: is_gone(int(pid)))
        assert "Traceback (most" not in started.said


def test_it_connects_again_when_the_server_is_back(tmp_path: Path) -> None:
    """What it has to do meanwhile, it does then."""
    database, token = str(tmp_path / "games.sqlite"), tmp_path / "token"
    with live(database) as port:
        ann, started = Client(port), Bridge(port, [ENGINE, "--token-file", str(token)], "")
        try:
            wait_until(lambda: "is ready" in started.said)
            game = challenge(ann)
        finally:
            os.kill(started.process.pid, signal.SIGSTOP)
    try:
        with live(database, port=port):
            assert ann.post(f"/api/games/{game}/act", type="move", move="5") == {"seq": 2}
            os.kill(started.process.pid, signal.SIGCONT)
            with ann.open() as socket:
                assert finish(socket, game)["state"] == "over"
    finally:
        os.kill(started.process.pid, signal.SIGCONT)
        assert started.end() == 130
    assert "The connection was lost. Connecting again ..." in started.said


def test_it_waits_until_there_is_room_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address with too many connections is refused for now; that does not end the bridge."""
    for name in ("INITIAL_DELAY", "MIN_DELAY", "MAX_DELAY"):
        monkeypatch.setenv(f"WEBSOCKETS_BACKOFF_{name}", "0.1")
    arguments = [ENGINE, "--token-file", str(tmp_path / "token")]
    with live(str(tmp_path / "games.sqlite"), Limits(requests=10_000, connections=1)) as port:
        with Client(port).open():
            started = Bridge(port, arguments, "")
            try:
                wait_until(lambda: started.said.count("The server is busy: status 429.") > 1)
            except BaseException:
                started.end()
                raise
        try:
            wait_until(lambda: "is ready" in started.said)
        finally:
            assert started.end() == 130


def test_what_fails_for_a_moment_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To ask who it is, to be ready, and to move: the bot still plays its game."""
    failures = [
        fail_once(monkeypatch, "ninefold.web.server.app.bot_of"),
        fail_once(monkeypatch, "ninefold.web.server.ready_bots.ReadyBots.add"),
    ]
    arguments = [ENGINE, "--token-file", str(tmp_path / "token")]
    with live(str(tmp_path / "games.sqlite")) as port, bridge(port, *arguments) as started:
        ann = Client(port)
        game = challenge(ann, first=2)
        with ann.open() as socket:
            send(socket, type="watch", game=game)
            while (view := receive(socket, "event")["view"])["turn"] != view["you"]:
                pass
            failures.append(fail_once(monkeypatch, "ninefold.web.server.table.Table.act", after=1))
            assert finish(socket, game)["state"] == "over"
        assert failures == [["StoreDown"]] * 3 and "refused" not in started.said


def fail_once(monkeypatch: pytest.MonkeyPatch, name: str, after: int = 0) -> list[str]:
    """What the server calls fails once, after so many calls; the failure is noted in the list."""
    module, _, last = name.rpartition(".")
    owner = pkgutil.resolve_name(module)
    work, calls, failures = getattr(owner, last), count(), list[str]()

    async def attempt(*given: Any) -> Any:
        if next(calls) == after:
            failures.append("StoreDown")
            raise StoreDown("test")
        return await work(*given)

    monkeypatch.setattr(owner, last, attempt)
    return failures


def test_the_token_stays_a_secret(tmp_path: Path) -> None:
    """It is in no command line, and the program does not find it in its environment."""
    spy = tmp_path / "spy.py"
    spy.write_text(
        "import os, runpy, sys\n"
        f"open({str(tmp_path / 'seen')!r}, 'w').write(repr(sorted(os.environ)))\n"
        f"sys.argv[1:] = ['none']\nrunpy.run_path({str(FAULTY)!r}, run_name='__main__')\n"
    )
    with live(str(tmp_path / "games.sqlite")) as port:
        ann = Client(port)
        token = ann.post("/api/tokens", name="Spy")["token"]
        with bridge(port, shlex.join([sys.executable, str(spy)]), token=token) as started:
            game = challenge(ann)
            with ann.open() as socket:
                finish(socket, game)
            assert "Spy is ready" in started.said and token not in started.said
        assert "NINEFOLD_TOKEN" not in (tmp_path / "seen").read_text()
        assert "PATH" in (tmp_path / "seen").read_text()


@pytest.mark.parametrize(
    ("arguments", "token", "message"),
    [
        (["nothing-of-this-name"], "x", "There is no program 'nothing-of-this-name'."),
        ([ENGINE], "", "A bot needs a token. Set NINEFOLD_TOKEN, or name a file"),
        ([ENGINE], "wrong", "Unknown token."),
        ([ENGINE, "--token-file", "."], "", "Cannot read .: Is a directory."),
        ([ENGINE, "--token-file", "no/file"], "", "Cannot write no/file: No such file"),
        ([ENGINE, "--token-file", os.devnull], "", f"There is no token in {os.devnull}."),
        ([ENGINE, "--game", "chess"], "x", "There is no game 'chess' on servers."),
    ],
)
def test_what_cannot_be_connected_is_explained(
    tmp_path: Path, arguments: list[str], token: str, message: str
) -> None:
    """In a line, with exit code 2."""
    with live(str(tmp_path / "games.sqlite")) as port:
        with bridge(port, *arguments, token=token) as started:
            assert started.process.wait(PATIENCE) == 2
        wait_until(lambda: message in started.said)


@pytest.mark.parametrize("server", ["ftp://x", "http://", "http://[", "http://127.0.0.1:1/"])
def test_a_server_that_is_not_there(server: str) -> None:
    """Is named."""
    command = [sys.executable, "-m", "ninefold", "bridge", ENGINE, "--server", server]
    environment = {**os.environ, "NINEFOLD_TOKEN": "x"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "is not the address of a server" in done.stderr or "does not answer" in done.stderr
    assert "Traceback (most" not in done.stderr
