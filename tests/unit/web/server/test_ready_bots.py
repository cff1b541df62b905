"""Bots that wait for opponents: listed, challenged, told of their games, wherever they connect."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest
from processes import wait_until
from unit.web.server.live import Client, live, receive, send
from websockets.sync.client import ClientConnection

from ninefold.web.server.limits import Limits

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("postgres")]
EXAMPLE = Path(__file__).parents[4] / "docs" / "examples" / "web_bot.py"


def bot_of(client: Client, name: str) -> Client:
    """A bot that this person has made."""
    bot = Client(client.port)
    bot.headers = {"Authorization": f"Bearer {client.post('/api/tokens', name=name)['token']}"}
    return bot


@contextmanager
def ready(bot: Client, **given: object) -> Iterator[ClientConnection]:
    """The connection of a bot that is ready."""
    with bot.open() as socket:
        send(socket, type="ready", **given)
        receive(socket, "ready")
        yield socket


def listed(client: Client) -> list[dict[str, Any]]:
    """The bots that are ready."""
    found: list[dict[str, Any]] = client.get("/api/bots")["bots"]
    return found


def test_the_example_plays_whole_games(tmp_path: Path) -> None:
    """It is challenged, moves, takes back a move, and plays a rematch."""
    with live(str(tmp_path / "games.sqlite")) as port:
        ann = Client(port)
        token = ann.post("/api/tokens", name="Randy")["token"]
        command = [sys.executable, str(EXAMPLE), f"http://127.0.0.1:{port}/"]
        bot = Popen(command, env={**os.environ, "NINEFOLD_TOKEN": token}, stderr=PIPE)
        try:
            wait_until(lambda: listed(ann))
            (found,) = listed(ann)
            opponent = f"bot:{found['id']}"
            made = ann.post("/api/games", game="sequence-capture", opponent=opponent, first=2)
            assert (made["names"][1], made["state"], made["bots"]) == ("Randy", "playing", [2])
            with ann.open() as socket:
                assert play(socket, made["id"], undo=True)["next"] is None
                send(socket, type="rematch", game=made["id"])
                while not (event := receive(socket, "event"))["next"]:
                    pass
                assert play(socket, event["next"])["view"]["names"][1] == "Randy"
        finally:
            bot.terminate()
            _, errors = bot.communicate()
        assert b"Error" not in errors
        wait_until(lambda: not listed(ann))


def play(socket: ClientConnection, game: str, undo: bool = False) -> dict[str, Any]:
    """Take the first free number until the game is over; perhaps undo once."""
    send(socket, type="watch", game=game)
    while True:
        event = receive(socket, "event")
        view = event["view"]
        if event["state"] == "over":
            return event
        actions = [one["action"] for one in view["actions"]]
        if view["turn"] != view["you"]:
            continue
        if undo and "undo" in actions:
            undo = False
            send(socket, type="undo", game=game)
            continue
        free = next(tile["number"] for tile in view["tiles"] if tile["free"])
        send(socket, type="move", game=game, move=str(free))


def test_a_bot_is_challenged_by_whom_it_wants(tmp_path: Path) -> None:
    """It says which games it plays, and when it is busy; nobody else can be ready."""
    with live(str(tmp_path / "games.sqlite")) as port:
        ann = Client(port)
        one, two = bot_of(ann, "One"), bot_of(ann, "two")
        with ready(one, games=["magic-fifteen"]) as socket, ready(two) as second:
            first, other = listed(ann)
            assert (first["name"], first["games"]) == ("One", ["magic-fifteen"])
            assert (other["name"], other["games"]) == ("two", None)
            opponent = f"bot:{first['id']}"
            game = ann.post("/api/games", game="magic-fifteen", opponent=opponent)["id"]
            assert receive(socket, "game")["game"] == game
            refused = ann.post("/api/games", game="sequence-capture", opponent=opponent)
            assert (refused["code"], "One does not play" in refused["message"]) == (
                "bot-refuses",
                1,
            )
            itself = one.post("/api/games", game="magic-fifteen", opponent=opponent)
            assert itself["code"] == "own-game"
            # A bot challenges a bot; it hears of its own game, too.
            between = one.post("/api/games", game="magic-fifteen", opponent=f"bot:{other['id']}")
            assert (
                receive(socket, "game")["game"] == receive(second, "game")["game"] == between["id"]
            )
            send(socket, type="busy")
            receive(socket, "busy")
            assert [bot["name"] for bot in listed(ann)] == ["two"]
            assert (
                ann.post("/api/games", game="magic-fifteen", opponent=opponent)["code"]
                == "bot-away"
            )
        with ann.open() as socket:
            send(socket, type="ready")
            assert receive(socket, "refused")["code"] == "not-a-bot"
        # It is told of the games that wait for it when it is back.
        with one.open() as socket:
            send(socket, type="ready")
            assert [receive(socket, "game")["game"] for _ in range(2)] == [game, between["id"]]


def test_a_deleted_bot_is_not_listed(tmp_path: Path) -> None:
    """Its connection ends, and its games are resigned."""
    with live(str(tmp_path / "games.sqlite")) as port:
        ann = Client(port)
        bot = bot_of(ann, "Bot")
        with ready(bot):
            (found,) = listed(ann)
            assert bot.ask("DELETE", "/api/tokens").status == 204
            wait_until(lambda: not listed(ann))
            refused = ann.post("/api/games", game="magic-fifteen", opponent=f"bot:{found['id']}")
            assert refused["code"] == "bot-away"


def test_a_bot_with_two_connections_is_ready_until_the_last_is_gone(tmp_path: Path) -> None:
    """Both are told of its games."""
    with live(str(tmp_path / "games.sqlite")) as port:
        ann = Client(port)
        bot = bot_of(ann, "Bot")
        with ready(bot) as one:
            with ready(bot) as two:
                opponent = f"bot:{listed(ann)[0]['id']}"
                game = ann.post("/api/games", game="magic-fifteen", opponent=opponent)["id"]
                assert receive(one, "game")["game"] == receive(two, "game")["game"] == game
            with bot.open() as third:
                send(third, type="ping")  # by its answer, the server has noticed who left
                receive(third, "pong")
            assert len(listed(ann)) == 1


def test_a_bot_watches_more_games_than_fit_if_they_are_over(tmp_path: Path) -> None:
    """The oldest finished game makes room; a game that goes on never does."""
    with live(str(tmp_path / "games.sqlite"), Limits(requests=10_000, watched=2)) as port:
        ann = Client(port)
        games = [
            ann.post("/api/games", game="magic-fifteen", opponent="random")["id"] for _ in "abc"
        ]
        with ann.open() as socket:
            for game in games[:2]:
                send(socket, type="watch", game=game)
                receive(socket, "event")
            send(socket, type="watch", game=games[2])
            assert "at most 2 games" in receive(socket, "refused")["message"]
            send(socket, type="resign", game=games[0])
            receive(socket, "ok")
            send(socket, type="watch", game=games[2])
            while receive(socket, "event")["game"] != games[2]:
                pass


def test_bots_are_found_through_every_process(postgres: str) -> None:
    """One server lists and challenges a bot that is connected to another one."""
    with live(postgres) as here, live(postgres) as there:
        ann = Client(here)
        bot = bot_of(ann, "Far away")
        bot.port = there
        with ready(bot) as socket:
            (found,) = [one for one in listed(ann) if one["name"] == "Far away"]
            opponent = f"bot:{found['id']}"
            game = ann.post("/api/games", game="magic-fifteen", opponent=opponent, first=2)["id"]
            assert receive(socket, "game")["game"] == game
            send(socket, type="move", game=game, move="5")
            assert receive(socket, "ok")["seq"] == 2
        wait_until(lambda: not [one for one in listed(ann) if one["name"] == "Far away"])


def test_the_rules_of_a_game_are_what_programs_get(tmp_path: Path) -> None:
    """The same line as over the Go Text Protocol, with the sets that win."""
    with live(str(tmp_path / "games.sqlite")) as port:
        ann = Client(port)
        game = ann.post("/api/games", game="magic-fifteen")["id"]
        rules = ann.get(f"/api/games/{game}/rules")
        assert (rules["game"], len(rules["sets"])) == ("magic-fifteen", 8)
