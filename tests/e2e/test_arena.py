"""Tournaments as a user runs them, interrupts them, kills them and resumes them."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from e2e.program import COMMAND, Ninefold
from processes import PATIENCE, wait_until

from ninefold.arena.results import GAMES
from tools import kill_arena

RUN = ["arena", "run", "--games", "magic-fifteen"]
TOURNAMENT = """
rounds = 3
[[players]]
player = "{player}"
name = "mine"
[[players]]
player = "random"
[[games]]
game = "magic-fifteen"
"""


def test_a_tournament_runs_and_resumes(ninefold: Ninefold, tmp_path: Path) -> None:
    """From options; the answer names the folder, and nothing is on standard error in a pipe."""
    folder = tmp_path / "results"
    words = [*RUN, "--players", "two=level:2,perfect", "--rounds", "20", "-o", str(folder)]
    result = ninefold.run(*words, "--workers", "2")
    said = f"{folder}: 40 games.\nSee: ninefold arena show {folder}\n"
    assert (result.returncode, result.stdout, result.stderr) == (0, said, "")
    assert (
        '[[players]]\nname = "two"\nplayer = "level:2"' in (folder / "tournament.toml").read_text()
    )
    again = ninefold.json("arena", "resume", str(folder))
    assert again == {"folder": str(folder), "games": 40, "new": 0}
    assert len((folder / GAMES).read_text().splitlines()) == 40
    exported = ninefold.json("arena", "export", str(folder), "-o", str(tmp_path / "games.parquet"))
    assert exported["games"] == 40
    import pyarrow.parquet

    rows = pyarrow.parquet.read_table(tmp_path / "games.parquet").to_pylist()
    first = json.loads((folder / GAMES).read_text().splitlines()[0])
    assert {**rows[0], "faults": []} == {**first, "tokens": None, "seconds": None, "cost": None}


def test_a_sequential_test_says_who_is_better(ninefold: Ninefold, tmp_path: Path) -> None:
    """In words, and for programs."""
    words = [*RUN, "--players", "perfect,random", "--format", "sequential", "--elo1", "100"]
    result = ninefold.run(*words, "-o", str(tmp_path / "s"), "--workers", "1")
    assert "perfect is better than random. After" in result.stdout
    data = ninefold.json("arena", "resume", str(tmp_path / "s"), "--workers", "1")
    assert data["verdict"]["decision"] == "better"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run"], "A tournament needs a file, or --players and --games."),
        ([*RUN[1:], "--players", "random"], "players: must be at least two players"),
        ([*RUN[1:], "--players", "random,level:7"], "There is no player 'level:7'"),
        (["run", "none.toml"], "Cannot read the tournament none.toml"),
        (["run", "t.toml", "--rounds", "3"], "A tournament from a file has its settings there."),
        (["resume", "nowhere"], "There is no tournament in nowhere."),
        (["show", "nowhere"], "There is no tournament in nowhere."),
        (["export", "nowhere", "-o", "x.parquet"], "There is no tournament in nowhere."),
        ([*RUN[1:], "--players", "random,greedy", "--on", "127.0.0.1:1"], "Cannot reach a Ray"),
        ([*RUN[1:], "--players", "random,greedy", "--on", "nowhere"], "not the address of a Ray"),
        (["run", "--workers", "0"], "--workers: expected a whole number from 1"),
    ],
)
def test_wrong_usage_is_explained(ninefold: Ninefold, words: list[str], said: str) -> None:
    """Exit code 2, and no traceback."""
    result = ninefold.run("arena", *words)
    assert (result.returncode, result.stdout) == (2, "")
    assert said in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("action", ["run", "resume", "show", "report", "export"])
def test_every_action_has_help_with_an_example(ninefold: Ninefold, action: str) -> None:
    """On standard output."""
    result = ninefold.run("arena", action, "--help")
    assert result.returncode == 0
    assert f"example: ninefold arena {action}" in " ".join(result.stdout.split())


def test_a_file_runs_no_code_without_consent(
    ninefold: Ninefold, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a file nor a folder; the error says how to agree. A player named here needs none."""
    (tmp_path / "my_player.py").write_text(
        "open('ran', 'w').close()\ndef player(position):\n    return position.legal[0]\n"
    )
    (tmp_path / "t.toml").write_text(TOURNAMENT.format(player="python:my_player:player"))
    monkeypatch.chdir(tmp_path)
    refused = ninefold.run("arena", "run", "t.toml")
    assert refused.returncode == 2
    assert "This tournament would run: python:my_player:player." in refused.stderr
    assert "ninefold arena run t.toml --run-programs" in refused.stderr
    refused = ninefold.run("arena", "run", "t.toml", "-o", "t")
    assert "ninefold arena run t.toml -o t --run-programs" in refused.stderr
    assert not (tmp_path / "ran").exists()
    assert ninefold.run("arena", "run", "t.toml", "--run-programs").returncode == 0
    refused = ninefold.run("arena", "resume", "t")
    assert "ninefold arena resume t --run-programs" in refused.stderr
    words = ["--players", "python:my_player:player,random", "--rounds", "1"]
    result = ninefold.run(*RUN, *words, "-o", "u", "--workers", "2")
    assert (result.returncode, result.stderr) == (0, "")


def test_a_file_that_cannot_grow_stops_it_and_says_how_to_resume(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """As on a full disk: what was written stays, and the command that is shown plays the rest."""
    words = [*COMMAND, *RUN, "--players", "random,greedy", "--rounds", "40", "--workers", "1"]
    result = subprocess.run(
        ["sh", "-c", 'ulimit -f 16; exec "$@"', "sh", *words, "-o", "r"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=ninefold.environment,
        check=False,
    )
    assert result.returncode == 1
    said = " ".join(result.stderr.split())
    assert said.startswith("ninefold: The tournament in r stopped: File too large.")
    assert said.endswith("Resume with: ninefold arena resume r")
    assert ninefold.json("arena", "resume", str(tmp_path / "r"))["games"] == 80


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_stops_it_and_says_how_to_resume(
    ninefold: Ninefold, tmp_path: Path, workers: str
) -> None:
    """Exit code 130; what was played is kept, and no process is left."""
    folder = tmp_path / "r"
    words = [*RUN, "--players", "random,greedy", "--rounds", "500000", "-o", str(folder)]
    process = subprocess.Popen(
        [*COMMAND, *words, "--workers", workers],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ninefold.environment,
        process_group=0,
    )
    wait_until(lambda: kill_arena.size_of(folder) > 0)
    children = [pid for pid, _ in kill_arena.descendants(process.pid)]
    os.killpg(process.pid, signal.SIGINT)  # everybody at a terminal gets it
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, output) == (130, b"")
    kill_arena.wait_for_end(children)
    lines = (folder / GAMES).read_text().splitlines()
    said = f"Stopped after {len(lines):,} games. Resume with: ninefold arena resume {folder}\n"
    assert " ".join(errors.decode().split()) == said.strip()
    assert len({json.loads(line)["id"] for line in lines}) == len(lines) > 0


@pytest.mark.parametrize("kills", [5, pytest.param(50, marks=pytest.mark.long)])
def test_a_killed_tournament_has_the_same_games_in_the_end(kills: int) -> None:
    """No game is lost, doubled or changed; ``python3 dev kill-arena`` runs for longer."""
    tally = kill_arena.run(kills, seed=7)
    assert tally.kills == kills
    assert tally.midway >= kills // 3
    assert tally.tournaments >= 1


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def is_open(port: int) -> bool:
    """Whether somebody listens there."""
    with suppress(OSError):
        socket.create_connection(("127.0.0.1", port)).close()
        return True
    return False


@pytest.mark.xdist_group("ray")
def test_a_ray_cluster_survives_the_death_of_workers_and_of_the_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The games are those of one process; the second driver is a client of Ray."""
    pytest.importorskip("ray")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")  # nobody else reaches it
    address, client = f"127.0.0.1:{free_port()}", free_port()
    nothing = subprocess.DEVNULL
    ray = [str(Path(sys.executable).parent / "ray"), "start", "--head", "--block"]
    options = [
        "--node-ip-address=127.0.0.1",
        "--num-cpus=2",
        "--include-dashboard=false",
        "--disable-usage-stats",
        f"--ray-client-server-port={client}",
    ]
    sockets = tempfile.mkdtemp(prefix="ray-")  # their paths must be short
    where = [f"--port={address.partition(':')[2]}", f"--temp-dir={sockets}"]
    head = subprocess.Popen([*ray, *options, *where], stdout=nothing, stderr=nothing)
    try:
        whole, folder = tmp_path / "whole", tmp_path / "ray-games"
        longer = ["--rounds", "6000"]
        assert kill_arena.start(whole, 1, *longer).wait() == 0
        assert head.poll() is None
        driver = kill_arena.start(folder, 2, *longer, "--on", address)
        wait_until(lambda: kill_arena.size_of(folder) > 0 or driver.poll() is not None)
        driver.kill()
        driver.wait()
        assert 0 < kill_arena.size_of(folder) < kill_arena.size_of(whole)
        wait_until(lambda: is_open(client))  # the last part of a cluster to come up
        driver = kill_arena.start(folder, 2, *longer, "--on", f"ray://127.0.0.1:{client}")
        workers = wait_until(
            lambda: kill_arena.workers_below(head.pid) or [-1] * (driver.poll() is not None)
        )
        assert workers[0] > 0, "it ended before anybody was seen to play"
        os.kill(workers[0], signal.SIGKILL)
        assert driver.wait(PATIENCE) == 0
        assert kill_arena.lines_of(folder) == kill_arena.lines_of(whole)
    finally:
        head.terminate()
        head.wait(PATIENCE)
        shutil.rmtree(sockets, ignore_errors=True)
