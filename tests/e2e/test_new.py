"""``ninefold new``: a few answers, and a file that plays at once."""

import tomllib
from pathlib import Path

import pytest
from e2e.program import Ninefold
from e2e.terminal import Terminal

from ninefold.books.describe import FAMILIES


def test_answers_in_a_pipe_make_a_book_that_plays(ninefold: Ninefold, tmp_path: Path) -> None:
    """Enter takes what is proposed; a typo is asked for again."""
    path = tmp_path / "evens"
    typed = "Evens\n2 4 x\n2 4 6 8 10 12\n11\n1 5\n2\n4\n3\n24\nmaybe\nno\n2 3\n\n"
    result = ninefold.run("new", str(path), typed=typed)
    assert result.returncode == 0
    assert "That does not work: rules.pool: a range" in result.stdout
    assert "'11' is none of them. Type numbers from 1 to 10." in result.stdout
    assert "rules.wins.arithmetic.length: a number from 3 to 64 is expected" in result.stdout
    assert "Type yes or no." in result.stdout
    file = f"{path}.toml"
    assert tomllib.loads(Path(file).read_text("utf-8")) == {
        "title": "Evens",
        "rules": {
            "pool": [2, 4, 6, 8, 10, 12],
            "ending": [
                {"measure": "hand-sum", "prefer": "higher"},
                {"measure": "longest-run", "prefer": "higher"},
            ],
            "wins": {"arithmetic": {"length": 4}, "sum": {"count": 3, "equals": 24}},
        },
    }
    for command in ("play", "check", "solve"):
        assert f"ninefold {command} {file}" in result.stdout
    assert ninefold.run("check", file).returncode == 0
    played = ninefold.run("play", file, typed="2\n4\n10\n6\n12\n").stdout
    assert played.endswith("Player 1 holds 2 10 12: 2 + 10 + 12 = 24.\nPlayer 1 wins!\n")


def test_without_questions_the_flags_and_the_proposals_count(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """A script needs no keyboard."""
    path = tmp_path / "my-game.toml"
    flags = ["--pool", "1-12", "--wins", "sum-triple", "--wins", "geometric", "--misere"]
    ending = ["--ending", "hand-sum lower", "--ending", "last-pick"]
    result = ninefold.run("new", str(path), *flags, *ending, "--yes")
    assert result.returncode == 0
    assert tomllib.loads(path.read_text("utf-8")) == {
        "title": "My Game",
        "rules": {
            "pool": "1-12",
            "misere": True,
            "ending": [
                {"measure": "hand-sum", "prefer": "lower"},
                {"measure": "last-pick", "prefer": "higher"},
            ],
            "wins": {"sum-triple": {}, "geometric": {"length": 3}},
        },
    }
    assert ninefold.run("check", str(path)).returncode == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_proposed_with_numbers_that_work(
    ninefold: Ninefold, tmp_path: Path, family: str
) -> None:
    """On the pool that is proposed, without a warning."""
    path = tmp_path / "a.toml"
    assert ninefold.run("new", str(path), "--wins", family, "--yes").returncode == 0
    data = ninefold.json("check", str(path))
    assert (data["valid"], data["warnings"]) == (True, [])


def test_limits_are_asked_for_in_one_question(ninefold: Ninefold, tmp_path: Path) -> None:
    """Enter means none; what makes no sense, or is not in the pool, is asked for again."""
    path = tmp_path / "a.toml"
    typed = "\n1-6\n\n\n\n\npasing\nopening=7\npie=2\npassing, opening=2, 4 picks-per-turn=2\n"
    result = ninefold.run("new", str(path), typed=typed)
    assert "\n  picks-per-turn=2: So many numbers are taken in a turn.\n" in result.stdout
    assert "'pasing' is no limit. did you mean passing?" in result.stdout
    assert "rules.opening: a list of numbers of the pool is expected" in result.stdout
    assert "rules.pie: true or false is expected" in result.stdout
    rules = tomllib.loads(path.read_text("utf-8"))["rules"]
    assert (rules["passing"], rules["opening"], rules["picks-per-turn"]) == (True, [2, 4], 2)
    assert rules.keys() & {"pie", "hand-limit"} == set()


def test_limits_have_flags(ninefold: Ninefold, tmp_path: Path) -> None:
    """Also with a book to start from."""
    path = tmp_path / "a.toml"
    flags = ["--passing", "--pie", "--opening", "4 5", "--picks-per-turn", "2", "--hand-limit", "4"]
    for start in ([], ["--extends", "sequence-capture"]):
        result = ninefold.run("new", str(path), *flags, *start, "--yes", "--overwrite")
        assert result.returncode == 0
        rules = tomllib.loads(path.read_text("utf-8"))["rules"]
        limits = {"passing": True, "pie": True, "opening": [4, 5]}
        assert rules.items() >= {**limits, "picks-per-turn": 2, "hand-limit": 4}.items()
        assert ninefold.run("check", str(path)).returncode == 0


def test_a_book_can_start_from_another(ninefold: Ninefold, tmp_path: Path) -> None:
    """Only what is said differs; families that are not named any more are taken away."""
    path = tmp_path / "long.toml"
    flags = ["--extends", "pattern-builder", "--wins", "geometric", "--pool", "1-16", "--yes"]
    assert ninefold.run("new", str(path), *flags).returncode == 0
    assert tomllib.loads(path.read_text("utf-8")) == {
        "title": "Long",
        "extends": "pattern-builder",
        "rules": {"pool": "1-16", "wins": {"arithmetic": False, "geometric": {"length": 3}}},
    }
    data = ninefold.json("check", str(path))
    assert [*data["book"]["readings"]] == ["automatic", "declare"]


@pytest.mark.parametrize(
    "flags",
    [
        ["--pool", "1-99"],
        ["--wins", "harmonic"],
        ["--wins", "arithmetic length=2"],
        ["--wins", "arithmetic size=3"],
        ["--wins", "sum count"],
        ["--ending", "luck"],
        ["--ending", "hand-sum most"],
        ["--title", "\x1b[2J"],
        ["--title", ""],
        ["--opening", "12"],
        ["--opening", "x"],
        ["--picks-per-turn", "0"],
        ["--hand-limit", "many"],
        ["--extends", "none"],
        ["--extends", "/none.toml"],
        ["--extends", "none.toml"],
        ["--pool", "1-64", "--wins", "sum count=32 equals=1040"],
    ],
)
def test_flags_that_make_no_sense_write_nothing(
    ninefold: Ninefold, tmp_path: Path, flags: list[str]
) -> None:
    """A sentence and exit code 2."""
    result = ninefold.run("new", str(tmp_path / "a.toml"), *flags, "--yes")
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "a.toml").exists()


def test_nothing_is_overwritten_without_consent(ninefold: Ninefold, tmp_path: Path) -> None:
    """--yes is no consent; --overwrite is, and so is the answer yes."""
    path = tmp_path / "a.toml"
    path.write_text("mine")
    assert ninefold.run("new", str(path), "--yes").returncode == 2
    answers = "\n\n\n\n\n\n\n"
    refused = ninefold.run("new", str(path), typed=answers + "no\n")
    assert refused.returncode == 2
    assert path.read_text() == "mine"
    assert ninefold.run("new", str(path), typed=answers + "yes\n").returncode == 0
    assert path.read_text() != "mine"
    path.write_text("mine")
    assert ninefold.run("new", str(path), "--yes", "--overwrite").returncode == 0
    assert path.read_text() != "mine"
    assert [*tmp_path.iterdir()] == [path]


def test_answers_that_end_early_write_nothing(ninefold: Ninefold, tmp_path: Path) -> None:
    """A script notices by the exit code."""
    result = ninefold.run("new", str(tmp_path / "a.toml"), typed="Title\n1-9\n")
    assert result.returncode == 2
    assert result.stderr == "Nothing was written.\n"
    assert [*tmp_path.iterdir()] == []


def test_a_file_that_cannot_be_written_is_told(ninefold: Ninefold, tmp_path: Path) -> None:
    """Before any question is asked."""
    result = ninefold.run("new", str(tmp_path / "none" / "a.toml"))
    assert result.returncode == 2
    assert result.stdout == ""


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)])
def test_leaving_at_a_terminal_writes_nothing(
    ninefold: Ninefold, tmp_path: Path, key: str, code: int
) -> None:
    """Ctrl-C and Ctrl-D, in the middle of the questions."""
    terminal = Terminal(ninefold, "new", str(tmp_path / "a.toml"), columns=40)
    terminal.wait_for("What is the game called? [A]:")
    terminal.enter("")
    terminal.wait_for("Which numbers are there? [1-9]:")
    terminal.type(key)
    terminal.wait_for("Nothing was written.")
    assert terminal.wait_for_end() == code
    assert [*tmp_path.iterdir()] == []


def test_the_schema_beside_the_file_is_named_in_it(ninefold: Ninefold, tmp_path: Path) -> None:
    """For editors; without one, no directive is written."""
    path = tmp_path / "a.toml"
    ninefold.run("new", str(path), "--yes")
    assert "#:schema" not in path.read_text("utf-8")
    (tmp_path / "rulebook.schema.json").write_text(ninefold.run("check", "--schema").stdout)
    ninefold.run("new", str(path), "--yes", "--overwrite")
    assert path.read_text("utf-8").startswith("#:schema ./rulebook.schema.json\n\n")
    assert ninefold.run("check", str(path)).returncode == 0
