"""Strategy cards, as users ask for them."""

from pathlib import Path
from typing import Any

import pytest
from e2e.program import Ninefold
from e2e.terminal import Terminal

from ninefold import books

READINGS = [(name, reading) for name in books.names() for reading in books.load_book(name).readings]


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_every_card_fits_a_screen(ninefold: Ninefold, name: str, reading: str) -> None:
    """Eighty columns and 24 lines, and it says that it was checked."""
    shown = ninefold.run("strategy", name, "--reading", reading).stdout
    assert len(shown.splitlines()) <= 24
    assert max(map(len, shown.splitlines())) < 100
    assert shown.startswith(f"{name} ({reading})\n")
    assert "Checked against every reply: " in shown


def answers(card: dict[str, Any], reply: str) -> list[int]:
    """The numbers of a card after this first reply."""
    for line in card["then"]:
        if line["replies"] is None or reply in line["replies"]:
            return list(line["numbers"])
    return list(card["numbers"])


def test_a_program_can_play_with_the_data(ninefold: Ninefold) -> None:
    """The opening and the first answer are wins, as the solver sees it."""
    data = ninefold.json("strategy", "sequence-capture")
    assert (data["player"], data["goal"], data["rules"]) == (1, "win", ["complete", "stop"])
    opening = data["card"]["numbers"][0]
    for reply in ("4", "10"):
        number = next(n for n in answers(data["card"], reply) if str(n) != reply)
        moves = f"{opening} {reply} {number}"
        assert ninefold.json("solve", "sequence-capture", "--moves", moves)["value"] == "loss"
    assert data["verified"]["positions"] > 100


def test_a_card_from_a_position(ninefold: Ninefold) -> None:
    """For whoever wins there, or for the player named."""
    shown = ninefold.run("strategy", "magic-fifteen", "--moves", "5,7").stdout
    assert shown.startswith("magic-fifteen (default) after 5 7\n")
    assert "Player 1 is to move, and wins with this card.\n" in shown
    assert "\nTake 1, then: 6\n" in shown
    second = ninefold.run("strategy", "magic-fifteen", "--player", "2").stdout
    assert "Player 2 moves second, and never loses with this card.\n" in second
    other = ninefold.run("strategy", "sequence-capture", "--first", "2").stdout
    assert "Player 2 moves first, and wins with this card.\n" in other
    waiting = ninefold.run("strategy", "sequence-capture", "--moves", "3").stdout
    assert "Player 1 moves next but one, and wins with this card.\n" in waiting


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sequence-capture", "--player", "2"], "Player 2 loses against best play"),
        (
            ["magic-fifteen", "--moves", "5 1 4 2 6"],
            "The game is over after move 5 of 5. Shorten --moves.",
        ),
        (["magic-fifteen", "--moves", "5 5"], "already taken"),
    ],
)
def test_no_card_where_there_is_none(ninefold: Ninefold, arguments: list[str], said: str) -> None:
    """Exit code 2, and what is the matter."""
    result = ninefold.run("strategy", *arguments)
    assert result.returncode == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_a_card_speaks_of_sets_only_where_there_are_any(ninefold: Ninefold) -> None:
    """Three numbers of 1 to 4 never make fifteen."""
    shown = ninefold.run("strategy", "magic-fifteen", "--set", "pool=1-4").stdout
    assert "a set" not in shown
    assert "On every turn, follow the card: take the first of its numbers that is free.\n" in shown
    assert ninefold.json("strategy", "magic-fifteen", "--set", "pool=1-4")["rules"] == []


def test_a_card_says_what_to_do_when_none_of_its_numbers_is_free(ninefold: Ninefold) -> None:
    """On 1 2 4 3 5 only 6 to 9 may be left at the end; other cards never get there."""
    shown = ninefold.run("strategy", "magic-fifteen").stdout
    assert "\n4. If none of them is possible, take the number that is left.\n\nOpen" in shown
    assert ninefold.json("strategy", "magic-fifteen")["verified"]["takes_last"] is True
    assert ninefold.json("strategy", "sequence-capture")["verified"]["takes_last"] is False


@pytest.mark.parametrize(
    ("wins", "rule"),
    [
        ("", "On every turn, take the number that is left."),
        ("wins.sum = { count = 1, equals = 1 }", "3. Otherwise, take the number that is left."),
    ],
)
def test_a_card_without_a_line_does_not_refer_to_one(
    ninefold: Ninefold, tmp_path: Path, wins: str, rule: str
) -> None:
    """There is but one number to take."""
    book = tmp_path / "one.toml"
    book.write_text(f'[rules]\npool = "1-1"\n{wins}\n')
    shown = ninefold.run("strategy", str(book)).stdout
    assert f"\n{rule}\n\nChecked " in shown
    assert " card:" not in shown


def test_a_card_at_forty_columns(ninefold: Ninefold) -> None:
    """Rules are indented like a list, and no word is broken."""
    terminal = Terminal(ninefold, "strategy", "sequence-capture", columns=40, rows=40)
    assert terminal.wait_for_end() == 0
    assert "1. If a number completes a set for you,\n   take it.\n" in terminal.text
    assert "After anything else: 5 4 7 1 8 2 6 9\n" in terminal.text
