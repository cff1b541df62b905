"""Puzzles, what is due, and all pages for learning by keyboard and at every size."""

import re
from collections.abc import Callable

import pytest
from browser.learning import MAGIC, OWN, person, press, saved, tile
from browser.looks import in_every_look, misfits, violations
from playwright.sync_api import Page, Response, ViewportSize, expect
from unit.web.server.live import Client

from ninefold import books
from ninefold.coach.puzzle import puzzles
from ninefold.web.server.work.given import load_spec

pytestmark = pytest.mark.xdist_group("learn")


def answer_today(port: int) -> tuple[int, int]:
    """The number that solves today's puzzle, and one that does not."""
    today = Client(port).get("/api/learn/daily")
    game = books.load_book(today["game"], today["reading"]).game
    (puzzle,) = [one for one in puzzles(game) if one.identity == today["identity"]]
    return puzzle.answer, next(one for one in puzzle.position.picks if one != puzzle.answer)


def test_todays_puzzle_is_solved_on_the_first_try(port: int, visit: Callable[..., Page]) -> None:
    """The reason and the line follow, and the page remembers it."""
    right, _ = answer_today(port)
    page = visit("/learn")
    press(page, "Solve today's puzzle")
    expect(page.locator("#status")).to_have_text(re.compile(r"^One number wins\. You are ."))
    expect(page.get_by_text("Analyse this position")).to_have_count(0)
    tile(page, right).click()
    expect(page.locator("#status")).to_have_text("Solved.")
    expect(page.locator(".message")).to_have_text(re.compile("^Right! "))
    expect(tile(page, right)).to_have_attribute("aria-label", re.compile("right$"))
    press(page, "Show it on the board")
    expect(page.locator("h2.status")).to_have_text("A line of play")
    expect(page.locator(".message")).to_have_text(re.compile(rf"^1 of \d+: you take {right}\."))
    press(page, "End")
    expect(page.locator(".message")).to_have_text(re.compile(r"(You win!|and so on\.)$"))
    press(page, "Return")
    press(page, "Next")
    expect(page.locator("main")).to_contain_text("You solved it on the first try.")
    press(page, "Back to Learn")
    expect(page.locator("main")).to_contain_text("You solved it on the first try.")
    expect(page.locator("main")).to_contain_text("Nothing is due.")


def test_todays_puzzle_that_is_missed_becomes_due(port: int, visit: Callable[..., Page]) -> None:
    """A wrong number is explained, and another one may be tried, which does not count."""
    right, wrong = answer_today(port)
    page = visit("/learn")
    press(page, "Solve today's puzzle")
    tile(page, wrong).click()
    expect(page.locator(".message")).to_have_text(re.compile(rf"^{wrong} .* Try again\.$"))
    expect(tile(page, wrong)).to_have_attribute("aria-label", re.compile("wrong$"))
    page.get_by_label("Number", exact=True).fill(str(right))
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("Solved.")
    press(page, "Next")
    expect(page.locator("main")).to_contain_text("You missed it on the first try.")
    page.go_back()
    expect(page.locator("main")).to_contain_text("1 puzzle is due today.")
    press(page, "Practise")
    expect(page.locator(".frame > .about")).to_contain_text("You missed this puzzle.")


def test_hints_come_in_three_steps(port: int, visit: Callable[..., Page]) -> None:
    """An area, the number, and why; the second is announced to count as missed."""
    right, _ = answer_today(port)
    page = visit("/learn?row=today")
    press(page, "Hint")
    expect(page.locator(".tile.area").first).to_have_attribute("aria-label", re.compile("worth a"))
    expect(page.get_by_text("Analyse this position")).to_have_count(0)
    press(page, "Show the number (counts as missed)")
    expect(page.locator(".tile.hinted")).to_have_attribute("data-number", str(right))
    expect(page.locator(".message")).to_have_text(f"Take {right}.")
    press(page, "Say why")
    expect(page.get_by_role("button", name="Show it on the board")).to_be_visible()
    link = page.get_by_text("Analyse this position")
    link.click()
    expect(tile(page, right)).to_have_class(re.compile("win"))
    page.goto("/learn")
    expect(page.locator("main")).to_contain_text("You missed it on the first try.")


def test_a_win_missed_in_a_game_is_practised(port: int, visit: Callable[..., Page]) -> None:
    """It is due at once, leads to the game, and comes back later once it is found."""
    page = visit("/learn")
    ann, bob = person(page, port), Client(port)
    game = ann.post("/api/games", game="magic-fifteen")["id"]
    bob.post(f"/api/games/{game}/join")
    for at, move in enumerate("1 2 6 5 3 8".split()):  # 8 wins for Ann, who takes 3
        (ann, bob)[at % 2].post(f"/api/games/{game}/act", type="move", move=move)
    page.reload()
    mistake = page.locator(".mistakes li")
    expect(mistake).to_have_text(
        re.compile(r"Magic Fifteen\. From your game of .*, move 5\. You t")
    )
    review = mistake.get_by_role("link", name="Review the game")
    expect(review).to_have_attribute("href", f"/game/{game}/review")
    press(page, "Find the win")
    expect(page.locator(".hand dd")).to_have_text(["1 6", "2 5"])
    tile(page, 8).click()
    expect(page.locator(".message")).to_have_text("Right! 8 completes 1-6-8 and wins.")
    press(page, "Next")
    press(page, "Back to Learn")
    expect(page.locator("main")).to_contain_text("Nothing is due today. The next puzzle comes back")
    expect(mistake).to_contain_text("Solved once since. Due on")


def test_puzzles_by_game_and_difficulty(visit: Callable[..., Page]) -> None:
    """They are counted; what is missed is asked again at the end, and there are always more."""
    page = visit("/learn")
    page.select_option("#game", "sequence-builder")
    page.select_option("#reading", "three-slots")
    game = books.load_book("sequence-builder", "three-slots").game
    rated = [one for one in puzzles(game) if one.rating == 2]
    option = page.locator("#rating option[value='2']")
    count = f"({len(rated)} puzzles, {len(rated)} new)"
    expect(option).to_have_text(f"2: stop a set {count}")
    page.select_option("#rating", "2")
    press(page, "Solve puzzles")
    about = page.locator(".frame > .about")
    expect(about).to_contain_text("Sequence Builder · three-slots.")
    expect(about).to_contain_text("Puzzle 1 of 10 · Rating 2 of 5")
    press(page, "Hint")
    press(page, "Show the number (counts as missed)")
    page.locator(".tile.hinted").click()
    expect(page.locator("#status")).to_have_text("Solved.")
    press(page, "Next")
    for number in range(2, 11):
        expect(about).to_contain_text(f"Puzzle {number} of 11")
        press(page, "Skip")
    expect(about).to_contain_text("Puzzle 11 of 11 · Rating 2 of 5 · Again: you missed this one")
    press(page, "Skip")
    expect(page.locator("main")).to_contain_text("You missed it on the first try. What you missed")
    press(page, "More puzzles")
    expect(about).to_contain_text("Puzzle 1 of 10")


def test_puzzles_of_a_stored_book(port: int, visit: Callable[..., Page]) -> None:
    """From its page, with its changes; what is missed becomes due, for a friend as well."""
    book = saved(visit("/learn"), port)
    page = visit(f"/book/{book}?changes=pool%3D1-8")
    page.get_by_role("link", name="Puzzles").click()
    about = page.locator(".frame > .about")
    expect(about).to_contain_text("<b>Mine</b> · default · pool=1-8.")
    press(page, "Hint")
    press(page, "Show the number (counts as missed)")
    page.locator(".tile.hinted").click()
    expect(page.locator("#status")).to_have_text("Solved.")
    expect(page.get_by_text("Analyse this position")).to_have_attribute(
        "href", re.compile(f"game={book}&reading=default&changes=pool%3D1-8")
    )
    page.goto("/learn")
    expect(page.locator("main")).to_contain_text("1 puzzle is due today.")
    press(page, "Practise")
    expect(about).to_contain_text("<b>Mine</b> · default · pool=1-8.")
    expect(about).to_contain_text("You missed this puzzle.")


def test_own_books_are_offered_for_puzzles(port: int, visit: Callable[..., Page]) -> None:
    """With their variants and difficulties; one that is too large says so."""
    page = visit("/learn")
    book = saved(page, port)
    large = saved(page, port, OWN.replace("1-7", "1-30"))
    page.reload()
    page.select_option("#game", large)
    expect(page.locator(".trouble")).to_contain_text("This game is too large to find all its")
    press(page, "Solve puzzles")
    expect(page.locator(".trouble")).to_contain_text("with these rules, up to 11 numbers.")
    press(page, "Back to Learn")
    page.select_option("#game", book)
    page.select_option("#reading", "four")
    rated = [one.rating for one in puzzles(load_spec({"text": OWN, "reading": "four"}).game)]
    option = page.locator(f"#rating option[value='{rated[0]}']")
    count = rated.count(rated[0])
    expect(option).to_have_text(re.compile(rf"\({count} puzzles, {count} new\)$"))
    press(page, "Solve puzzles")
    expect(page.locator(".frame > .about")).to_contain_text("<b>Mine</b> · four.")


def test_everything_works_with_the_keyboard_alone(port: int, visit: Callable[..., Page]) -> None:
    """From the link at the top to the end of a puzzle, and a line of an analysis."""
    right, _ = answer_today(port)
    page = visit("/learn")
    button = page.get_by_role("button", name="Solve today's puzzle")
    expect(button).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the content")).to_be_focused()
    _tab_to(page, "Solve today's puzzle")
    page.keyboard.press("Enter")
    expect(page.locator(".tile").first).to_be_focused()
    while page.evaluate("document.activeElement.dataset.number") != str(right):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_focused()
    page.keyboard.press("Shift+Tab")
    _tab_to(page, "Show it on the board", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="A line of play")).to_be_focused()
    _tab_to(page, "Return")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_focused()
    page.goto("/book/magic-fifteen?changes=pool%3D1-10")
    expect(page.get_by_role("link", name="Analyse it")).to_be_visible()
    _tab_to(page, "Analyse it")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Puzzles")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".tile")).to_have_count(10)
    page.goto(f"{MAGIC}&moves=5.1")
    expect(page.locator(".every-move")).to_be_visible()
    _tab_to(page, "1")  # the only tab stop of the board
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".hand dd")).to_have_text(["5 3", "1"])
    expect(tile(page, 3)).to_be_focused()
    _tab_to(page, "Line")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="A line of play")).to_be_focused()


def _tab_to(page: Page, text: str, key: str = "Tab") -> None:
    """Press Tab until this has the focus: something whose text begins so."""
    for _ in range(60):
        if page.evaluate("document.activeElement.innerText ?? ''").startswith(text):
            return
        page.keyboard.press(key)
    pytest.fail(f"{text} cannot be reached")


@in_every_look
def test_axe_finds_nothing_on_any_screen(
    port: int, visit: Callable[..., Page], viewport: ViewportSize, theme: str
) -> None:
    """Nor is anything wider than the screen, and every target is large enough."""
    _, wrong = answer_today(port)
    # Axe itself is not part of the policy.
    page = visit("/learn", bypass_csp=True, viewport=viewport, color_scheme=theme)

    def check() -> None:
        assert violations(page) == []
        assert misfits(page, (viewport["width"],)) == []

    expect(page.locator("option[value='3']")).to_have_count(1)
    expect(page.locator("main")).to_contain_text("Nothing is due.")
    check()
    book = saved(page, port)
    large = saved(page, port, OWN.replace("1-7", "1-30"))
    page.reload()
    page.select_option("#game", book)
    expect(page.locator("#reading")).to_be_visible()
    expect(page.locator("option[value='3']")).to_have_count(1)
    check()
    press(page, "Solve today's puzzle")
    press(page, "Hint")
    expect(page.locator(".tile.area").first).to_be_visible()
    tile(page, wrong).click()
    expect(tile(page, wrong)).to_have_class(re.compile("loss"))
    check()
    press(page, "Skip")
    expect(page.get_by_role("button", name="Back to Learn")).to_be_visible()
    check()
    page.goto(f"{MAGIC}&moves=5.1")
    expect(page.locator(".every-move")).to_be_visible()
    page.get_by_text("Change the rules").click()
    check()
    press(page, "Show the best line")
    expect(page.locator(".said")).to_be_visible()
    check()
    for path in (f"{MAGIC}&moves=5.5", f"/learn?row=puzzles&game={large}"):
        page.goto(path)
        expect(page.locator(".trouble")).to_be_visible()
        check()
    page.goto(f"/book/{book}")
    page.get_by_role("link", name="Analyse it").click()
    expect(page.locator("optgroup")).to_have_count(2)
    check()


@pytest.mark.parametrize("path", ["/", "/learn", "/design", "/book/magic-fifteen", "/account"])
def test_a_first_visit_is_one_visitor(open_tab: Callable[..., Page], port: int, path: str) -> None:
    """However many requests a page begins with, only one of them gets a cookie."""
    page = open_tab(f"http://127.0.0.1:{port}")
    answers = list[Response]()
    # Playwright marks the function, so it must be one of ours.
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108
    page.goto(path)
    # On a busy machine, the network may be idle before the first request.
    expect(page.locator(".top bdi")).to_have_text(re.compile("Guest"))
    page.wait_for_load_state("networkidle")
    assert len([one for one in answers if one.header_value("set-cookie")]) == 1
