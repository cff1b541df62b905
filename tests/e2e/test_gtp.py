"""Our engine in a pipe, as a controller runs it."""

import signal
import subprocess

import pytest
from e2e.engines import PAGE
from e2e.program import COMMAND, Ninefold
from e2e.test_docs import block
from processes import PATIENCE

from ninefold import books
from ninefold.gtp.check import NEEDED
from ninefold.gtp.session import Session
from ninefold.referee.events import FORFEITS


def test_the_engine_example_is_real(ninefold: Ninefold) -> None:
    """Three commands in, three responses out."""
    command, *shown = block(PAGE, "$ printf")
    typed = command.split("'")[1].encode().decode("unicode_escape")
    result = ninefold.run(*command.partition("ninefold ")[2].split(), typed=typed)
    assert result.stdout.rstrip("\n").split("\n") == shown
    assert result.returncode == 0


def test_every_command_and_reason_is_documented() -> None:
    """The page is complete."""
    engine = Session(books.load_book("magic-fifteen").game, None, 1)
    for word in (*engine._commands, *FORFEITS):
        assert f"`{word}" in PAGE, word
    assert set(NEEDED) <= set(engine._commands)


def test_the_engine_ends_with_quit_and_with_its_input(ninefold: Ninefold) -> None:
    """What stands behind quit is not read; a last line needs no line feed."""
    quit_ = ninefold.run("gtp", "magic-fifteen", typed="1 quit\n2 name\n")
    assert (quit_.stdout, quit_.stderr, quit_.returncode) == ("=1\n\n", "", 0)
    ended = ninefold.run("gtp", "magic-fifteen", typed="2 name")
    assert (ended.stdout, ended.stderr, ended.returncode) == ("=2 Ninefold\n\n", "", 0)


def test_the_engine_answers_at_once_and_ctrl_c_ends_it(ninefold: Ninefold) -> None:
    """Each answer is there before the next command is sent."""
    command = [*COMMAND, "gtp", "sequence-capture"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ninefold.environment
    ) as engine:
        assert engine.stdin and engine.stdout
        for number in (b"1", b"2"):
            engine.stdin.write(number + b" name\n")
            engine.stdin.flush()
            assert engine.stdout.readline() == b"=" + number + b" Ninefold\n"
            assert engine.stdout.readline() == b"\n"
        engine.send_signal(signal.SIGINT)
        assert engine.wait(PATIENCE) == 130


def test_nobody_reading_the_engine_is_no_traceback(ninefold: Ninefold) -> None:
    """A closed pipe ends it quietly."""
    script = f"{COMMAND[0]} -m ninefold gtp magic-fifteen | true"
    lines = "name\n" * 50_000
    result = subprocess.run(
        ["sh", "-c", script],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        env=ninefold.environment,
        timeout=PATIENCE,
    )
    assert result.stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["gtp", "x"],
        ["gtp", "magic-fifteen", "--player", "human"],
        ["gtp", "magic-fifteen", "--player", "program:cat"],
        ["gtp-check", ""],
        ["gtp-check", "ninefold-is-not-here"],
        ["gtp-check", "cat", "--game", "x"],
        ["gtp-check", "cat", "--reading", "declare"],
        ["gtp-check", "cat", "--time-limit", "0"],
        ["play", "magic-fifteen", "--p1", "program:"],
        ["play", "magic-fifteen", "--p2", "program:ninefold-is-not-here"],
    ],
)
def test_wrong_usage_is_refused_in_words(ninefold: Ninefold, arguments: list[str]) -> None:
    """On standard error, with exit code 2, before anything else happens."""
    result = ninefold.run(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("ninefold: ")
    assert "Traceback" not in result.stderr
