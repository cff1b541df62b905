"""Endings that 1 to 9 never reach, shown on 1 to 8 in the words of the books."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from unit.record.records import settings_of

from ninefold import books
from ninefold.line.console import Console
from ninefold.line.game import LineGame
from ninefold.record.store import Recorder
from ninefold.referee import Referee
from ninefold.session import LiveGame


class Script(Console):
    """A console whose player types these lines."""

    interactive = False
    coloured = False

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = list(lines)
        self.shown = ""

    def show(self, text: str, style: str | None = None, marks: object = None) -> None:  # noqa: ARG002
        """Keep what is shown."""
        self.shown += text

    def ask(
        self,
        prompt: str,
        deadline: float | None = None,  # noqa: ARG002
        words: Sequence[str] = (),  # noqa: ARG002
        status: str = "",  # noqa: ARG002
    ) -> str:
        """The next line of the script."""
        line = self.lines.pop(0)
        self.shown += f"{prompt}{line}\n"
        return line


def screen(name: str, moves: str, reading: str | None = None) -> list[str]:
    """The last lines of a game on 1-8, from the last prompt on."""
    folder = Path(books.__file__).parent / "data"
    data = tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))
    data["rules"]["pool"] = "1-8"
    book = books.read_book(data, reading)
    console = Script(moves.replace("-", " ").split(" "))
    settings = settings_of(book, player1="Player 1", player2="Player 2")
    referee = Referee(book.game, settings)
    LineGame(console, book, LiveGame("", referee, Recorder("", print))).play()
    lines = console.shown.splitlines()
    prompts = [at for at, line in enumerate(lines) if line.rstrip().endswith((": 8", ": 7", "> 8"))]
    return lines[prompts[-1] :]


def test_arithmetic_the_last_to_pick_loses() -> None:
    """The book's own four lines."""
    assert screen("sequence-duel-arithmetic", "1 3 2 4 5 7 6 8") == [
        "Command: 8",
        "Player 2 picked 8.",
        "Available Numbers: ",
        "Player 2's Numbers: 3, 4, 7, 8",
        "All numbers have been selected.",
        "Player 2 was the last to pick.",
        "Player 2 loses the game.",
        "Player 1 wins the game!",
    ]


def test_sum_an_exhausted_pool_is_a_draw() -> None:
    """Announced in the book's voice."""
    assert screen("sequence-duel-sum", "1 3 2 5 4 6 8 7") == [
        "Select a number from the available numbers: 7",
        "",
        "Available Numbers: ",
        "Player 1 Hand: 1 2 4 8",
        "Player 2 Hand: 3 5 6 7",
        "",
        "No numbers are left and nobody has formed a valid sequence.",
        "",
        "The game is a draw.",
    ]


@pytest.mark.parametrize(
    ("moves", "ending"),
    [
        (
            "1 3 2 4 5 7 6 8",
            [
                "Player 1's Sequence: 1, 2, 5, 6",
                "Sum: 14",
                "Player 2's Sequence: 3, 4, 7, 8",
                "Sum: 22",
                "Player 2 has the higher sum.",
                "Result: Player 2 wins!",
            ],
        ),
        (
            "1 2 4 3 5 6 8 7",
            [
                "Player 1's Sequence: 1, 4, 5, 8",
                "Sum: 18",
                "Player 2's Sequence: 2, 3, 6, 7",
                "Sum: 18",
                "The sums are equal, and Player 2 took the last turn.",
                "Result: Player 1 wins!",
            ],
        ),
    ],
)
def test_builder_compares_sums_then_the_last_turn(moves: str, ending: list[str]) -> None:
    """All numbers of each player count."""
    shown = screen("sequence-builder", moves)
    assert shown[2:4] == [
        "",
        "Evaluation: All numbers have been selected, no progression formed",
    ]
    assert shown[4:] == ending


def test_pattern_builder_an_exhausted_pool_is_a_draw() -> None:
    """Announced in the book's voice."""
    assert screen("pattern-builder", "1 3 2 4 5 7 6 8")[-2:] == [
        "The shared pool is empty and nobody has a sequence.",
        "The game is a draw.",
    ]


def test_declare_without_any_sequence_is_a_draw() -> None:
    """Nobody declared, and nobody could have."""
    assert screen("pattern-builder", "1 3 2 4 5  7  6  8 ", "declare")[-2:] == [
        "The shared pool is empty and nobody has a sequence.",
        "The game is a draw.",
    ]
