"""What the plain console makes of input that comes in pieces, or too late."""

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from ninefold.line.console import MAX_LINE, Console, Lines, TimeUp

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
def test_half_a_line_that_came_too_late_is_nobodys_move(lapses: int) -> None:
    """However many turns go by before the other half follows: it is not the next player's."""
    lines = Lines()
    lines.add(b"1")
    for _ in range(lapses):
        assert lines.take() is None
        lines.drop_half()
    lines.add(b"2\n3\n")
    assert lines.take() == b"3"
    assert lines.take() is None


def test_half_a_line_that_came_too_late_is_nothing_when_the_input_ends() -> None:
    """In time it would have been a line, too late it is none."""
    lines = Lines()
    lines.add(b"1")
    lines.drop_half()
    lines.add(b"2")
    assert lines.take_rest() == b""


def test_what_comes_after_the_time_is_the_next_players(keyboard: int) -> None:
    """A read that was under way when the time ran out is not lost."""
    console = Console()
    with pytest.raises(TimeUp):
        console.ask("", OVER)
    os.write(keyboard, b"2\n3\n")
    assert [console.ask(""), console.ask("")] == ["2", "3"]
    os.close(keyboard)
    with pytest.raises(EOFError):
        console.ask("")


def test_a_long_line_is_cut_and_the_next_one_is_not(keyboard: int) -> None:
    """Whoever sends a gigabyte without a line end does not fill the memory."""
    os.write(keyboard, b"7" * (MAX_LINE + 10) + b"\n8\n")
    console = Console()
    assert console.ask("") == "7" * MAX_LINE
    assert console.ask("") == "8"


def test_a_signal_while_waiting_is_handled_at_once(keyboard: int) -> None:
    """Ctrl-C ends the wait for a line that never comes."""
    assert keyboard
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(0.05, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        Console().ask("")
    timer.join()


def test_a_last_line_without_an_end_counts(keyboard: int) -> None:
    """As long as it came in time."""
    os.write(keyboard, b"12")
    os.close(keyboard)
    assert Console().ask("") == "12"
