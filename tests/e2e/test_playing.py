"""Games in a pipe: bad input, the clock, leaving and going on."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from e2e.program import COMMAND, Ninefold

from ninefold import books


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
    assert left.stderr == f"The game is saved. To resume it: ninefold resume {name}\n"
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
    assert {f"{row['match']}.{row['round']}" for row in rows} == {row["id"] for row in rows}
    assert len({row["match"] for row in rows}) == 1
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
        assert "the game is set aside. The game is saved. To resume it: ninefold resume" in stderr
    assert ninefold.json("games")[0]["resumable"] == (policy != "lose")
    assert ninefold.run("show", ninefold.records()[0].stem).returncode == 0


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("👩\u200d👧", "an emoji joined of several (ZERO WIDTH JOINER); choose a simple one."),
        ("a\u200bb", "an invisible character (ZERO WIDTH SPACE); leave it out."),
        (b"Zo\xeb", "bytes that are not UTF-8; choose a UTF-8 locale, such as LANG=C.UTF-8."),
    ],
)
def test_a_refused_name_gets_the_right_reason(
    ninefold: Ninefold, name: str | bytes, reason: str
) -> None:
    """What is in it, and what to do."""
    command = [*map(os.fsencode, [*COMMAND, "play", "magic-fifteen", "--name1"]), os.fsencode(name)]
    result = subprocess.run(
        command, env=ninefold.environment, capture_output=True, check=False, text=True
    )
    assert result.returncode == 2
    assert f"That name contains {reason}" in result.stderr


def test_help_at_the_question_for_a_declaration(ninefold: Ninefold) -> None:
    """A number is refused there, so it is not offered; Enter is."""
    arguments = ["play", "pattern-builder", "--reading", "declare"]
    shown = ninefold.run(*arguments, typed="help\n5\n1\n6\n2\n9\nhelp\n").stdout
    first, second = shown.split("hint           hint (type it again for more)")[:2]
    assert "4              claim the number 4" in first
    assert "pass instead" not in first
    assert "Enter          pass\n" in second
    assert "declare this set, if you hold it" in second
    assert "claim the number 4" not in second


def test_accessible_mode_speaks_in_sentences(ninefold: Ninefold) -> None:
    """No number disappears behind a marker; the option, or the environment."""
    arguments = ["play", "sequence-capture", "--time-limit", "600"]
    sentences = (
        "Player 1 (X) has 5.\nPlayer 2 (O) has no numbers.\nFree: 1, 2, 3, 4, 6, 7, 8, 9 and 10.\n"
    )
    by_option = ninefold.run(*arguments, "--accessible", typed="5\nboard\n").stdout
    before = ninefold.run("--accessible", *arguments, typed="5\nboard\n").stdout
    by_setting = ninefold.run(*arguments, typed="5\nboard\n", NINEFOLD_ACCESSIBLE="1").stdout
    assert by_option == by_setting == before
    assert sentences in by_option
    assert sentences.replace("\n", " ").strip() in by_option
    assert "[X]" not in by_option
    assert "You have 600 seconds.\n> " in by_option
    usual = ninefold.run(*arguments, typed="5\nboard\n").stdout
    assert "1 2 3 4 [X] 6 7 8 9 10" in usual
    assert "You have" not in usual


def test_the_menu_works_in_a_pipe(ninefold: Ninefold) -> None:
    """With --line; every answer is echoed, and the end of the input leaves."""
    typed = "\n".join(["6", "", "", "", "", "", "", "5", "quit", "q"])
    result = ninefold.run("--line", typed=typed)
    assert result.returncode == 0
    assert result.stdout.count("Which game?") == 2
    assert "Player 1 takes 5." in result.stdout
    assert "The game is saved. To resume it: ninefold resume" in result.stderr


def test_board_shows_what_numbers_count_and_which_may_be_taken(ninefold: Ninefold) -> None:
    """In a game of the gallery with both rules; the opening says what numbers count, too."""
    book = str(Path(__file__).parents[2] / "docs" / "gallery" / "coin-row.toml")
    shown = ninefold.run("play", book, typed="9\nboard\n").stdout
    counts = "In totals, 1 counts 3, 2 counts 9, 3 counts 1, 4 counts 6,"
    assert shown.startswith(counts)
    board = shown.rpartition(counts)[2]
    assert "You may take: 1 8\n" in board
    assert "counts itself" not in shown


def test_a_run_of_one_number_is_not_mistaken_for_its_length(ninefold: Ninefold) -> None:
    """Only 1, not 1."""
    arguments = ["play", "sequence-capture", "--set", "pool=1-6"]
    shown = ninefold.run(*arguments, typed="1\n2\n4\n3\n6\n5\n").stdout
    assert "Player 1 (X): longest sequence only 1. Player 2 (O): longest sequence 2-3." in shown
