"""Home: every place in one line, games to continue, by keys alone and by the mouse alone."""

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList
from unit.tui.driving import SIZES_TO_LOOK_AT, run, settle, text_of, until
from unit.tui.forms import app_of, click_option, played, played_match

from ninefold.tui.game import GameScreen
from ninefold.tui.home import PLACES, Home


async def continued(pilot: Pilot[None]) -> None:
    """Wait until the unfinished games are found."""
    await until(pilot, lambda: "Continue:" in text_of(app_of(pilot)))


@pytest.mark.parametrize("size", SIZES_TO_LOOK_AT)
def test_every_place_has_one_line(size: tuple[int, int]) -> None:
    """With its key; a line says what is there only if there is room."""

    async def script(pilot: Pilot[None]) -> None:
        shown = text_of(app_of(pilot)).splitlines()
        for place in PLACES:
            (line,) = [line for line in shown if f"{place.key}  {place.title}" in line]
            assert (place.summary in line) == (size[0] > 40)

    run(script, size=size)


@pytest.mark.parametrize("at", range(len(PLACES)), ids=[place.title for place in PLACES])
@pytest.mark.parametrize("mouse", [False, True])
def test_every_place_can_be_reached_and_left(at: int, mouse: bool) -> None:
    """By its key or by a click; Esc, or the button Back, returns."""

    async def script(pilot: Pilot[None]) -> None:
        if mouse:
            await click_option(pilot, pilot.app.screen.query_one(OptionList), at)
        else:
            await pilot.press(PLACES[at].key)
        await settle(pilot)
        assert not isinstance(pilot.app.screen, Home)
        if mouse and pilot.app.screen.query("#back"):
            await pilot.click("#back")
        else:
            await pilot.press("escape")
        await settle(pilot)
        assert isinstance(pilot.app.screen, Home)

    run(script)


@pytest.mark.parametrize("size", SIZES_TO_LOOK_AT)
def test_an_unfinished_game_is_offered_first(size: tuple[int, int]) -> None:
    """In one line with the game, the opponent, the move and the time; Enter continues it."""
    played((1, 9), player2="Player 2", seat2="perfect")

    async def script(pilot: Pilot[None]) -> None:
        await continued(pilot)
        (line,) = [line for line in text_of(app_of(pilot)).splitlines() if "Continue:" in line]
        assert "c  Continue: Sequence Duel (arithm" in line
        if size[0] > 80:
            assert "vs Perfect, move 3, today " in line
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, GameScreen))
        assert isinstance(pilot.app.screen, GameScreen)
        assert pilot.app.screen.game.referee.moves[0] == 1

    run(script, size=size)


def test_a_match_is_offered_once() -> None:
    """It is the match that is continued, by a click too."""
    session = played_match()

    async def script(pilot: Pilot[None]) -> None:
        await continued(pilot)
        assert text_of(app_of(pilot)).count("Continue:") == 1
        await click_option(pilot, pilot.app.screen.query_one(OptionList), 0)
        await until(pilot, lambda: isinstance(pilot.app.screen, GameScreen))
        assert isinstance(pilot.app.screen, GameScreen)
        assert pilot.app.screen.session.name == session.name
        assert pilot.app.screen.game.referee.settings.round == 2

    run(script)


def test_names_are_no_markup() -> None:
    """A player called [b] is shown as such."""
    played((1,), player2="[b]")

    async def script(pilot: Pilot[None]) -> None:
        await continued(pilot)
        assert "Ann vs [b]" in text_of(app_of(pilot))

    run(script, size=(120, 40))
