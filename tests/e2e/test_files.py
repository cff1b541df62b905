"""Rule books in files, as a designer uses them: played, recorded, gone on with, coached."""

import json
import subprocess
from pathlib import Path

import pytest
from e2e.program import COMMAND, Ninefold

BOOK = """\
title = "Little Sums"
[rules]
pool = "1-7"
[rules.wins.sum-triple]
[words]
prompt = "{player}? "
[readings.upside-down]
rules.misere = true
"""
# Player 1 wins with 1 4 5.
WIN = "1\n2\n4\n3\n5\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A designer's file."""
    path = tmp_path / "little sums.toml"
    path.write_text(BOOK)
    return path


def test_a_book_of_two_lines_reads_well_from_the_first_turn_to_the_end(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """No words, no title, no text: everything has a default."""
    path = tmp_path / "my-game.toml"
    path.write_text('[rules]\npool = "1-3"\nwins.sum = { count = 2, equals = 4 }\n')
    assert ninefold.run("play", str(path), typed="1\n1\n2\n3\n").stdout == (
        "Available numbers: 1 2 3\n"
        "Player 1's numbers: none\n"
        "Player 1, choose a number: 1\n"
        "Player 1 takes 1.\n"
        "\n"
        "Available numbers: 2 3\n"
        "Player 2's numbers: none\n"
        "Player 2, choose a number: 1\n"
        "1 is already taken. Choose one of: 2 3\n"
        "Player 2, choose a number: 2\n"
        "Player 2 takes 2.\n"
        "\n"
        "Available numbers: 3\n"
        "Player 1's numbers: 1\n"
        "Player 1, choose a number: 3\n"
        "Player 1 takes 3.\n"
        "\n"
        "Player 1 holds 1 3: 1 + 3 = 4.\n"
        "Player 1 wins!\n"
    )
    assert ninefold.run("rules", str(path)).stdout == (
        "My Game (my-game)\n\n"
        "Two players share the numbers 1 2 3. On your turn you take one free number.\n"
        "Each number can be taken once.\n\n"
        "You win as soon as you hold two numbers with a sum of 4 (such as 1 3). The\n"
        "order in which you took them does not matter.\n\n"
        "When every number is taken and nobody has won, the game is drawn.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["rules"], "Little Sums (little-sums)"),
        (["solve"], "little-sums (default): Player 1 moves next and wins"),
        (["solve", "--reading", "upside-down"], "little-sums (upside-down): Player 1 moves next"),
        (["solve", "--set", "pool=1-5"], "little-sums (default; pool=1-5): Player 1 moves next"),
        (["hint", "--moves", "1 2 4 3"], "5"),
        (["puzzle", "--list"], "in all"),
        (["strategy"], "little-sums"),
        (["referee"], '"reason": "sum-triple"'),
        (["gtp"], "= "),
    ],
)
def test_every_command_that_takes_a_game_takes_a_file(
    ninefold: Ninefold, book: Path, arguments: list[str], shown: str
) -> None:
    """With readings and --set like any other."""
    command, *rest = arguments
    typed = {"referee": "1 2 4 3 5\n", "gtp": "name\nquit\n"}.get(command, "")
    result = ninefold.run(command, str(book), *rest, typed=typed)
    assert result.returncode == 0
    assert shown in result.stdout


def test_the_page_names_every_command_that_takes_a_game() -> None:
    """As the parser has them."""
    from ninefold.cli.parser import build_parser

    page = (Path(__file__).resolve().parents[2] / "docs" / "designing.md").read_text("utf-8")
    (told,) = [part for part in page.split("\n\n") if part.startswith("Use the path wherever")]
    (commands,) = [each for each in build_parser()._actions if each.dest == "command"]
    assert isinstance(commands.choices, dict)
    for name, command in commands.choices.items():
        if any(action.dest == "reading" for action in command._actions):
            assert f"`{name}" in told or f"`ninefold {name}" in told, name


def test_a_program_is_checked_in_the_game_of_a_file(ninefold: Ninefold, book: Path) -> None:
    """Our own engine plays it by its rules."""
    engine = f"{' '.join(COMMAND)} gtp '{book}'"
    result = ninefold.run("gtp-check", engine, "--game", str(book))
    assert "plays little-sums (default) by its rules" in result.stdout
    assert " 0 failed" in result.stdout


def test_a_certificate_names_the_file_and_finds_it_again(
    ninefold: Ninefold, book: Path, tmp_path: Path
) -> None:
    """Or another one, if it has moved."""
    certificate = str(tmp_path / "sums.txt")
    ninefold.run("solve", str(book), "--certificate", certificate)
    assert ninefold.json("verify", certificate)["verified"]
    moved = book.rename(tmp_path / "moved.toml")
    assert ninefold.run("verify", certificate).returncode == 2
    assert ninefold.run("verify", certificate, "--game", str(moved)).returncode == 0


@pytest.mark.parametrize("path", ["./none.toml", "none.toml", "/dev/zero", "/dev/null/a", "."])
def test_a_file_that_cannot_be_read_gets_one_line(ninefold: Ninefold, path: str) -> None:
    """And exit code 2; a dot is no path, so it is an unknown game."""
    for command in ("play", "solve", "check"):
        result = ninefold.run(command, path)
        assert (result.returncode, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("fate", ["kept", "moved", "changed", "reworded"])
def test_a_killed_game_goes_on_whatever_became_of_the_file(
    ninefold: Ninefold, book: Path, fate: str
) -> None:
    """By the rules and in the words it was begun with."""
    with subprocess.Popen(
        [*COMMAND, "play", str(book)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ninefold.environment,
        bufsize=0,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"1\n2\n")
        shown = b""
        while b"Player 2 takes 2." not in shown:
            shown += process.stdout.read(65_536)
        process.kill()
    if fate == "moved":
        book.rename(book.with_name("elsewhere.toml"))
    elif fate == "reworded":
        book.write_text(BOOK.replace("{player}?", "{player}!"))
    elif fate == "changed":
        book.write_text(BOOK.replace("1-7", "1-20").replace("{player}?", "{player}!"))
    result = ninefold.run("resume", typed="4\n3\n5\n")
    assert "Player 1? 5\n" in result.stdout
    assert result.stdout.endswith("Player 1 holds 1 4 5: 1 + 4 = 5.\nPlayer 1 wins!\n")
    told = f"{book} has changed. The game resumes under its original rules.\n"
    assert result.stderr.startswith(told if fate == "changed" else "Resuming ")
    (record,) = ninefold.records()
    assert f'[File "{book}"]\n[Book "' in record.read_text()
    assert ninefold.json("show", str(record))["winner"] == 1
    assert "Player 1? 5\n" in ninefold.run("show", record.stem).stdout
    assert ninefold.run("review", record.stem).returncode == 0
    assert ninefold.run("review", record.stem, "--annotate").returncode == 0
    assert [(row["game"], row["file"]) for row in ninefold.json("games")] == [
        ("little-sums", str(book))
    ]
    assert f"  little-sums (from {book.name})  " in ninefold.run("games").stdout


def test_a_match_goes_on_without_its_file(ninefold: Ninefold, book: Path) -> None:
    """With its tally, and new games by the same rules."""
    ninefold.run("play", str(book), "--wins", "2", "--reading", "upside-down", typed=WIN + "1\n")
    book.unlink()
    assert [row["resumable"] for row in ninefold.json("games")] == [True, False]
    result = ninefold.run("resume", typed="2\n4\n3\n5\n" + WIN + WIN)
    assert "So far: Player 1 0, Player 2 1." in result.stdout
    assert result.stdout.endswith("wins the match.\n")


def test_mistakes_are_practised_without_the_file(ninefold: Ninefold, book: Path) -> None:
    """All of them, or those of the file named, which may have changed."""
    ninefold.run("play", str(book), typed="1\n2\n4\n3\n6\n5\n7\n")
    missed = ninefold.json("puzzle", "--mistakes")
    assert [(row["game"], row["ply"], row["answer"]) for row in missed] == [("little-sums", 5, 5)]
    book.write_text(BOOK.replace("Little", "Large"))
    assert ninefold.json("puzzle", str(book), "--mistakes") == missed
    assert ninefold.json("puzzle", "sequence-duel-sum", "--mistakes") == []
    book.unlink()
    assert ninefold.json("puzzle", "--mistakes") == missed


def test_a_saved_copy_finds_the_book_among_ones_own_games(
    ninefold: Ninefold, book: Path, tmp_path: Path
) -> None:
    """Wherever the copy of the record lies."""
    saved = tmp_path / "saved.ninefold"
    ninefold.run("play", str(book), typed=f"1\n2\nsave {saved}\nquit\n")
    book.unlink()
    assert ninefold.json("show", str(saved))["moves"] == ["1", "2"]


def test_without_file_and_copy_there_is_one_clear_sentence(ninefold: Ninefold, book: Path) -> None:
    """With the file alone the game goes on; if its rules have changed, that is said."""
    ninefold.run("play", str(book), typed="1\n2\n")
    (record,) = ninefold.records()
    (copy,) = (ninefold.games / "books").iterdir()
    copy.write_text(copy.read_text().replace("1-7", "1-8"))  # damaged: as good as gone
    assert ninefold.json("show", record.stem)["moves"] == ["1", "2"]
    book.write_text(BOOK.replace("1-7", "1-8"))
    result = ninefold.run("resume", record.stem)
    assert f"the rules of {book} (default) have changed since this game" in result.stderr
    book.unlink()
    copy.unlink()
    result = ninefold.run("resume", record.stem)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        f"ninefold: {record.name}: the rule book of this game is gone: {book} and the copy {copy}\n"
    )


def test_games_of_the_program_are_recorded_as_before(ninefold: Ninefold) -> None:
    """Without tags for a file, and without a copy."""
    ninefold.run("play", "magic-fifteen", typed="1\n2\n")
    (record,) = ninefold.records()
    assert "[File" not in record.read_text()
    assert not (ninefold.games / "books").exists()


def test_a_full_disk_costs_the_record_and_not_the_game(ninefold: Ninefold, book: Path) -> None:
    """A copy that cannot be written is told once, and the game goes on."""
    ninefold.games.mkdir(parents=True)
    (ninefold.games / "books").write_text("in the way")
    result = ninefold.run("play", str(book), typed=WIN)
    assert result.stdout.endswith("Player 1 wins!\n")
    assert result.stderr.count("cannot be recorded") == 1
    assert ninefold.records() == []


def test_json_of_a_file_game_is_complete(ninefold: Ninefold, book: Path) -> None:
    """The record as data names the file and the copy."""
    ninefold.run("play", str(book), typed=WIN)
    (record,) = ninefold.records()
    data = ninefold.json("show", record.stem)
    assert data["file"] == str(book)
    copy = json.loads((ninefold.games / "books" / f"{data['book']}.json").read_text())
    assert copy["title"] == "Little Sums"


def test_a_certificate_never_replaces_the_book_it_is_about(ninefold: Ninefold, book: Path) -> None:
    """Nor one that the book extends."""
    child = book.parent / "child.toml"
    child.write_text('extends = "little sums.toml"\n')
    for game in (book, child):
        result = ninefold.run("solve", str(game), "--value-only", "--certificate", str(book))
        assert result.returncode == 2
        assert "it would be lost. Name another file." in result.stderr
    assert book.read_text() == BOOK
