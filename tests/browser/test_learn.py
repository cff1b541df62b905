"""The pages for learning: puzzles, what is due, and the analysis board, as people use them."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser.looks import in_every_look, misfits, violations
from playwright.sync_api import Page, Response, ViewportSize, expect
from playwright.sync_api import TimeoutError as TooLate
from processes import PATIENCE
from unit.web.server.live import Client, live

from ninefold import books
from ninefold.coach.puzzle import puzzles
from ninefold.coach.words import value_words
from ninefold.core.moves import format_moves
from ninefold.core.position import Position
from ninefold.solver import solver_for
from ninefold.web.server.work.given import load_spec

pytestmark = pytest.mark.xdist_group("learn")
expect.set_options(timeout=1000 * PATIENCE)
MAGIC = "/learn/analysis?game=magic-fifteen"
OWN = """
title = "<b>Mine</b>"
[rules]
pool = "1-7"
wins.arithmetic = { length = 3 }
[readings.four]
rules.wins.arithmetic = { length = 4 }
"""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server for all tests: every tab is somebody else."""
    with live(str(tmp_path_factory.mktemp("learn") / "games.sqlite")) as found:
        yield found


@pytest.fixture
def visit(open_tab: Callable[..., Page], port: int) -> Iterator[Callable[..., Page]]:
    """Opens a page of the site in a new tab; nothing may go wrong or come from elsewhere."""
    trouble = list[str]()

    def visit(path: str, **options: Any) -> Page:
        page = open_tab(f"http://127.0.0.1:{port}", trouble.append, **options)
        page.goto(path)
        return page

    yield visit
    assert [one for one in trouble if not re.search("status of (409|413)", one)] == []


def tile(page: Page, number: object) -> Any:
    """The tile of a number."""
    return page.locator(f'.tile[data-number="{number}"]')


def press(page: Page, label: str) -> None:
    """Click a button."""
    page.get_by_role("button", name=label, exact=True).click()


def person(page: Page, port: int) -> Client:
    """The person in this tab, who also plays elsewhere."""
    expect(page.locator(".top bdi")).to_have_text(re.compile("Guest"))
    client = Client(port)
    client.cookie = "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies())
    return client


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


def saved(page: Page, port: int, text: str = OWN) -> str:
    """The id of a rule book that the person in this tab has saved."""
    return str(person(page, port).post("/api/books", text=text)["id"])


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


def test_a_stored_book_is_analysed_from_its_page(port: int, visit: Callable[..., Page]) -> None:
    """In any variant and with changes; the address is for everybody who has it."""
    book = saved(visit("/learn"), port)
    page = visit(f"/book/{book}?reading=four")
    page.get_by_role("link", name="Analyse it").click()
    chosen = page.locator("#game option:checked")
    expect(chosen).to_have_text(
        "<b>Mine</b>"
    )  # a friend's book is in the list as long as it is shown
    see(page, load_spec({"text": OWN, "reading": "four"}).game.start())
    page.select_option("#reading", "default")
    page.get_by_text("Change the rules").click()
    page.get_by_label("Changes").fill("pool=1-8")
    press(page, "Apply")
    expect(page.locator(".tile")).to_have_count(8)
    tile(page, 8).click()
    see(page, load_spec({"text": OWN, "changes": ["pool=1-8"]}).game.play([8]))
    expect(page).to_have_url(
        re.compile(rf"\?game={book}&reading=default&changes=pool%3D1-8&moves=8$")
    )
    other = visit(page.url)
    expect(other.locator(".hand dd")).to_have_text(["8", "no numbers yet"])
    page.select_option("#game", "magic-fifteen")
    expect(page.locator(".tile")).to_have_count(9)
    page.go_back()
    expect(chosen).to_have_text("<b>Mine</b>")
    expect(page.locator(".hand dd")).to_have_text(["8", "no numbers yet"])


def test_a_game_by_a_stored_book_is_analysed_from_its_review(
    port: int, visit: Callable[..., Page]
) -> None:
    """With its changes, at the position that is shown."""
    page = visit("/learn")
    ann, bob = person(page, port), Client(port)
    game = ann.post("/api/games", book=saved(page, port), changes=["pool=1-8"])["id"]
    bob.post(f"/api/games/{game}/join")
    for at, move in enumerate("1 2 5 3 6 7 4".split()):
        (ann, bob)[at % 2].post(f"/api/games/{game}/act", type="move", move=move)
    page.goto(f"/game/{game}/review")
    for _ in range(5):
        press(page, "Forward")
    page.get_by_role("link", name="Analyse this position").click()
    own = load_spec({"text": OWN, "changes": ["pool=1-8"]}).game
    see(page, own.play([1, 2, 5, 3, 6]))


# The free numbers with what each shows and says about its value.
_VALUES = """() => Object.fromEntries([...document.querySelectorAll(".tile.free")].map((tile) => [
  tile.dataset.number,
  [
    ["win", "draw", "loss"].filter((look) => tile.classList.contains(look)).join(),
    tile.querySelector(".value")?.innerText.replace(/\\s+/g, " ") ?? "",
    tile.ariaLabel.split(", ").pop(),
  ],
]))"""


def see(page: Page, position: Position) -> None:
    """Fail unless every move shows what it is worth, and the board is that of the position."""
    taken = [" ".join(map(str, hand)) or "no numbers yet" for hand in position.hands]
    expect(page.locator(".hand dd")).to_have_text(taken)
    wanted = {}
    for move, result, plies in solver_for(position.game).moves(position):
        words = value_words(result, plies)
        if isinstance(move, int):
            shape = {"win": "▲", "draw": "■", "loss": "▼"}[result]
            wanted[str(move)] = [result, f"{shape} {words}", words]
        else:
            buttons = page.locator(".play > .controls:not(.tools) button")
            expect(buttons.filter(has_text=f": {words}").first).to_be_visible()
    same = f"(wanted) => JSON.stringify(({_VALUES})()) === JSON.stringify(wanted)"
    try:
        page.wait_for_function(same, arg=wanted, polling=50)
    except TooLate:
        assert page.evaluate(_VALUES) == wanted


GAMES = [
    *((name, books.load_book(name).reading) for name in books.names()),
    ("pattern-builder", "declare"),
    ("sequence-duel-sum", "lose-turn"),
]


@pytest.mark.parametrize(("name", "reading"), GAMES)
def test_every_move_shows_what_the_solver_knows(
    visit: Callable[..., Page], name: str, reading: str
) -> None:
    """From the start on, along best play until the game is over; the moves are in the address."""
    game = books.load_book(name, reading).game
    position, solver, moves = game.start(), solver_for(game), list[str]()
    page = visit(f"/learn/analysis?game={name}&reading={reading}")
    while position.outcome is None:
        if len(moves) < 5:
            see(page, position)
        move = solver.best(position)[0]
        moves += format_moves([move])
        if isinstance(move, int):
            tile(page, move).click()
        else:
            value = solver.move_value(position, move)
            words = f": {value_words(value.result, value.plies)}"
            page.locator(".play > .controls:not(.tools) button").filter(
                has_text=words
            ).first.click()
        position = position.play(move)
        expect(page.locator(".course-of-play li")).to_have_count(len(moves) + 1)
        assert f"moves={'.'.join(moves)}".replace(":", "%3A") in page.url
    winner = position.outcome.winner
    expected = "The game is drawn." if winner is None else f"Player {winner} wins."
    expect(page.locator("#status")).to_have_text(expected)
    expect(page.locator(".tile.free")).to_have_count(0)


def test_a_position_has_an_address(visit: Callable[..., Page]) -> None:
    """It can be shared, and the back button goes back through the moves."""
    page = visit(MAGIC)
    for number in (5, 1, 4):
        tile(page, number).click()
        expect(tile(page, number)).to_have_class(re.compile("last"))
    expect(page).to_have_url(re.compile(r"moves=5\.1\.4$"))
    expect(page.locator(".message")).to_contain_text("Player 2 loses in 4 with best play.")
    expect(page.locator(".message")).to_contain_text(
        "Take 6: it stops 4-5-6, and only 8 still wins"
    )
    other = visit(page.url)
    expect(other.locator(".hand dd")).to_have_text(["5 4", "1"])
    page.go_back()
    expect(page.locator(".hand dd")).to_have_text(["5", "1"])
    page.go_forward()
    expect(page.locator(".hand dd")).to_have_text(["5 4", "1"])
    press(page, "Undo")
    expect(page.locator(".hand dd")).to_have_text(["5", "1"])
    press(page, "1. Player 1: 5")
    expect(page.locator(".hand dd")).to_have_text(["5", "no numbers yet"])
    press(page, "Start over")
    expect(page.locator(".hand dd")).to_have_text(["no numbers yet"] * 2)
    assert page.url.endswith("game=magic-fifteen")
    page.select_option("#game", "pattern-builder")
    page.select_option("#reading", "declare")
    expect(page).to_have_url(re.compile("game=pattern-builder&reading=declare$"))


def test_lines_are_played_out_on_the_board(visit: Callable[..., Page]) -> None:
    """The best one, and the one after each move, which are listed with the best first."""
    page = visit(f"{MAGIC}&moves=5.1")
    expect(page.locator(".every-move li").first).to_have_text(re.compile("^2 *▲ wins in 5"))
    expect(page.locator(".every-move li").last).to_have_text(re.compile("^9 *■ draws"))
    press(page, "Show the best line")
    expect(page.locator(".said")).to_have_text(re.compile("^Take 2: it wins in 5 moves"))
    for step, hands in enumerate([[5, 2], [5, 2], [5, 2, 6], [5, 2, 6], [5, 2, 6, 4]], 1):
        expect(page.locator(".message")).to_have_text(re.compile(f"^{step} of 5: "))
        owned = page.locator(".tile.seat1")
        expect(owned).to_have_text([re.compile(str(number)) for number in sorted(hands)])
        if step < 5:
            press(page, "Forward")
    expect(page.locator(".message")).to_have_text("5 of 5: you take 4. You win!")
    expect(page.locator(".tile.lit")).to_have_count(3)
    press(page, "Return")
    expect(page.locator(".hand dd")).to_have_text(["5", "1"])
    press(page, "Line after 9")
    expect(page.locator(".said")).to_have_text(re.compile(r"^9 draws: you 9, they .* is drawn\.$"))


def test_values_can_be_hidden(visit: Callable[..., Page]) -> None:
    """Whoever wants to think first sees neither values nor reasons."""
    page = visit(f"{MAGIC}&moves=5.1")
    expect(page.locator(".tile .value")).to_have_count(7)
    press(page, "Values")
    for hidden in (".value", ".tile.hinted", ".message p", ".every-move"):
        expect(page.locator(hidden)).to_have_count(0)
    press(page, "Values")
    expect(page.locator(".tile .value")).to_have_count(7)


def test_what_is_not_possible_is_refused_kindly(visit: Callable[..., Page]) -> None:
    """On the board, in the field, in the rules and in the address."""
    page = visit(f"{MAGIC}&moves=5")
    tile(page, 5).click(force=True)
    expect(page.locator(".message")).to_contain_text("5 is already taken.")
    for typed, said in (("17", "17 is not in the pool"), ("four", "Type one number.")):
        page.get_by_label("Number", exact=True).fill(typed)
        press(page, "Enter")
        expect(page.locator(".message")).to_contain_text(said)
    page.get_by_text("Change the rules").click()
    page.get_by_label("Changes").fill("pool=1-500")
    press(page, "Apply")
    expect(page.locator(".message")).to_contain_text("must have at most 100 numbers, not 500")
    expect(page.locator(".hand dd")).to_have_text(["5", "no numbers yet"])
    page.goto(f"{MAGIC}&moves=5.5.6")
    expect(page.locator(".trouble")).to_contain_text("5 is already taken.")
    press(page, "Start over")
    expect(page.locator(".tile.free")).to_have_count(9)


def test_a_large_game_shows_what_could_be_proved(visit: Callable[..., Page]) -> None:
    """The board is there at once, and a look ahead follows."""
    page = visit("/learn/analysis?game=pattern-builder&reading=declare&changes=pool%3D1-10")
    expect(page.locator(".tile")).to_have_count(10)
    expect(page.locator(".message")).to_contain_text("Player 1 wins in 6 with best play.")
    expect(page.locator(".tile.win").first).to_have_text(re.compile("wins in 6"))
    expect(page.locator(".limits")).not_to_contain_text("Looking ahead")
    expect(page.get_by_label("Changes")).to_have_value("pool=1-10")


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
