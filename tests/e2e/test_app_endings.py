"""Every way to leave the full screen in a real terminal: what is on record, what is restored."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from e2e.app_terminal import CTRL_C, CTRL_D, ENTER, AppTerminal, recorded_position
from e2e.engines import EXAMPLE
from e2e.program import COMMAND, Ninefold
from e2e.terminal import Terminal
from effort import examples
from processes import is_gone, wait_until

FRIENDS = ("--p1", "human", "--p2", "human")
# The app as a shell runs it: afterwards, the shell shows how the terminal is set.
IN_SHELL = 'before=$(stty -g); "$@"; code=$?; test "$before" = "$(stty -g)" && echo "same, $code"'
# What the app has switched on, and has to switch off: the other screen, the hidden cursor, the
# mouse, pasting in brackets.
RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1003l", b"\x1b[?2004l")


def in_shell(ninefold: Ninefold, *arguments: str) -> AppTerminal:
    """The app in a shell on a terminal."""
    shell = ["/bin/sh", "-c", IN_SHELL, "sh", *COMMAND]
    return AppTerminal(ninefold, *arguments, command=shell)


def pid_of(terminal: Terminal) -> int:
    """The process of the app in the shell."""
    children = ["pgrep", "-P", str(terminal.child.pid)]
    found = subprocess.run(children, capture_output=True, text=True, check=True)
    return int(found.stdout.split()[-1])


@pytest.mark.parametrize(("key", "code"), [(CTRL_C, 130), (CTRL_D, 0), ("\x11", 0)])
def test_leaving_by_key(ninefold: Ninefold, key: str, code: int) -> None:
    """The terminal is as before, and the game can be resumed."""
    terminal = in_shell(ninefold, "app", "magic-fifteen", *FRIENDS)
    terminal.wait_for("Player 1's turn")
    terminal.take(5, 1)
    terminal.type(key)
    terminal.wait_for(f"same, {code}")
    assert terminal.wait_for_end() == 0
    assert all(code in terminal.raw for code in RESTORED)
    (path,) = ninefold.records()
    assert path.read_text().endswith("*\n")
    assert ninefold.run("resume", typed="6\n").returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal(ninefold: Ninefold, number: signal.Signals) -> None:
    """As with Ctrl-C; the exit code names the signal."""
    terminal = in_shell(ninefold, "app", "magic-fifteen", *FRIENDS)
    terminal.wait_for("Player 1's turn")
    terminal.take(5, 1)
    os.kill(pid_of(terminal), number)
    terminal.wait_for(f"same, {128 + number}")
    assert all(code in terminal.raw for code in RESTORED)
    assert recorded_position(ninefold).hands == ((5,), ())
    assert ninefold.run("resume", typed="6\n").returncode == 0


# The bot of the documentation, for which choosing a number takes for ever.
NAP = """
import os, random, time
def nap(numbers):
    open({note!r}, "w").write(str(os.getpid()))
    time.sleep(10_000)
random.choice = nap
"""


@pytest.fixture
def sleeper(tmp_path: Path) -> tuple[str, Path]:
    """A program that writes down its process id when it has to move, and then sleeps; the file."""
    file, note = tmp_path / "sleeper.py", tmp_path / "pid"
    file.write_text("\n".join([NAP.format(note=str(note)), *EXAMPLE, ""]))
    return f"program:{sys.executable} {file}", note


@pytest.mark.parametrize("how", ["ctrl-c", "home", "window", "terminate", "kill"])
def test_a_program_ends_with_the_app(
    ninefold: Ninefold, sleeper: tuple[str, Path], how: str
) -> None:
    """However the app ends, and when the game is left: while the program thinks, too."""
    program, note = sleeper
    terminal = in_shell(ninefold, "app", "magic-fifteen", "--p2", program)
    terminal.wait_for("Your turn")
    terminal.take(5, 1)
    # Read on meanwhile: an app whose output nobody reads has to wait, and cannot end.
    terminal.wait_until(lambda: note.exists() and bool(note.read_text()), "the bot's turn")
    pid, app = int(note.read_text()), pid_of(terminal)
    if how == "ctrl-c":
        terminal.type(CTRL_C)
    elif how == "home":
        terminal.type("\x1b")
        terminal.wait_for("New game")
        terminal.wait_until(lambda: is_gone(pid), "the end of the bot")
        terminal.type(CTRL_D)
    elif how == "window":
        terminal.close_window()
    else:
        os.kill(app, signal.SIGTERM if how == "terminate" else signal.SIGKILL)
    if how != "window":
        terminal.wait_for_end()
    wait_until(lambda: is_gone(app))
    wait_until(lambda: is_gone(pid))
    assert recorded_position(ninefold).hands == ((5,), ())


def test_a_closed_window(ninefold: Ninefold) -> None:
    """The app ends, and Home continues the game in the next window."""
    terminal = AppTerminal(ninefold, "app", "magic-fifteen", *FRIENDS)
    terminal.wait_for("Player 1's turn")
    terminal.take(5, 1)
    pid = terminal.child.pid
    terminal.close_window()
    wait_until(lambda: is_gone(pid))
    again = AppTerminal(ninefold)
    again.wait_for("Continue")
    again.type("c")
    again.wait_for("Player 2's turn")
    again.take(6, 2)
    assert again.leave() == 0
    assert recorded_position(ninefold).hands == ((5,), (6,))


def test_a_closed_window_of_a_program_deaf_to_it(ninefold: Ninefold) -> None:
    """Under nohup the signal does not arrive, and the app ends all the same."""
    deaf = ["/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh", *COMMAND]
    terminal = AppTerminal(ninefold, "app", "magic-fifteen", *FRIENDS, command=deaf)
    terminal.wait_for("Player 1's turn")
    pid = terminal.child.pid
    terminal.close_window()
    wait_until(lambda: is_gone(pid))


def test_killed_at_a_random_moment(ninefold: Ninefold) -> None:
    """Every move that was shown is on record, and Home continues the game, again and again."""
    chance = random.Random(1)
    terminal, shown = AppTerminal(ninefold, "app", "sequence-capture", *FRIENDS), 0
    terminal.wait_for("Player 1's turn")
    for _ in range(examples(5)):
        free = [*range(1, 11)]
        chance.shuffle(free)
        for number in free[: chance.randint(1, 4)]:
            terminal.type(f"{number}{ENTER}")
        if chance.random() < 0.7:
            terminal.wait_for_change()
        os.kill(terminal.child.pid, signal.SIGKILL)
        terminal.child.wait()
        listed = [line.split("│ ")[-1] for line in terminal.text.split("\n") if "│ " in line]
        numbers = [text.split(". ")[0] for text in listed if ". " in text]
        shown = max([shown, *(int(text) for text in numbers if text.isdigit())])
        position = recorded_position(ninefold) if ninefold.records() else None
        plies = sum(map(len, position.hands)) if position else 0
        assert plies >= shown
        if position is None:
            terminal = AppTerminal(ninefold, "app", "sequence-capture", *FRIENDS)
            terminal.wait_for("Player 1's turn")
            continue
        if position.outcome is not None:
            return
        terminal = AppTerminal(ninefold)
        terminal.wait_for("Continue")
        terminal.type("c")
        terminal.wait_for(f"You continue after move {plies}." if plies else "no numbers yet")
        terminal.wait_for("'s turn")


BROKEN = """
import sys
from ninefold.tui.game import GameScreen
def broken(self):
    raise ValueError("a fault of our own")
GameScreen.action_threats = broken
from ninefold.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_an_unexpected_error_is_one_line(ninefold: Ninefold) -> None:
    """It says what to do, the game is saved, and the traceback is in a file."""
    broken = ["/bin/sh", "-c", IN_SHELL, "sh", sys.executable, "-c", BROKEN]
    terminal = AppTerminal(ninefold, "app", "magic-fifteen", *FRIENDS, command=broken, columns=200)
    terminal.wait_for("Player 1's turn")
    terminal.take(5, 1)
    terminal.type("t")
    terminal.wait_for("same, 1")
    after = terminal.raw.partition(RESTORED[0])[2].decode()
    log = ninefold.data / "ninefold" / "errors.log"
    assert "Traceback" not in after
    assert "An unexpected error (ValueError). Recorded games are safe" in after
    assert str(log) in after
    assert "a fault of our own" in log.read_text()
    assert ninefold.run("resume", typed="6\n").returncode == 0


@pytest.mark.parametrize(
    ("environment", "size"),
    [
        ({"TERM": "dumb"}, (80, 24)),
        ({"NINEFOLD_ACCESSIBLE": "1"}, (80, 24)),
        ({"LC_ALL": "en_US.ISO-8859-1", "PYTHONIOENCODING": "latin-1"}, (80, 24)),
        ({}, (19, 24)),
        ({}, (80, 5)),
    ],
)
def test_line_mode_where_the_full_screen_does_not_fit(
    ninefold: Ninefold, environment: dict[str, str], size: tuple[int, int]
) -> None:
    """A menu instead; ninefold app says what is missing, unless only the setting refuses it."""
    columns, rows = size
    terminal = Terminal(ninefold, environment=environment, columns=columns, rows=rows)
    terminal.wait_for("1-6")
    terminal.type(CTRL_D)
    assert terminal.wait_for_end() == 0
    assert b"\x1b[?1049h" not in terminal.raw
    if "NINEFOLD_ACCESSIBLE" not in environment:
        refused = Terminal(ninefold, "app", environment=environment, columns=columns, rows=rows)
        assert refused.wait_for_end() == 2
        assert "screen" in refused.text


def test_line_mode_on_request(ninefold: Ninefold) -> None:
    """``--line`` at a terminal, and the help in a pipe."""
    terminal = Terminal(ninefold, "--line")
    terminal.wait_for("1-6 [1]:")
    terminal.type(CTRL_D)
    assert terminal.wait_for_end() == 0
    result = ninefold.run()
    assert result.returncode == 0
    assert result.stdout.startswith("usage: ninefold")
    refused = ninefold.run("app", "magic-fifteen")
    assert refused.returncode == 2
    assert refused.stderr == (
        "ninefold: The full screen needs a terminal for its input and output. "
        "Try: ninefold play magic-fifteen\n"
    )


@pytest.mark.parametrize("arguments", [["list"], ["play", "magic-fifteen"], ["--help"]])
def test_only_the_full_screen_imports_textual(ninefold: Ninefold, arguments: list[str]) -> None:
    """Whoever does not open it does not wait for it."""
    code = (
        "import sys; from ninefold.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "assert not {'textual', 'rich'} & set(sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input="5\n",
        text=True,
        capture_output=True,
        env=ninefold.environment,
        check=False,
    )
    assert result.stderr.endswith(("", "ninefold resume")) and "Assertion" not in result.stderr
    assert result.returncode == 0
