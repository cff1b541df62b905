"""The program on a system without what only Unix has: no flock, no process groups, no SIGHUP."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from e2e.engines import BOT, ENGINE
from e2e.program import COMMAND, Ninefold
from e2e.terminal import Terminal
from processes import is_gone, wait_until

TESTS = Path(__file__).resolve().parents[1]
LOST = "5\n4\nquit\n"


@pytest.fixture
def elsewhere(ninefold: Ninefold) -> Ninefold:
    """The program on such a system."""
    paths = [str(TESTS / "elsewhere"), str(TESTS), os.environ.get("PYTHONPATH", "")]
    ninefold.environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    return ninefold


@pytest.mark.parametrize(
    "line",
    ["import fcntl", "import termios", "import os; os.killpg", "import signal; signal.SIGHUP"],
)
def test_the_program_sees_another_system(elsewhere: Ninefold, line: str) -> None:
    """Otherwise, nothing would be tested here."""
    script = f"__name__ = 'ninefold.x'\n{line}"
    tried = subprocess.run(
        [sys.executable, "-c", script],
        env=elsewhere.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert tried.stderr.splitlines()[-1].startswith(("ModuleNotFoundError", "AttributeError"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "magic-fifteen", "--value-only"],
        ["audit", "sequence-capture"],
        ["hint", "magic-fifteen", "--moves", "5 1"],
        ["strategy", "magic-fifteen"],
        ["puzzle", "magic-fifteen", "--json", "--seed", "1"],
        ["play", "sequence-builder", "--p1", "perfect", "--p2", "random", "--seed", "1"],
        ["gtp-check", ENGINE],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_does_the_same(elsewhere: Ninefold, arguments: Sequence[str]) -> None:
    """As on this system, to the letter."""
    runs = [elsewhere.run(*arguments), Ninefold(elsewhere.data).run(*arguments)]
    assert [run.returncode for run in runs] == [0, 0]
    there, here = (re.sub(r" in [0-9.]+ seconds", "", run.stdout) for run in runs)
    assert there == here


def test_a_game_is_recorded_resumed_reviewed_and_practised(elsewhere: Ninefold) -> None:
    """And every line of the record ends with a line feed alone."""
    first = elsewhere.run("play", "magic-fifteen", "--p2", "greedy", typed=LOST)
    assert first.returncode == 0
    (path,) = elsewhere.records()
    assert "The game is saved." in first.stderr
    assert elsewhere.run("resume", typed="quit\n").returncode == 0
    assert elsewhere.run("review", path.stem, "--annotate").returncode == 0
    assert b"\r" not in path.read_bytes()
    assert [file.name for file in elsewhere.games.iterdir()] == [path.name]
    due = elsewhere.run("puzzle", "--mistakes", typed="1\n2\n3\n6\n7\n8\n9\n")
    assert "Traceback" not in due.stderr
    assert due.returncode == 0


def test_programs_play_and_end_with_the_game(elsewhere: Ninefold, tmp_path: Path) -> None:
    """Whether they play on, stop answering, or ignore that they should end."""
    seats = ["--p1", f"program:{BOT} children {tmp_path / 'pids'}", "--p2", f"program:{BOT} exits"]
    played = elsewhere.run("play", "magic-fifteen", *seats)
    assert played.returncode == 0
    assert "on genmove, it exited with code 7." in played.stdout
    own, child = map(int, (tmp_path / "pids").read_text().split())
    wait_until(lambda: is_gone(own))
    os.kill(child, signal.SIGKILL)  # without process groups, nobody knows of it


@pytest.mark.parametrize("fault", ["floods", "closes"])
def test_a_program_that_is_killed_did_not_exit_by_itself(elsewhere: Ninefold, fault: str) -> None:
    """The reason is the same as with process groups."""
    arguments = ["play", "magic-fifteen", "--p1", f"program:{BOT} {fault}"]
    assert elsewhere.run(*arguments).stdout == Ninefold(elsewhere.data).run(*arguments).stdout


def test_files_are_written_whole_or_not_at_all(elsewhere: Ninefold, tmp_path: Path) -> None:
    """New ones, and those that replace others."""
    book, page = tmp_path / "own.toml", tmp_path / "page.md"
    page.write_text("before")
    assert elsewhere.run("new", str(book), "--yes").returncode == 0
    assert elsewhere.run("audit", str(book), "-o", str(page)).returncode in (0, 1)
    assert b"\r" not in book.read_bytes() + page.read_bytes()
    assert sorted(tmp_path.glob("*.*")) == [book, page]


def test_an_environment_is_compared_without_a_limit_for_its_memory(
    elsewhere: Ninefold, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Which is said; the host is not one of the program's modules, so it is told by its path."""
    (tmp_path / "resource.py").write_text("raise ImportError('not here')")
    monkeypatch.chdir(TESTS.parent / "docs" / "examples")
    paths = f"{tmp_path}{os.pathsep}{elsewhere.environment['PYTHONPATH']}"
    quick = ["--tries", "100", "--games", "5"]
    arguments = ["conform", "magic-fifteen", "--env", "fifteen:Fifteen", *quick]
    compared = elsewhere.run(*arguments, PYTHONPATH=paths)
    assert compared.returncode == 0
    assert "Note: its memory was not limited: this system does not support it" in compared.stdout


def test_two_windows_cannot_play_one_game(elsewhere: Ninefold) -> None:
    """The lock is the system's own, whichever it is."""
    with subprocess.Popen(
        [*COMMAND, "play", "magic-fifteen"],
        env=elsewhere.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    ) as game:
        assert game.stdin
        game.stdin.write(b"5\n")
        wait_until(lambda: len(elsewhere.records()) == 1)
        busy = elsewhere.run("resume")
        assert busy.returncode == 2
        assert busy.stderr.startswith("ninefold: This game is open in another window.")
        game.kill()
    assert elsewhere.run("resume", typed="quit\n").returncode == 0
    assert [file.suffix for file in elsewhere.games.iterdir()] == [".ninefold"]


def test_a_terminal_there(elsewhere: Ninefold) -> None:
    """With line editing, from the first question to the last."""
    terminal = Terminal(elsewhere, "play", "magic-fifteen", "--p2", "random", "--seed", "1")
    terminal.wait_for("number:")
    terminal.enter("5")
    terminal.wait_for("Player 2 takes")
    terminal.enter("quit")
    terminal.wait_for("The game is saved")
