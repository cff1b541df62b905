"""Whole games in the full-screen app, in a real terminal: won, lost, drawn, on time, declared."""

import re

import pytest
from e2e.app_terminal import ENTER, ESCAPE, AppTerminal, game_with, position_of, recorded_position
from e2e.program import Ninefold

import ninefold as api
from ninefold import books
from ninefold.core.outcome import Outcome
from ninefold.record.replay import Replay
from ninefold.record.text import read_record

BOOKS = [book.id for book in books.load_all()]
FRIENDS = ("--p1", "human", "--p2", "human")


def play(terminal: AppTerminal, moves: "list[object]") -> None:
    """Take these numbers, one by one."""
    for plies, move in enumerate(moves, 1):
        assert isinstance(move, int)
        terminal.take(move, plies)


def test_two_friends_win_one_game_each(ninefold: Ninefold) -> None:
    """The rematch keeps the score, and the loser starts it."""
    book = "sequence-capture"
    game = books.load_book(book).game
    terminal = AppTerminal(ninefold, "app", book, *FRIENDS)
    terminal.wait_for("Player 1's turn")
    play(terminal, [*game_with(game, 1, first=1)])
    terminal.wait_for("Player 1 wins.")
    terminal.type("n")
    terminal.wait_for("Player 1: 1, Player 2: 0")
    terminal.wait_for("Player 2's turn")
    play(terminal, [*game_with(game, 2, first=2)])
    terminal.wait_for("Player 2 wins.")
    assert terminal.leave() == 0
    outcomes = [position_of(path).outcome for path in ninefold.records()]
    assert [outcome.winner for outcome in outcomes if outcome] == [1, 2]


def test_a_drawn_game(ninefold: Ninefold) -> None:
    """The title of a drawn game names nobody."""
    game = books.load_book("magic-fifteen").game
    terminal = AppTerminal(ninefold, "app", "magic-fifteen", *FRIENDS)
    terminal.wait_for("Player 1's turn")
    play(terminal, [*game_with(game, None, first=1)])
    terminal.wait_for("The game is drawn.")
    assert terminal.leave() == 0
    outcome = recorded_position(ninefold).outcome
    assert outcome is not None and outcome.winner is None


@pytest.mark.parametrize("book", BOOKS)
def test_you_win_against_the_computer(ninefold: Ninefold, book: str) -> None:
    """Best play wins or draws against a random opponent; the numbers come from our own hints."""
    terminal = AppTerminal(ninefold, "app", book, "--p2", "random", "--seed", "1")
    terminal.wait_for("Your turn")
    position = books.load_book(book).game.play("")
    while position.outcome is None:
        plies = sum(map(len, position.hands))
        (best, *_) = api.hint(position).moves
        terminal.take(int(str(best)), plies + 1)
        terminal.wait_for(f"│ {plies + 2}. ", "You win!", "wins.", "The game is drawn.")
        position = recorded_position(ninefold)
    winner = position.outcome.winner
    terminal.wait_for({1: "You win!", 2: "Random wins.", None: "The game is drawn."}[winner])
    assert winner == 1 or book == "magic-fifteen"
    assert terminal.leave() == 0


def test_you_lose_against_the_computer(ninefold: Ninefold) -> None:
    """In a game that the second player cannot win, a perfect first player does."""
    terminal = AppTerminal(
        ninefold, "app", "sequence-capture", "--p1", "perfect", "--name2", "Zoë", "--seed", "1"
    )
    plies = 1
    terminal.wait_for_moves(plies)
    while recorded_position(ninefold).outcome is None:
        terminal.wait_for("Your turn")
        terminal.take(recorded_position(ninefold).picks[0], plies + 1)
        plies += 2
        terminal.wait_for(f"│ {plies}. ", "Perfect wins.")
    terminal.wait_for("Perfect wins.")
    assert terminal.leave() == 0


def test_time_runs_out(ninefold: Ninefold) -> None:
    """Whoever does not move in time loses; nothing needs to be pressed to see it."""
    clock = ("--time-limit", "1", "--on-timeout", "lose")
    terminal = AppTerminal(ninefold, "app", "magic-fifteen", *FRIENDS, *clock)
    terminal.wait_for("Player 2 wins.")
    terminal.wait_for("Time is up")
    assert terminal.leave() == 0
    (path,) = ninefold.records()
    replay = Replay(read_record(str(path)))
    replay.run()
    assert replay.referee.outcome == Outcome(winner=2, reason="timeout", sets=())


def test_won_by_declaring(ninefold: Ninefold) -> None:
    """Tiles are chosen by typing and Space; a wrong set is refused and costs nothing."""
    terminal = AppTerminal(
        ninefold, "app", "pattern-builder", "--reading", "declare", *FRIENDS, rows=40
    )
    terminal.wait_for("Player 1's turn")
    plies = 0
    for number in (5, 4, 7, 6, 9):
        terminal.take(number, plies := plies + 1)
    terminal.wait_for("declare three numbers")
    for number in (5, 7):
        terminal.type(f"{number} ")
    terminal.wait_for("Declare 5 7")
    terminal.type("d")
    terminal.wait_for("it takes exactly 3 numbers")
    terminal.type("9 ")
    terminal.wait_for("Declare 5 7 9")
    terminal.type("d")
    terminal.wait_for("Player 1 wins.")
    assert terminal.leave() == 0
    outcome = recorded_position(ninefold).outcome
    assert outcome is not None and outcome.sets == ((5, 7, 9),)


def test_a_match(ninefold: Ninefold) -> None:
    """First to two wins: the score is in the title, the loser starts, the end is announced."""
    game = books.load_book("magic-fifteen").game
    terminal = AppTerminal(ninefold, "app", "magic-fifteen", *FRIENDS, "--wins", "2", columns=110)
    terminal.wait_for("Game 1, first to 2 · Player 1: 0, Player 2: 0")
    play(terminal, [*game_with(game, 1, first=1)])
    terminal.wait_for("Player 1 wins.")
    terminal.type("n")
    terminal.wait_for("Game 2, first to 2 · Player 1: 1, Player 2: 0")
    terminal.wait_for("Player 2's turn")
    play(terminal, [*game_with(game, 1, first=2)])
    terminal.wait_for("Player 1 wins the match.")
    assert terminal.leave() == 0
    assert len(ninefold.records()) == 2


def test_resizing_in_mid_game(ninefold: Ninefold) -> None:
    """The board fits every size, and the game goes on."""
    terminal = AppTerminal(ninefold, "app", "sequence-capture", *FRIENDS)
    terminal.wait_for("Player 1's turn")
    terminal.take(5, 1)
    for at, (columns, rows) in enumerate(((40, 12), (120, 40), (80, 24)), 6):
        terminal.resize(columns, rows)
        terminal.wait_until(
            lambda: (
                all(re.search(rf"\b{number}\b", terminal.text) for number in (1, 4, 10))
                and "5X" in terminal.text
            ),
            f"the board at {columns}x{rows}",
        )
        terminal.wait_for("'s turn")
        terminal.type(f"{at}{ENTER}")
        terminal.wait_for(f"{at}O", f"{at}X")
    assert terminal.leave() == 0
    assert recorded_position(ninefold).hands == ((5, 7), (6, 8))


def test_watch_in_full_screen(ninefold: Ninefold) -> None:
    """Two computers play a match by themselves; Space pauses, + and - change the pace."""
    terminal = AppTerminal(
        ninefold, "watch", "magic-fifteen", "--p1", "greedy", "--p2", "random", "--seed", "4",
        "--wins", "2", "--pace", "0.2", columns=110,
    )  # fmt: skip
    terminal.wait_for("Greedy is thinking", "Random is thinking")
    terminal.type(" ")
    terminal.wait_for("Paused")
    terminal.type("+")
    terminal.wait_for("0.1 seconds for each move")
    terminal.type(" ")
    terminal.wait_for("wins the match.")
    assert terminal.leave() == 0
    assert len(ninefold.records()) >= 2
    assert all(position_of(path).outcome for path in ninefold.records())


def test_watch_line_by_line(ninefold: Ninefold) -> None:
    """In a pipe without a pause, and so with --line's setting at a terminal."""
    arguments = ("watch", "magic-fifteen", "--p1", "level:5", "--p2", "perfect", "--seed", "1")
    result = ninefold.run(*arguments)
    assert result.returncode == 0
    assert "Level 5 takes" in result.stdout
    assert "The game is a draw." in result.stdout
    terminal = AppTerminal(
        ninefold, *arguments, "--pace", "0.01", environment={"NINEFOLD_ACCESSIBLE": "1"}
    )
    terminal.wait_for("The game is a draw.")
    assert terminal.wait_for_end() == 0
    assert b"\x1b[?1049h" not in terminal.raw


def test_escape_goes_home_and_the_game_can_be_continued(ninefold: Ninefold) -> None:
    """Home offers the game; continuing shows the same board."""
    terminal = AppTerminal(ninefold, "app", "magic-fifteen", *FRIENDS)
    terminal.wait_for("Player 1's turn")
    terminal.take(5, 1)
    terminal.type(ESCAPE)
    terminal.wait_for("Continue")
    terminal.type("c")
    terminal.wait_for("5X")
    terminal.wait_for("Player 2's turn")
    terminal.take(6, 2)
    assert terminal.leave() == 0
    assert recorded_position(ninefold).hands == ((5,), (6,))
