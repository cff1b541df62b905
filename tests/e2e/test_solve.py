"""The solver and changed rules, from the command line."""

import pytest
from e2e.program import Ninefold


def test_the_table_of_a_position(ninefold: Ninefold) -> None:
    """Value, distance, and every move."""
    shown = ninefold.run("solve", "sequence-duel-arithmetic", "--moves", "4 6 5 7").stdout
    lines = shown.splitlines()
    assert lines[0] == "sequence-duel-arithmetic (default), player 1 to act: win in 1 ply."
    assert lines[2:8] == [
        "move  value    plies",
        "1     loss     2",
        "2     loss     2",
        "3     win      1",
        "8     win      3",
        "9     loss     2",
    ]
    assert lines[-1].split()[1:3] == ["positions", "in"]


def test_the_same_as_data(ninefold: Ninefold) -> None:
    """The fields a program relies on."""
    data = ninefold.json("solve", "magic-fifteen", "--moves", "5,2,1")
    assert (data["value"], data["plies"]) == ("draw", 6)
    assert data["moves"][0] == {"move": "3", "number": 3, "value": "loss", "plies": 2}
    assert data["positions"] > 0
    assert data["seconds"] >= 0


def test_changed_rules_are_solved_played_judged_and_recorded(ninefold: Ninefold) -> None:
    """Wherever a game is named; a record knows its changes."""
    changes = ["--set", "pool=1-8", "--set", "wins.geometric=false"]
    data = ninefold.json("solve", "pattern-builder", *changes)
    assert len(data["moves"]) == 8
    assert data["value"] == "win"
    moves = "1\n3\n2\n4\n5\n7\n6\n8\n"
    played = ninefold.run("play", "pattern-builder", *changes, typed=moves)
    assert played.stdout.endswith("The game is a draw.\n")
    (path,) = ninefold.records()
    assert '[Changes "pool=1-8; wins.geometric=false"]' in path.read_text()
    assert ninefold.json("show", path.stem)["result"] == "1/2-1/2"
    judged = ninefold.run("referee", "pattern-builder", *changes, typed=moves.replace("\n", " "))
    assert '"status": "drawn"' in judged.stdout
    assert "Changed here: pool=1-8" in ninefold.run("rules", "pattern-builder", *changes).stdout


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("pol=1-8", "rules.pol: no such field (did you mean pool?)"),
        ("pool=1-99", "rules.pool: a range"),
        ("pool", "a change such as pool=1-15 is expected"),
        ("pool=1-8; x=1", "a change such as pool=1-15 is expected"),
        ("=5", "a change such as pool=1-15 is expected"),
        ("hand-limit=" + "9" * 5000, "a change such as pool=1-15 is expected"),
        ("pool=" + "[" * 150, "rules.pool: a range"),
        ("wins.arithmetic.length=x", "rules.wins.arithmetic.length: a whole number is expected"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(
    ninefold: Ninefold, change: str, reason: str
) -> None:
    """With the field and what was expected."""
    result = ninefold.run("solve", "pattern-builder", "--set", change)
    assert result.returncode == 2
    assert reason in result.stderr


def test_out_of_time_is_unknown_and_nothing_else(ninefold: Ninefold) -> None:
    """An honest answer on a pool that is too large for the time given."""
    data = ninefold.json("solve", "sequence-capture", "--set", "pool=1-40", "--time-budget", "0.2")
    assert data["value"] == "unknown"
    assert data["plies"] is None
    assert {move["value"] for move in data["moves"]} <= {"unknown", "win", "loss", "draw"}


def test_a_finished_position_has_nothing_to_solve(ninefold: Ninefold) -> None:
    """A line on standard error."""
    result = ninefold.run("solve", "magic-fifteen", "--moves", "5 1 4 2 6")
    assert result.returncode == 2
    assert "The game is over" in result.stderr


def test_the_perfect_player_says_what_it_cannot_play(ninefold: Ninefold) -> None:
    """Before the game begins."""
    result = ninefold.run("play", "sequence-capture", "--set", "pool=1-15", "--p2", "perfect")
    assert result.returncode == 2
    assert "too large for perfect" in result.stderr
