"""Whole games in the page, checked move by move against the judge, the words and the coach."""

from random import Random

from browser.playing import Screen, in_browser
from effort import Effort
from playwright.sync_api import Page
from web_pages import PAIRS, book_of

from ninefold.board_words import deed_text, names_seen, opening_text, turn_text, winner_text
from ninefold.books import Book
from ninefold.coach.hint import hint_for
from ninefold.coach.review import review_game
from ninefold.coach.review_words import label, made_by, overview, remarks, verdict_line
from ninefold.coach.words import sentence
from ninefold.core.moves import LOST, Declare, Move
from ninefold.core.position import Position
from ninefold.narration import View

PLAYERS = ("Player 1", "Player 2")
# A pair for each set of buttons: none, Pass and Declare, Give up turn.
KEYS = [
    ("magic-fifteen", "default"),
    ("pattern-builder", "declare"),
    ("sequence-duel-sum", "lose-turn"),
]


def make(screen: Screen, position: Position, move: Move) -> None:
    """Make a move with the mouse."""
    if isinstance(move, int):
        screen.take(move)
    elif isinstance(move, Declare):
        if not position.asking:
            screen.press("Declare")
        for number in move.numbers:
            screen.take(number)
        screen.press("Declare")
    elif move is LOST:
        screen.press("Give up turn")
        assert screen.see()["question"] == "Give up your turn?"
        screen.press("Yes")
    else:
        screen.press("Pass")


def check(screen: Screen, book: Book, position: Position, log: list[str]) -> None:
    """Compare everything on the screen between two people with the engine."""
    seen, outcome, view = screen.see(), position.outcome, View(book, PLAYERS, (True, True))
    open_now = outcome is None and not position.asking
    for number in book.game.pool:
        looks = seen["tiles"][str(number)]["looks"]
        assert ("free" in looks) == (open_now and number in position.picks)
        for seat in (1, 2):
            assert (f"seat{seat}" in looks) == (number in position.hands[seat - 1])
        assert ("lit" in looks) == (number in book.game.deciding_numbers(position))
    hands = [" ".join(map(str, hand)) or "no numbers yet" for hand in position.hands]
    assert seen["hands"] == hands
    if outcome is None:
        assert seen["status"] == turn_text(position, PLAYERS, is_choosing=position.asking)
    else:
        assert seen["status"] == winner_text(outcome, PLAYERS)
        assert seen["message"] == view.result(outcome, position)
    assert seen["log"] == log


def check_review(
    screen: Screen, book: Book, moves: list[Move], reader: int | None, players: tuple[str, str]
) -> None:
    """Compare the review on the screen with that of the coach."""
    screen.press("Review")
    seen, review = screen.see(), review_game(book.game, moves)
    position, lines = book.game.start(), []
    said = remarks(review, players, reader)
    for item, text in zip(review.judgements, said, strict=True):
        who = names_seen(players, reader)[position.turn - 1]
        lines.append(verdict_line(made_by(who, item.move, label(item)), text))
        position = position.play(item.move)
    assert seen["verdicts"] == lines
    assert position.outcome is not None
    ended = View(book, players, (True, True)).result(position.outcome, position)
    assert "\n".join(seen["summary"]) == f"{ended}\n{overview(review, players, reader)}"
    screen.press("End")
    assert screen.see()["message"] == f"Move {len(moves)} of {len(moves)}. {lines[-1]}"
    screen.press("Close")


@in_browser(*PAIRS)
def test_random_games_of_two_people_are_judged_told_and_reviewed_as_by_the_engine(
    page: Screen, name: str, reading: str
) -> None:
    """Every move with the mouse; turns are given up now and then where the rules allow it."""
    book, chance = book_of(name, reading), Random(f"{name} {reading}")
    page.begin()
    for _ in range(2 if Effort.is_long else 1):
        position, moves, log = book.game.start(), list[Move](), [opening_text(1, PLAYERS, None)]
        check(page, book, position, log)
        while position.outcome is None:
            usual = [move for move in position.legal if move is not LOST]
            move = chance.choice(position.legal if chance.random() < 0.2 else usual)
            make(page, position, move)
            log.append(deed_text(PLAYERS[position.turn - 1], move))
            moves.append(move)
            position = position.play(move)
            check(page, book, position, log)
        check_review(page, book, moves, None, PLAYERS)
        page.press("Play again")


@in_browser(*(PAIRS if Effort.is_long else KEYS))
def test_a_whole_game_by_keyboard_alone_against_a_level(
    screen: Page, page: Screen, name: str, reading: str
) -> None:
    """Tab, arrows, Enter and the field for a number are enough, and the focus is never lost."""
    book, keys = book_of(name, reading), screen.keyboard
    screen.wait_for_selector("#opponent")
    while page.see()["focus"] != "Play":
        keys.press("Tab")
    keys.press("Enter")
    page.wait()
    pool, turns = book.game.pool, 0
    while True:
        seen = page.see()
        if "Review" in _enabled(screen):
            break
        turns += 1
        assert seen["focus"] in map(str, pool), "the focus is on the board"
        if "Pass" in seen["controls"] and "choose the numbers" in seen["status"]:
            while page.see()["focus"] != "Pass":
                keys.press("Tab")
            keys.press("Enter")
        else:
            keys.press("Control+Home")
            for _ in range(pool.index(page.free()[0])):
                keys.press("ArrowRight")
            assert page.see()["focus"] == str(page.free()[0])
            keys.press("Enter")
        page.wait()
    assert turns >= 2
    assert seen["status"] in ("You win!", "Level 2 wins.", "The game is drawn.")


def _enabled(screen: Page) -> list[str]:
    return screen.locator(".tools button:not([aria-disabled])").all_inner_texts()


@in_browser(("sequence-duel-sum", "retry"))
def test_perfect_never_loses_a_won_game_and_the_reader_is_you(page: Screen) -> None:
    """It begins and wins in five moves, whatever a random player answers."""
    book = book_of("sequence-duel-sum", "retry")
    chance, players = Random(5), ("Perfect", "Player 2")
    page.begin("perfect", "them")
    for _ in range(4):
        while page.free():
            page.take(chance.choice(page.free()))
        seen = page.see()
        assert seen["status"] == "Perfect wins."
        assert seen["log"][0] == "Perfect goes first."
        moves = [int(line.rstrip(".").split()[-1]) for line in seen["log"][1:]]
        assert len(moves) == 5
        assert seen["log"][2] == f"You take {moves[1]}."
        check_review(page, book, [*moves], 2, players)
        page.press("Play again")


@in_browser(("sequence-capture", "default"))
def test_hints_come_in_three_steps_and_are_the_coachs(screen: Page, page: Screen) -> None:
    """An area, then the numbers, then why, with a line that can be played out."""
    book = book_of("sequence-capture", "default")
    page.begin()
    position = book.game.start()
    for number in (1, 5, 8):
        hint = hint_for(position)
        marks = [("area", hint.area), ("hinted", hint.moves), ("hinted", hint.moves)]
        for step, (look, numbers) in enumerate(marks, 1):
            screen.click(".tools button >> nth=0")
            seen = page.see()
            assert seen["message"] == sentence(hint, step)
            marked = [int(at) for at, tile in seen["tiles"].items() if look in tile["looks"]]
            assert marked == sorted(move for move in numbers if isinstance(move, int))
        page.press("Show it on the board")
        screen.get_by_role("button", name="End").click()
        end = page.see()
        assert end["message"].startswith(f"{len(hint.line)} of {len(hint.line)}: ")
        last = position
        for move in hint.line:
            last = last.play(move)
        held = [int(at) for at, tile in end["tiles"].items() if "seat1" in tile["looks"]]
        assert held == sorted(last.hands[0])
        page.press("Return")
        page.take(number)
        position = position.play(number)


@in_browser(("magic-fifteen", "default"))
def test_values_are_told_by_colour_shape_and_word(screen: Page, page: Screen) -> None:
    """2 3 7: 5 and 6 hold, as the solver says, and everything else loses."""
    book = book_of("magic-fifteen", "default")
    page.play(2, 3, 7)
    page.press("Values")
    from ninefold.coach.words import value_words
    from ninefold.solver import solver_for

    position = book.game.play("2 3 7")
    results = set()
    for item in solver_for(book.game).moves(position):
        tile = screen.locator(f'.tile[data-number="{item.move}"]')
        words = value_words(item.result, item.plies)
        shape = {"win": "▲", "draw": "■", "loss": "▼"}[item.result]
        assert tile.locator(".value").inner_text().split() == [shape, *words.split()]
        assert words in (tile.get_attribute("aria-label") or "")
        assert item.result in (tile.get_attribute("class") or "").split()
        results.add(item.result)
    assert results == {"draw", "loss"}


@in_browser(("magic-fifteen", "default"))
def test_undo_repeats_and_refusals(screen: Page, page: Screen) -> None:
    """Undo goes back to your own turn; a refusal that is repeated is a new element."""
    page.begin("level:3")
    page.take(5)
    other = int(page.see()["hands"][1])
    page.take(other)
    taken = page.see()["message"]
    assert taken.startswith(f"{other} is already taken. Choose one of: ")
    screen.evaluate("() => { window.before = document.querySelector('.message p'); }")
    page.take(other)
    assert page.see()["message"] == taken
    assert screen.evaluate("() => window.before !== document.querySelector('.message p')")
    screen.fill("#number", "77")
    screen.press("#number", "Enter")
    assert page.see()["message"].startswith("77 is not in the pool.")
    screen.fill("#number", "five")
    screen.press("#number", "Enter")
    assert page.see()["message"] == "Type one number."
    page.press("Undo")
    assert page.see()["hands"] == ["no numbers yet", "no numbers yet"]
    assert page.see()["message"] == "Undone: you choose again."
    assert page.see()["log"] == ["You go first."]


@in_browser(("sequence-duel-sum", "lose-turn"))
def test_a_number_that_costs_the_turn_is_asked_about(page: Screen) -> None:
    """No leaves everything as it was, Yes loses the turn; then the board has the focus."""
    page.play(5, 5)
    asked = "5 cannot be taken. Choosing it costs your turn. Choose it?"
    assert page.see()["question"] == asked
    page.press("No")
    assert page.see()["status"] == "Player 2's turn"
    page.take(5)
    page.press("Yes")
    seen = page.see()
    assert seen["status"] == "Player 1's turn"
    assert seen["log"][-1] == "Player 2 loses the turn."
    assert seen["focus"] in map(str, range(1, 10))


@in_browser(("pattern-builder", "declare"))
def test_a_wrong_declaration_says_why(screen: Page, page: Screen) -> None:
    """The reason is the judge's, and the question stays."""
    page.play(1, 9, 2, 8, 5)
    assert page.see()["status"] == "Player 1's turn: choose the numbers of your set"
    for number in (1, 2, 5):
        page.take(number)
    page.press("Declare")
    reason = "1 2 5 does not win: its steps are 1, 3 and its factors are 2, 5/2."
    assert page.see()["message"] == reason
    screen.fill("#number", "1 9")
    screen.press("#number", "Enter")
    assert page.see()["message"] == "9 is not one of your numbers."
    page.press("Pass")
    assert page.see()["status"] == "Player 2's turn"


@in_browser(("magic-fifteen", "default"))
def test_you_can_play_on_from_a_mistake(page: Screen) -> None:
    """The review steps to the mistake, shows what was better, and lets you try again."""
    page.play(5, 1, 2, 3, 8)
    assert page.see()["status"] == "Player 1 wins."
    page.press("Review")
    page.press("Next mistake")
    assert page.see()["message"].startswith("Move 2 of 5. Player 2 took 1: threw the draw away; ")
    page.press("What was better")
    assert page.see()["message"] == "1 of 8: Player 2 takes 2"
    page.press("Return")
    page.press("Back")
    page.press("Play on from here")
    seen = page.see()
    assert seen["status"] == "Player 2's turn"
    assert seen["hands"] == ["5", "no numbers yet"]
