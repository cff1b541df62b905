"""The program that a record names runs only if that was agreed to."""

from pathlib import Path

import bots.faulty
import pytest
from e2e.engines import BOT, left
from e2e.program import Ninefold
from e2e.terminal import Terminal


def test_a_record_does_not_run_its_program_in_a_pipe(ninefold: Ninefold, tmp_path: Path) -> None:
    """Not without being told to, in the store or anywhere else; and it is said what to do."""
    path = left(ninefold)
    mark = tmp_path / "mark"
    text = path.read_text().replace(f"program:{BOT}", f"program:touch {mark}")
    path.write_text(text)
    copy = tmp_path / "stranger.ninefold"
    copy.write_text(text)
    for name, handle in ((path.stem, path.stem), (str(copy), str(copy))):
        result = ninefold.run("resume", name, typed="6\n")
        assert (result.returncode, result.stdout) == (2, "")
        assert f"touch {mark}" in result.stderr
        assert f"ninefold resume --run-programs {handle}" in result.stderr
        for command in ("show", "review"):
            ninefold.run(command, name)
    assert not mark.exists()
    ninefold.run("resume", str(copy), "--run-programs", typed="6\n")
    assert mark.exists()


def test_a_resumed_game_goes_on_with_its_program(ninefold: Ninefold) -> None:
    """It hears the moves it has missed."""
    path = left(ninefold)
    result = ninefold.run("resume", path.stem, "--run-programs", typed="9\nquit\n")
    assert "takes 2" in result.stdout
    assert ninefold.json("show", path.stem)["moves"] == ["5", "1", "9", "2"]


@pytest.mark.parametrize(("answer", "runs"), [("y", True), ("", False), ("\x04", False)])
def test_at_a_terminal_a_program_of_an_own_record_is_asked_about(
    ninefold: Ninefold, answer: str, runs: bool
) -> None:
    """Nothing but a yes runs it."""
    left(ninefold)
    terminal = Terminal(ninefold, "resume", columns=200)
    terminal.wait_for("Run it? [y/N]:")
    assert bots.faulty.__file__ in terminal.text
    terminal.enter(answer)
    if runs:
        terminal.wait_for("Player 1's numbers: 5")
        terminal.enter("quit")
    code = terminal.wait_for_end()
    assert code == (0 if runs else 2)
    assert ("Nothing was run" in terminal.text) == (not runs)


def test_at_a_terminal_a_strangers_record_is_refused(ninefold: Ninefold, tmp_path: Path) -> None:
    """A yes typed without thinking is not enough for a file from elsewhere."""
    copy = tmp_path / "stranger.ninefold"
    copy.write_text(left(ninefold).read_text())
    terminal = Terminal(ninefold, "resume", str(copy), columns=200)
    assert terminal.wait_for_end() == 2
    assert "not one of your own games" in terminal.text


@pytest.mark.parametrize("told", [[], ["--run-programs"]])
def test_a_record_does_not_lead_to_the_program_of_another(
    ninefold: Ninefold, tmp_path: Path, told: list[str]
) -> None:
    """A file that is called like a match, but for its suffix, is a game of its own."""
    ninefold.run("play", "magic-fifteen", "--wins", "2", typed="5\n")
    path = ninefold.records()[0]
    text = path.read_text().replace(f'[Match "{path.stem}"]', '[Match "x"]')
    mark, harmless, other = (tmp_path / name for name in ("mark", "x", "x.ninefold"))
    harmless.write_text(text)
    planted = text.replace('[Seat1 "human"]', f'[Seat1 "program:touch {mark}"]')
    assert planted != text
    other.write_text(planted)
    result = ninefold.run("resume", str(harmless), *told, typed="6\n")
    assert (result.returncode, mark.exists()) == (0, False)
    assert f"The game is saved. To resume it: ninefold resume {harmless}\n" in result.stderr
    assert "2. 6\n" in harmless.read_text()
    assert other.read_text() == planted


@pytest.mark.parametrize("number", [0, 1])
def test_a_match_does_not_run_its_program_in_a_pipe(ninefold: Ninefold, number: int) -> None:
    """Whichever of its games is named, it is refused before anything is shown."""
    seats = ["--p2", f"program:{BOT}"]
    ninefold.run("play", "magic-fifteen", "--wins", "2", *seats, typed="5\nresign\nyes\n5\n")
    name = ninefold.records()[number].stem
    before = [path.read_text() for path in ninefold.records()]
    result = ninefold.run("resume", name, typed="9\n")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("ninefold: This game would run:")
    assert [path.read_text() for path in ninefold.records()] == before
    assert (
        "Game 2, first to 2" in ninefold.run("resume", name, "--run-programs", typed="9\n").stdout
    )


def test_what_runs_is_what_was_agreed_to(ninefold: Ninefold, tmp_path: Path) -> None:
    """A record that changes while its program is asked about changes nothing."""
    path, mark = left(ninefold), tmp_path / "mark"
    terminal = Terminal(ninefold, "resume", columns=200)
    terminal.wait_for("Run it? [y/N]:")
    path.write_text(path.read_text().replace(f"program:{BOT}", f"program:touch {mark}"))
    terminal.enter("y")
    terminal.wait_for("Player 1's numbers: 5")
    terminal.enter("quit")
    assert (terminal.wait_for_end(), mark.exists()) == (0, False)


def test_ctrl_c_at_the_question_runs_nothing(ninefold: Ninefold) -> None:
    """Nor does it say anything wrong about the game, which stays as it is."""
    before = left(ninefold).read_text()
    terminal = Terminal(ninefold, "resume", columns=200)
    terminal.wait_for("Run it? [y/N]:")
    terminal.type("\x03")
    assert terminal.wait_for_end() == 130
    assert "not recorded" not in terminal.text
    assert ninefold.records()[0].read_text() == before
