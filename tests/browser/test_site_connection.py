"""Connections that break: offline spells, two tabs, the back button, and a killed server."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.site_playing import Person, people, sit_down, take_turns
from browser.windows import Windows
from unit.web.server.live import live

pytestmark = pytest.mark.xdist_group("site-connection")
SAFE = "The game is safe, and goes on as soon as the connection is back."
SENT = "Your move is sent as soon as the connection is back."


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    with live(str(tmp_path_factory.mktemp("site") / "games.sqlite")) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def players(windows: Windows, site: str) -> Iterator[tuple[Person, ...]]:
    """Ann and Bob."""
    with people(windows, site, "Ann", "Bob") as found:
        yield found


def forget_lost_connections(*persons: Person) -> None:
    """What a browser writes about each connection that fails is expected."""
    for person in persons:
        expected = ("WebSocket connection to", "Failed to load resource: net::ERR_")
        person.trouble[:] = [one for one in person.trouble if not one.startswith(expected)]


def test_a_move_made_offline_is_sent_later_and_once(players: tuple[Person, ...]) -> None:
    """Meanwhile the page says so; afterwards, what was missed is there, each thing once."""
    ann, bob = players
    sit_down(ann, bob, "magic-fifteen")
    take_turns((ann.tab, bob.tab), 5, 1)
    ann.tab.expect(status="Your turn")
    ann.context.set_offline(True)
    ann.tab.expect(connection=f"You are offline. {SAFE}")
    ann.tab.take(4)
    ann.tab.expect(connection=f"You are offline. {SENT}")
    ann.tab.take(9)
    ann.tab.expect(message="What you did last is still being sent.")
    bob.tab.press("Undo")
    bob.tab.expect(tools=["Resign"])
    ann.context.set_offline(False)
    anns = ["You go first.", "You take 5.", "Bob takes 1."]
    anns += ["Bob asks to take back a move.", "You take 4."]
    bobs = ["Ann goes first.", "Ann takes 5.", "You take 1."]
    bobs += ["You ask to take back a move.", "Ann takes 4."]
    for tab, log in ((ann.tab, anns), (bob.tab, bobs)):
        tab.expect(log=log, hands=["5 4", "1"], connection="")
    take_turns((ann.tab, bob.tab), 2, 6, first=2)
    ann.tab.expect(status="You win!")
    forget_lost_connections(ann)


def test_a_move_that_comes_too_late_is_refused(
    windows: Windows, site: str, players: tuple[Person, ...]
) -> None:
    """The same player has moved on another device meanwhile: nothing is done twice."""
    ann, bob = players
    game = sit_down(ann, bob, "magic-fifteen")
    with people(windows, site, "Nobody") as (device,):
        cookies: list[Any] = ann.context.cookies()
        device.context.add_cookies(cookies)
        device.tab.open(f"/game/{game}", ".board")
        ann.context.set_offline(True)
        ann.tab.expect(connection=f"You are offline. {SAFE}")
        ann.tab.take(4)
        ann.tab.expect(connection=f"You are offline. {SENT}")
        device.tab.take(5)
        bob.tab.expect(status="Your turn")
        ann.context.set_offline(False)
        ann.tab.expect(
            message="The position has changed in the meantime.",
            status="Bob's turn",
            hands=["5", "no numbers yet"],
        )
        forget_lost_connections(ann)


def test_two_tabs_of_one_player_show_the_same(players: tuple[Person, ...]) -> None:
    """Either can be played in; a tab that is behind cannot move twice."""
    ann, bob = players
    game = sit_down(ann, bob, "magic-fifteen")
    one, two = ann.tab, ann.open_tab()
    two.open(f"/game/{game}", ".board")
    two.take(5)
    for tab in (one, two):
        tab.expect(log=["You go first.", "You take 5."])
    bob.tab.expect(log=["Ann goes first.", "Ann takes 5."])
    one.expect(status="Bob's turn")
    one.take(4)
    one.expect(message="It is not your turn. Choose one of: 1 2 3 4 6 7 8 9")
    bob.tab.take(1)
    # Both click at once, before either hears of the other.
    for tab in (one, two):
        tab.expect(status="Your turn")
    click = "(number) => document.querySelector(`[data-number='${number}']`).click()"
    one.page.evaluate(click, 4)
    two.page.evaluate(click, 9)
    for tab in (one, two):
        tab.expect(status="Bob's turn")
    assert one.see()["owned"] == two.see()["owned"]
    assert sum(map(len, one.see()["owned"])) == 3
    two.press("Resign")
    two.press("Yes")
    for tab in (one, two):
        tab.expect(status="Bob wins.")
    one.press("Rematch")
    bob.tab.press("Rematch")
    for tab in (one, two, bob.tab):
        tab.page.wait_for_url(lambda url: not url.endswith(game))
        tab.wait_for(".board")
        begins = "You go first." if tab is bob.tab else "Bob goes first."
        assert tab.see()["log"] == [begins]


def test_the_back_button_leads_back_to_a_live_game(players: tuple[Person, ...]) -> None:
    """From the lobby to the game as it is now; from the next game to the one before, to stay."""
    ann, bob = players
    game = sit_down(ann, bob, "magic-fifteen")
    ann.tab.expect(status="Your turn")
    ann.tab.page.click(".top .brand")
    ann.tab.wait_for(".unfinished li")
    ann.tab.page.click(".unfinished a")
    ann.tab.expect(status="Your turn")
    ann.tab.take(5)
    bob.tab.expect(status="Your turn")
    ann.tab.page.go_back()
    ann.tab.wait_for(".unfinished li")
    bob.tab.take(1)
    ann.tab.page.go_forward()
    ann.tab.expect(status="Your turn", hands=["5", "1"])
    ann.tab.take(4)
    bob.tab.expect(status="Your turn", hands=["5 4", "1"])
    bob.tab.press("Resign")
    bob.tab.press("Yes")
    bob.tab.expect(status="Ann wins.")
    bob.tab.press("Rematch")
    ann.tab.press("Rematch")
    bob.tab.page.wait_for_url(lambda url: not url.endswith(game))
    bob.tab.wait_for(".board")
    bob.tab.page.go_back()
    tools = ["Review", "Go to the next game", "Download the record"]
    bob.tab.expect(status="Ann wins.", tools=tools)
    bob.tab.page.click("text=Go to the next game")
    bob.tab.expect(log=["You go first."])


class ServerProcess:
    """A server as users run it, which can be killed and started again at the same address."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self.address = self.start(0)

    def start(self, port: int) -> str:
        """Start it at this port, 0 for any; its address."""
        command = [sys.executable, "-m", "ninefold", "serve", "--port", str(port)]
        command += ["--database", str(self._database), "--rate", "1000"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", self.process.stdout.readline())
        assert found
        return found[0]

    def kill(self) -> None:
        """Without any warning."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.close()

    def close(self) -> None:
        """Make sure that it is gone."""
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server process."""
    made = ServerProcess(tmp_path / "games.sqlite")
    yield made
    made.close()


def test_a_server_killed_in_mid_game_loses_nothing(windows: Windows, server: ServerProcess) -> None:
    """Both browsers come back by themselves; a move made meanwhile is made once."""
    with people(windows, server.address, "Ann", "Bob") as (ann, bob):
        sit_down(ann, bob, "magic-fifteen", game_time=36_000)
        take_turns((ann.tab, bob.tab), 5)
        bob.tab.expect(status="Your turn")
        server.kill()
        lost = "The connection is lost. Trying again …"
        for person in (ann, bob):
            person.tab.expect(connection=f"{lost} {SAFE}")
        bob.tab.take(1)
        bob.tab.expect(connection=f"{lost} {SENT}")
        server.start(int(server.address.rpartition(":")[2]))
        anns = ["You go first.", "You take 5.", "Bob takes 1."]
        bobs = ["Ann goes first.", "Ann takes 5.", "You take 1."]
        for person, log in ((ann, anns), (bob, bobs)):
            person.tab.expect(connection="", hands=["5", "1"], log=log)
        take_turns((ann.tab, bob.tab), 4, 2, 6)
        ann.tab.expect(status="You win!")
        forget_lost_connections(ann, bob)
