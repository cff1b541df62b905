"""Puzzles and practice, as users meet them."""

import json
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from e2e.program import Ninefold
from e2e.terminal import Terminal

DUEL = "sequence-duel-arithmetic"


@pytest.fixture(autouse=True)
def _noon(ninefold: Ninefold) -> None:
    """It is about noon where the player is, so that no test runs into the next day."""
    ninefold.environment["TZ"] = f"HERE{time.gmtime().tm_hour - 12:+d}"


def days_ago(ninefold: Ninefold, days: int) -> None:
    """Move every practice answer and every game back in time."""

    def earlier(text: str) -> str:
        moment = datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ") - timedelta(days)
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    for path in [*ninefold.records(), practice_log(ninefold)]:
        lines = path.read_text().splitlines(keepends=True)
        for at, line in enumerate(lines):
            if line.startswith('[Date "'):
                lines[at] = f'[Date "{earlier(line[7:27])}"]\n'
            elif " solved " in line or " failed " in line:
                lines[at] = earlier(line[:20]) + line[20:]
        path.write_text("".join(lines))


def practice_log(ninefold: Ninefold) -> Path:
    """The file of answers, which exists from here on."""
    path = ninefold.data / "ninefold" / "practice.log"
    path.touch()
    return path


def test_the_same_seed_gives_the_same_puzzles(ninefold: Ninefold) -> None:
    """As data, with the answer, in the order of their ratings."""
    arguments = ("puzzle", "sequence-capture", "--seed", "7", "--count", "6")
    found = ninefold.json(*arguments)
    assert found == ninefold.json(*arguments)
    assert [puzzle["rating"] for puzzle in found] == [1, 2, 3, 4, 5, 5]
    for puzzle in found:
        moves = " ".join(puzzle["moves"])
        solved = ninefold.json("solve", "sequence-capture", "--moves", moves)
        wins = [move["number"] for move in solved["moves"] if move["value"] == "win"]
        assert wins == [puzzle["answer"]]
        assert solved["plies"] == puzzle["plies"]


def test_a_rating_is_respected_and_counted(ninefold: Ninefold) -> None:
    """Only that rating; how many there are of each."""
    found = ninefold.json("puzzle", "magic-fifteen", "--rating", "4", "--count", "1000")
    counts = ninefold.json("puzzle", "magic-fifteen", "--list")
    assert {puzzle["rating"] for puzzle in found} == {4}
    assert len(found) == counts["4"]
    shown = ninefold.run("puzzle", "magic-fifteen", "--list").stdout
    assert f"rating 4: {counts['4']}\n" in shown
    assert f"{sum(counts.values()):,} in all\n" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Name a game, or add --mistakes."),
        (["sequence-duel-sum", "--rating", "5"], "There are puzzles rated 1, 2, 3."),
        (["sequence-capture", "--set", "pool=1-12", "--list"], "up to 11 numbers."),
        (["sequence-capture", "--set", "pool=1-15"], "up to 11 numbers."),
        (["magic-fifteen", "--set", "wins.sum.equals=99"], "just one winning number"),
        (["--mistakes", "--reading", "declare"], "need a GAME"),
        (["--mistakes", "--seed", "1"], "--seed does not work with --mistakes"),
        (["sequence-captrue"], "did you mean"),
    ],
)
def test_refusals_say_what_to_do(ninefold: Ninefold, arguments: list[str], said: str) -> None:
    """Exit code 2, one line, no traceback."""
    result = ninefold.run("puzzle", *arguments)
    assert result.returncode == 2
    *waiting, refusal = result.stderr.splitlines()
    assert said in refusal
    # On a slow machine, it says first what takes so long.
    assert waiting in ([], ["Searching every position for puzzles ..."])


def test_the_end_of_input_ends_the_puzzles(ninefold: Ninefold) -> None:
    """With the summary; what was answered counts."""
    result = ninefold.run("puzzle", "sequence-capture", "--seed", "1", typed="3\n5")
    assert result.returncode == 0
    assert result.stdout.endswith("\nSolved on the first try: 1 of 2 puzzles.\n")
    nothing = ninefold.run("puzzle", "sequence-capture", "--seed", "1")
    assert nothing.stdout.endswith("\nYou answered no puzzles.\n")


def test_a_puzzle_that_was_missed_comes_back(ninefold: Ninefold) -> None:
    """Among the mistakes, if it is of the game asked for; one that was solved does not."""
    arguments = ("puzzle", "sequence-capture", "--seed", "1", "--count", "2")
    one, two = ninefold.json(*arguments)
    wrong = next(number for number in one["available"] if number != one["answer"])
    typed = f"{wrong}\n{one['answer']}\n{two['answer']}\n"
    shown = ninefold.run(*arguments, typed=typed)
    assert "Solved on the first try: 1 of 2 puzzles.\n" in shown.stdout
    assert "Again:" not in shown.stdout
    (missed,) = ninefold.json("puzzle", "--mistakes")
    assert {name: missed[name] for name in one} == one
    assert (missed["record"], missed["played"]) == (None, None)
    assert ninefold.json("puzzle", "--mistakes", DUEL) == []
    assert ninefold.json("puzzle", "--mistakes", "sequence-capture") == [missed]
    assert "Due now: 1 of 1." in ninefold.run("puzzle", "--mistakes", "--list").stdout
    solved = ninefold.run("puzzle", "--mistakes", typed=f"{one['answer']}\n").stdout
    assert "Right!" in solved
    assert "Nothing is due now." in ninefold.run("puzzle", "--mistakes").stdout


def test_mistakes_come_back_until_they_are_solved_and_then_later(ninefold: Ninefold) -> None:
    """Failed: once more in the same session. Solved: tomorrow, then in three days, in seven."""
    ninefold.run("play", DUEL, typed="9\n8\n1\n5\n")
    shown = ninefold.run("puzzle", "--mistakes", typed="7\n5\n5\n").stdout
    assert "7 loses: they 5, you 1, they 4, you 2, they take 3 and win. Try again.\n" in shown
    assert "Puzzle 2 of 2" in shown
    assert "Again: you missed this one last time.\n" in shown
    assert shown.endswith("Solved on the first try: 0 of 1 puzzle.\n")
    for days in (1, 3, 7):
        waiting = ninefold.run("puzzle", "--mistakes")
        assert waiting.stdout.startswith("Nothing is due now. The next of 1 is due on 2")
        days_ago(ninefold, days - 1)
        assert "Nothing is due now" in ninefold.run("puzzle", "--mistakes", DUEL).stdout
        days_ago(ninefold, 1)
        assert "Due now: 1 of 1.\n" in ninefold.run("puzzle", "--mistakes", "--list").stdout
        solved = ninefold.run("puzzle", "--mistakes", typed="5\n").stdout
        assert "Right! Take 5: the only number that wins, in 7 moves" in solved
        assert solved.endswith("Solved on the first try: 1 of 1 puzzle.\n")
    assert ninefold.json("puzzle", "--mistakes")[0]["solved"] == 4


def test_leaving_does_not_undo_a_failure(ninefold: Ninefold) -> None:
    """A wrong answer is written down at once; a puzzle only looked at is not."""
    ninefold.run("play", DUEL, typed="9\n8\n1\n5\n")
    ninefold.run("puzzle", "--mistakes", typed="hint\nskip\n")
    assert not (ninefold.data / "ninefold" / "practice.log").exists()
    ninefold.run("puzzle", "--mistakes", typed="7\nquit\n")
    assert practice_log(ninefold).read_text().split()[1] == "failed"
    ninefold.run("puzzle", "--mistakes", typed="hint\nhint\nquit\n")
    assert practice_log(ninefold).read_text().count(" failed ") == 2


def test_mistakes_of_one_game_only(ninefold: Ninefold) -> None:
    """By game, and by rating; the most overdue first."""
    ninefold.run("play", DUEL, typed="9\n8\n1\n5\n")
    days_ago(ninefold, 2)
    (other,) = ninefold.json("puzzle", "magic-fifteen", "--seed", "1", "--count", "1")
    wrong = next(number for number in other["available"] if number != other["answer"])
    typed = "".join(f"{move}\n" for move in (*other["moves"], wrong))
    ninefold.run("play", "magic-fifteen", typed=typed)
    games = [item["game"] for item in ninefold.json("puzzle", "--mistakes")]
    assert games[0] == DUEL
    assert set(games) == {DUEL, "magic-fifteen"}
    only = ninefold.json("puzzle", "--mistakes", "magic-fifteen")
    assert {item["game"] for item in only} == {"magic-fifteen"}
    assert ninefold.json("puzzle", "--mistakes", "--rating", "5") == []
    assert ninefold.json("puzzle", "--mistakes", DUEL, "--set", "pool=1-8") == []
    one = ninefold.run("puzzle", "--mistakes", "--count", "1", typed="5\n").stdout
    assert f"Still due: {len(games) - 1}.\n" in one


def test_mistakes_in_a_game_too_large_to_list(ninefold: Ninefold) -> None:
    """Only positions of recorded games are looked at, so 14 numbers are not too many."""
    larger = ("sequence-capture", "--set", "pool=1-14")
    ninefold.run("play", *larger, typed="1\n7\n2\n8\n3\n9\n12\n4\n")
    found = ninefold.json("puzzle", "--mistakes", *larger)
    assert (found[-1]["answer"], found[-1]["played"], found[-1]["ply"]) == (4, "12", 7)


def test_no_mistakes_and_damaged_records(ninefold: Ninefold) -> None:
    """Both are told, neither is an error."""
    nothing = ninefold.run("puzzle", "--mistakes")
    assert nothing.returncode == 0
    assert "no missed win with a single winning number" in nothing.stdout
    ninefold.run("play", DUEL, typed="9\n8\n1\n5\n")
    (ninefold.games / "broken.ninefold").write_text("nonsense\n")
    practice_log(ninefold).write_bytes(b"\xff\x00 nonsense\n{")
    result = ninefold.run("puzzle", "--mistakes", typed="5\n")
    assert result.returncode == 0
    assert "broken.ninefold, line 1" in result.stderr
    assert result.stdout.endswith("Solved on the first try: 1 of 1 puzzle.\n")
    assert practice_log(ninefold).read_bytes().startswith(b"\xff\x00 nonsense\n{\n20")


def test_progress_that_cannot_be_kept_is_reported_once(ninefold: Ninefold) -> None:
    """And practice goes on."""
    ninefold.run("play", DUEL, typed="9\n8\n1\n5\n")
    log = practice_log(ninefold)
    log.unlink()
    (ninefold.data / "file").touch()
    log.symlink_to(ninefold.data / "file" / "practice.log")
    result = ninefold.run("puzzle", "--mistakes", typed="7\n5\n5\n")
    assert result.returncode == 0
    assert result.stderr.count("Your progress cannot be saved") == 1
    assert result.stdout.count("Right!") == 2


def test_a_puzzle_on_a_real_terminal(ninefold: Ninefold) -> None:
    """At forty columns: completion, status, no broken words; Ctrl-C leaves with 130."""
    terminal = Terminal(ninefold, "puzzle", "sequence-capture", "--seed", "1", columns=40, rows=60)
    terminal.wait_for("One number wins. ? for help")
    assert "Player 1 (X) is to move. One number\nwins." in terminal.text
    terminal.type("sol\t")
    terminal.wait_for("> solution")
    terminal.enter("")
    terminal.wait_for("3 completes 1-2-3-4 and wins.")
    terminal.wait_for("Puzzle 2 of 5")
    terminal.enter("6")
    terminal.wait_for("Right! Take 6, or your opponent\ncompletes 6-7-8-9.")
    terminal.type("\x03")
    assert terminal.wait_for_end() == 130
    assert "Traceback" not in terminal.text


def test_the_end_of_input_on_a_terminal(ninefold: Ninefold) -> None:
    """Ctrl-D leaves cleanly."""
    terminal = Terminal(ninefold, "puzzle", "sequence-capture", "--seed", "1", rows=60)
    terminal.wait_for("One number wins. ? for help")
    terminal.enter("3")
    terminal.wait_for("Puzzle 2 of 5")
    terminal.type("\x04")
    assert terminal.wait_for_end() == 0
    assert terminal.text.endswith("Solved on the first try: 1 of 1 puzzle.")


def test_the_data_of_mistakes(ninefold: Ninefold) -> None:
    """What was played, where, and when it is due."""
    ninefold.run("play", DUEL, typed="9\n8\n1\n5\n")
    (item,) = json.loads(ninefold.run("puzzle", "--mistakes", "--json").stdout)
    assert (item["answer"], item["played"], item["ply"]) == (5, "8", 2)
    assert item["record"] == ninefold.records()[0].stem
    assert item["solved"] == 0
    assert item["moves"] == ["9"]
