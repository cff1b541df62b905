"""My games: listed newest first, filtered, replayed, continued and deleted."""

from pathlib import Path

import pytest
from textual.pilot import Pilot
from unit.tui.driving import (
    KEYS_AND_MOUSE,
    SIZES_TO_LOOK_AT,
    run,
    session_of,
    settle,
    text_of,
    until,
)
from unit.tui.forms import (
    DUEL,
    app_of,
    choose_by_mouse,
    click,
    click_row,
    played,
    played_match,
    type_into,
)

from ninefold.match import all_games
from ninefold.record.store import Store
from ninefold.tui.board import Board
from ninefold.tui.dialogs import Confirm
from ninefold.tui.game import GameScreen
from ninefold.tui.games import MyGames, row_of
from ninefold.tui.review import ReviewScreen
from ninefold.tui.viewer import Viewer


async def listed(pilot: Pilot[None], many: str) -> MyGames:
    """The screen once this many games are listed."""
    await until(pilot, lambda: f"My games: {many}\n" in text_of(app_of(pilot)))
    screen = pilot.app.screen
    assert isinstance(screen, MyGames)
    return screen


@pytest.mark.parametrize("size", SIZES_TO_LOOK_AT)
def test_without_games_it_says_what_to_do(size: tuple[int, int]) -> None:
    """Nothing can be opened, and nothing breaks."""

    async def script(pilot: Pilot[None]) -> None:
        await listed(pilot, "0 games")
        assert "No games yet. Press Esc, then n." in text_of(app_of(pilot))
        await pilot.press("enter", "d", "c", "down", "end")
        await settle(pilot)
        assert isinstance(pilot.app.screen, MyGames)

    run(script, MyGames, size)


@pytest.mark.parametrize("size", SIZES_TO_LOOK_AT)
def test_games_are_listed_newest_first_in_words(size: tuple[int, int]) -> None:
    """Date, game, players, result and moves; a narrow table leaves two columns to the details."""
    played(player2="[Bob]")
    played((1, 9), player2="Player 2", seat2="level:3")

    async def script(pilot: Pilot[None]) -> None:
        await listed(pilot, "2 games")
        shown = text_of(app_of(pilot))
        newest, oldest = (line for line in shown.splitlines() if "today " in line[:8])
        assert "Sequence D" in newest
        assert "unfinished" in newest
        assert "Ann won" in oldest
        if size[0] >= 70:
            assert "Ann - Level 3" in newest
            assert "Ann - [Bob]" in oldest
            assert oldest.split()[-1] == "5"
        await pilot.press("down")
        await settle(pilot)
        told = " ".join(text_of(app_of(pilot)).split())
        assert "Sequence Duel (arithmetic): Ann - [Bob]. today" in told
        assert "5 moves, Ann won." in told

    run(script, MyGames, size)


def test_filters_by_text_and_by_state() -> None:
    """Every word must occur somewhere; won and lost are for games with one person."""
    played()
    played((1, 9), player2="Carl")
    played(player2="Player 2", seat2="greedy")
    session = played(player1="Player 1", seat1="greedy", player2="Dora")

    async def script(pilot: Pilot[None]) -> None:
        await listed(pilot, "4 games")
        await pilot.press("slash")
        await type_into(pilot, "duel carl")
        screen = await listed(pilot, "1 of 4 games")
        assert screen.chosen is not None
        assert screen.chosen.players == "Ann - Carl"
        await type_into(pilot, "nobody")
        await listed(pilot, "0 of 4 games")
        assert "No game fits the filter." in text_of(app_of(pilot))
        await type_into(pilot, "")
        found = {}
        for state in ("unfinished", "finished", "won", "lost", "drawn", "damaged"):
            await choose_by_mouse(pilot, "state", state)
            found[state] = [row.players for row in screen._visible]
        assert found == {
            "unfinished": ["Ann - Carl"],
            "finished": ["Greedy - Dora", "Ann - Greedy", "Ann - Bob"],
            "won": ["Ann - Greedy"],
            "lost": ["Greedy - Dora"],
            "drawn": [],
            "damaged": [],
        }

    run(script, MyGames)
    assert session in Store().names()


@pytest.mark.parametrize(("size", "mouse"), KEYS_AND_MOUSE)
def test_a_game_is_replayed_step_by_step(size: tuple[int, int], mouse: bool) -> None:
    """With the book's announcements; nothing in the record changes."""
    name = played()
    before = Path(Store().path(name)).read_bytes()

    async def script(pilot: Pilot[None]) -> None:
        await listed(pilot, "1 game")
        if mouse:
            await click_row(pilot, 0)
        else:
            await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Viewer))
        screen = pilot.app.screen
        assert isinstance(screen, Viewer)
        assert "0 of 5: Ann goes first." in text_of(app_of(pilot))
        while screen.at < 2:
            await (pilot.click("#after") if mouse else pilot.press("right"))
            await settle(pilot)
        assert "2 of 5: Bob takes 9." in text_of(app_of(pilot))
        assert screen.query_one(Board).tiles[9].owner == "O"
        await (pilot.click("#before") if mouse else pilot.press("left"))
        await settle(pilot)
        assert screen.query_one(Board).tiles[9].owner == ""
        await (pilot.click("#last") if mouse else pilot.press("end"))
        await until(pilot, lambda: "wins" in text_of(app_of(pilot)))
        assert "5 of 5: Ann takes 3." in text_of(app_of(pilot))
        assert all(screen.query_one(Board).tiles[number].winning for number in (1, 2, 3))
        await (pilot.click("#first") if mouse else pilot.press("home"))
        await settle(pilot)
        assert screen.at == 0
        await (pilot.click("#back") if mouse else pilot.press("escape"))
        await settle(pilot)
        assert isinstance(pilot.app.screen, MyGames)

    run(script, MyGames, size)
    assert Path(Store().path(name)).read_bytes() == before


def test_undo_and_resignation_are_steps_too() -> None:
    """A record keeps them, and so does its replay."""
    session = session_of(DUEL, Store(), player1="Ann", player2="Bob")
    game = session.next_game()
    game.move(4, 0.0)
    game.undo(1, 0.0)
    game.move(5, 0.0)
    game.resign(2)
    session.close()
    viewer = Viewer(Store().path(game.name))
    assert [step.heading for step in viewer.steps] == [
        "Ann goes first.",
        "Ann takes 4.",
        "Undone: back to the position after move 0.",
        "Ann takes 5.",
        "Ann won (Bob resigned).",
    ]


@pytest.mark.parametrize("mouse", [False, True])
def test_an_unfinished_game_is_continued(mouse: bool) -> None:
    """Only an unfinished one."""
    played()
    played((1, 9))

    async def script(pilot: Pilot[None]) -> None:
        screen = await listed(pilot, "2 games")
        await pilot.press("end")
        await settle(pilot)
        assert not screen.query_one("#continue").display
        await pilot.press("home")
        await settle(pilot)
        await (pilot.click("#continue") if mouse else pilot.press("c"))
        await until(pilot, lambda: isinstance(pilot.app.screen, GameScreen))
        assert isinstance(pilot.app.screen, GameScreen)
        assert pilot.app.screen.game.referee.moves == (1, 9)

    run(script, MyGames)


@pytest.mark.parametrize("mouse", [False, True])
def test_a_game_is_deleted_only_after_a_question(mouse: bool) -> None:
    """No keeps it; yes removes its file and its row."""
    kept, gone = played(), played(player2="Carl")

    async def script(pilot: Pilot[None]) -> None:
        await listed(pilot, "2 games")
        for answer in ("no", "yes"):
            await (pilot.click("#delete") if mouse else pilot.press("d"))
            await settle(pilot)
            assert isinstance(pilot.app.screen, Confirm)
            assert "Delete this game?" in text_of(app_of(pilot))
            await (pilot.click(f"#{answer}") if mouse else pilot.press(answer[0]))
            await settle(pilot)
        await listed(pilot, "1 game")

    run(script, MyGames)
    assert Store().names() == [kept]
    assert gone != kept


def test_a_match_is_deleted_as_a_whole() -> None:
    """A match with a gap could not be read any more."""
    played_match()

    async def script(pilot: Pilot[None]) -> None:
        await listed(pilot, "2 games")
        await pilot.press("d")
        await settle(pilot)
        assert "Delete all 2 games of this match?" in text_of(app_of(pilot))
        await pilot.press("y")
        await listed(pilot, "0 games")

    run(script, MyGames)
    assert Store().names() == []


def test_a_damaged_record_is_listed_with_the_reason() -> None:
    """It can be deleted, and nothing else."""
    played()
    path = Path(Store().path("20200101-101010-abcd"))
    path.write_text("nonsense\n")

    async def script(pilot: Pilot[None]) -> None:
        screen = await listed(pilot, "2 games")
        await pilot.press("end")
        await settle(pilot)
        shown = " ".join(text_of(app_of(pilot)).split())
        assert "Damaged record 20200101-101010-abcd: line 1: expected a tag" in shown
        assert screen.chosen is not None
        assert screen.chosen.date == "1 Jan 2020"
        assert not screen.query_one("#open").display
        await pilot.press("enter")
        await settle(pilot)
        assert pilot.app.screen is screen
        await click(pilot, "delete")
        await pilot.press("y")
        await listed(pilot, "1 game")

    run(script, MyGames)
    assert not path.exists()


@pytest.mark.slow
def test_thousands_of_games(own_folder: Path) -> None:
    """They are read next to the screen; only what is in sight is drawn."""
    text = Path(Store().path(played())).read_text()
    for number in range(1000):
        Path(Store().path(f"20200101-101010-{number:04}")).write_text(text)

    async def script(pilot: Pilot[None]) -> None:
        screen = await listed(pilot, "1,001 games")
        await pilot.press("end", "pageup", "up")
        await settle(pilot)
        assert screen.chosen is not None
        assert screen.chosen.name < "20200101-101010-0030"
        await pilot.press("slash")
        await type_into(pilot, "101010-0999")
        await listed(pilot, "1 of 1,001 games")

    run(script, MyGames)
    assert own_folder.exists()


def test_a_click_chooses_and_another_one_opens() -> None:
    """So that the buttons are of use to the mouse."""
    played()
    played(player2="Carl")

    async def script(pilot: Pilot[None]) -> None:
        screen = await listed(pilot, "2 games")
        await click_row(pilot, 1)
        assert pilot.app.screen_stack[-1] == screen
        assert screen.chosen is not None
        assert screen.chosen.players == "Ann - Bob"
        await click_row(pilot, 1)
        await until(pilot, lambda: isinstance(pilot.app.screen, Viewer))

    run(script, MyGames)


def test_a_match_that_can_be_continued_counts_as_unfinished() -> None:
    """Its newest game can be continued."""
    played_match()
    newest, first = (row_of(*item) for item in all_games(Store()))
    assert (newest.resumable, first.resumable) == (True, False)
    assert newest.details.endswith("unfinished, game 2 of an unfinished match.")


def test_a_game_that_is_being_played_is_kept() -> None:
    """Deleting it says why not."""
    session = session_of(DUEL, Store(), player1="Ann", player2="Bob")
    game = session.next_game()
    game.move(5, 0.0)

    async def script(pilot: Pilot[None]) -> None:
        await listed(pilot, "1 game")
        await pilot.press("d", "y")
        await until(pilot, lambda: [*pilot.app._notifications])
        (told,) = pilot.app._notifications
        assert told.message.startswith("This game is open in another window.")

    try:
        run(script, MyGames)
        assert Store().names() == [game.name]
    finally:
        session.close()


def test_a_game_is_reviewed() -> None:
    """On the screen of reviews."""
    played()

    async def script(pilot: Pilot[None]) -> None:
        await listed(pilot, "1 game")
        await pilot.press("v")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))

    run(script, MyGames)
