"""A game on the full screen: every book and reading, by keys alone and by the mouse alone."""

from pathlib import Path
from random import Random
from threading import Event

import pytest
from effort import Effort
from processes import PATIENCE
from textual.pilot import Pilot
from unit.players.test_python_players import weights_for
from unit.tui.driving import (
    QUIET,
    SIZES,
    Play,
    by_keys,
    by_mouse,
    compare,
    game_on,
    moves_of,
    run,
    session_of,
    settle,
    text_of,
    until,
)

from ninefold import books
from ninefold.coach.hint import Hint, hint_for
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import LOST, PASS, Declare, Move
from ninefold.core.position import Position
from ninefold.players.saved import save_agent
from ninefold.record.replay import Replay
from ninefold.record.store import Store
from ninefold.record.text import read_record
from ninefold.tui.game import GameScreen
from ninefold.tui.run import run as run_at_terminal

READINGS = [(book.id, reading) for book in books.load_all() for reading in book.readings]


def sizes_for(name: str, reading: str, shift: int = 0) -> list[tuple[int, int]]:
    """Every day one of the sizes, which all have their turn; in the long run each of them."""
    turn = (READINGS.index((name, reading)) + shift) % len(SIZES)
    return [*SIZES] if Effort.is_long else [SIZES[turn]]


SIZED = [(*pair, size) for pair in READINGS for size in sizes_for(*pair)]


def random_move(position: Position, chance: Random) -> Move:
    """Any legal move, mostly a number."""
    legal = position.legal
    held = [move for move in legal if isinstance(move, Declare)]
    if held and position.asking:
        return held[0]
    numbers = [move for move in legal if isinstance(move, int)]
    return chance.choice(numbers or legal) if chance.random() < 0.9 else chance.choice(legal)


@pytest.mark.parametrize("play", [by_keys, by_mouse])
@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_every_game_is_played_to_its_end(
    name: str, reading: str, play: Play, tmp_path: Path
) -> None:
    """Every move that is made on the screen is made in the game and written down."""
    book, store = books.load_book(name, reading), Store(str(tmp_path))
    for seed, size in enumerate(sizes_for(name, reading, 1 + (play is by_mouse))):
        screens: list[GameScreen] = []

        def first(screens: list[GameScreen] = screens) -> GameScreen:
            screens.append(GameScreen(session_of(book, store)))
            return screens[0]

        async def script(
            pilot: Pilot[None], seed: int = seed, screens: list[GameScreen] = screens
        ) -> None:
            (screen,), chance = screens, Random(seed)
            while screen.game.outcome is None:
                made = screen.game.referee.plies
                move = random_move(screen.game.position, chance)
                await play(pilot, screen, move)
                assert screen.game.referee.plies == made + 1, (move, text_of(screen.program))
                assert screen.game.referee.moves[-1] == move
            shown = text_of(screen.program)
            winner = screen.game.outcome.winner
            assert ("drawn" if winner is None else f"Player {winner} wins.") in shown

        run(script, first, size)
        record = read_record(store.path(screens[0].game.name))
        assert record.finished
        assert Replay(record).run().moves == screens[0].game.referee.moves


@pytest.mark.parametrize(("name", "reading", "size"), SIZED)
def test_the_screen_of_a_game(name: str, reading: str, size: tuple[int, int]) -> None:
    """In the middle, with threats shown, and at the end; compare the files in ``screens``."""
    book, shown = books.load_book(name, reading), list[str]()
    session = session_of(book, player1="Ann", player2="Ben")

    async def script(pilot: Pilot[None]) -> None:
        screen, chance = game_on(pilot), Random(7)
        while screen.game.outcome is None:
            if screen.game.referee.plies == 5:
                await pilot.press("t")
                await settle(pilot)
                shown.append(text_of(screen.program))
                await pilot.press("t")
            await by_keys(pilot, screen, random_move(screen.game.position, chance))
        shown.append(text_of(screen.program))

    run(script, lambda: GameScreen(session), size)
    line = "=" * size[0]
    compare(f"{name}-{reading}-{size[0]}x{size[1]}", f"\n{line}\n".join(shown) + "\n")


def test_a_computer_answers_and_the_player_is_you() -> None:
    """The screen speaks to the one person at it."""
    session = session_of(books.load_book("magic-fifteen"), seat2="perfect", player2="Perfect")

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        shown = text_of(screen.program)
        assert "Your turn" in shown and "You go first." in shown
        await pilot.press("5", "enter")
        await until(pilot, lambda: screen.game.referee.plies == 2)
        shown = text_of(screen.program)
        assert "Your turn" in shown and "X You: 5" in shown and "O Perfect: " in shown

    run(script, lambda: GameScreen(session))


def test_a_taken_number_costs_nothing_and_says_why() -> None:
    """The refusal is in the book's words, and the same player chooses again."""
    session = session_of(books.load_book("magic-fifteen"))

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        await pilot.press("5", "enter", "5", "enter")
        await settle(pilot)
        assert "5 is already taken." in text_of(screen.program)
        await pilot.press("7", "7", "enter")
        await settle(pilot)
        assert "77 is not" in text_of(screen.program)
        assert moves_of(screen) == [5]

    run(script, lambda: GameScreen(session))


def test_choosing_a_taken_number_asks_first_where_it_costs_the_turn() -> None:
    """A slip of the finger is not punished."""
    session = session_of(books.load_book("sequence-duel-sum", "lose-turn"))

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        await pilot.press("5", "enter", "5", "enter")
        await settle(pilot)
        assert "costs your turn" in text_of(screen.program)
        await pilot.press("n")
        await settle(pilot)
        assert moves_of(screen) == [5]
        await pilot.press("5", "enter")
        await settle(pilot)
        await pilot.press("y")
        await settle(pilot)
        assert moves_of(screen) == [5, LOST]

    run(script, lambda: GameScreen(session))


def test_the_goal_is_named_until_a_player_has_a_number() -> None:
    """Whoever has never seen the game knows what to do, and where to read more."""
    session = session_of(books.load_book("magic-fifteen"))
    goal = "Hold three numbers with a total of 15. (r: rules, ?: keys)"

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        assert screen.message == goal
        await by_keys(pilot, screen, 5)
        assert screen.message == goal
        await by_keys(pilot, screen, 1)
        assert screen.message == ""

    run(script, lambda: GameScreen(session))


def test_what_is_typed_is_explained_before_it_is_entered() -> None:
    """A number, the beginning of one, or neither; a taken one is not offered."""
    session = session_of(books.load_book("magic-fifteen", changes=("pool=[1,2,3,4,5,6,7,8,9,31]",)))

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        await by_keys(pilot, screen, 5)
        said = {
            "3": "3: press Enter to take it.",
            "31": "31: press Enter to take it.",
            "12": "12 is not in this game.",
            "5": "5 is already taken.",
        }
        for typed, message in said.items():
            await pilot.press(*typed)
            await settle(pilot)
            assert screen.message == message
            await pilot.press(*["backspace"] * len(typed))
        assert moves_of(screen) == [5]

    run(script, lambda: GameScreen(session))


def test_the_beginning_of_a_number_is_not_offered() -> None:
    """2 is only the beginning of 21 here."""
    session = session_of(books.load_book("sequence-capture", changes=("pool=20-30",)))

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        await pilot.press("2")
        await settle(pilot)
        assert screen.message == "2 …"
        await pilot.press("1", "enter")
        await settle(pilot)
        assert moves_of(screen) == [21]

    run(script, lambda: GameScreen(session))


def test_a_set_can_be_typed_with_enter_alone() -> None:
    """Enter adds the number that was typed, and declares the set if there is none."""
    session = session_of(books.load_book("pattern-builder", "declare"))

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        for move in (1, PASS, 7, PASS, 3, PASS, 8, PASS, 5):
            if move is not PASS or screen.game.position.asking:
                await by_keys(pilot, screen, move)
        for number in ("1", "7", "7", "3"):
            await pilot.press(number, "enter")
            await settle(pilot)
            assert screen.game.outcome is None
        assert screen.message == "Declare 1 3: press d or Enter."
        await pilot.press("enter")
        await settle(pilot)
        assert screen.message == (
            "1 3 does not win: it takes exactly 3 numbers. "
            "Choose other numbers, or press p to pass."
        )
        await pilot.press("5", "enter", "enter")
        await settle(pilot)
        assert screen.game.outcome is not None

    run(script, lambda: GameScreen(session))


def test_a_refused_declaration_says_how_to_go_on() -> None:
    """Before a number is taken, a declaration can be cancelled."""
    session = session_of(books.load_book("pattern-builder", "declare"))

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        for move in (1, PASS, 7, PASS):
            await by_keys(pilot, screen, move)
        await pilot.press("d", "1", "space", "enter")
        await settle(pilot)
        assert screen.message.endswith(
            "Choose other numbers, or press Esc to take a number instead."
        )
        assert "Esc Back " in text_of(screen.program)
        await pilot.press("escape", "2", "enter")
        await settle(pilot)
        assert moves_of(screen)[-1] == 2

    run(script, lambda: GameScreen(session))


def test_threats_that_are_not_there_are_not_marked_without_a_word() -> None:
    """The key does something that can be seen."""
    session = session_of(books.load_book("magic-fifteen"))

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        await pilot.press("t")
        await settle(pilot)
        assert screen.message == "Nobody is one number away from a set."
        await pilot.press("t")
        await settle(pilot)
        assert screen.message == "Threats are no longer marked."

    run(script, lambda: GameScreen(session))


def test_undo_is_offered_only_to_somebody_who_has_moved() -> None:
    """The move of a computer that began cannot be taken back."""
    session = session_of(books.load_book("magic-fifteen"), seat1="perfect")

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        await until(pilot, lambda: screen.game.referee.plies == 1)
        assert "u Undo" not in text_of(screen.program)
        await by_keys(pilot, screen, screen.game.position.picks[0])
        await until(pilot, lambda: screen.game.referee.plies == 3)
        assert "u Undo" in text_of(screen.program)

    run(script, lambda: GameScreen(session))


def test_undo_and_resignation() -> None:
    """Undo takes the last move back; resigning asks first."""
    session = session_of(books.load_book("magic-fifteen"), player1="Ann", player2="Ben")

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        await pilot.press("5", "enter", "u")
        await settle(pilot)
        assert moves_of(screen) == []
        assert "Ann's turn" in text_of(screen.program)
        await pilot.press("x")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert "Ann's turn" in text_of(screen.program)
        await pilot.press("x")
        await settle(pilot)
        await pilot.press("y")
        await settle(pilot)
        assert "Ben wins." in text_of(screen.program)

    run(script, lambda: GameScreen(session))


def test_the_clock_runs_out_as_in_line_mode() -> None:
    """The referee's clock, told the time of the app."""
    now = [0.0]
    book = books.load_book("magic-fifteen")
    session = session_of(book, time_limit=10.0, on_timeout="lose", player1="Ann", player2="Ben")

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        assert "0:10 Ann" in text_of(screen.program)
        now[0] = 7.0
        await until(pilot, lambda: "0:03 Ann" in text_of(screen.program))
        now[0] = 11.0
        await until(pilot, lambda: screen.game.outcome is not None)
        assert "Ben wins." in text_of(screen.program)

    run(script, lambda: GameScreen(session), clock=lambda: now[0])


def test_the_clock_of_the_whole_game_shows_what_each_player_has_left() -> None:
    """Each bar is a player's own time; a move adds the increment."""
    now = [0.0]
    book = books.load_book("magic-fifteen")
    session = session_of(book, game_time=60.0, increment=5.0, player1="Ann", player2="Ben")

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        now[0] = 20.0
        await until(pilot, lambda: "0:40 Ann" in text_of(screen.program))
        assert "1:00 Ben" in text_of(screen.program)
        await pilot.press("5", "enter")
        await until(pilot, lambda: "0:45 Ann" in text_of(screen.program))
        now[0] = 80.0
        await until(pilot, lambda: screen.game.outcome is not None)
        assert "Ann wins." in text_of(screen.program)

    run(script, lambda: GameScreen(session), clock=lambda: now[0])


def test_a_narrow_screen_shows_the_clock_and_the_score() -> None:
    """Nobody loses on a clock that cannot be seen; the score is not cut off."""
    now = [0.0]
    session = session_of(
        books.load_book("sequence-builder"),
        wins=2,
        time_limit=70.0,
        player1="Bartholomew the Third",
        player2="Bartholomew the Fourth",
    )

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        shown = text_of(screen.program)
        assert "X 0, O 0 · first to 2 · Sequence" in shown
        assert "Bartholomew the Third's turn · 1:10" in shown
        now[0] = 65.0
        await until(pilot, lambda: "turn · 0:05" in text_of(screen.program))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "0:05 Bartholomew" in text_of(screen.program))
        await until(pilot, lambda: "turn · 0:05" not in text_of(screen.program))
        assert "Sequence Builder · open-hand · Game 1, first to 2" in text_of(screen.program)

    run(script, lambda: GameScreen(session), (40, 12), clock=lambda: now[0])


def test_a_match_keeps_score_and_the_loser_starts() -> None:
    """The next game is one key away, and after the match a rematch."""
    book = books.load_book("magic-fifteen")
    session = session_of(book, wins=2, player1="Ann", player2="Ben")

    async def script(pilot: Pilot[None]) -> None:
        for number, score in ((1, "Ann: 1, Ben: 0"), (2, "Ann: 2, Ben: 0")):
            screen = game_on(pilot)
            if screen.game.position.turn == 2:
                await by_keys(pilot, screen, 9)
            for move in (5, 1, 4, 2, 6):
                await by_keys(pilot, screen, move)
            assert f"Game {number}, first to 2 · {score}" in text_of(screen.program)
            await pilot.press("n")
            await settle(pilot)
        assert isinstance(pilot.app.screen, GameScreen)
        assert "Ben's turn" in text_of(pilot.app.screen.program)

    run(script, lambda: GameScreen(session))


def test_earlier_positions_are_shown_and_left_again() -> None:
    """By the keys , and . and by the list of moves."""
    session = session_of(books.load_book("magic-fifteen"), player1="Ann", player2="Ben")

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        for move in (5, 1, 4):
            await by_keys(pilot, screen, move)
        await pilot.press("comma", "comma")
        await settle(pilot)
        shown = text_of(screen.program)
        assert "After move 1 of 3" in shown and "X Ann: 5\n" in "\n".join(
            line.partition("│")[0].strip() for line in shown.split("\n")
        )
        await pilot.press("9", "enter")  # nothing can be taken in the past
        await settle(pilot)
        assert moves_of(screen) == [5, 1, 4]
        shown = text_of(screen.program)
        assert "This is an earlier position." in shown
        assert "Esc Back to the game" in shown and "Esc Home" not in shown
        await pilot.press("escape")
        await settle(pilot)
        shown = text_of(screen.program)
        assert "Ben's turn" in shown and "earlier position" not in shown

    run(script, lambda: GameScreen(session))


def test_a_hint_shows_a_little_more_each_time() -> None:
    """An area, a number, and a line on the board that is taken back."""
    session = session_of(books.load_book("sequence-duel-arithmetic"))

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        for move in (9, 8):
            await by_keys(pilot, screen, move)
        await pilot.press("h")
        await until(pilot, lambda: "h: more" in text_of(screen.program))
        assert text_of(screen.program).count("─?─") >= 3
        await pilot.press("h")
        await settle(pilot)
        assert "Take 5." in text_of(screen.program)
        assert "─!─" in text_of(screen.program)
        await pilot.press("h")
        await settle(pilot)
        shown = text_of(screen.program)
        assert "you take 5" in shown and "1 of " in shown
        await pilot.press("right", "right", "escape")
        await settle(pilot)
        assert moves_of(game_on(pilot)) == [9, 8]

    run(script, lambda: GameScreen(session))


def test_a_hint_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is impatient does not start another search next to the first."""
    session, asked, go_on = session_of(books.load_book("magic-fifteen")), list[Position](), Event()

    def slow(position: Position) -> Hint:
        asked.append(position)
        go_on.wait(PATIENCE)
        return hint_for(position)

    monkeypatch.setattr("ninefold.tui.game.hint_for", slow)

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        await pilot.press("h", "h", "h")
        await settle(pilot)
        assert screen.message == "Looking for a hint …"
        go_on.set()
        await until(pilot, lambda: "h: more" in screen.message)
        assert len(asked) == 1

    run(script, lambda: GameScreen(session))


def test_leaving_keeps_the_game(tmp_path: Path) -> None:
    """The record is unfinished, and another session can resume it."""
    store = Store(str(tmp_path))
    session = session_of(books.load_book("magic-fifteen"), store)

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        await by_keys(pilot, screen, 5)
        await pilot.press("escape")
        await settle(pilot)
        assert not isinstance(pilot.app.screen, GameScreen)

    run(script, lambda: GameScreen(session))
    (name,) = store.names()
    resumed = type(session).resume(store.path(name), pytest.fail)
    assert resumed.next_game().referee.moves == (5,)
    resumed.close()


@pytest.mark.parametrize("play", [by_keys, by_mouse])
def test_passing_swapping_and_barred_numbers(play: Play) -> None:
    """They have their own controls; a number that may not be taken says why."""
    changes = ("passing=true", "pie=true", "opening=[4, 5]")
    session = session_of(books.load_book("magic-fifteen", changes=changes))

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        await pilot.press("9")
        await settle(pilot)
        assert screen.message == "9 is not allowed as the first number."
        await pilot.press("backspace")
        await play(pilot, screen, 9)
        assert moves_of(screen) == []
        await play(pilot, screen, 4)
        await play(pilot, screen, screen.game.position.legal[-1])
        await play(pilot, screen, PASS)
        assert moves_of(screen)[2] is PASS

    run(script, lambda: GameScreen(session), settings=QUIET)


def test_a_number_typed_for_a_declaration_is_marked() -> None:
    """Enter after a number means this number; it declares nothing else, and does not pass."""
    session = session_of(books.load_book("pattern-builder", "declare"))

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        for move in (5, 4, 7, 6, 9):
            await by_keys(pilot, screen, move)
        for number in "579":
            await pilot.press(number, "enter")
        assert screen.message == "Declare 5 7 9: press d or Enter."
        await pilot.press("enter")
        await settle(pilot)
        assert screen.game.outcome is not None and screen.game.outcome.winner == 1

    run(script, lambda: GameScreen(session))


def test_a_minus_without_digits_is_no_number() -> None:
    """Enter takes the number under the cursor then."""
    book = books.load_book("magic-fifteen", changes=("pool=[-2, -1, 1, 2, 3]",))
    session = session_of(book)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("-", "1", "enter", "-", "enter", "right", "right", "-", "enter")
        await settle(pilot)
        assert moves_of(game_on(pilot)) == [-1, 2]

    run(script, lambda: GameScreen(session))


def test_digits_typed_before_the_time_ran_out_are_dropped() -> None:
    """What the next player types is a number of its own."""
    now = [0.0]
    book = books.load_book("sequence-capture")
    session = session_of(book, time_limit=10.0, on_timeout="lose-turn")

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        await pilot.press("1")
        now[0] = 11.0
        await until(pilot, lambda: screen.game.referee.plies)
        await pilot.press("2", "enter")
        await settle(pilot)
        assert moves_of(screen) == [LOST, 2]

    run(script, lambda: GameScreen(session), clock=lambda: now[0])


def program_at(path: Path, first_line: str) -> str:
    """The kind of player of a program that never answers."""
    path.write_text(f"{first_line}\nsleep 100\n")
    path.chmod(0o755)
    return f"program:{path}"


def test_a_rematch_with_a_program_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so, and the finished game stays on the screen."""
    bot, said = tmp_path / "bot", list[str]()
    session = session_of(books.load_book("magic-fifteen"), seat2=program_at(bot, "#!/bin/sh"))

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        monkeypatch.setattr(screen.app, "notify", lambda text, **_: said.append(text))
        await pilot.press("x", "y")
        await settle(pilot)
        program_at(bot, "#!/no/such/interpreter")
        await pilot.press("n")
        await until(pilot, lambda: said)
        bot.unlink()
        await pilot.press("n")
        await until(pilot, lambda: len(said) == 2)
        assert "does not start" in said[0] and "There is no program" in said[1]
        assert game_on(pilot) is screen

    run(script, lambda: GameScreen(session))


def test_a_rematch_with_a_saved_agent_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It plays, and when its file is gone, the screen says so."""
    path, said, book = tmp_path / "highest.npz", list[str](), books.load_book("magic-fifteen")
    with path.open("wb") as file:
        save_agent(file, book.game, weights_for(book.game))
    session = session_of(book, seat2=f"agent:{path}")

    async def script(pilot: Pilot[None]) -> None:
        screen = game_on(pilot)
        monkeypatch.setattr(screen.app, "notify", lambda text, **_: said.append(text))
        await pilot.press("5", "enter")
        await until(pilot, lambda: moves_of(screen) == [5, 9])
        await pilot.press("x", "y")
        await settle(pilot)
        path.unlink()
        await pilot.press("n")
        await until(pilot, lambda: said)
        assert "there is no such file" in said[0]
        assert game_on(pilot) is screen

    run(script, lambda: GameScreen(session))


def test_a_program_that_does_not_start_leaves_no_screen_behind(tmp_path: Path) -> None:
    """The error is known before the app opens."""
    seat = program_at(tmp_path / "bot", "#!/no/such/interpreter")
    session = session_of(books.load_book("magic-fifteen"), seat2=seat)
    with pytest.raises(NinefoldError, match="does not start"):
        run_at_terminal(session)
