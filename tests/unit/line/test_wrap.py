"""Long lines are broken between words, and nothing else changes."""

import pytest

from ninefold.line.wrap import wrap, wrap_line


def test_a_line_is_broken_between_words_with_its_indentation() -> None:
    """A numbered item hangs; a long name with hyphens stays whole."""
    assert wrap_line("  1. one two three four", 12) == "  1. one two\n     three\n     four"
    assert wrap_line("    --reading three-slots: x", 18) == ("    --reading\n    three-slots: x")


def test_a_prompt_keeps_its_trailing_space() -> None:
    """Where the cursor stands."""
    assert wrap_line("press Enter to pass: ", 12) == "press Enter\nto pass: "


def test_a_pipe_gets_the_text_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a terminal has a width."""
    monkeypatch.setenv("COLUMNS", "10")
    assert wrap("one two three four") == "one two three four"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert wrap("one two three four") == "one two\nthree\nfour"


@pytest.mark.parametrize("columns", ["1", "2", "3"])
def test_a_terminal_of_one_column_gets_one_letter_per_line(
    monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    """Or two; nothing is lost, and nothing breaks."""
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert wrap("  1. one two").split() == [*"1.onetwo"] if columns < "3" else ["1.", "on", "e"]
    assert "".join(wrap("  1. one  two\n").split()) == "1.onetwo"


def test_the_second_column_stays_one() -> None:
    """As in the list of what can be typed."""
    line = "undo           take a move back, and another one"
    assert wrap_line(line, 39) == (
        "undo           take a move back, and\n               another one"
    )
    assert wrap_line("save FILE      save a copy of the whole game", 39) == (
        "save FILE      save a copy of the whole\n               game"
    )


def test_standard_error_is_a_terminal_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A complaint is broken between words though standard output is a pipe."""
    monkeypatch.setenv("COLUMNS", "10")
    assert wrap("one two three four", errors=True) == "one two three four"
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert wrap("one two three four") == "one two three four"
    assert wrap("one two three four", errors=True) == "one two\nthree\nfour"
