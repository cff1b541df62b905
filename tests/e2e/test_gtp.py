"""Programs as users run them: the engine in a pipe, programs in seats, and gtp-check."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import bots.faulty
import pytest
from e2e.program import COMMAND, Ninefold
from e2e.terminal import Terminal
from e2e.test_docs import ROOT, block

from ninefold import books
from ninefold.gtp.check import examine
from ninefold.gtp.protocol_checks import NEEDED
from ninefold.gtp.session import Session
from ninefold.gtp.subject import Subject
from ninefold.referee.events import FORFEITS

BOT = f"{sys.executable} {bots.faulty.__file__}"
ENGINE = f"{sys.executable} -m ninefold gtp magic-fifteen"
PAGE = (ROOT / "docs" / "gtp.md").read_text("utf-8")
EXAMPLE = block(PAGE, "import random, sys")
GAMES = [(name, reading) for name in books.names() for reading in books.load(name).readings]


@pytest.fixture
def example(tmp_path: Path) -> str:
    """The bot of the documentation, as a command."""
    path = tmp_path / "bot.py"
    path.write_text("\n".join(EXAMPLE) + "\n")
    return f"{sys.executable} {path}"


def statuses(ninefold: Ninefold, *arguments: str) -> dict[str, str]:
    """What gtp-check says of each check."""
    return {row["check"]: row["status"] for row in ninefold.json("gtp-check", *arguments)}


def test_the_engine_example_is_real(ninefold: Ninefold) -> None:
    """Three commands in, three responses out."""
    command, *shown = block(PAGE, "$ printf")
    typed = command.split("'")[1].encode().decode("unicode_escape")
    result = ninefold.run(*command.partition("ninefold ")[2].split(), typed=typed)
    assert result.stdout.rstrip("\n").split("\n") == shown
    assert result.returncode == 0


def test_every_command_and_reason_is_documented() -> None:
    """The page is complete."""
    engine = Session(books.load("magic-fifteen").game, None, 1)
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
        assert engine.wait(30) == 130


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
        timeout=60,
    )
    assert result.stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["gtp", "x"],
        ["gtp", "magic-fifteen", "--player", "human"],
        ["gtp", "magic-fifteen", "--player", "program:cat"],
        ["gtp", "sequence-capture", "--set", "pool=1-20", "--player", "perfect"],
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


def test_our_engine_passes_the_check(ninefold: Ninefold) -> None:
    """In every game and reading, and nothing but the clock is left out."""
    found = statuses(ninefold, ENGINE)
    assert found.pop("accepts time_settings") == "skipped"
    assert set(found.values()) == {"ok"}
    for name, reading in GAMES:
        assert f"plays {name} ({books.load(name, reading).reading}) by its rules" in found


def test_the_example_bot_passes_the_check(ninefold: Ninefold, example: str) -> None:
    """Whoever copies it starts with a program that works."""
    result = ninefold.run("gtp-check", example)
    assert result.returncode == 0, result.stdout
    skipped = [line for line in result.stdout.splitlines() if line.startswith("skipped")]
    assert len(skipped) == 2
    assert "FAILED" not in result.stdout
    assert len([line for line in EXAMPLE if line]) < 30


@pytest.mark.parametrize("name", books.names())
def test_the_example_bot_plays_every_game(ninefold: Ninefold, example: str, name: str) -> None:
    """From both seats, in a match, to the end."""
    seats = ["--p1", f"program:{example}", "--p2", "greedy"]
    result = ninefold.run("play", name, *seats, "--wins", "2", "--max-games", "3", "--seed", "1")
    assert result.returncode == 0
    assert result.stderr == ""
    for row in ninefold.json("games"):
        game = ninefold.json("show", row["id"])
        assert row["finished"]
        assert game["reason"] not in ("crash", "no-answer", "illegal-answer", "refusal")
        assert game["seat1"] == f"program:{example}"


CHECKED = {
    "deaf": "answers protocol_version with 2",
    "banner": "answers protocol_version with 2",
    "debug": "answers protocol_version with 2",
    "protocol-3": "answers protocol_version with 2",
    "nameless": "has a name and a version",
    "no-showboard": "lists the needed commands",
    "knows-all": "known_command agrees with list_commands",
    "no-ids": "repeats ids",
    "no-comments": "ignores comments and empty lines",
    "accepts-all": "refuses unknown commands and goes on",
    "dies-of-unknown": "refuses unknown commands and goes on",
    "keeps-board": "clear_board forgets everything",
    "takes-anything": "refuses illegal moves and keeps its board",
    "no-undo": "undo takes back play and genmove",
    "taken": "plays magic-fifteen (default) by its rules",
    "outside": "plays magic-fifteen (default) by its rules",
    "lost": "plays magic-fifteen (default) by its rules",
    "passes": "plays magic-fifteen (default) by its rules",
    "forgets": "plays magic-fifteen (default) by its rules",
    "words": "plays magic-fifteen (default) by its rules",
    "refuses": "plays magic-fifteen (default) by its rules",
    "exits": "plays magic-fifteen (default) by its rules",
    "closes": "plays magic-fifteen (default) by its rules",
    "floods": "undo takes back play and genmove",
    "twice": "undo takes back play and genmove",
    "garbage": "undo takes back play and genmove",
    "refuses-play": "plays magic-fifteen (default) by its rules",
    "exit-5": "quit answers and ends it with exit code 0",
    "stays": "quit answers and ends it with exit code 0",
    "ignores-eof": "ends when its input ends",
}
# These never end by themselves, so it does not matter how long that is waited for.
ENDLESS = ("stays", "ignores-eof")


@pytest.mark.parametrize("fault", ENDLESS)
def test_a_program_that_stays_is_found_out(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers whenever it likes, and is not waited for when it should be gone."""
    leave = Subject.leave

    def leave_soon(subject: Subject) -> int | None:
        subject.seconds, plenty = 0.1, subject.seconds
        code = leave(subject)
        subject.seconds = plenty
        return code

    monkeypatch.setattr(Subject, "leave", leave_soon)
    results = [*examine([*BOT.split(), fault], [books.load("magic-fifteen")], 60, 1)]
    (failed,) = (result for result in results if result.check == CHECKED[fault])
    assert failed.status == "failed"
    assert all((failed.sent, failed.received, failed.expected, failed.advice))


@pytest.mark.parametrize(
    ("fault", "check"), [item for item in CHECKED.items() if item[0] not in ENDLESS]
)
def test_each_fault_is_found_and_explained(ninefold: Ninefold, fault: str, check: str) -> None:
    """The check that looks for it fails, and says what to do; the exit code is 1."""
    limit = "1" if fault == "deaf" else "60"  # whoever never answers need not be waited for
    arguments = ["--game", "magic-fifteen", "--time-limit", limit, "--json"]
    result = ninefold.run("gtp-check", f"{BOT} {fault}", *arguments)
    assert result.returncode == 1
    assert result.stderr == ""
    rows = {row["check"]: row for row in json.loads(result.stdout)}
    assert rows[check]["status"] == "failed"
    assert all(rows[check][field] for field in ("sent", "received", "expected", "advice"))


def test_a_bot_without_faults_fails_nothing(ninefold: Ninefold) -> None:
    """So whatever fails above fails because of its fault."""
    assert set(statuses(ninefold, BOT).values()) == {"ok", "skipped"}
    only_nine = statuses(ninefold, f"{BOT} nine-only")
    assert only_nine["plays sequence-capture (default) by its rules"] == "skipped"
    assert "failed" not in only_nine.values()


def test_the_failure_in_the_documentation_is_real(ninefold: Ninefold) -> None:
    """Line by line, as it is printed."""
    result = ninefold.run("gtp-check", f"{BOT} no-undo", "--game", "magic-fifteen")
    shown = block(PAGE, "FAILED")
    printed = result.stdout.splitlines()
    assert "\n".join(shown) in "\n".join(printed)


@pytest.mark.parametrize(
    "program", ["yes", "cat /dev/zero", "cat", "true", "false", "sleep 600", "sh -c 'kill -9 $$'"]
)
def test_the_check_ends_whatever_the_program_does(ninefold: Ninefold, program: str) -> None:
    """With a failure, not a traceback, and without waiting for it."""
    result = ninefold.run("gtp-check", program, "--time-limit", "0.5")
    assert result.returncode == 1
    assert result.stdout.startswith("FAILED   answers protocol_version with 2\n")
    assert result.stdout.endswith("2 checks: 0 ok, 1 failed, 1 skipped.\n")
    assert result.stderr == ""


def test_a_program_that_fails_loses_and_every_command_copes_with_it(ninefold: Ninefold) -> None:
    """Shown, listed, replayed, reviewed and annotated; there is nothing to resume."""
    seats = ["--p2", f"program:{BOT} exits", "--name1", "Ann", "--name2", "Bob"]
    played = ninefold.run("play", "magic-fifteen", *seats, typed="5\n")
    assert played.returncode == 0
    assert played.stdout.splitlines()[-3:] == [
        "Bob: at genmove it ended with exit code 7. Its last words: Traceback: everything is "
        "[31mlost[0m",
        "The program of Bob stopped during the game.",
        "Ann wins!",
    ]
    assert "\x1b" not in played.stdout
    assert played.stderr == ""
    (row,) = ninefold.json("games")
    assert (row["result"], row["resumable"]) == ("1-0", False)
    game = ninefold.json("show", row["id"])
    assert (game["winner"], game["reason"], game["moves"]) == (1, "crash", ["5"])
    assert "The program of Bob stopped during the game." in ninefold.run("show", row["id"]).stdout
    review = ninefold.run("review", row["id"], "--annotate")
    assert "The game ended by crash" in review.stdout
    assert ninefold.json("show", row["id"]) == game
    assert ninefold.run("resume", row["id"]).returncode == 2


def test_a_program_out_of_time_loses_whatever_the_clock_costs_people(ninefold: Ninefold) -> None:
    """--on-timeout is for people."""
    clock = ["--time-limit", "0.5", "--on-timeout", "lose-turn"]
    result = ninefold.run("play", "magic-fifteen", "--p1", f"program:{BOT} sleeps", *clock)
    assert "Player 1 did not answer in time.\nPlayer 2 wins!\n" in result.stdout
    assert ninefold.json("show", ninefold.records()[0].stem)["reason"] == "no-answer"


def test_a_game_lost_before_its_first_move_can_be_shown_and_reviewed(ninefold: Ninefold) -> None:
    """There is little to say about it, but nothing breaks."""
    ninefold.run("play", "magic-fifteen", "--p1", f"program:{BOT} exits")
    (name,) = (path.stem for path in ninefold.records())
    assert ninefold.json("show", name)["moves"] == []
    review = ninefold.run("review", name)
    assert (review.returncode, review.stderr) == (0, "")
    assert "The game ended by crash" in review.stdout


def test_a_match_goes_on_after_a_crash(ninefold: Ninefold) -> None:
    """Each game is decided, and the program starts afresh."""
    seats = ["--p1", f"program:{BOT} exits", "--p2", f"program:{BOT}"]
    result = ninefold.run("play", "magic-fifteen", *seats, "--wins", "2")
    assert result.stdout.endswith("Match: Player 1 0, Player 2 2.\nPlayer 2 wins the match.\n")
    assert [row["result"] for row in ninefold.json("games")] == ["0-1", "0-1"]


def test_undo_against_a_program(ninefold: Ninefold) -> None:
    """Its board goes back with the game."""
    seats = ["--p2", f"program:{BOT}"]
    ninefold.run("play", "magic-fifteen", *seats, typed="5\n9\nundo\nundo\n8\n7\nquit\n")
    assert ninefold.json("show", ninefold.records()[0].stem)["moves"] == ["8", "1", "7", "2"]


def left(ninefold: Ninefold) -> Path:
    """The record of an unfinished game against a program that leaves a mark when it runs."""
    seats = ["--p2", f"program:{BOT}"]
    ninefold.run("play", "magic-fifteen", *seats, typed="5\n")
    return ninefold.records()[0]


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
    assert "not among your own games" in terminal.text


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
    assert f"The game is saved. To go on: ninefold resume {harmless}\n" in result.stderr
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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_program_ends_with_us(ninefold: Ninefold, tmp_path: Path, number: int) -> None:
    """Ctrl-C, kill and a closed window end it with its children, though it does not want to."""
    note = tmp_path / "pids"
    arguments = ["play", "magic-fifteen", "--p1", f"program:{BOT} children {note}"]
    with subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ninefold.environment,
    ) as game:
        assert game.stdout
        line = b""
        while b"takes" not in line:
            line = game.stdout.readline()
        pids = [int(pid) for pid in note.read_text().split()]
        game.send_signal(number)
        code = game.wait(30)
    assert code == (130 if number == signal.SIGINT else -number)
    assert all(_ended(pid) for pid in pids)


def _ended(pid: int) -> bool:
    """Whether this process ends, waiting a little; an orphan nobody buries counts as ended."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False
