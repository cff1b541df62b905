"""Recorded games: shown, listed, copied, and refused when they are damaged."""

from pathlib import Path

from e2e.program import Ninefold

import ninefold as package


def test_show_replays_the_game_as_it_looked(ninefold: Ninefold) -> None:
    """The same screen below a heading; undo and resignation included."""
    played = ninefold.run("play", "sequence-builder", typed="5\nundo\n4\n6\nresign\n")
    name = ninefold.records()[0].stem
    shown = ninefold.run("show", name)
    heading, _, game = shown.stdout.partition("\n\n")
    assert "Game: sequence-builder" in heading
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
    ninefold.run("play", "sequence-capture", typed="5\n6\n4\n7\n3\n8\n2\n")
    ninefold.run("play", "magic-fifteen", typed="5\n")
    (ninefold.games / "20200101-000000-aaaa.ninefold").write_text("garbage\n")
    result = ninefold.run("games")
    lines = result.stdout.splitlines()
    assert len(lines) == 2
    assert "magic-fifteen" in lines[0]
    assert "unfinished" in lines[0]
    assert "1-0" in lines[1]
    assert "20200101-000000-aaaa.ninefold, line 1:" in result.stderr
    assert len(ninefold.run("games", "--unfinished").stdout.splitlines()) == 1


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
    result = ninefold.run("play", "sequence-capture", typed="5\n6\n4\n7\n3\n8\n2\n")
    assert result.returncode == 0
    assert result.stdout.endswith("Player 1 wins the game!\n")
    assert result.stderr == ("This game cannot be recorded (Not a directory). You can play on.\n")


def test_no_record_leaves_nothing_behind(ninefold: Ninefold) -> None:
    """And says so on leaving."""
    result = ninefold.run("play", "sequence-capture", "--no-record", typed="5\n")
    assert result.stderr == "This game was not recorded, so you cannot resume it.\n"
    assert not ninefold.data.exists()
