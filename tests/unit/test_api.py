"""The public Python API, as a notebook would use it."""

import doctest
import subprocess
import sys

import pytest

import ninefold


def test_the_example_in_the_package_docstring_is_true() -> None:
    """It is run, not believed."""
    results = doctest.testmod(ninefold)
    assert results.attempted >= 4
    assert results.failed == 0


def test_a_game_reads_well() -> None:
    """Load, play, ask what is legal, who won, why, with which numbers."""
    game = ninefold.load("sequence-builder", "three-slots")
    position = game.start(first=2).play(4).play(1).play(6)
    assert position.turn == 1
    assert position.hands == ((1,), (4, 6))
    assert position.legal == [2, 3, 5, 7, 8, 9]
    assert position.threats(2) == (2, 5, 8, 9)
    outcome = position.play(3).play(9).outcome
    assert outcome is not None
    assert outcome.winner == 2
    assert outcome.reason == "geometric"
    assert outcome.sets == ((4, 6, 9),)


def test_errors_say_what_to_do() -> None:
    """A code for programs, a sentence for people."""
    position = ninefold.load("sequence-capture").play("5")
    with pytest.raises(ninefold.Illegal) as caught:
        position.play(5)
    assert caught.value.code == "taken"
    assert str(caught.value) == "5 is already taken. Choose one of: 1 2 3 4 6 7 8 9 10"


def test_a_pass_may_be_left_out_of_a_list_of_moves() -> None:
    """Picking on, or ending the list, answers the question with no."""
    game = ninefold.load("pattern-builder", "declare")
    assert game.play("5 4 7 6 9 1").hands == ((5, 7, 9), (4, 6, 1))
    nobody = game.play("7 8 1 4 9 6 3 5 2").outcome
    assert nobody == ninefold.Outcome(2, "first-complete", ((4, 6, 8),))
    last = game.play("7 8 1 4 9 6 3 5 2 declare:1:2:3").outcome
    assert last == ninefold.Outcome(1, "arithmetic", ((1, 2, 3),))


def test_a_written_list_means_the_same_everywhere() -> None:
    """An unavailable number is the lost turn that the reading makes of it."""
    game = ninefold.load("sequence-duel-sum", "lose-turn")
    assert game.play("5 5 4 99 9") == game.play("5 lost 4 lost 9")
    with pytest.raises(ninefold.Illegal):
        ninefold.load("sequence-duel-sum").play("5 5")


def test_the_smallest_set_is_announced_first_whatever_its_family() -> None:
    """1 2 4 is geometric, 2 4 6 arithmetic; one pick completes both."""
    outcome = ninefold.load("pattern-builder").play("2 9 6 7 1 3 4").outcome
    assert outcome == ninefold.Outcome(1, "geometric", ((1, 2, 4), (2, 4, 6)))


def test_positions_of_a_game_loaded_twice_are_equal() -> None:
    """A notebook can compare them."""
    one, two = ninefold.load("sequence-capture"), ninefold.load("sequence-capture")
    assert one.play("5 6") == two.play("5 6")


def test_every_public_name_is_there() -> None:
    """Names are imported on first use, and a wrong one is an AttributeError."""
    for name in ("Game", "Position", "Outcome", "Move", "Declare", "PASS", "LOST", "Unreadable"):
        assert getattr(ninefold, name) is not None
    assert {"Outcome", "load", "games"} <= set(dir(ninefold))
    with pytest.raises(AttributeError):
        _ = ninefold.Nonsense


def test_importing_the_package_is_cheap() -> None:
    """No front end and no dependency comes along."""
    code = (
        "import sys, ninefold; ninefold.load('sequence-capture').play('5 6'); "
        "print([m for m in ('prompt_toolkit', 'platformdirs', 'argparse', 'ninefold.cli', "
        "'ninefold.line', 'dataclasses') if m in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "[]\n"


def test_the_example_in_the_coach_docstring_is_true() -> None:
    """It is run, not believed."""
    import ninefold.coach

    results = doctest.testmod(ninefold.coach)
    assert results.attempted >= 5
    assert results.failed == 0


def test_the_example_in_the_solver_docstring_is_true() -> None:
    """It is run, not believed."""
    import ninefold.solver

    results = doctest.testmod(ninefold.solver)
    assert results.attempted >= 5
    assert results.failed == 0


def test_a_refusal_comes_back_whole_from_another_process() -> None:
    """Its kind, code, words and number; whatever it was made with."""
    import pickle

    with pytest.raises(ninefold.Illegal) as refused:
        ninefold.load("magic-fifteen").play("5 5")
    again = pickle.loads(pickle.dumps(refused.value))
    assert type(again) is ninefold.Illegal
    assert (again.code, again.number) == (refused.value.code, 5)
    assert (str(again), again.message) == (str(refused.value), refused.value.message)
