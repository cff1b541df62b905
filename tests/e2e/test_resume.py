"""Resuming: nothing is guessed, nothing is overwritten, nobody is in the way."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from e2e.program import COMMAND, Ninefold

MATCH = ["play", "sequence-duel-sum", "--wins", "3"]
WON_BY_ONE = "5\n3\n4\n2\n9\n"
WON_BY_TWO = "1\n5\n2\n6\n3\n"


def change(path: Path, old: str, new: str) -> None:
    """Replace text in a record that must contain it."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.fixture
def match(ninefold: Ninefold) -> list[Path]:
    """The records of a match: two games finished, the third begun."""
    ninefold.run(*MATCH, typed=WON_BY_ONE + WON_BY_TWO + "7\n")
    assert len(ninefold.records()) == 3
    return ninefold.records()


def test_a_match_goes_on_with_its_tally(ninefold: Ninefold, match: list[Path]) -> None:
    """The game and the score are shown first; the short name of the match is enough."""
    shown = ninefold.run("resume", match[0].stem[-4:], typed="quit\n")
    assert shown.stdout.startswith("Game 3, first to 3. So far: Player 1 1, Player 2 1.\n")
    assert shown.stderr.splitlines() == [
        "Resuming sequence-duel-sum after move 1.",
        f"The game is saved. To resume it: ninefold resume {match[0].stem}",
    ]


@pytest.mark.parametrize(
    ("game", "old", "new", "reason"),
    [
        (0, "} 1-0", "} 0-1", "the result is 0-1, but the moves say 1-0"),
        (0, "3. 4", "3. 3", "impossible: 3 is already taken."),
        (2, 'Player1 "Player 1"', 'Player1 "Eve"', "player1 differs from the first game"),
        (1, 'First "2"', 'First "1"', "this cannot be the next game of the match"),
        (1, 'Round "2"', 'Round "3"', "this cannot be the next game of the match"),
        (0, 'Wins "3"', 'Wins "1"', "wins differs from the first game"),
        (0, 'Wins "3"', 'Wins "-"', "a match needs both tags, Match and Wins"),
    ],
)
def test_a_match_whose_games_do_not_belong_together_is_refused(
    ninefold: Ninefold, match: list[Path], game: int, old: str, new: str, reason: str
) -> None:
    """Finished games are judged again as well."""
    change(match[game], old, new)
    before = [path.read_text() for path in match]
    result = ninefold.run("resume", match[2].stem, typed="8\n")
    assert result.returncode == 2
    assert reason in result.stderr
    assert [path.read_text() for path in match] == before
    assert "Traceback" not in ninefold.run("games").stderr


def test_a_match_with_a_hole_is_refused(ninefold: Ninefold, match: list[Path]) -> None:
    """A later game is never overwritten."""
    match[1].unlink()
    last = match[2].read_text()
    result = ninefold.run("resume", match[0].stem, typed=WON_BY_TWO)
    assert result.returncode == 2
    assert match[2].read_text() == last
    assert ninefold.run("resume").returncode == 2


def test_the_newest_game_that_can_be_resumed_is_chosen(ninefold: Ninefold) -> None:
    """Damaged and finished ones are passed over."""
    ninefold.run("play", "magic-fifteen", typed="5\n")
    ninefold.run("play", "sequence-capture", typed="5\n6\n4\n7\n3\n8\n2\n")
    ninefold.run("play", "sequence-capture", typed="5\n")
    ninefold.records()[-1].write_text("damaged")
    assert "magic-fifteen after move 1" in ninefold.run("resume").stderr


def test_lapses_are_counted_anew_after_resuming(ninefold: Ninefold) -> None:
    """A table that was set aside gets its full patience again."""
    options = ["--time-limit", "0.05", "--on-timeout", "lose-turn"]
    command = [*COMMAND, "play", "sequence-capture", *options]
    for arguments in (command, [*COMMAND, "resume"]):
        with subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=ninefold.environment,
            text=True,
        ) as process:
            assert process.stdout
            assert process.stdout.read().count("loses this turn") == 6
    assert ninefold.json("games")[0]["plies"] == 12


def test_two_processes_cannot_resume_the_same_match(ninefold: Ninefold, match: list[Path]) -> None:
    """Whichever of its games is named; when the first has left, the second may go on."""
    with subprocess.Popen(
        [*COMMAND, "resume", match[0].stem],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=ninefold.environment,
        bufsize=0,
    ) as process:
        assert process.stdin and process.stdout
        shown = b""
        while not shown.endswith(b"numbers: "):
            shown += process.stdout.read(4096)
        for path in (match[0], match[2]):
            other = ninefold.run("resume", path.stem, typed="8\n")
            assert other.returncode == 2
            assert "open in another window" in other.stderr
    assert ninefold.run("resume", match[2].stem, typed="8\n").returncode == 0


def test_a_resumed_game_has_its_full_time(ninefold: Ninefold) -> None:
    """The clock of the turn starts when the game is on the screen again."""
    arguments = ["play", "sequence-capture", "--time-limit", "600"]
    ninefold.run(*arguments, typed="5\n")
    again = ninefold.run("resume", typed="6\nquit\n")
    assert "1 2 3 4 [X] [O] 7" in again.stdout
    assert "Time is up" not in again.stdout


def test_a_game_recorded_after_the_decision_is_refused(ninefold: Ninefold) -> None:
    """Three wins are enough; a fourth game cannot have been begun."""
    ninefold.run("play", "sequence-duel-sum", "--wins", "1", typed=WON_BY_ONE)
    (path,) = ninefold.records()
    extra = path.read_text().replace('Round "1"', 'Round "2"').replace('First "1"', 'First "2"')
    (ninefold.games / f"{path.stem}.2.ninefold").write_text(extra)
    result = ninefold.run("resume", path.stem)
    assert result.returncode == 2
    assert "cannot be the next game of the match" in result.stderr


def test_a_long_match_keeps_few_files_open(ninefold: Ninefold) -> None:
    """One lock for the match, whatever the number of games."""
    command = "play magic-fifteen --p1 random --p2 random --wins 25 --seed 1"
    program = " ".join([*COMMAND, command])
    result = subprocess.run(
        ["sh", "-c", f"ulimit -n 20; {program}"],
        capture_output=True,
        text=True,
        env=ninefold.environment,
        check=True,
    )
    assert result.stderr == ""
    assert len(ninefold.records()) == result.stdout.count("Match: ") > 30


def test_after_one_failure_a_match_records_no_more(ninefold: Ninefold) -> None:
    """A match has no holes: it can be resumed from where recording failed."""
    command = [*COMMAND, *MATCH]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ninefold.environment,
        text=True,
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(WON_BY_ONE)
        process.stdin.flush()
        while "Match: " not in process.stdout.readline():
            pass
        ninefold.games.rename(ninefold.data / "elsewhere")
        ninefold.games.write_text("in the way")
        process.stdin.write("1\n")
        process.stdin.flush()
        while "Player 2 Hand: 1" not in process.stdout.readline():
            pass
        ninefold.games.unlink()
        (ninefold.data / "elsewhere").rename(ninefold.games)
        stdout, stderr = process.communicate(WON_BY_TWO.removeprefix("1\n") + "7\nquit\n")
    (path,) = ninefold.records()
    assert "Match: Player 1 1, Player 2 1." in stdout
    assert stderr.splitlines() == [
        "This game cannot be recorded (File exists). You can play on.",
        "The game is saved up to where recording failed. "
        f"To resume it from there: ninefold resume {path.stem}",
    ]
    again = ninefold.run("resume", path.stem)
    assert again.stdout.startswith("Game 2, first to 3. Player 2 starts.")


def test_show_replays_a_lost_turn_as_it_looked(ninefold: Ninefold) -> None:
    """The number that was not available is on record."""
    arguments = ["play", "sequence-duel-sum", "--reading", "lose-turn"]
    played = ninefold.run(*arguments, typed="5\n5\nresign\n")
    assert "Invalid move; 5 is not available. Player 2 loses this turn." in played.stdout
    (path,) = ninefold.records()
    assert "2. invalid:5 lost\n" in path.read_text()
    assert ninefold.run("show", path.stem).stdout.partition("\n\n")[2] == played.stdout


def test_a_match_on_a_broken_disk_warns_once(ninefold: Ninefold) -> None:
    """Not once a game."""
    ninefold.data.write_text("a file where the folder should be")
    result = ninefold.run(*MATCH, typed=WON_BY_ONE + WON_BY_TWO + "7\nquit\n")
    assert result.stderr.splitlines() == [
        "This game cannot be recorded (Not a directory). You can play on.",
        "This game was not recorded, so you cannot resume it.",
    ]


def test_an_unrecorded_game_can_still_be_saved(ninefold: Ninefold, tmp_path: Path) -> None:
    """The copy holds all of it."""
    copy = tmp_path / "copy.ninefold"
    ninefold.run("play", "magic-fifteen", "--no-record", typed=f"5\n6\nsave {copy}\n")
    assert ninefold.json("show", str(copy))["moves"] == ["5", "6"]


def test_a_resumed_game_that_was_over_gets_its_result(ninefold: Ninefold) -> None:
    """The process died between the last move and the result: the judge supplies it."""
    ninefold.run("play", "sequence-capture", typed="5\n6\n4\n7\n3\n8\n2\n")
    (path,) = ninefold.records()
    whole = path.read_text()
    path.write_text(whole[: whole.rindex("{")])
    result = ninefold.run("resume")
    assert result.stdout.endswith("Player 1 wins the game!\n")
    assert path.read_text() == whole


def test_a_file_elsewhere_is_played_in_one_window_only(ninefold: Ninefold, tmp_path: Path) -> None:
    """As a game in the usual folder is, whatever the file is called."""
    ninefold.run("play", "magic-fifteen", typed="5\n")
    path, link = tmp_path / "sent.ninefold", tmp_path / "link.ninefold"
    ninefold.records()[0].rename(path)
    link.symlink_to(path)
    with playing(ninefold, "resume", str(path)):
        for name in (path, link):
            refused = ninefold.run("resume", str(name), typed="6\n")
            assert refused.returncode == 2
            assert "This game is open in another window." in refused.stderr
    assert ninefold.run("resume", str(link), typed="6\n").returncode == 0
    assert sorted(file.name for file in tmp_path.glob("*.*")) == [link.name, path.name]


def test_no_game_of_a_match_that_is_played_can_be_annotated(
    ninefold: Ninefold, match: list[Path]
) -> None:
    """The file would be replaced, and the moves made meanwhile be lost."""
    with playing(ninefold, "resume", match[0].stem):
        for path in match:
            refused = ninefold.run("review", path.stem, "--annotate")
            assert refused.returncode == 2
            assert "This game is open in another window." in refused.stderr
    assert ninefold.run("review", match[2].stem, "--annotate").returncode == 0


@contextmanager
def playing(ninefold: Ninefold, *arguments: str) -> Iterator[None]:
    """Meanwhile, this game is at a prompt; it is killed at the end."""
    with subprocess.Popen(
        [*COMMAND, *arguments],
        env=ninefold.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
    ) as game:
        try:
            assert game.stdout
            assert game.stdout.read(1)
            yield
        finally:
            game.kill()
