"""My rule books: found, opened, played, checked, audited, and written by answering questions."""

from pathlib import Path
from threading import Event, Thread, current_thread

import pytest
from processes import PATIENCE
from textual.pilot import Pilot
from textual.widgets import Input, OptionList
from unit.tui.driving import (
    KEYS_AND_MOUSE,
    SIZES_FOR_KEYS,
    SIZES_FOR_MOUSE,
    SIZES_TO_LOOK_AT,
    run,
    settle,
    text_of,
    until,
)
from unit.tui.forms import app_of, click, click_option, click_row, type_into

from ninefold import book_files, books
from ninefold.book_files import MAX_KEPT, find_books, remembered
from ninefold.books.check import Report
from ninefold.preferences import Preferences
from ninefold.tui.audit import AuditBook
from ninefold.tui.books import MyBooks
from ninefold.tui.check import CheckBook, check_file, parts_of
from ninefold.tui.new_book import NewBook, Several
from ninefold.tui.new_game import NewGame

GOOD = """title = "Good One"
[rules]
pool = "1-6"
[rules.wins]
sum = { count = 2, equals = 7 }
"""
BAD = """title = "Bad [One]"
[rules]
pool = "1-9"
pol = 3
[rules.wins]
arithmetic = { length = "x" }
"""


async def found(pilot: Pilot[None], text: str) -> str:
    """What is on the screen once this is on it."""
    try:
        await until(pilot, lambda: text in " ".join(text_of(app_of(pilot)).split()))
    except TimeoutError:
        pytest.fail(f"{text!r} is not on the screen:\n{text_of(app_of(pilot))}")
    return text_of(app_of(pilot))


@pytest.mark.parametrize("size", SIZES_TO_LOOK_AT)
def test_without_books_it_says_what_to_do(size: tuple[int, int]) -> None:
    """Only a new one can be written, or a file opened."""

    async def script(pilot: Pilot[None]) -> None:
        await found(pilot, "No rule books yet. Press n to write one, or o to open a file.")
        await pilot.press("p", "k", "a", "r", "enter")
        await settle(pilot)
        assert isinstance(pilot.app.screen, MyBooks)
        assert not pilot.app.screen.query_one("#play").display

    run(script, MyBooks, size)


@pytest.mark.parametrize(("size", "mouse"), KEYS_AND_MOUSE)
def test_books_are_listed_and_played(own_folder: Path, size: tuple[int, int], mouse: bool) -> None:
    """With their numbers and what wins, or how many errors they have."""
    (own_folder / "good.toml").write_text(GOOD)
    (own_folder / "bad.toml").write_text(BAD)

    async def script(pilot: Pilot[None]) -> None:
        await found(pilot, "2 errors. Press k to see where.")
        assert "Bad [One] " in text_of(app_of(pilot))
        if mouse:
            await click_row(pilot, 1)
        else:
            await pilot.press("down")
        await found(pilot, "Hold two numbers with a sum of 7. Numbers: 1 to 6.")
        await (click(pilot, "play") if mouse else pilot.press("p"))
        await until(pilot, lambda: isinstance(pilot.app.screen, NewGame))
        await found(pilot, "Yours: Good One (goo")

    run(script, MyBooks, size)


def test_a_book_with_errors_shows_them_instead(own_folder: Path) -> None:
    """Whatever is asked of it."""
    (own_folder / "bad.toml").write_text(BAD)

    async def script(pilot: Pilot[None]) -> None:
        await found(pilot, "2 errors.")
        for key in ("p", "r", "a"):
            await pilot.press(key)
            await until(pilot, lambda: isinstance(pilot.app.screen, CheckBook))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, MyBooks))

    run(script, MyBooks)


def test_a_file_is_opened_by_its_path(own_folder: Path) -> None:
    """What is no file is refused next to the field; what is one is remembered, and first."""
    (own_folder / "a.toml").write_text(GOOD)
    elsewhere = own_folder.parent / "there.toml"
    elsewhere.write_text(GOOD.replace("Good One", "There"))

    async def script(pilot: Pilot[None]) -> None:
        await found(pilot, "Good One a.toml")
        await pilot.press("o")
        await type_into(pilot, "../nothing.toml")
        await pilot.press("enter")
        await found(pilot, "Cannot read the rule book ../nothing.toml: No such file or directory.")
        await type_into(pilot, "../th")
        await until(pilot, lambda: pilot.app.screen.query_one(Input)._suggestion)
        await pilot.press("right", "enter")
        await found(pilot, "There there.toml")
        screen = pilot.app.screen
        assert isinstance(screen, MyBooks)
        assert screen.chosen is not None
        assert screen.chosen.title == "There"

    app = run(script, MyBooks, settings=Preferences(animations=False))
    assert app.preferences.books == (str(elsewhere),)


def test_only_rule_books_are_found(own_folder: Path) -> None:
    """Other TOML files are left out, but an opened one never; broken ones are still listed."""
    (own_folder / "project.toml").write_text('[project]\nname = "x"\n')
    (own_folder / "broken.toml").write_text("[rules]\npool = 1-9\n")
    (own_folder / "notes.txt").write_text("[rules]\n")
    titles = [file.title for file in find_books(())]
    assert titles == ["Broken"]
    opened = (str(own_folder / "project.toml"), str(own_folder / "gone.toml"))
    assert [file.title for file in find_books(opened)] == ["Project", "Broken"]


def test_the_newest_files_are_remembered() -> None:
    """Each once, and not too many."""
    kept = remembered([f"/{number}" for number in range(MAX_KEPT)], "/7")
    assert kept[:3] == ("/7", "/0", "/1")
    assert len(kept) == MAX_KEPT
    assert len(remembered(kept, "/new")) == MAX_KEPT


@pytest.mark.parametrize("size", SIZES_TO_LOOK_AT)
def test_errors_stand_under_their_lines(own_folder: Path, size: tuple[int, int]) -> None:
    """The page follows the file as it is edited elsewhere."""
    file = own_folder / "bad.toml"
    file.write_text(BAD)

    async def script(pilot: Pilot[None]) -> None:
        shown = await found(pilot, "2 errors.")
        lines = [line.strip() for line in shown.splitlines()]
        at = lines.index("4  pol = 3")
        assert lines[at + 1].startswith("^ Error at column 1: rules.pol:")
        await (pilot.click("#next") if size[0] == 80 else pilot.press("n"))
        await found(pilot, "rules.wins.arithmetic.length")
        file.write_text(GOOD)
        await (pilot.click("#update") if size[0] == 80 else pilot.press("u"))
        await found(pilot, "No errors. It can be played.")
        file.unlink()
        await found(pilot, "Cannot read the rule book")

    run(script, lambda: CheckBook(str(file)), size)


def test_errors_without_a_line_come_first(own_folder: Path) -> None:
    """Such as one in another file, and one that is not valid TOML has its line."""
    file = own_folder / "child.toml"
    file.write_text('extends = "./gone.toml"\n')
    first, *_ = parts_of(*check_file(str(file)))
    assert first.text == '1  extends = "./gone.toml"'
    file.write_text('title = "x"\nrules = =\n')
    parts = parts_of(*check_file(str(file)))
    assert [part.kind for part in parts] == ["text", "fault"]
    assert "not valid TOML" in parts[1].text


@pytest.mark.parametrize("size", SIZES_TO_LOOK_AT)
def test_the_audit_in_a_few_lines(own_folder: Path, size: tuple[int, int]) -> None:
    """Who wins, how fair it is, and whether every rule matters."""
    file = own_folder / "good.toml"
    file.write_text(GOOD)

    async def script(pilot: Pilot[None]) -> None:
        await found(pilot, "Good One")
        await (click(pilot, "audit") if size[0] == 80 else pilot.press("a"))
        await until(pilot, lambda: isinstance(pilot.app.screen, AuditBook))
        await found(pilot, "Best play: ")
        await (pilot.click("#back") if size[0] == 80 else pilot.press("escape"))
        await until(pilot, lambda: isinstance(pilot.app.screen, MyBooks))

    run(script, MyBooks, size)


def test_a_check_of_an_older_text_is_dropped(
    own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may take longer than the check of the text that is there now."""
    file, goes_on, threads = own_folder / "good.toml", Event(), list[Thread]()
    file.write_text("title = 1")

    def slow_at_first(path: str) -> tuple[str, Report]:
        checked = check_file(path)
        threads.append(current_thread())
        if len(threads) == 1:
            goes_on.wait(PATIENCE)
        return checked

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: threads)
        file.write_text(GOOD)
        await pilot.press("u")
        await found(pilot, "No errors.")
        goes_on.set()
        await until(pilot, lambda: not threads[0].is_alive())
        await found(pilot, "No errors.")

    monkeypatch.setattr("ninefold.tui.check.check_file", slow_at_first)
    run(script, lambda: CheckBook(str(file)))


@pytest.mark.parametrize("size", SIZES_FOR_KEYS)
def test_a_new_book_by_keys_alone(size: tuple[int, int]) -> None:
    """Each question has its proposal; a refusal stands next to the field."""

    async def script(pilot: Pilot[None]) -> None:
        await found(pilot, "No rule books yet.")
        await pilot.press("n")
        await found(pilot, "What is the game called?")
        await type_into(pilot, "Seven")
        await pilot.press("enter")
        await found(pilot, "Which numbers are there?")
        await type_into(pilot, "9-1")
        await pilot.press("enter")
        await found(pilot, "a range must go from low to high")
        await type_into(pilot, "1-7")
        await pilot.press("enter")
        await found(pilot, "What does a player have to hold to win?")
        await pilot.press("space", "down", "space", "down", "space", "enter")
        await found(pilot, "Geometric: how many terms?")
        await pilot.press("escape")
        await found(pilot, "What does a player have to hold to win?")
        await pilot.press("enter")  # the proposal
        await found(pilot, "Arithmetic: how many terms?")
        await pilot.press("enter")
        for _ in range(3):
            await settle(pilot)
            await pilot.press("enter")
        await found(pilot, "New rule book: the file")
        assert pilot.app.screen.query_one("#file", Input).value == "seven.toml"
        await pilot.press("enter")
        await found(pilot, "Seven seven.toml")

    app = run(script, MyBooks, size, settings=Preferences(animations=False))
    path = str(Path(book_files.own_folder()) / "seven.toml")
    book = books.load_book(path)
    assert (book.title, book.game.pool) == ("Seven", tuple(range(1, 8)))
    assert app.preferences.books == (path,)


@pytest.mark.parametrize("size", SIZES_FOR_MOUSE)
def test_a_new_book_by_the_mouse_alone(own_folder: Path, size: tuple[int, int]) -> None:
    """Lists are clicked, proposals are accepted, and an existing file is replaced if wanted."""

    async def script(pilot: Pilot[None]) -> None:
        await found(pilot, "What is the game called?")
        await click(pilot, "next")
        await found(pilot, "Which numbers are there?")
        await click(pilot, "next")
        await found(pilot, "What does a player have to hold to win?")
        several = pilot.app.screen.query_one(Several)
        await click_option(pilot, several, 0)
        await click_option(pilot, several, 3)
        assert several.chosen == ["sum-triple"]
        await click(pilot, "next")
        await found(pilot, "lose instead of win?")
        await click_option(pilot, pilot.app.screen.query_one("#one", OptionList), 1)
        for _ in range(2):
            await click(pilot, "next")
        await found(pilot, "New rule book: the file")
        pilot.app.screen.query_one("#file", Input).value = str(own_folder / "there.toml")
        await click(pilot, "next")
        await found(pilot, "Replace it?")
        await pilot.click("#yes")
        await until(pilot, lambda: written)

    there = own_folder / "there.toml"
    there.write_text("")
    written: list[str] = []
    run(script, lambda: NewBook(written.append), size)
    assert written == [str(there)]
    assert [found.family for found in books.load_book(str(there)).game.rules.wins] == ["sum-triple"]


def test_leaving_a_new_book_asks_and_writes_nothing(own_folder: Path) -> None:
    """Esc goes back one question at a time, and leaves at the first."""

    async def script(pilot: Pilot[None]) -> None:
        await found(pilot, "What is the game called?")
        await pilot.press("enter")
        await found(pilot, "Which numbers are there?")
        await click(pilot, "cancel")
        await found(pilot, "Leave without writing a file?")
        await pilot.press("n")
        await settle(pilot)
        await pilot.press("escape")
        await found(pilot, "What is the game called?")
        await pilot.press("escape")
        await settle(pilot)
        assert not isinstance(pilot.app.screen, NewBook)

    run(script, lambda: NewBook(pytest.fail))
    assert [*own_folder.iterdir()] == []
