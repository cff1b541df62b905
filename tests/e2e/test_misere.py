"""Misère through the whole program: whoever completes a set loses."""

import pytest
from e2e.program import Ninefold

MISERE = ("--set", "misere=true")


@pytest.mark.parametrize(
    ("game", "typed", "ending"),
    [
        ("sequence-duel-arithmetic", "1 9 2 8 3", ["Player 1 holds 1, 2, 3", "Player 2 wins the"]),
        ("sequence-capture", "1 9 2 8 3 7 4", ["Player 1 holds 1, 2, 3, 4", "Player 2 wins the"]),
        ("sequence-duel-sum", "1 9 2 8 3", ["Player 1 holds 1 2 3", "Player 2 wins!"]),
        ("sequence-builder", "1 9 4 8 5 7", ["Player 2 holds 7, 8, 9", "Result: Player 1 wins!"]),
        ("pattern-builder", "1 9 2 8 3", ["Player 1 holds 1 2 3", "Player 2 wins the game!"]),
        ("magic-fifteen", "5 1 4 2 6", ["Player 1 holds 4 5 6", "Player 2 wins!"]),
    ],
)
def test_every_book_announces_who_lost(
    ninefold: Ninefold, game: str, typed: str, ending: list[str]
) -> None:
    """The set, that it loses, and the other player as the winner."""
    shown = ninefold.run("play", game, *MISERE, typed=typed.replace(" ", "\n") + "\n").stdout
    *_, held, loses, won = shown.splitlines()
    assert loses == "Whoever completes a set loses."
    assert held.replace(", ", " ").startswith(ending[0].replace(", ", " "))
    assert won.startswith(ending[1])


def test_the_rules_say_so(ninefold: Ninefold) -> None:
    """In the rules of the changed game, and nowhere else."""
    loses = "You lose as soon as you hold three numbers with a sum of 15"
    assert loses in ninefold.run("rules", "magic-fifteen", *MISERE).stdout
    assert "You lose" not in ninefold.run("rules", "magic-fifteen").stdout


def test_a_record_keeps_the_rule(ninefold: Ninefold) -> None:
    """Shown, resumed and reviewed under the rules it was played by."""
    ninefold.run("play", "magic-fifteen", *MISERE, typed="5\n1\n4\n2\nquit\n")
    ninefold.run("resume", typed="6\n")
    name = ninefold.records()[0].stem
    assert ninefold.records()[0].read_text().endswith("{sum; 4 5 6} 0-1\n")
    assert ninefold.json("show", name)["winner"] == 2
    review = ninefold.json("review", name)
    assert review["moves"][-1]["verdict"] in ("threw", "slipped", "lost")


def test_the_judge_and_the_solver_agree(ninefold: Ninefold) -> None:
    """Completing a set is a loss in one; tic-tac-toe stays a draw, by taking the centre alone."""
    judged = ninefold.run("referee", "magic-fifteen", *MISERE, typed="5 1 4 2 6\n").stdout
    assert '"status": "won", "winner": 2, "reason": "sum", "sets": [[4, 5, 6]]' in judged
    solved = ninefold.json("solve", "magic-fifteen", *MISERE, "--moves", "5 1 4 2")
    values = {move["number"]: (move["value"], move["plies"]) for move in solved["moves"]}
    assert values[6] == ("loss", 1)
    start = ninefold.json("solve", "magic-fifteen", *MISERE)
    assert start["value"] == "draw"
    assert [move["number"] for move in start["moves"] if move["value"] == "draw"] == [5]


@pytest.mark.parametrize(
    ("moves", "kind", "proof"),
    [
        (
            "4 2 5 1 3 6",
            "avoids",
            "Take 9: every other number completes a set, such as 3-5-7, and loses. "
            "Best play after 9: they take 7 and lose.",
        ),
        ("4 2 5 1 3", "corners", "After 9 your opponent has to complete a set, and loses."),
    ],
)
def test_hints(ninefold: Ninefold, moves: str, kind: str, proof: str) -> None:
    """They speak of sets to avoid."""
    data = ninefold.json("hint", "magic-fifteen", *MISERE, "--moves", moves)
    assert data["kind"] == kind
    assert data["sentences"][-1] == proof


@pytest.mark.parametrize("value", ["true", "maybe"])
def test_what_cannot_be_is_refused(ninefold: Ninefold, value: str) -> None:
    """Together with declaring it makes no sense; and it is true or false."""
    result = ninefold.run(
        "play", "pattern-builder", "--reading", "declare", "--set", f"misere={value}"
    )
    assert result.returncode == 2
    expected = "cannot be combined with declare" if value == "true" else "must be true or false"
    assert f"rules.misere: {expected}" in result.stderr
