"""OpenSpiel: its own tests and searches on every book and reading, and the judge's word on all."""

from __future__ import annotations

import unittest
from random import Random
from typing import Any

import numpy
import pytest
from effort import examples

from ninefold.solver import Solver

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.integration_tests import api_test
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import mcts, minimax, minimax_solver
from open_spiel.python.algorithms.get_all_states import get_all_states
from open_spiel.python.observation import INFO_STATE_OBS_TYPE

from contract.openspiel_cases import EVERY, ON_FEW_NUMBERS, RARE, READINGS
from ninefold.envs.openspiel.snapshot import Snapshot
from tools.judge_openspiel_games import judge_openspiel_games

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", EVERY)
def test_openspiels_random_simulations_pass(name: str) -> None:
    """Clones, histories, masks, returns, tensors, lengths, and every state written and read."""
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=10, serialize=True, verbose=False)
    recall = game.make_observer(INFO_STATE_OBS_TYPE, {})
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False, observer=recall)
    plain = game.make_observer({})
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False, observer=plain)


def run_case(base: type, name: str, label: str) -> int:
    """Run the tests of one of OpenSpiel's classes on a game; how many they are."""
    case = type("Case", (base,), {"game_name": label, "game": pyspiel.load_game(name)})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert not result.failures + result.errors
    return result.testsRun


@pytest.mark.parametrize("name", READINGS)
def test_openspiels_api_tests_pass(name: str) -> None:
    """Those it runs on a part of the tree of every game."""
    assert run_case(api_test.EnforceAPIOnPartialTreeBase, name, "ninefold") == 5


@pytest.mark.parametrize(
    ("name", "inner", "ends"),
    [
        # Five numbers, no set of three before the fifth: 5! games, and 1 + 5 + 20 + 60 + 120.
        ("ninefold(book=sequence_duel_sum,changes=pool:1-5)", 206, 120),
        ("ninefold(book=magic_fifteen,changes=pool:1-3;pie:true)", 19, 12),
        ("ninefold(book=magic_fifteen,changes=pool:1-2;passing:true)", 10, 13),
    ],
)
def test_openspiels_api_tests_pass_on_whole_trees(
    name: str, inner: int, ends: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Perfect recall, sums, information sets, and as many nodes as counted by hand."""
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, "ninefold", (0, inner, ends))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, "ninefold", inner)
    assert run_case(api_test.EnforceAPIOnFullTreeBase, name, "ninefold") == 8


@pytest.mark.parametrize("name", READINGS)
def test_games_judged_again_have_the_same_outcome(name: str) -> None:
    """Random games of every reading, by the referee, from their recorded moves."""
    assert judge_openspiel_games(name, examples(100)) == examples(100)


@pytest.mark.parametrize("name", READINGS)
def test_alpha_beta_search_agrees_with_our_solver(name: str) -> None:
    """From the start, for every book and reading."""
    game = pyspiel.load_game(name)
    value, action = minimax.alpha_beta_search(game, maximum_depth=40)
    best = Solver(game.book.game).value(game.book.game.start())
    assert value == {"win": 1, "draw": 0, "loss": -1}[best.result]
    state = game.new_initial_state()
    state.apply_action(action)
    after = Solver(game.book.game).value(state.snapshot.position)
    assert value == {"win": -1, "draw": 0, "loss": 1}[after.result]


def open_snapshots(start: Snapshot) -> dict[str, Snapshot]:
    """Every position that is not the end, by what is told of it, with a line that leads there."""
    found, waiting = {str(start): start}, [start]
    while waiting:
        line = waiting.pop()
        for action in line.legal:
            after = line.after(action)
            if after.legal and found.setdefault(str(after), after) is after:
                waiting.append(after)
    return found


@pytest.mark.parametrize("name", [*ON_FEW_NUMBERS, RARE[-1]])
def test_minimax_agrees_with_our_solver_everywhere(name: str) -> None:
    """The value of every position on few numbers; with a limit, as far as that lets it go."""
    game = pyspiel.load_game(name)
    solver, table = Solver(game.book.game), minimax_solver.MinimaxSolver(name).solve()
    lines = open_snapshots(game.shared.start)
    assert lines.keys() == table.keys()
    for told, line in lines.items():
        value, plies = solver.value(line.position)
        limit = game.shared.limit
        in_time = limit is None or plies <= limit - len(line.actions)
        expected = {"win": 1, "draw": 0, "loss": -1}[value] if in_time else 0
        assert table[told].value == expected, told


def test_magic_fifteen_is_tic_tac_toe() -> None:
    """As many positions as OpenSpiel finds in its own game, and the same returns of all games."""
    ours, theirs = (
        get_all_states(pyspiel.load_game(name), to_string=str)
        for name in ("ninefold(book=magic_fifteen)", "tic_tac_toe")
    )
    ends = [
        sorted(state.returns() for state in states.values() if state.is_terminal())
        for states in (ours, theirs)
    ]
    assert len(ours) == len(theirs) == 5478
    assert ends[0] == ends[1]


@pytest.mark.parametrize("name", READINGS)
def test_mcts_runs_in_python_and_compiled(name: str) -> None:
    """Bots of either kind play a game to its end; the moves are legal, or the judge would raise."""
    game, chance = pyspiel.load_game(name), numpy.random.RandomState(3)
    rollouts = mcts.RandomRolloutEvaluator(1, chance)
    bot = mcts.MCTSBot(game, 1.4, 20, rollouts, random_state=chance, solve=True)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert sum(state.returns()) == 0
    # The step of a compiled bot crashes on games in Python, OpenSpiel's own too; this does not.
    state, two = game.new_initial_state(), [compiled_bot(game, seed) for seed in (1, 2)]
    assert pyspiel.evaluate_bots(state, two, 3) == state.returns()
    assert state.is_terminal()


def compiled_bot(game: Any, seed: int) -> Any:
    """A search of 20 simulations, written in C++."""
    rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, rollouts, 1.4, 20, 10, solve=True, seed=seed, verbose=False)


def test_mcts_finds_the_number_that_wins() -> None:
    """5 and 8 want the 2."""
    game = pyspiel.load_game("ninefold(book=magic_fifteen)")
    chance = numpy.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(2, chance)
    bot = mcts.MCTSBot(game, 1.4, 300, evaluator, random_state=chance, solve=True)
    assert bot.step(game.new_initial_state("5 1 8 9")) == 1


def test_openspiels_environment_for_learners_runs() -> None:
    """Steps, legal actions, observations and rewards of both players."""
    environment = rl_environment.Environment("ninefold", book="pattern_builder")
    step, chance = environment.reset(), Random(2)
    assert environment.action_spec()["num_actions"] == 9
    while not step.last():
        player = step.observations["current_player"]
        legal = step.observations["legal_actions"]
        assert bool(legal[player]) and not legal[1 - player]
        step = environment.step([chance.choice(legal[player])])
    assert sorted(step.rewards) == [-1, 1]
