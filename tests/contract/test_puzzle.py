"""Puzzles against brute force: all of them, each with one answer, rated as the definition says."""

from __future__ import annotations

import pytest

from contract import naive
from contract.brute import BruteForce, Known, brute_force
from contract.language import WRITTEN, Written
from contract.walks import READINGS, Case, naive_move, on_few_numbers
from ninefold.coach.puzzle import Puzzle, puzzles
from ninefold.players import LEVELS, LevelPlayer


def is_puzzle(brute: BruteForce, state: naive.State) -> bool:
    """Whether exactly one move wins, it is a number, and there is another to choose."""
    if state.asking or len(naive.choices(brute.rules, state, state.turn)) < 2:
        return False
    wins = [move for move, value in brute.values(state).items() if value[0] == "win"]
    return len(wins) == 1 and isinstance(wins[0], int)


def state_of(brute: BruteForce, puzzle: Puzzle) -> naive.State:
    """Where the moves of a puzzle lead."""
    return brute.play(naive.start(puzzle.first), map(naive_move, puzzle.moves))


def expected_rating(values: dict[naive.Move, Known], answer: int, turn: int) -> int:
    """The first level that sees the win, or sees that every other move loses.

    ``turn`` is how many plies a turn takes.
    """
    others = [value for move, value in values.items() if move != answer]
    for level, plies in LEVELS.items():
        sight = plies * turn
        if values[answer][1] <= sight:
            return level
        if all(result == "loss" and length <= sight for result, length in others):
            return level
    raise AssertionError("no level sees this win")


@pytest.mark.slow
@pytest.mark.parametrize("case", on_few_numbers(READINGS, 7), ids=str)
def test_all_puzzles_and_nothing_else(case: Case) -> None:
    """Every position with one winning number is there once; its answer, depth and rating agree."""
    assert check_puzzles(case) > 50


@pytest.mark.parametrize("case", WRITTEN, ids=str)
def test_all_puzzles_under_every_rule(case: Written) -> None:
    """Of the books that use the whole language; some of them are too simple to have any."""
    check_puzzles(case)


@pytest.mark.slow
def test_few_books_are_without_puzzles() -> None:
    """Otherwise the test above would look at nothing."""
    assert sum(bool(puzzles(case.game)) for case in WRITTEN) > len(WRITTEN) * 3 // 4


def check_puzzles(case: Case | Written) -> int:
    """Compare all puzzles of a game with those of brute force; how many there are."""
    brute, found = brute_force(case), puzzles(case.game)
    expected = {
        position.key
        for state, position in brute.pairs
        if position.outcome is None and is_puzzle(brute, state)
    }
    assert {puzzle.position.key for puzzle in found} == expected
    assert len(found) == len(expected) == len({puzzle.identity for puzzle in found})
    turn = (2 if case.game.rules.declare else 1) * case.rules.picks
    for puzzle in found:
        values = brute.values(state_of(brute, puzzle))
        assert values[puzzle.answer] == ("win", puzzle.plies)
        assert [move for move in values if values[move][0] == "win"] == [puzzle.answer]
        assert puzzle.rating == expected_rating(values, puzzle.answer, turn)
    return len(found)


@pytest.mark.parametrize("case", [*on_few_numbers(READINGS, 7), *WRITTEN], ids=str)
def test_a_level_is_sure_of_what_is_rated_up_to_it_and_of_nothing_else(
    case: Case | Written,
) -> None:
    """More sight never makes a puzzle harder; what else a lower level considers are the decoys."""
    for puzzle in puzzles(case.game)[::7]:
        for level in LEVELS:
            seen = LevelPlayer(level).candidates(puzzle.position)
            assert (seen == [puzzle.answer]) == (level >= puzzle.rating)
            if level == puzzle.rating - 1:
                assert puzzle.decoys == len([move for move in seen if move != puzzle.answer]) > 0
