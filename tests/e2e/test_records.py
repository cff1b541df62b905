"""Recorded games: shown, listed, copied, and refused when they are damaged."""

import os
import re
from pathlib import Path
from shutil import copy

from e2e.program import Ninefold

import ninefold as package

WON = "5\n6\n4\n7\n3\n8\n2\n"


def test_show_replays_the_game_as_it_looked(ninefold: Ninefold) -> None:
    """The same screen below a line about the game; undo and resignation included."""
    played = ninefold.run("play", "sequence-builder", typed="5\nundo\n4\n6\nresign\n")
    name = ninefold.records()[0].stem
    shown = ninefold.run("show", name)
    heading, _, game = shown.stdout.partition("\n\n")
    about = " ".join(heading.split())
    assert about.startswith("Sequence Builder (open-hand): Player 1 - Player 2, ")
    assert about.endswith(", Player 2 won (Player 1 resigned).")
    assert game == played.stdout
    data = ninefold.json("show", name)
    assert data["moves"] == ["4", "6"]
    assert (data["winner"], data["reason"], data["result"]) == (2, "resignation", "0-1")


def test_save_writes_a_copy_that_can_be_shown_and_resumed(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """To a new file only; an existing one is never overwritten."""
    copy = tmp_path / "My Game.ninefold"
    typed = f"5\nsave {copy}\nsave {copy}\nsave /nowhere/at/all\n6\nquit\n"
    shown = ninefold.run("play", "sequence-capture", typed=typed).stdout
    assert "Saved to" in shown
    assert "already exists" in shown
    assert "Cannot save to /nowhere/at/all: No such file or directory" in shown
    assert ninefold.json("show", str(copy))["moves"] == ["5"]
    resumed = ninefold.run("resume", str(copy), typed="7\nquit\n")
    assert f"ninefold resume {copy}" in resumed.stderr
    assert ninefold.json("show", str(copy))["moves"] == ["5", "7"]


def test_games_lists_what_was_played_and_names_what_is_damaged(ninefold: Ninefold) -> None:
    """Newest first; a damaged record does not hide the others."""
    assert ninefold.run("games").stdout == "No games recorded yet.\n"
    ninefold.run("play", "sequence-capture", typed=WON)
    ninefold.run("play", "magic-fifteen", typed="5\n")
    (ninefold.games / "20200101-000000-aaaa.ninefold").write_text("garbage\n")
    result = ninefold.run("games")
    header, newest, oldest = result.stdout.splitlines()
    assert header.split() == ["ID", "STARTED", "GAME", "PLAYERS", "MOVES", "RESULT"]
    assert newest.endswith("magic-fifteen     Player 1 - Player 2  1      unfinished")
    assert oldest.endswith("sequence-capture  Player 1 - Player 2  7      Player 1 won")
    assert "20200101-000000-aaaa.ninefold, line 1:" in result.stderr
    assert len(ninefold.run("games", "--unfinished").stdout.splitlines()) == 2


def test_games_shows_local_times_and_who_the_computer_is(ninefold: Ninefold) -> None:
    """A computer without a name of its own is called what it is."""
    ninefold.run("play", "magic-fifteen", "--p2", "perfect", "--name1", "Ann", typed="resign\n")
    (path,) = ninefold.records()
    dated = re.sub(r'Date "[^"]*"', 'Date "2026-01-31T22:15:00Z"', path.read_text())
    path.write_text(dated)
    line = ninefold.run("games", TZ="Asia/Tokyo").stdout.splitlines()[1]
    assert "2026-02-01 07:15" in ninefold.run("games", TZ="JST-9").stdout
    assert line.endswith("magic-fifteen  Ann - Perfect  0      Perfect won")


def test_games_shows_twenty_unless_asked_for_all(ninefold: Ninefold) -> None:
    """The newest ones, and how many there are besides."""
    ninefold.run("play", "magic-fifteen", typed="5\n")
    (path,) = ninefold.records()
    for day in range(1, 25):
        copy(path, ninefold.games / f"202001{day:02}-000000-aaaa.ninefold")
    lines = ninefold.run("games").stdout.splitlines()
    assert len(lines) == 22
    assert lines[1].startswith(path.stem)
    assert lines[-1] == "5 older games: add --all."
    assert len(ninefold.run("games", "--all").stdout.splitlines()) == 26
    assert len(ninefold.json("games")) == 25


def test_of_an_open_match_the_newest_game_is_unfinished(ninefold: Ninefold) -> None:
    """Its finished games are not; a match between two games is listed once."""
    for rest, rounds in (("5\n", [2]), ("", [1])):
        played = ninefold.run("play", "sequence-capture", "--wins", "3", typed=WON + rest)
        assert "Match: Player 1 1, Player 2 0." in played.stdout
        assert [row["round"] for row in ninefold.json("games", "--unfinished")] == rounds
        name = ninefold.records()[0].stem.partition(".")[0]
        assert ninefold.run("games", "--delete", name, "--yes").returncode == 0


def test_a_game_or_a_whole_match_can_be_deleted(ninefold: Ninefold) -> None:
    """Not without a question, not in part, and not what is no record."""
    ninefold.run("play", "magic-fifteen", typed="5\n")
    ninefold.run("play", "sequence-capture", "--wins", "3", typed=WON + "5\n")
    single, first, second = (path.stem for path in ninefold.records())
    assert second == first.removesuffix(".1") + ".2"
    asked = ninefold.run("games", "--delete", single)
    assert asked.returncode == 2
    assert f"This would delete the game {single}. To do it, add --yes." in asked.stderr
    part = ninefold.run("games", "--delete", second, "--yes")
    assert f"{second} is one game of a match." in part.stderr
    match = first.removesuffix(".1")
    assert ninefold.run("games", "--delete", match[-4:], "--yes").stdout == (
        f"Deleted the match {match} (2 games).\n"
    )
    assert [path.stem for path in ninefold.records()] == [single]
    outside = ninefold.run("games", "--delete", "/etc/passwd", "--yes")
    assert "/etc/passwd is not one of your recorded games." in outside.stderr
    assert ninefold.run("games", "--delete", single[-4:], "--yes").returncode == 0
    assert ninefold.records() == []


def test_show_and_review_take_the_game_played_last(ninefold: Ninefold) -> None:
    """Unless another one is named."""
    assert "No games are recorded yet." in ninefold.run("show").stderr
    ninefold.run("play", "magic-fifteen", typed="5\n")
    ninefold.run("play", "sequence-capture", typed=WON)
    assert ninefold.json("show")["game"] == "sequence-capture"
    assert len(ninefold.json("review")["moves"]) == 7
    os.utime(ninefold.records()[1], ns=(1, 1))
    assert ninefold.json("show")["game"] == "magic-fifteen"


def test_a_damaged_record_is_refused_with_place_and_reason(ninefold: Ninefold) -> None:
    """By show and by resume alike, and the file is left as it was."""
    ninefold.run("play", "sequence-capture", typed="5\n6\n4\n")
    (path,) = ninefold.records()
    damaged = path.read_text().replace("3. 4", "3. 6")
    path.write_text(damaged)
    for command in ("show", "resume"):
        result = ninefold.run(command, path.stem)
        assert result.returncode == 2
        assert f"{path.name}, line 21: impossible: 6 is already taken." in result.stderr
    assert path.read_text() == damaged


def test_a_record_of_changed_rules_is_refused(ninefold: Ninefold) -> None:
    """The fingerprint tells."""
    ninefold.run("play", "sequence-capture", typed="5\n")
    (path,) = ninefold.records()
    rules = package.load("sequence-capture").fingerprint
    path.write_text(path.read_text().replace(rules, "0" * 16))
    result = ninefold.run("resume")
    assert result.returncode == 2
    assert "the rules of sequence-capture (default) have changed" in result.stderr


def test_an_unwritable_data_directory_gives_one_warning(ninefold: Ninefold) -> None:
    """The game is played to its end all the same."""
    ninefold.data.write_text("a file where the folder should be")
    result = ninefold.run("play", "sequence-capture", typed=WON)
    assert result.returncode == 0
    assert result.stdout.endswith("Player 1 wins the game!\n")
    assert result.stderr == ("This game cannot be recorded (Not a directory). You can play on.\n")


def test_no_record_leaves_nothing_behind(ninefold: Ninefold) -> None:
    """And says so on leaving."""
    result = ninefold.run("play", "sequence-capture", "--no-record", typed="5\n")
    assert result.stderr == "This game was not recorded, so you cannot resume it.\n"
    assert not ninefold.data.exists()
