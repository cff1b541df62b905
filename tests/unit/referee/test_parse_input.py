"""What a player may type, and what is not a choice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.core.errors import Unreadable
from ninefold.core.moves import PASS, Declare, Move
from ninefold.core.text import shorten
from ninefold.referee.events import Command
from ninefold.referee.parse import parse_input


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4", 4),
        ("  4  ", 4),
        ("pick 4", 4),
        ("PICK   4", 4),
        ("claim 10", 10),
        ("\uff14", 4),
        ("\uff50ick \uff14", 4),
        ("+4", 4),
        ("-3", -3),
        ("0", 0),
        ("99", 99),
        ("HELP", Command("help")),
        ("?", Command("help")),
        ("exit", Command("quit")),
        ("Undo", Command("undo")),
        ("save My Game.txt", Command("save", "My Game.txt")),
        ("SAVE \u00bd", Command("save", "\u00bd")),
        ("pick\t4", 4),
        ("declare 9, 5 7", Declare((5, 7, 9))),
        ("declare 2", Declare((2,))),
        ("declare 6,2", Declare((2, 6))),
        ("declare:2:6", Declare((2, 6))),
        ("Declare: 2 6", Declare((2, 6))),
        ("pass", PASS),
    ],
)
def test_what_can_be_typed(text: str, expected: Move | Command) -> None:
    """Case, space and the width of digits do not matter; a file name keeps its case."""
    assert parse_input(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "You typed nothing."),
        ("   ", "You typed nothing."),
        ("pick", "You named no number."),
        ("4.5", "4.5 is not a whole number."),
        ("4,5", "Take one number at a time."),
        ("4 6", "Take one number at a time."),
        ("9" * 10_000, "That number is too long."),
        ("four", '"four" is neither a number nor a command (try help).'),
        ("4a", '"4a" is neither a number nor a command (try help).'),
        ("\x1b[31m", '"?[31m" is neither a number nor a command (try help).'),
        ("save", "Name the file to save to: save FILE."),
        ("quit now", "Type quit alone."),
        ("declare", "Name the numbers you declare: declare 5 7 9."),
        ("declare:", "Name the numbers you declare: declare 5 7 9."),
        ("declare x", "Name the numbers you declare: declare 5 7 9."),
    ],
)
def test_what_is_unreadable_says_why(text: str, reason: str) -> None:
    """Each refusal has one sentence for the player."""
    with pytest.raises(Unreadable) as caught:
        parse_input(text)
    assert caught.value.reason == reason


def test_enter_passes_only_while_a_question_is_open() -> None:
    """Enter alone is the answer no, and nothing else."""
    assert parse_input("", asking=True) is PASS
    with pytest.raises(Unreadable):
        parse_input("", asking=False)


@pytest.mark.parametrize("text", ["2 6", "6,2", "6, 2", "2:6", "declare:2:6", "DECLARE 2,6"])
def test_several_numbers_declare_while_a_question_is_open(text: str) -> None:
    """The question asks for them; a single number is rather the next choice, too early."""
    assert parse_input(text, asking=True) == Declare((2, 6))
    assert parse_input("8", asking=True) == 8


@given(st.text(), st.booleans())
def test_no_text_makes_the_parser_fail_otherwise(text: str, asking: bool) -> None:
    """Any text is an input or Unreadable, and the reason is safe to show."""
    try:
        parse_input(text, asking)
    except Unreadable as error:
        assert error.reason.isprintable()
        assert len(error.reason) < 100


def test_shortened_text_is_safe_and_short() -> None:
    """Control characters and floods never reach the screen."""
    assert shorten("a\nb\x07c", 9) == "a?b?c"
    assert shorten("x" * 30, 10) == "xxxxxxxxx…"
