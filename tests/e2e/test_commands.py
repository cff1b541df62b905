"""Every command, as a user or a script runs it."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from e2e.program import COMMAND, Ninefold

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
        "audit",
        "dataset",
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
        assert list(data[name]["readings"]) == list(books.load(name).readings)
    assert "--reading three-slots-in-order" in shown


def test_rules_explain_the_reading(ninefold: Ninefold) -> None:
    """The chosen reading in full, the others by name, at any width."""
    result = ninefold.run("rules", "sequence-builder", "--reading", "three-slots", COLUMNS="40")
    assert "Reading: three-slots" in result.stdout
    assert "--reading open-hand" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 40


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "sequence-captur"],
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


def test_a_game_is_the_same_for_the_same_input_and_seed(ninefold: Ninefold) -> None:
    """Byte for byte, coin toss and computer included."""
    arguments = ["play", "sequence-capture", "--p2", "random", "--first", "random", "--seed", "9"]
    typed = "5\n6\n4\nfoo\n3\n7\n2\n1\n8\n9\n10\n"
    one, two = (ninefold.run(*arguments, typed=typed).stdout for _ in range(2))
    assert one == two
    others = {ninefold.run(*arguments[:-1], str(seed), typed=typed).stdout for seed in range(6)}
    assert len(others) > 1


BAD_INPUT = [
    b"hello",
    b"",
    b"0",
    b"-3",
    b"4.5",
    b"99",
    b"5",
    b"6 7",
    b"x" * 10_000,
    b"9" * 10_000,
    b"\x00\x01\x1b[2J\x07",
    b"\xff\xfe\x80",
    b"pass",
]


@pytest.mark.parametrize("name", books.names())
def test_bad_input_gets_one_line_and_the_prompt_comes_back(ninefold: Ninefold, name: str) -> None:
    """The line says what is wrong and what can be typed; nothing is lost, nothing is executed."""
    prompt = ninefold.run("play", name, typed=b"5\n").stdout.splitlines()[-1]
    typed = b"".join(line + b"\n" for line in (b"5", *BAD_INPUT, b"6"))
    shown = ninefold.run("play", name, typed=typed, PYTHONUTF8="1").stdout
    start = shown.index("5", shown.index(" 10" if "10" in shown else "9"))
    answers = shown[start:].split(prompt)[1 : len(BAD_INPUT) + 1]
    for bad, answer in zip(BAD_INPUT, answers, strict=True):
        echo, refusal, *rest = answer.split("\n")
        assert len(echo) <= 60
        assert "".join(rest) == ""
        assert re.search("1.* 3.* 8.* 9", refusal), (bad, refusal)
        assert len(refusal) < 160
    assert "\x1b" not in shown
    assert ninefold.json("games")[0]["plies"] == 2


def test_leaving_says_how_to_resume_and_resuming_goes_on(ninefold: Ninefold) -> None:
    """End of input is like Ctrl-D: exit code 0, a line on standard error, nothing on disk lost."""
    left = ninefold.run("play", "sequence-capture", typed="5\n6\n4\n")
    assert left.returncode == 0
    name = ninefold.records()[0].stem
    assert left.stderr == f"The game is saved. To go on: ninefold resume {name}\n"
    again = ninefold.run("resume", typed="7\nquit\n")
    assert "[X] [X] [O] 7" in again.stdout
    assert again.stderr.splitlines()[0] == "Resuming sequence-capture after move 3."
    over = ninefold.run("resume", name[-4:], typed="3\n8\n2\n")
    assert over.stdout.endswith("Player 1 wins the game!\n")
    assert over.stderr == "Resuming sequence-capture after move 4.\n"
    finished = ninefold.run("resume", name)
    assert finished.returncode == 2
    assert "This game is over" in finished.stderr
    assert ninefold.json("show", name)["moves"] == ["5", "6", "4", "7", "3", "8", "2"]


def test_a_resumed_game_draws_the_same_chance(ninefold: Ninefold) -> None:
    """The computer plays on as it would have without the interruption."""
    arguments = ["play", "magic-fifteen", "--p2", "random", "--seed", "4"]
    ninefold.run(*arguments, typed="1\n2\n3\n4\n5\n6\n7\n8\n9\n")
    whole = ninefold.json("show", ninefold.records()[-1].stem)["moves"]
    ninefold.run(*arguments, typed="1\n")
    name = ninefold.records()[-1].stem
    for number in "23456789":
        if not ninefold.json("games", "--unfinished"):
            break
        ninefold.run("resume", name, typed=f"{number}\n")
    assert ninefold.json("show", name)["moves"] == whole


def test_a_match_is_resumed_between_and_within_its_games(ninefold: Ninefold) -> None:
    """The tally and the starter survive; the records share the match's name."""
    arguments = ["play", "sequence-duel-sum", "--wins", "2", "--name1", "Ann", "--name2", "Bob"]
    first = ninefold.run(*arguments, typed="5\n3\n4\n2\n9\n")
    assert first.stdout.rstrip().splitlines()[-2:] == [
        "Bob's turn.",
        "Select a number from the available numbers:",
    ]
    within = ninefold.run("resume", typed="1\n5\n")
    assert "Bob Hand: 1" in within.stdout
    ninefold.records()[-1].unlink()
    between = ninefold.run("resume", typed="1\n5\n2\n6\n3\n")
    assert between.stdout.startswith("Game 2, first to 2. Bob starts.\n")
    assert "Match: Ann 1, Bob 1." in between.stdout
    last = ninefold.run("resume", typed="9\n5\n1\n4\n8\n")
    assert last.stdout.endswith("Match: Ann 2, Bob 1.\nAnn wins the match.\n")
    rows = ninefold.json("games")
    assert [row["round"] for row in rows] == [3, 2, 1]
    assert {row["match"] for row in rows} == {rows[-1]["id"]}
    assert not any(row["resumable"] for row in rows)
    assert ninefold.run("resume", rows[0]["id"]).returncode == 2


def test_a_match_of_draws_ends_with_the_last_game(ninefold: Ninefold) -> None:
    """--max-games ends it; after a drawn game the starter alternates."""
    typed = "2\n9\n1\n6\n7\n3\n8\n5\n4\n" * 2
    shown = ninefold.run(
        "play", "magic-fifteen", "--wins", "1", "--max-games", "2", typed=typed
    ).stdout
    assert "Game 2, first to 1. Player 2 starts." in shown
    assert shown.endswith("Match: Player 1 0, Player 2 0, drawn 2.\nThe match is level.\n")


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
    assert "exists already" in shown
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
    assert result.stderr == ("This game cannot be recorded (Not a directory), but it goes on.\n")


def test_no_record_leaves_nothing_behind(ninefold: Ninefold) -> None:
    """And says so on leaving."""
    result = ninefold.run("play", "sequence-capture", "--no-record", typed="5\n")
    assert result.stderr == "This game was not recorded, so it cannot be resumed.\n"
    assert not ninefold.data.exists()


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


@pytest.mark.parametrize(
    ("policy", "shown", "times"),
    [
        ("lose", "Time is up: Player 1 loses the game.\nPlayer 2 wins the game!\n", 1),
        ("lose-turn", "Time is up.\n\nPlayer 1 (X) loses this turn.\n", 3),
        ("random", "is drawn at random for Player 2.\n", 3),
    ],
)
def test_the_time_limit_works_in_a_pipe(
    ninefold: Ninefold, policy: str, shown: str, times: int
) -> None:
    """Nobody types: the game is lost, or set aside after lapse upon lapse."""
    command = [*COMMAND, "play", "sequence-capture", "--time-limit", "0.05"]
    with subprocess.Popen(
        [*command, "--on-timeout", policy, "--seed", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ninefold.environment,
        text=True,
    ) as process:
        assert process.stdout and process.stderr
        stdout, stderr = process.stdout.read(), process.stderr.read()
    assert process.returncode == 0
    assert stdout.count(shown) == times
    if policy == "lose":
        assert stderr == ""
    else:
        assert "the game is set aside. The game is saved. To go on: ninefold resume" in stderr
    assert ninefold.json("games")[0]["resumable"] == (policy != "lose")
    assert ninefold.run("show", ninefold.records()[0].stem).returncode == 0


def test_a_closed_pipe_ends_quietly(ninefold: Ninefold) -> None:
    """As with head: no traceback, and the game is on disk."""
    command = " ".join([*COMMAND, "play magic-fifteen --p1 random --p2 random --wins 300"])
    result = subprocess.run(
        ["sh", "-c", f"{command} | head -n 2"],
        capture_output=True,
        text=True,
        env=ninefold.environment,
        check=True,
    )
    assert result.stdout.startswith("Game 1, first to 300.")
    assert re.fullmatch("The game is saved. To go on: ninefold resume .*\n", result.stderr)


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["", "list", "games", "play magic-fifteen", "referee x"])
def test_a_closed_standard_stream_is_no_crash(
    ninefold: Ninefold, command: str, stream: str
) -> None:
    """It is as if nothing came in, or nobody read what goes out."""
    result = subprocess.run(
        ["sh", "-c", f"{' '.join(COMMAND)} {command} {stream}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=ninefold.environment,
        check=False,
    )
    assert result.returncode == (2 if command == "referee x" else 0)
    assert "Traceback" not in result.stderr
    if stream == "<&-" and command.startswith("play"):
        assert "The game is saved." in result.stderr


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
