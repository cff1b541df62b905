"""The analysis board: every move with its value, lines of play, and positions with an address."""

import re
from collections.abc import Callable

import pytest
from browser.learning import MAGIC, OWN, person, press, saved, tile
from playwright.sync_api import Page, Route, expect
from playwright.sync_api import TimeoutError as TooLate
from unit.web.server.live import Client

from ninefold import books
from ninefold.coach.words import value_words
from ninefold.core.moves import format_moves
from ninefold.core.position import Position
from ninefold.solver import solver_for
from ninefold.web.server.work.given import load_spec

pytestmark = pytest.mark.xdist_group("learn")


def test_what_is_typed_survives_a_slow_answer(visit: Callable[..., Page]) -> None:
    """A variant that is still on its way is not forgotten either."""
    page, held = visit("/learn/analysis?game=sequence-duel-sum"), list[Route]()
    expect(page.locator(".tile")).to_have_count(9)
    page.get_by_text("Change the rules").click()

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/api/learn/analysis", hold_first)
    with page.expect_request("**/api/learn/analysis"):
        page.select_option("#reading", "lose-turn")
    page.get_by_label("Changes").fill("pool=1-8")
    held[0].continue_()
    expect(page).to_have_url(re.compile("reading=lose-turn"))
    expect(page.get_by_label("Changes")).to_have_value("pool=1-8")
    held.clear()
    with page.expect_request("**/api/learn/analysis"):
        page.select_option("#reading", "retry")
    press(page, "Apply")
    expect(page.locator(".tile")).to_have_count(8)
    expect(page).to_have_url(re.compile("reading=retry&changes=pool%3D1-8"))


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
