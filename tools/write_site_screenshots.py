"""Write the screenshots of the server's site in docs/site: ``python3 dev screenshots``.

A real server is used through Chromium by two people whose names and moves are fixed. The fonts are
those of this computer, so the files differ between computers.
"""

import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from ninefold.web.server.limits import Limits
from ninefold.web.server.run import build, listen

FOLDER = Path(__file__).parents[1] / "docs" / "site"
SIZE: Any = {"width": 1120, "height": 760}
PHONE: Any = {"width": 360, "height": 760}
# All games are of this day: 3 November 2025, as in the pictures of the app.
DAY = 1_762_171_500_000
Theme = Literal["light", "dark"]


@contextmanager
def serving() -> Iterator[str]:
    """The address of a server with an empty database."""
    with tempfile.TemporaryDirectory() as folder:
        listener = listen("127.0.0.1", 0)
        server = build(f"{folder}/games.sqlite", Limits(requests=1000))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
            listener.close()


class Person:
    """Somebody with a browser of their own."""

    def __init__(self, browser: Browser, site: str, name: str) -> None:
        self.context: BrowserContext = browser.new_context(base_url=site, reduced_motion="reduce")
        self.ask("/api/me", name=name)

    def ask(self, path: str, **data: object) -> Any:
        """The answer to a request."""
        return self.context.request.post(path, data=data).json()

    def look(self, path: str, theme: Theme = "light", size: Any = SIZE) -> Page:
        """A page at this address; no time passes in it."""
        page = self.context.new_page()
        page.clock.install(time=DAY / 1000)
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=theme)
        page.goto(path)
        return page


def play(one: Person, two: Person, game: str, moves: str, **more: object) -> str:
    """Let two people make these moves in a game; its id."""
    begun: str = one.ask("/api/games", game=game, **more)["id"]
    two.ask(f"/api/games/{begun}/join")
    for at, move in enumerate(moves.split()):
        (one, two)[at % 2].ask(f"/api/games/{begun}/act", type="move", move=move)
    return begun


def show_home(ada: Person, bob: Person) -> Page:
    """Games to go on with, challenges and finished games."""
    play(ada, bob, "magic-fifteen", "5 1 4 2 6")
    play(ada, bob, "sequence-duel-sum", "1 9 3 4 7 5 2")
    lost = play(ada, bob, "pattern-builder", "5 1")
    ada.ask(f"/api/games/{lost}/act", type="resign")
    play(ada, bob, "sequence-capture", "5 7 3", game_time=300, increment=5)
    play(ada, bob, "sequence-builder", "5 1")
    bob.ask("/api/games", game="sequence-capture", opponent="anyone", time_limit=30, wins=3)
    page = ada.look("/")
    page.wait_for_selector(".challenges li")
    page.wait_for_selector(".finished li")
    return page


def show_game(ada: Person, bob: Person) -> Page:
    """A game of a match in the middle."""
    clock = {"game_time": 300, "increment": 5, "wins": 3}
    game = play(ada, bob, "sequence-capture", "5 7 3 8 2", **clock)
    page = bob.look(f"/game/{game}")
    page.wait_for_selector(".tile.free")
    return page


def show_review(ada: Person, bob: Person) -> Page:
    """The mistake that decided a game."""
    game = play(ada, bob, "magic-fifteen", "5 1 2 3 8")
    page = ada.look(f"/game/{game}/review", "dark")
    page.wait_for_selector(".verdicts")
    page.get_by_role("button", name="Next mistake").click()
    page.evaluate("() => scrollTo(0, 0)")
    return page


def show_phone(ada: Person, bob: Person) -> Page:
    """The same on a small screen."""
    game = play(ada, bob, "magic-fifteen", "5 1 4 2 6")
    page = ada.look(f"/game/{game}", "dark", PHONE)
    page.wait_for_selector(".tile.lit")
    return page


SHOWN = {"home": show_home, "game": show_game, "review": show_review, "phone": show_phone}


def main() -> int:
    """Write all pictures."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("The pictures of the site need Chromium (Debian: apt install chromium).")
        return 1
    FOLDER.mkdir(exist_ok=True)
    with ExitStack() as stack:
        for module in ("games", "series"):
            stack.enter_context(patch(f"ninefold.web.server.{module}.wall_time", lambda: DAY))
        site, playwright = stack.enter_context(serving()), stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, show in SHOWN.items():
            people = [Person(browser, site, person) for person in ("Ada", "Bob")]
            show(*people).screenshot(path=FOLDER / f"{name}.png")
            print(f"docs/site/{name}.png")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
