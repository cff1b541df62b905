"""Forty columns: what is said on standard error is broken between words, too."""

from pathlib import Path

import pytest
from e2e.program import Ninefold
from e2e.terminal import Terminal


def shown(ninefold: Ninefold, *arguments: str) -> list[str]:
    """The lines of a terminal of forty columns when the command has ended."""
    terminal = Terminal(ninefold, *arguments, columns=40, rows=60)
    terminal.wait_for_end()
    return terminal.text.split("\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["puzzle", "sequence-capture", "--set", "pool=1-15"],
            [
                "ninefold: This game is too large to",
                "find all its puzzles: with these rules,",
                "up to 11 numbers.",
            ],
        ),
        (
            ["solve", "sequence-capture", "--first", "third"],
            [
                "ninefold: argument --first: invalid int",
                "value: 'third'",
                "Try: ninefold solve --help",
            ],
        ),
        (
            ["verify", "there-is-no-such-file-here"],
            [
                "ninefold: Cannot read",
                "there-is-no-such-file-here: No such",
                "file or directory.",
            ],
        ),
    ],
)
def test_complaints_are_broken_between_words(
    ninefold: Ninefold, arguments: list[str], told: list[str]
) -> None:
    """Those about the arguments, and those about what they name."""
    assert shown(ninefold, *arguments) == told


def test_a_damaged_record_is_told_between_words(ninefold: Ninefold) -> None:
    """In the list of games, and where mistakes are looked for."""
    ninefold.games.mkdir(parents=True)
    (ninefold.games / "broken.ninefold").write_text("nonsense nonsense nonsense nonsense\n")
    for arguments in (["games"], ["puzzle", "--mistakes"]):
        first, second, *_ = shown(ninefold, *arguments)
        assert first == "ninefold: broken.ninefold, line 1:"
        assert second.startswith("expected a tag ")


def test_what_a_certificate_is_told_about_is_broken_between_words(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """On standard error where it went, on standard output what it is worth."""
    path = str(tmp_path / "c.txt")
    lines = shown(ninefold, "solve", "magic-fifteen", "--value-only", "--certificate", path)
    assert f"{path}:" in "".join(lines)
    assert "magic-fifteen (default), player 1 to" in lines
    lines = shown(ninefold, "verify", path)
    assert lines[:2] == [
        "Verified: magic-fifteen (default), from",
        "the first move: a draw for the player",
    ]


@pytest.mark.parametrize("columns", [40, 30, 20])
@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_a_board_is_broken_between_numbers(ninefold: Ninefold, columns: int, term: str) -> None:
    """Neither 27 nor [X] is split, with colours or on a terminal without any."""
    terminal = Terminal(
        ninefold,
        *("play", "sequence-capture", "--set", "pool=1-30"),
        columns=columns,
        rows=60,
        environment={"TERM": term},
    )
    for player, number in ((1, 9), (2, 13), (1, 10), (2, 12)):
        terminal.wait_for(f"Player {player} (", f"Player\n{player} (")
        terminal.enter(str(number))
    terminal.wait_for("[O] [O]", "[O]\n[O]")
    terminal.enter("quit")
    assert terminal.wait_for_end() == 0
    lines = terminal.text.split("\n")
    start = max(at for at, line in enumerate(lines) if line.startswith("1 2 3"))
    marks = {9: "[X]", 10: "[X]", 12: "[O]", 13: "[O]"}
    board = [marks.get(number, str(number)) for number in range(1, 31)]
    assert " ".join(lines[start:]).split()[:30] == board


def test_one_column_is_no_crash(ninefold: Ninefold) -> None:
    """The terminal breaks such lines itself."""
    terminal = Terminal(ninefold, "list", columns=1, rows=60)
    assert terminal.wait_for_end() == 0
    assert b"Traceback" not in terminal.raw
