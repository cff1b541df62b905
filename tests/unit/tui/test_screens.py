"""What every screen but the game shows, at the three sizes; compare the files in ``screens``."""

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from unit.tui.driving import SIZES, compare, run, text_of
from unit.tui.forms import DUEL, app_of, played, played_match

from ninefold import books
from ninefold.book_files import own_folder
from ninefold.coach.attempt import PuzzleRun, Task
from ninefold.coach.practice import PracticeLog
from ninefold.coach.puzzle import puzzle_at
from ninefold.record.replay import Replay
from ninefold.record.store import Store
from ninefold.record.text import read_record
from ninefold.tui.audit import AuditBook
from ninefold.tui.base import Page
from ninefold.tui.books import MyBooks
from ninefold.tui.check import CheckBook
from ninefold.tui.games import MyGames
from ninefold.tui.home import Home
from ninefold.tui.new_book import NewBook
from ninefold.tui.new_game import NewGame
from ninefold.tui.puzzle import PuzzleScreen
from ninefold.tui.puzzles import PuzzlesScreen
from ninefold.tui.review import ReviewScreen
from ninefold.tui.rules import Rules
from ninefold.tui.settings import Settings
from ninefold.tui.viewer import Viewer
from tools.run_app import finish

BOOK = """title = "Seven"
[rules]
pool = "1-6"
pol = 3
[rules.wins]
sum = { count = 2, equals = 7 }
"""


def review() -> Page:
    """A game in which the second player missed a win."""
    record = read_record(Store().path(played((9, 8, 1, 5, 2, 7, 3))))
    return ReviewScreen(DUEL, Replay(record).run(), True)


def puzzle() -> Page:
    """Only 5 wins."""
    found = puzzle_at(DUEL.game.play((9,)), (9,))
    assert found is not None
    return PuzzleScreen(PuzzleRun([Task(found, DUEL)], PracticeLog(), pytest.fail))


def rule_book() -> str:
    """A rule book of the user's own, with a fault."""
    path = Path(own_folder()) / "seven.toml"
    path.parent.mkdir(parents=True)
    path.write_text(BOOK)
    return str(path)


def my_books() -> Page:
    """One rule book."""
    rule_book()
    return MyBooks()


def my_games() -> Page:
    """A game, and a match that goes on."""
    played()
    played((1, 9), player2="Player 2", seat2="level:3")
    played_match()
    return MyGames()


def viewer() -> Page:
    """A finished game."""
    return Viewer(Store().path(played()))


def home() -> Page:
    """With an unfinished game, in which a win was missed."""
    played((9, 8))
    return Home()


# Each screen, and the keys to press before it is looked at.
SCREENS: dict[str, tuple[Callable[[], Page], tuple[str, ...]]] = {
    "home": (home, ()),
    "new-game": (NewGame, ()),
    "review": (review, ("m",)),
    "review-start": (review, ("home",)),
    "puzzles": (PuzzlesScreen, ()),
    "puzzle": (puzzle, ("7", "enter")),
    "my-games": (my_games, ("down",)),
    "viewer": (viewer, ("end",)),
    "my-books": (my_books, ()),
    "check": (lambda: CheckBook(rule_book()), ()),
    "audit": (lambda: AuditBook(books.load_book("magic-fifteen")), ()),
    "new-book": (lambda: NewBook(pytest.fail), ("enter", "enter")),
    "rules": (lambda: Rules("magic-fifteen"), ()),
    "settings": (Settings, ()),
    "keys": (Home, ("f1",)),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SCREENS)
def test_a_screen(name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Once everything that it looks for is found."""
    monkeypatch.setattr("ninefold.session.timestamp", lambda: "2025-11-03T12:05:00Z")
    (page, keys), shown = SCREENS[name], list[str]()

    async def script(pilot: Pilot[None]) -> None:
        await finish(app_of(pilot))
        for key in keys:
            await pilot.press(key)
        await finish(app_of(pilot))
        shown.append(text_of(app_of(pilot)))

    run(script, page, size)
    compare(f"{name}-{size[0]}x{size[1]}", shown[0] + "\n")
