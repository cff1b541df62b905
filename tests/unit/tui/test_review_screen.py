"""The review of a game on the full screen: stepped through, explained, and played on from."""

from functools import partial
from pathlib import Path
from threading import Event

import pytest
from textual.pilot import Pilot
from unit.tui.driving import SIZES_TO_LOOK_AT, click_tile, run, session_of, settle, text_of, until

from ninefold import books
from ninefold.coach.review import Judgement, judge, review_game
from ninefold.coach.review_words import overview, remarks
from ninefold.core.moves import LOST, Move, parse_moves
from ninefold.core.position import Position
from ninefold.record.replay import Replay
from ninefold.record.store import Store
from ninefold.record.text import read_record
from ninefold.referee import Referee
from ninefold.session import LiveGame
from ninefold.tui.app import NinefoldApp
from ninefold.tui.base import Page
from ninefold.tui.course import Course
from ninefold.tui.game import GameScreen
from ninefold.tui.home import Home
from ninefold.tui.puzzles import PuzzlesScreen
from ninefold.tui.review import ReviewScreen, review_record

DUEL = books.load_book("sequence-duel-arithmetic")
# After 9, only 5 wins; Bob takes 8, so Ann can win, but she takes 1.
MOVES = "9 8 1 5 2 3 4"
READINGS = [(book.id, reading) for book in books.load_all() for reading in book.readings]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games and answers of these tests are nobody else's."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def played(moves: str = MOVES, **given: object) -> LiveGame:
    """A recorded game of Ann against Bob, who resigns at the end."""
    session = session_of(DUEL, Store(), player1="Ann", player2="Bob", **given)
    game = session.next_game()
    for move in parse_moves(moves):
        game.move(move, 0.0)
    game.resign(2)
    session.close()
    return game


def shown(pilot: Pilot[None], selector: str = "") -> str:
    """What is on the screen, or in one of its widgets, without line breaks."""
    screen = pilot.app.screen
    region = (screen.query_one(selector) if selector else screen).region
    strips = screen._compositor.render_strips()[region.y : region.bottom]
    return in_words(" ".join(strip.crop(region.x, region.right).text for strip in strips))


def is_on(pilot: Pilot[None], kind: type[Page]) -> bool:
    """Whether a screen of this kind is shown."""
    return isinstance(pilot.app.screen, kind)


def in_words(text: str) -> str:
    """A text as ``shown`` shows it."""
    return " ".join(text.split())


def _same(screen: ReviewScreen) -> ReviewScreen:
    return screen


async def judged(pilot: Pilot[None], screen: ReviewScreen) -> None:
    """Wait until every move is judged."""
    await until(pilot, lambda: screen.is_judged)


def shown_in_text(referee: Referee, ply: int, reader: int | None = None) -> str:
    """What the text review says about a move."""
    game, settings = referee.game, referee.settings
    review = review_game(game, referee.moves, settings.first, referee.outcome)
    return in_words(remarks(review, settings.players, reader)[ply - 1])


@pytest.mark.parametrize("size", SIZES_TO_LOOK_AT)
def test_every_move_is_judged_in_the_words_of_the_text_review(size: tuple[int, int]) -> None:
    """By keys alone: forward, back, to both ends, to the next mistake; and as text."""
    referee = played().referee
    screen = ReviewScreen(DUEL, referee)

    async def script(pilot: Pilot[None]) -> None:
        await judged(pilot, screen)
        await pilot.press("right")
        for ply in range(1, 8):
            await settle(pilot)
            assert screen.position == referee.positions[ply]
            verdict = (
                f"Move {ply} of 7. {'Bob' if ply % 2 == 0 else 'Ann'} took {referee.moves[ply - 1]}"
            )
            assert shown(pilot).count(verdict) == 1
            assert in_words(screen.verdict).startswith(verdict)
            assert shown_in_text(referee, ply) in in_words(screen.verdict)
            await pilot.press("right")
        await pilot.press("home", "right", "right", "left")
        assert screen.position == referee.positions[1]
        await pilot.press("end")
        assert screen.position == referee.positions[7]
        plies = []
        for _ in range(4):
            await pilot.press("m")
            plies.append(referee.positions.index(screen.position))
        assert plies == [1, 2, 3, 1]
        await pilot.press("i")
        await settle(pilot)
        assert "Bob resigns." in shown(pilot)
        await pilot.press("escape", "escape")
        await settle(pilot)
        assert is_on(pilot, Home)

    run(script, lambda: screen, size)


@pytest.mark.parametrize("size", SIZES_TO_LOOK_AT)
def test_a_click_on_a_move_or_a_number_shows_it(size: tuple[int, int]) -> None:
    """By the mouse alone, through every cell of the strip, and the buttons."""
    referee = played().referee
    screen = ReviewScreen(DUEL, referee)

    async def script(pilot: Pilot[None]) -> None:
        await judged(pilot, screen)
        for ply in (3, 7, 0, 5):
            await pilot.click(Course, offset=(ply * 3 + 1, 0))
            await settle(pilot)
            assert screen.position == referee.positions[ply]
        await click_tile(pilot, screen, 8)
        assert screen.position == referee.positions[2]
        await pilot.click("#do-mistake")
        await settle(pilot)
        assert screen.position == referee.positions[3]
        await pilot.click("#do-better")
        await settle(pilot)
        assert "1 of" in shown(pilot)
        await pilot.click("#line-close")
        await settle(pilot)
        if size[0] > 40:
            await pilot.click("#do-back")
            await settle(pilot)
            assert screen.position == referee.positions[2]
        await pilot.click("#do-play_on")
        await settle(pilot)
        assert is_on(pilot, GameScreen)

    run(script, lambda: screen, size)


def test_the_strip_says_who_stands_better_for_the_reader() -> None:
    """By signs, from the side of the only person, with every mistake marked."""
    for given, signs in (
        ({}, " ·  -! +! -! -  -  -  -"),
        ({"seat1": "random"}, " ·  +! -! +! +  +  +  +"),
    ):
        screen = ReviewScreen(DUEL, played(**given).referee)

        async def script(
            pilot: Pilot[None], screen: ReviewScreen = screen, signs: str = signs
        ) -> None:
            await judged(pilot, screen)
            shown = text_of(screen.program)
            assert signs in shown.replace("▶", " ")
            assert " 9  8  1  5  2  3  4" in shown

        run(script, partial(_same, screen))


@pytest.mark.parametrize("size", SIZES_TO_LOOK_AT)
def test_the_start_shows_what_decided_the_game(size: tuple[int, int]) -> None:
    """And what becomes of missed wins, which the user can practise from here."""
    referee = played().referee
    screen = ReviewScreen(DUEL, referee)
    review = review_game(DUEL.game, referee.moves, 1, referee.outcome)

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "now a puzzle" in in_words(screen.summary))
        assert in_words(overview(review, ("Ann", "Bob"))) in in_words(screen.summary)
        assert "1 missed win is now a puzzle: press z." in in_words(screen.summary)
        place = "#verdict-frame" if size[0] == 40 else "#overview-frame"
        assert "Ann wins the game!" in shown(pilot, place)
        await pilot.press("z")
        await until(pilot, lambda: "Due today: 1 puzzle that" in shown(pilot))
        assert is_on(pilot, PuzzlesScreen)

    run(script, lambda: screen, size)


def test_a_game_that_is_not_recorded_makes_no_puzzles() -> None:
    """So the review does not promise any."""
    screen = ReviewScreen(DUEL, played().referee, kept=False)

    async def script(pilot: Pilot[None]) -> None:
        await judged(pilot, screen)
        await pilot.press("z")
        assert pilot.app.screen is screen
        assert "puzzle" not in screen.summary

    run(script, lambda: screen)


def test_playing_on_starts_a_game_of_its_own_against_the_same_opponent() -> None:
    """Recorded with the moves before it; the game that was reviewed stays as it is."""
    game = played(seat2="level:3")
    before = Path(Store().path(game.name)).read_text()
    screen = ReviewScreen(DUEL, game.referee)

    async def script(pilot: Pilot[None]) -> None:
        await judged(pilot, screen)
        await pilot.press("right", "right", "p")
        await settle(pilot)
        playing = pilot.app.screen
        assert isinstance(playing, GameScreen)
        assert playing.game.referee.moves == (9, 8)
        assert playing.session.settings.seats == ("human", "level:3")
        assert "You continue after move 2." in shown(pilot)
        await pilot.press("5", "enter")
        await until(pilot, lambda: playing.game.referee.plies >= 4)
        await pilot.press("escape")
        await settle(pilot)
        assert pilot.app.screen is screen

    run(script, lambda: screen)
    old, new = Store().names()
    assert old == game.name
    assert Path(Store().path(old)).read_text() == before
    referee = Replay(read_record(Store().path(new))).run()
    assert referee.moves[:3] == (9, 8, 5)
    assert referee.settings.given == 2


def test_the_last_position_of_a_finished_game_cannot_be_played_on() -> None:
    """There is nothing left to play; after a resignation there is."""
    session = session_of(DUEL)
    game = session.next_game()
    for move in (1, 9, 2, 8, 3):
        game.move(move, 0.0)
    assert game.outcome is not None
    screen = ReviewScreen(DUEL, game.referee, kept=False)

    async def script(pilot: Pilot[None]) -> None:
        await judged(pilot, screen)
        await pilot.press("end", "p")
        await settle(pilot)
        assert pilot.app.screen is screen
        assert "Play on" not in shown(pilot)
        await pilot.press("left")
        await settle(pilot)
        assert "Play on" in shown(pilot)

    run(script, lambda: screen)


def test_judging_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is judged already can be read, and every position can be looked at."""
    may_go_on = Event()

    def slow(position: Position, move: Move, ply: int) -> Judgement:
        if ply == 3:
            may_go_on.wait()
        return judge(position, move, ply)

    monkeypatch.setattr("ninefold.tui.review.judge", slow)
    screen = ReviewScreen(DUEL, played().referee)

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "Judging move 3 of 7" in shown(pilot, "#overview-frame"))
        await pilot.press("right", "right")
        await settle(pilot)
        assert "threw the win away" in shown(pilot, "#verdict-frame")
        await pilot.press("right")
        await settle(pilot)
        assert shown(pilot, "#verdict-frame") == "Move 3 of 7. Ann took 1"
        may_go_on.set()
        await judged(pilot, screen)
        assert "threw the win away" in shown(pilot, "#verdict-frame")

    run(script, lambda: screen)


def test_leaving_while_moves_are_judged_is_fine() -> None:
    """Nothing is left behind on the screen that comes next."""
    screen = ReviewScreen(DUEL, played().referee)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("escape")
        await settle(pilot)
        assert is_on(pilot, Home)
        await until(pilot, lambda: "1 due today" in shown(pilot))

    run(script, lambda: screen)


def test_a_game_is_reviewed_when_it_is_over() -> None:
    """By its key, its button, or the palette; not before."""
    session = session_of(DUEL, Store())
    screens: list[GameScreen] = []

    def first() -> GameScreen:
        screens.append(GameScreen(session))
        return screens[0]

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("9", "enter", "v")
        await settle(pilot)
        assert pilot.app.screen is screens[0]
        await pilot.press("x", "y")
        await settle(pilot)
        for opens in ("v", "#do-review"):
            await (pilot.press(opens) if opens == "v" else pilot.click(opens))
            await settle(pilot)
            assert is_on(pilot, ReviewScreen)
            await pilot.press("escape")
            await settle(pilot)
        assert "Review" in [command.title for command in screens[0].commands()]

    run(script, first)


def test_a_record_can_be_reviewed_or_the_reason_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a game that is not over."""
    said: list[str] = []
    monkeypatch.setattr(NinefoldApp, "notify", lambda _, text, **__: said.append(text))
    session = session_of(DUEL, Store(), player1="Ann", player2="Bob")
    game = session.next_game()
    game.move(9, 0.0)
    session.close()
    broken = tmp_path / "broken.ninefold"
    broken.write_text("nonsense\n")

    async def script(pilot: Pilot[None]) -> None:
        app = pilot.app
        review_record(app, str(broken))  # type: ignore[arg-type]
        await settle(pilot)
        assert is_on(pilot, Home)
        assert "broken.ninefold" in said[0]
        review_record(app, Store().path(game.name))  # type: ignore[arg-type]
        await settle(pilot)
        assert is_on(pilot, ReviewScreen)
        await judged(pilot, app.screen)  # type: ignore[arg-type]
        assert "The game is not over." in shown(pilot)
        await pilot.press("end", "p")
        await settle(pilot)
        assert is_on(pilot, GameScreen)

    run(script)


def test_a_game_without_a_move_has_nothing_to_review() -> None:
    """But nothing breaks."""
    referee = Referee(DUEL.game, session_of(DUEL).settings)
    screen = ReviewScreen(DUEL, referee)

    async def script(pilot: Pilot[None]) -> None:
        await judged(pilot, screen)
        await pilot.press("right", "left", "home", "end", "m", "b", "i")
        await settle(pilot)
        assert "No move was made." in screen.verdict

    run(script, lambda: screen)


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_every_game_can_be_reviewed(name: str, reading: str) -> None:
    """Passes, declarations and lost turns, too."""
    book = books.load_book(name, reading)
    session = session_of(book)
    game = session.next_game()
    while game.outcome is None:
        legal = [move for move in game.position.legal if move is not LOST]
        chosen: Move = legal[game.referee.plies % len(legal)]
        game.move(chosen, 0.0)
    screen = ReviewScreen(book, game.referee, kept=False)

    async def script(pilot: Pilot[None]) -> None:
        await judged(pilot, screen)
        for _ in range(game.referee.plies):
            await pilot.press("right")
        await settle(pilot)
        assert screen.position == game.position
        assert f"Move {game.referee.plies} of {game.referee.plies}." in shown(pilot)
        assert "declare:" not in shown(pilot)

    run(script, lambda: screen)
