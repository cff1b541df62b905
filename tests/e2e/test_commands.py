"""Every command, as a user or a script runs it."""

import json
import subprocess
from pathlib import Path

import pytest
from e2e.program import Ninefold

import ninefold as package
from ninefold import books


def test_version(ninefold: Ninefold) -> None:
    """One line, on standard output."""
    for option in ("--version", "-V"):
        assert ninefold.run(option).stdout == f"ninefold {package.__version__}\n"


def test_without_a_command_in_a_pipe_there_is_help(ninefold: Ninefold) -> None:
    """The menu is for terminals."""
    result = ninefold.run()
    assert result.returncode == 0
    assert result.stdout.startswith("usage: ninefold")
    assert "example: ninefold play" in result.stdout


@pytest.mark.parametrize(
    ("typed", "hint"),
    [("chek", "; did you mean check?"), ("pley", "; did you mean play?"), ("x", "")],
)
def test_an_unknown_command_is_answered_with_the_closest(
    ninefold: Ninefold, typed: str, hint: str
) -> None:
    """Instead of a list of all commands."""
    result = ninefold.run(typed, "magic-fifteen")
    unknown = f"ninefold: unknown command '{typed}'{hint}\nTry: ninefold --help\n"
    assert (result.returncode, result.stdout, result.stderr) == (2, "", unknown)


def test_a_part_of_a_game_name_is_recorded_in_full(ninefold: Ninefold) -> None:
    """Wherever a game is named."""
    assert ninefold.run("play", "capture", typed="1\nquit\n").returncode == 0
    (path,) = ninefold.records()
    assert '[Game "sequence-capture"]' in path.read_text()
    result = ninefold.run("solve", "duel")
    assert (result.returncode, "sequence-duel-arithmetic, sequence" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    "command",
    [
        "list",
        "rules",
        "play",
        "games",
        "show",
        "resume",
        "referee",
        "solve",
        "verify",
        "hint",
        "review",
        "gtp",
        "gtp-check",
        "conform",
        "puzzle",
        "strategy",
        "check",
        "new",
        "arena",
        "audit",
        "dataset",
        "relabel",
        "fresh",
        "quiz",
        "export-eval",
        "completion",
    ],
)
def test_every_command_has_help_with_an_example(ninefold: Ninefold, command: str) -> None:
    """And the help is on standard output."""
    result = ninefold.run(command, "--help")
    assert result.returncode == 0
    assert f"example: ninefold {command}" in result.stdout


def test_list_names_every_game_and_reading(ninefold: Ninefold) -> None:
    """For people and for programs."""
    shown = ninefold.run("list").stdout
    data = {row["id"]: row for row in ninefold.json("list")}
    assert tuple(data) == tuple(book.id for book in books.load_all())
    for name in books.names():
        assert name in shown
        assert list(data[name]["readings"]) == list(books.load_book(name).readings)
    assert "--reading three-slots-in-order" in shown


def test_rules_explain_the_reading(ninefold: Ninefold) -> None:
    """The chosen reading in full, the others by name, at any width."""
    result = ninefold.run("rules", "sequence-builder", "--reading", "three-slots", COLUMNS="40")
    assert "Rules variant: three-slots" in result.stdout
    assert "--reading open-hand" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 40


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "sequence-kapture"],
        ["play", "sequence-capture", "--reading", "x"],
        ["play", "sequence-capture", "--p1", "oracle"],
        ["play", "sequence-capture", "--first", "3"],
        ["play", "sequence-capture", "--wins", "0"],
        ["play", "sequence-capture", "--max-games", "3"],
        ["play", "sequence-capture", "--time-limit", "-1"],
        ["play", "sequence-capture", "--time-limit", "nan"],
        ["play", "sequence-capture", "--on-timeout", "lose"],
        ["play", "sequence-capture", "--seed", "x"],
        ["play", "sequence-capture", "--name1", "a\x1bb"],
        ["play", "sequence-capture", "--name1", "Bo", "--name2", "bo"],
        ["rules", "x"],
        ["show", "x"],
        ["resume", "x"],
        ["resume"],
        ["referee", "x"],
        ["conform", "magic-fifteen"],
        ["conform", "magic-fifteen", "--env", "x"],
        ["conform", "magic-fifteen", "--env", "os:getcwd", "--illegal", "x"],
        ["dataset", "x"],
        ["dataset", "magic-fifteen", "--json"],
        ["dataset", "magic-fifteen", "--format", "parquet"],
        ["dataset", "magic-fifteen", "-o", "x.xls"],
        ["dataset", "magic-fifteen", "--set", "pool=1-17"],
        ["completion", "cmd"],
        ["dance"],
    ],
)
def test_wrong_usage_gets_a_line_and_exit_code_2(ninefold: Ninefold, arguments: list[str]) -> None:
    """On standard error, without a traceback."""
    result = ninefold.run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr
    assert "Traceback" not in result.stderr


def test_colour_only_where_it_is_wanted(ninefold: Ninefold) -> None:
    """Pipes are plain, FORCE_COLOR colours them, NO_COLOR wins; the text is the same."""
    typed = "5\n6\n4\n7\n3\n8\n2\n"
    plain = ninefold.run("play", "sequence-capture", typed=typed).stdout
    assert "\x1b" not in plain
    forced = ninefold.run("play", "sequence-capture", typed=typed, FORCE_COLOR="1").stdout
    assert "\x1b[36m[X]\x1b[0m" in forced
    both = ninefold.run(
        "play", "sequence-capture", typed=typed, FORCE_COLOR="1", NO_COLOR="1"
    ).stdout
    assert both == plain


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_scripts_know_the_games(ninefold: Ninefold, shell: str) -> None:
    """Commands, options and ids are in the script."""
    script = ninefold.run("completion", shell).stdout
    for word in ("referee", "--on-timeout", "sequence-duel-arithmetic"):
        assert word in script


def test_completion_works_in_bash(ninefold: Ninefold, tmp_path: Path) -> None:
    """The script is loaded by a real shell, and completes a game, or a file."""
    script = tmp_path / "completion.bash"
    script.write_text(ninefold.run("completion", "bash").stdout)
    (tmp_path / "my-game.toml").touch()
    for command, typed, completed in (
        ("play", "sequence-c", "sequence-capture"),
        ("play", "my", "my-game.toml"),
        ("check", "my", "my-game.toml"),
    ):
        program = (
            f"source {script}; COMP_WORDS=(ninefold {command} {typed}); COMP_CWORD=2; "
            "$(complete -p ninefold | sed 's/.*-F \\([^ ]*\\).*/\\1/'); echo ${COMPREPLY[@]}"
        )
        shell = ["bash", "-c", program]
        result = subprocess.run(shell, capture_output=True, text=True, check=True, cwd=tmp_path)
        assert result.stdout == f"{completed}\n"


def test_json_lists_all_winning_sets(ninefold: Ninefold) -> None:
    """One is announced, all are recorded."""
    ninefold.run("play", "sequence-duel-arithmetic", typed="5\n2\n8\n1\n6\n9\n7\n")
    (path,) = ninefold.records()
    assert ninefold.json("show", path.stem)["sets"] == [[5, 6, 7], [6, 7, 8]]
    assert path.read_text().endswith("{arithmetic; 5 6 7; 6 7 8} 1-0\n")
    assert json.loads(ninefold.run("games", "--json").stdout)[0]["result"] == "1-0"
