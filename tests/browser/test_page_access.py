"""The page for everybody: no violations that axe can find, at any size, in light and in dark."""

import re
from collections.abc import Callable
from pathlib import Path

from browser.looks import in_every_look, misfits, violations
from browser.playing import Screen, in_browser
from playwright.sync_api import Page, ViewportSize

pytestmark = in_browser(("magic-fifteen", "default"))


@in_every_look
def test_axe_finds_nothing_on_any_screen(
    open_tab: Callable[..., Page], file: Path, viewport: ViewportSize, theme: str
) -> None:
    """Welcome, a game with a hint and values, a line of play, the end, and the review."""
    # Axe itself is not part of the policy.
    tab = open_tab(viewport=viewport, bypass_csp=True)
    page = Screen(tab, file)
    wanted = {"light": 1, "dark": 2}[theme]
    for _ in range(wanted):
        tab.get_by_role("button", name="Theme").click()
    for summary in tab.locator("summary").all():
        summary.click()
    assert violations(tab) == []
    for summary in tab.locator("summary").all():
        summary.click()
    page.play(5, 1)
    page.press("Values")
    for _ in range(3):
        tab.click(".tools button >> nth=0")
        assert violations(tab) == []
    page.press("Show it on the board")
    assert violations(tab) == []
    page.press("Return")
    page.press("Values")
    for number in (2, 3, 8):
        page.take(number)
    assert page.see()["status"] == "Player 1 wins."
    assert violations(tab) == []
    page.press("Review")
    page.press("Next mistake")
    assert violations(tab) == []


def test_nothing_is_wider_than_the_screen_and_targets_are_large(screen: Page, page: Screen) -> None:
    """No scrolling to the side, and every target is at least 24 pixels high and wide."""
    assert misfits(screen) == []
    page.play(5, 1, 2, 3, 8)
    assert misfits(screen) == []
    page.press("Review")
    assert misfits(screen) == []


def test_the_grid_has_one_tab_stop_and_its_keys_stop_at_the_edges(
    screen: Page, page: Screen
) -> None:
    """Three rows of three: Home and End stay in the row, with Control they leave it."""
    page.begin()
    assert screen.locator('.tile[tabindex="0"]').count() == 1
    assert screen.locator('[role="row"]').count() == 3
    path = []
    keys = "ArrowUp ArrowLeft ArrowRight ArrowDown End ArrowRight Home Control+End ArrowDown"
    for key in keys.split():
        screen.keyboard.press(key)
        path.append(page.see()["focus"])
    assert path == ["1", "1", "2", "5", "6", "7", "7", "9", "9"]
    screen.keyboard.press("Control+Home")
    screen.keyboard.press("Space")
    page.wait()
    seen = page.see()
    assert seen["focus"] == "1"
    assert seen["tiles"]["1"]["label"] == "1, Player 1 (X), taken last"
    assert seen["tiles"]["1"]["off"]


def test_arrows_follow_the_direction_of_the_text(screen: Page, page: Screen) -> None:
    """From right to left, the left arrow goes on."""
    page.begin()
    screen.evaluate("document.documentElement.dir = 'rtl'")
    screen.keyboard.press("ArrowLeft")
    assert page.see()["focus"] == "2"


def test_on_paper_only_the_game_is_left(screen: Page, page: Screen) -> None:
    """Buttons and fields are not printed; the review is, with the names of the players."""
    page.begin("level:1", "you")
    while free := page.free():
        page.take(free[0])
    assert not screen.locator("#number").count()
    moves = len(page.see()["log"]) - 1
    page.press("Review")
    assert page.see()["verdicts"][0].startswith("You took 1")
    screen.emulate_media(media="print")
    assert not screen.locator(".controls >> visible=true").count()
    assert page.see()["verdicts"][0].startswith("Player 1 took 1")
    assert not re.search(r"\byou\b", screen.inner_text("main"), re.IGNORECASE)
    assert screen.locator(".verdicts li >> visible=true").count() == moves
