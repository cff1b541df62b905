"""Programs in seats: they play, fail, are waited for and end with us."""

import signal
import subprocess
from pathlib import Path

import pytest
from e2e.engines import BOT
from e2e.program import COMMAND, Ninefold
from processes import PATIENCE, is_gone, wait_until

from ninefold import books


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


def test_a_program_that_fails_loses_and_every_command_copes_with_it(ninefold: Ninefold) -> None:
    """Shown, listed, replayed, reviewed and annotated; there is nothing to resume."""
    seats = ["--p2", f"program:{BOT} exits", "--name1", "Ann", "--name2", "Bob"]
    played = ninefold.run("play", "magic-fifteen", *seats, typed="5\n")
    assert played.returncode == 0
    assert played.stdout.splitlines()[-3:] == [
        "Bob: on genmove, it exited with code 7. Its last error line: Traceback: everything is "
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
        code = game.wait(PATIENCE)
    assert code == (130 if number == signal.SIGINT else -number)
    wait_until(lambda: all(map(is_gone, pids)))
