"""``ninefold exam``: what is proved about a player, and what cannot be."""

from pathlib import Path

import pytest
from e2e.program import Ninefold

MODULE = """import random
def smallest(observations, masks):
    return masks.argmax(axis=1)
def fickle(position):
    return random.choice(position.picks)
def wrong(observations, masks):
    return masks.argmax(axis=1), None
"""


@pytest.fixture
def exam(ninefold: Ninefold, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ninefold:
    """The program in a folder with agents."""
    (tmp_path / "my_agents.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return ninefold


def test_a_player_that_makes_mistakes_is_told_the_shortest(exam: Ninefold) -> None:
    """Exit code 1; the other seat is lost anyway."""
    result = exam.run("exam", "sequence-duel-sum", "--player", "python:my_agents:smallest")
    assert result.returncode == 1
    assert " ".join(result.stdout.split()) == (
        "Seat 1 is won: at worst it loses (50 decisions, 39 ends). "
        "Its shortest mistake is the last move of 1 2 3 4 5. "
        "Seat 2 is lost: at worst it loses (117 decisions, 93 ends). "
        "Its shortest mistake is the last move of 2 1 3 4. "
        "It keeps 1,695 of 2,971 positions that are won or drawn."
    )


def test_the_perfect_player_passes(exam: Ninefold) -> None:
    """Though it chooses at random between equally good moves."""
    data = exam.json("exam", "magic-fifteen", "--player", "perfect")
    assert [(seat["holds"], seat["worst"], seat["slip"]) for seat in data["seats"]] == [
        (True, 0, ""),
        (True, 0, ""),
    ]
    assert (data["consistent"], data["kept"], data["worth"]) == (True, 3888, 3888)


def test_a_program_is_examined(exam: Ninefold, example: str) -> None:
    """The bot of the documentation picks at random, which shows."""
    result = exam.run("exam", "magic-fifteen", "--player", f"program:{example}")
    assert result.returncode == 1
    assert result.stdout.startswith("The agent answers the same question differently.")


@pytest.mark.parametrize(
    ("who", "code", "said"),
    [
        ("python:my_agents:fickle", 1, "answers the same question differently"),
        ("python:my_agents:wrong", 2, "must return one array, not a tuple of 2"),
        ("human", 2, "A person cannot be examined."),
        ("agent:nowhere.npz", 2, "there is no such file"),
    ],
)
def test_what_cannot_be_proved_is_refused(exam: Ninefold, who: str, code: int, said: str) -> None:
    """In a sentence, without a traceback."""
    result = exam.run("exam", "magic-fifteen", "--player", who)
    assert result.returncode == code
    said_all = " ".join((result.stdout + result.stderr).split())
    assert said in said_all and "Traceback" not in said_all


def test_a_game_that_is_too_large_is_refused_at_once(exam: Ninefold) -> None:
    """It would take for ever."""
    result = exam.run("exam", "magic-fifteen", "--set", "pool=1-20", "--player", "random")
    assert result.returncode == 2
    assert "too large to follow every reply" in " ".join(result.stderr.split())
