"""New game: every choice by keys alone and by the mouse alone; refusals; what is remembered."""

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input
from unit.tui.driving import QUIET, SIZES_FOR_KEYS, SIZES_FOR_MOUSE, run, settle, text_of, until
from unit.tui.forms import app_of, choose_by_mouse, click, focus, type_into

from ninefold import preferences
from ninefold.new_game import OUTSIDERS
from ninefold.preferences import Preferences
from ninefold.referee.settings import GameSettings
from ninefold.tui.fields import Choice
from ninefold.tui.game import GameScreen
from ninefold.tui.new_game import NewGame

BOOK = """
title = "Mine"
[rules]
pool = "1-7"
[rules.wins]
sum = { count = 2, equals = 8 }
"""


def choice(pilot: Pilot[None], name: str) -> Choice:
    """One of the choices."""
    return pilot.app.screen.query_one(f"#{name}", Choice)


async def started(pilot: Pilot[None]) -> GameSettings:
    """The settings of the game that begins now."""
    await until(pilot, lambda: isinstance(pilot.app.screen, GameScreen))
    assert isinstance(pilot.app.screen, GameScreen)
    return pilot.app.screen.game.referee.settings


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES_FOR_KEYS)
def test_by_keys_alone(size: tuple[int, int]) -> None:
    """Up and down go from field to field, left and right change one, Ctrl-S starts."""

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("n")
        await settle(pilot)
        await focus(pilot, "game")
        while choice(pilot, "game").chosen != "sequence-builder":
            await pilot.press("right")
            await settle(pilot)
        await pilot.press("down")  # to the variant
        await settle(pilot)
        await pilot.press("right", "down")  # to the opponent
        await settle(pilot)
        while choice(pilot, "opponent").chosen != "level:2":
            await pilot.press("right")
            await settle(pilot)
        await pilot.press("down")
        await type_into(pilot, "Zoe")
        await pilot.press("down", "right", "down")  # who starts
        await settle(pilot)
        await pilot.press("right", "right", "down", "right")  # 30 seconds, first to 2
        await settle(pilot)
        await pilot.press("ctrl+s")
        settings = await started(pilot)
        assert (settings.game, settings.reading) == ("sequence-builder", "three-slots")
        assert settings.players == ("Zoe", "Level 2")
        assert settings.seats == ("human", "level:2")
        assert (settings.first, settings.time_limit, settings.wins) == (2, 30, 2)

    run(script, size=size)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES_FOR_MOUSE)
def test_by_the_mouse_alone(size: tuple[int, int]) -> None:
    """Each choice is a click that opens it and another one on a value."""

    async def script(pilot: Pilot[None]) -> None:
        app_of(pilot).push_screen(NewGame())
        await settle(pilot)
        await choose_by_mouse(pilot, "game", "pattern-builder")
        await choose_by_mouse(pilot, "reading", "declare")
        await choose_by_mouse(pilot, "opponent", "random")
        await choose_by_mouse(pilot, "first", "2")
        await choose_by_mouse(pilot, "clock", "60")
        await choose_by_mouse(pilot, "wins", "3")
        await click(pilot, "start")
        settings = await started(pilot)
        assert (settings.game, settings.reading) == ("pattern-builder", "declare")
        assert (settings.seat2, settings.first) == ("random", 2)
        assert (settings.time_limit, settings.wins) == (60, 3)

    run(script, size=size)


def test_who_starts_is_named_as_the_names_are_typed() -> None:
    """Also when the opponent changes."""

    async def script(pilot: Pilot[None]) -> None:
        await focus(pilot, "name1")
        await type_into(pilot, "Ann")
        await focus(pilot, "name2")
        await type_into(pilot, "[Bob]")
        assert choice(pilot, "first").offered == {"1": "Ann", "2": "[Bob]", "random": "Toss a coin"}
        await choose_by_mouse(pilot, "opponent", "perfect")
        assert choice(pilot, "first").offered["2"] == "Perfect"

    run(script, NewGame)


def test_variants_have_a_row_only_if_there_are_several() -> None:
    """With the difference in a line."""

    async def script(pilot: Pilot[None]) -> None:
        assert "Rules  " not in text_of(app_of(pilot))
        await choose_by_mouse(pilot, "game", "sequence-duel-sum")
        await choose_by_mouse(pilot, "reading", "lose-turn")
        shown = text_of(app_of(pilot))
        assert "Rules       lose-turn" in shown
        book = pilot.app.screen._book  # type: ignore[attr-defined]
        assert " ".join(book.readings["lose-turn"].summary.split()[:4]) in shown

    run(script, NewGame)


def test_every_opponent_has_a_sentence() -> None:
    """It says how it plays."""
    from ninefold.new_game import OPPONENTS

    async def script(pilot: Pilot[None]) -> None:
        for opponent in ("level:1", "level:5", "perfect", "program", "llm", "human"):
            await choose_by_mouse(pilot, "opponent", opponent)
            assert OPPONENTS[opponent].plays in text_of(app_of(pilot))

    run(script, NewGame)


@pytest.mark.parametrize(
    ("choose", "field", "wrong", "reason"),
    [
        ("clock", "seconds", ("0", ""), "The seconds of a turn must be a number from 1 to 86,400."),
        ("wins", "games", ("x", "1001"), "The wins of a match must be a number from 1 to 1,000."),
    ],
)
def test_other_numbers_are_refused_next_to_the_buttons(
    choose: str, field: str, wrong: tuple[str, str], reason: str
) -> None:
    """The field gets the focus, and a good number starts the game."""

    async def script(pilot: Pilot[None]) -> None:
        await choose_by_mouse(pilot, choose, "other")
        await focus(pilot, field)
        for typed in wrong:
            await type_into(pilot, typed)
            await pilot.press("ctrl+s")
            await settle(pilot)
            assert reason in text_of(app_of(pilot))
            assert pilot.app.focused is pilot.app.screen.query_one(f"#{field}")
        await type_into(pilot, "7")
        await pilot.press("ctrl+s")
        settings = await started(pilot)
        assert 7 in (settings.time_limit, settings.wins)

    run(script, NewGame)


def test_the_two_names_must_differ() -> None:
    """However they are written."""

    async def script(pilot: Pilot[None]) -> None:
        await focus(pilot, "name2")
        await type_into(pilot, "PLAYER 1")
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert "The two names must differ." in text_of(app_of(pilot))
        assert isinstance(pilot.app.screen, NewGame)

    run(script, NewGame)


def test_a_program_that_does_not_exist_is_refused() -> None:
    """With what to write instead."""

    async def script(pilot: Pilot[None]) -> None:
        await choose_by_mouse(pilot, "opponent", "program")
        await focus(pilot, "command")
        await type_into(pilot, "./nobody")
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert "There is no program './nobody'. Write its path" in text_of(app_of(pilot))

    run(script, NewGame)


@pytest.mark.parametrize(
    ("opponent", "field", "typed", "said"),
    [
        ("python", "code", "my agents", "Write python:MODULE:NAME."),
        ("python", "code", "no_such_module:x", "there is no module no_such_module."),
        ("python", "code", " ", "Nothing was typed. Which code"),
        ("agent", "file", "nowhere.npz", "there is no such file."),
        ("llm", "model", "two words", "does not name a model."),
        ("llm", "model", "m?legal=5", "legal must be no or yes"),
        ("llm", "model", "m", "Set NINEFOLD_LLM_URL"),
    ],
)
def test_other_outsiders_are_named_in_their_own_field(
    opponent: str, field: str, typed: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only its row is shown; what cannot play is refused with what to write instead."""
    monkeypatch.delenv("NINEFOLD_LLM_URL", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    async def script(pilot: Pilot[None]) -> None:
        await choose_by_mouse(pilot, "opponent", opponent)
        rows = {
            to.field: pilot.app.screen.query_one(f"#row-{to.field}") for to in OUTSIDERS.values()
        }
        assert [name for name, row in rows.items() if row.display] == [field]
        await focus(pilot, field)
        await type_into(pilot, typed)
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert said in " ".join(text_of(app_of(pilot)).split())
        assert isinstance(pilot.app.screen, NewGame)

    run(script, NewGame)


def test_a_language_model_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """And moves."""
    from llm_server import LlmServer

    import ninefold

    async def script(pilot: Pilot[None]) -> None:
        await choose_by_mouse(pilot, "game", "magic-fifteen")
        await choose_by_mouse(pilot, "opponent", "llm")
        await choose_by_mouse(pilot, "first", "2")
        await focus(pilot, "model")
        await type_into(pilot, "level:2")
        await pilot.press("ctrl+s")
        settings = await started(pilot)
        assert (settings.seat2, settings.player2) == ("llm:level:2", "level:2")
        game = pilot.app.screen.game  # type: ignore[attr-defined]
        await until(pilot, lambda: game.referee.plies == 1)

    with LlmServer(ninefold.load("magic-fifteen")) as server:
        monkeypatch.setenv("NINEFOLD_LLM_URL", server.url)
        run(script, NewGame)
        assert server.requests


def test_choices_and_names_are_remembered() -> None:
    """In the file of the settings, for the next run."""
    preferences.save(QUIET)

    async def first(pilot: Pilot[None]) -> None:
        await choose_by_mouse(pilot, "opponent", "greedy")
        await focus(pilot, "name1")
        await type_into(pilot, "Zoe")
        await pilot.press("ctrl+s")
        await started(pilot)

    async def second(pilot: Pilot[None]) -> None:
        assert choice(pilot, "opponent").chosen == "greedy"
        assert pilot.app.screen.query_one("#name1", Input).value == "Zoe"

    run(first, NewGame, settings=None)
    assert preferences.load().new_game["name1"] == "Zoe"
    run(second, NewGame, settings=None)


def test_rule_books_of_the_user_are_offered(own_folder: Path) -> None:
    """Those of the current folder, next to the built-in games; playing one remembers it."""
    file = own_folder / "mine.toml"
    file.write_text(BOOK)
    (own_folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")

    async def script(pilot: Pilot[None]) -> None:
        offered = choice(pilot, "game").offered
        assert [*offered.values()][-1] == "Yours: Mine (mine.toml)"
        assert not any("pyproject" in path for path in offered)
        await choose_by_mouse(pilot, "game", str(file))
        assert "Numbers" not in text_of(app_of(pilot))
        await pilot.press("ctrl+s")
        assert (await started(pilot)).file == str(file)

    app = run(script, NewGame, settings=Preferences(animations=False))
    assert app.preferences.books == (str(file),)


def test_a_file_with_errors_says_so_and_is_refused(own_folder: Path) -> None:
    """It may have been right when it was opened."""
    file = own_folder / "mine.toml"
    file.write_text(BOOK.replace("1-7", "1-"))

    async def script(pilot: Pilot[None]) -> None:
        await choose_by_mouse(pilot, "game", str(file))
        assert "is not a valid rule book" in text_of(app_of(pilot))
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert isinstance(pilot.app.screen, NewGame)

    run(script, NewGame)


def test_the_rules_can_be_read_before_the_game() -> None:
    """Ctrl-R shows them, Esc returns to the form."""

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+r")
        await settle(pilot)
        assert "Two players share the numbers 1 to 9." in text_of(app_of(pilot))
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(pilot.app.screen, NewGame)

    run(script, NewGame)
