"""What the plain console makes of input that comes in pieces, or too late."""

import os
from collections.abc import Iterator

import pytest

from ninefold.line.console import Console, TimeUp

# A moment that is always over: whoever has not typed a whole line by now is too late.
OVER = 0.0


@pytest.fixture
def keyboard() -> Iterator[int]:
    """A pipe into standard input, to write to."""
    (reads, writes), before = os.pipe(), os.dup(0)
    os.dup2(reads, 0)
    os.close(reads)
    yield writes
    os.dup2(before, 0)
    os.close(before)


@pytest.mark.parametrize("lapses", [1, 2, 3])
def test_half_a_line_that_came_too_late_is_nobodys_move(keyboard: int, lapses: int) -> None:
    """However many turns go by before the other half follows: it is not the next player's."""
    console = Console()
    os.write(keyboard, b"1")
    for _ in range(lapses):
        with pytest.raises(TimeUp):
            console.ask("", OVER)
    os.write(keyboard, b"2\n3\n")
    assert console.ask("") == "3"
    os.close(keyboard)
    with pytest.raises(EOFError):
        console.ask("")


def test_half_a_line_that_came_too_late_is_nothing_when_the_input_ends(keyboard: int) -> None:
    """In time it would have been a line, too late it is none."""
    console = Console()
    os.write(keyboard, b"1")
    with pytest.raises(TimeUp):
        console.ask("", OVER)
    os.write(keyboard, b"2")
    os.close(keyboard)
    with pytest.raises(EOFError):
        console.ask("")


def test_a_last_line_without_an_end_counts(keyboard: int) -> None:
    """As long as it came in time."""
    os.write(keyboard, b"12")
    os.close(keyboard)
    assert Console().ask("") == "12"
