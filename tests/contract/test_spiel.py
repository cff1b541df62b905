"""OpenSpiel: its own tests and searches on every book and reading, and the judge's word on all."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest

from contract.test_encoding import GALLERY
from ninefold import books
from ninefold.core.errors import Illegal, NinefoldError
from ninefold.envs.encoding import encoding_for
from ninefold.solver import Solver

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.integration_tests import api_test
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import generate_playthrough, mcts, minimax, minimax_solver
from open_spiel.python.algorithms.get_all_states import get_all_states
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from contract.spiel_games import judge_spiel_games
from ninefold.envs import spiel
from ninefold.envs.spiel.line import Line

READINGS = [
    f"ninefold(book={name.replace('-', '_')},reading={reading.replace('-', '_')})"
    for name in books.names()
    for reading in books.load(name).readings
]
BOOKS = [f"ninefold(book={name.replace('-', '_')})" for name in books.names()]
# Rules that no book here has: several picks, the pie rule, passing, who began, misère.
RARE = [
    "ninefold(book=magic_fifteen,changes=pool:1-7;picks-per-turn:2;passing:true)",
    "ninefold(book=magic_fifteen,changes=pool:1-6;pie:true;passing:true;otherwise:'second')",
    "ninefold(book=sequence_builder,changes=pool:1-6;hand-limit:3;in-order:true;misere:true)",
    "ninefold(book=pattern_builder,reading=declare,changes=pool:1-6;picks-per-turn:2;passing:true)",
    "ninefold(book=sequence_duel_sum,reading=lose_turn,max_plies=6)",
]
FILES = [f"ninefold(book={os.path.relpath(path)})" for path in GALLERY]
EVERY = [*READINGS, *RARE, *FILES]


def random_states(name: str, games: int) -> list[Any]:
    """Every state of some random games."""
    game, chance, found = pyspiel.load_game(name), Random(5), []
    for _ in range(games):
        state = game.new_initial_state()
        found.append(state.clone())
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            found.append(state.clone())
    return found


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
    """Hundreds of random games for every reading, by the referee, from their recorded moves."""
    assert judge_spiel_games(name, 300) == 300


@pytest.mark.parametrize("name", READINGS)
def test_alpha_beta_search_agrees_with_our_solver(name: str) -> None:
    """From the start, for every book and reading."""
    game = pyspiel.load_game(name)
    value, action = minimax.alpha_beta_search(game, maximum_depth=40)
    best = Solver(game.book.game).value(game.book.game.start())
    assert value == {"win": 1, "draw": 0, "loss": -1}[best.result]
    state = game.new_initial_state()
    state.apply_action(action)
    after = Solver(game.book.game).value(state.line.position)
    assert value == {"win": -1, "draw": 0, "loss": 1}[after.result]


def open_lines(start: Line) -> dict[str, Line]:
    """Every position that is not the end, by what is told of it, with a line that leads there."""
    found, waiting = {str(start): start}, [start]
    while waiting:
        line = waiting.pop()
        for action in line.legal:
            after = line.after(action)
            if after.legal and found.setdefault(str(after), after) is after:
                waiting.append(after)
    return found


@pytest.mark.parametrize("name", [*BOOKS, RARE[-1]])
def test_minimax_agrees_with_our_solver_everywhere(name: str) -> None:
    """The value of every position of every book; with a limit, as far as that lets it go."""
    game = pyspiel.load_game(name)
    solver, table = Solver(game.book.game), minimax_solver.MinimaxSolver(name).solve()
    lines = open_lines(game.table.start)
    assert lines.keys() == table.keys()
    for told, line in lines.items():
        value, plies = solver.value(line.position)
        limit = game.table.limit
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


@pytest.mark.parametrize("name", EVERY)
def test_states_are_told_alike_if_and_only_if_their_future_is(name: str) -> None:
    """By key, player and moves left: what solvers of OpenSpiel tell states apart by."""
    told: dict[str, object] = {}
    for state in random_states(name, 100):
        if not state.is_terminal():
            line = state.line
            limit = line.table.limit
            left = limit and limit - len(line.actions)
            known = line.position.key, line.player, left
            assert told.setdefault(str(state), known) == known
    assert len(set(told.values())) == len(told)


@pytest.mark.parametrize("name", EVERY)
def test_tensors_are_the_one_encoding(name: str) -> None:
    """The planes of either player; with perfect recall, every action so far besides."""
    game = pyspiel.load_game(name)
    encoding = encoding_for(game.book.game)
    seen, recalled = make_observation(game), make_observation(game, INFO_STATE_OBS_TYPE)
    histories = {}
    for state in random_states(name, 10):
        for player in (0, 1):
            planes = encoding.observe(state.line.position, player + 1)
            seen.set_from(state, player)
            assert seen.tensor.tolist() == planes.ravel().tolist()
            assert state.observation_tensor(player) == seen.tensor.tolist()
            assert pyspiel.State.observation_tensor(state, player) == seen.tensor.tolist()
            if player == state.current_player():
                assert state.observation_tensor() == seen.tensor.tolist()
            recalled.set_from(state, player)
            assert recalled.dict["observation"].tolist() == planes.tolist()
            rows, columns = recalled.dict["history"].nonzero()
            assert (rows.tolist(), columns.tolist()) == ([*range(len(rows))], state.history())
            histories[recalled.string_from(state, player)] = tuple(state.history())
    assert len(set(histories.values())) == len(histories)


SCRIPT = """
import sys, pyspiel, ninefold.envs.spiel
from open_spiel.python.algorithms import generate_playthrough
for name in sys.argv[1:]:
    print(generate_playthrough.playthrough(name, None, seed=7))
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while not state.is_terminal():
        print("@", pyspiel.serialize_game_and_state(game, state).encode().hex())
        state.apply_action(state.legal_actions()[len(state.history()) % 2 - 1])
"""


def test_the_same_seed_is_the_same_trajectory_in_every_process() -> None:
    """A playthrough by OpenSpiel, all it can ask of a state; what was written is read here."""
    said = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, *READINGS],
            env={**os.environ, "PYTHONHASHSEED": str(number)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for number in (1, 2)
    }
    assert len(said) == 1
    text = said.pop()
    here = [generate_playthrough.playthrough(name, None, seed=7) for name in READINGS]
    assert all(part in text for part in here)
    written = [line[2:] for line in text.splitlines() if line.startswith("@ ")]
    for line in written:
        game, state = pyspiel.deserialize_game_and_state(bytes.fromhex(line).decode())
        again = game.new_initial_state()
        for action in state.history():
            again.apply_action(action)
        assert str(again) == str(state) and again.moves == state.moves
    assert len(written) == 59


@pytest.mark.parametrize("name", EVERY)
def test_what_is_written_is_read(name: str) -> None:
    """Pickles, serialised text, JSON and the moves all lead to the same state."""
    game = pyspiel.load_game(name)
    assert pickle.loads(pickle.dumps(game)) == game == pyspiel.load_game(str(game))
    for state in random_states(name, 2):
        struct = state.to_struct()
        for read in (
            pickle.loads(pickle.dumps(state)),
            game.deserialize_state(state.serialize()),
            game.new_initial_state(struct),
            game.new_initial_state(state.to_dict()),
            game.new_initial_state(state.to_json()),
            game.new_initial_state(state.moves),
        ):
            assert str(read) == str(state) and read.returns() == state.returns()
            assert read.legal_actions() == state.legal_actions()
        for action in state.legal_actions():
            told = state.action_to_struct(action)
            assert state.struct_to_actions(told) == [action]
            assert state.string_to_action(state.action_to_string(action)) == action


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("5 5", "5 is already taken"),
        ("five", "'five' is not a move"),
        ({"hands": []}, "That tells no moves"),
        ("{", "That tells no moves"),
        ([5, 3], "That tells no moves"),
        (5, "That tells no moves"),
        ("5 lost", "'lost' is no action of this game"),
    ],
)
def test_a_start_that_is_none_is_refused(moves: Any, said: str) -> None:
    """As the judge would, or because it cannot be read."""
    with pytest.raises(NinefoldError, match=said):
        pyspiel.load_game("ninefold").new_initial_state(moves)


def test_a_clone_goes_its_own_way() -> None:
    """Neither sees what is played on the other."""
    state = pyspiel.load_game("ninefold").new_initial_state()
    state.apply_action(4)
    clone, child = state.clone(), state.child(3)
    clone.apply_action(5)
    assert [state.moves, clone.moves, child.moves] == ["5", "5 6", "5 4"]
    assert [state.history(), clone.history(), child.history()] == [[4], [4, 5], [4, 3]]


def test_illegal_actions_raise_and_change_nothing() -> None:
    """In the words of the judge."""
    state = pyspiel.load_game("ninefold(book=magic_fifteen)").new_initial_state()
    state.apply_action(4)
    for action, said in ((4, "5 is already taken"), (9, "9 is no action"), (-2, "-2 is no action")):
        with pytest.raises(Illegal, match=said):
            state.apply_action(action)
    assert state.history() == [4] and state.moves == "5"
    for action in (0, 7, 8, 1):  # 1, 8, 9, and 2: 5 + 8 + 2 = 15
        assert not state.is_terminal()
        state.apply_action(action)
    assert state.is_terminal() and state.returns() == [1, -1]
    with pytest.raises(Illegal, match="The game is over"):
        state.apply_action(6)


def test_actions_of_another_game_are_refused() -> None:
    """Sequence Capture has a number 10, Magic Fifteen has not."""
    ten = pyspiel.load_game("ninefold(book=sequence_capture)").new_initial_state()
    state = pyspiel.load_game("ninefold(book=magic_fifteen)").new_initial_state()
    with pytest.raises(Illegal, match="'10' is no action of this game"):
        state.apply_action_struct(ten.action_to_struct(9))
    assert state.apply_action_struct(ten.action_to_struct(8)).ok()
    assert not state.validate_action_struct(ten.action_to_struct(8)).ok()
    assert state.moves == "9"


def test_a_game_that_is_cut_off_is_drawn() -> None:
    """After four moves for each number, or as many as asked for."""
    for name, moves in (("", 36), (",max_plies=7", 7)):
        game = pyspiel.load_game(f"ninefold(book=sequence_duel_sum,reading=lose_turn{name})")
        state = game.new_initial_state()
        for number in range(moves):
            assert not state.is_terminal() and f"\n{moves - number} moves left" in str(state)
            state.apply_action(9)
        assert state.is_terminal() and state.returns() == [0, 0]
        assert state.current_player() == pyspiel.PlayerId.TERMINAL
        assert str(state).endswith("Draw: no moves left")
        assert game.max_game_length() == moves


@pytest.mark.parametrize(
    ("name", "longest", "told"),
    [
        ("ninefold(book=magic_fifteen)", 9, 9),
        ("ninefold(book=sequence_builder,reading=three_slots)", 6, 6),
        # Nine picks, a question after each one from the third of a hand on, alternating: 3 and 2.
        ("ninefold(book=pattern_builder,reading=declare)", 14, 16),
        # A pass before each pick; two before all but the first, where a turn can be cut short.
        ("ninefold(book=magic_fifteen,changes=pool:1-5;passing:true)", 10, 10),
        ("ninefold(book=magic_fifteen,changes=pool:1-4;passing:true;picks-per-turn:2)", 11, 11),
        ("ninefold(book=magic_fifteen,changes=pool:1-4;pie:true)", 5, 5),
        ("ninefold(book=magic_fifteen,changes=pool:1-5;passing:true,max_plies=7)", 7, 7),
    ],
)
def test_no_game_is_longer_than_told(name: str, longest: int, told: int) -> None:
    """Every game of these is played; the bound is hardly ever more than the longest."""
    game = pyspiel.load_game(name)
    assert max(len(line.actions) for line in all_lines(game.table.start)) == longest
    assert game.max_game_length() == told


def all_lines(start: Line) -> Iterator[Line]:
    """Lines to every position after every number of moves."""
    level = [start]
    while level:
        yield from level
        found = [line.after(action) for line in level for action in line.legal]
        level = [*{(line.position.key, line.player): line for line in found}.values()]


def test_names_may_be_written_either_way() -> None:
    """Dashes or underscores; what is the default is left out of the name that is kept."""
    spiel.register()  # once more does no harm
    for name in ("sequence_builder", "sequence-builder"):
        for reading in ("three_slots", "three-slots"):
            game = pyspiel.load_game(f"ninefold(book={name},reading={reading})")
            assert game.book.game is books.load("sequence-builder", "three-slots").game
            assert str(game) == "ninefold(book=sequence_builder,reading=three_slots,version=0)"
    assert str(pyspiel.load_game("ninefold")) == "ninefold(book=sequence_capture,version=0)"
    game = pyspiel.load_game("ninefold", {"book": "magic_fifteen", "max_plies": -1})
    assert str(game) == "ninefold(book=magic_fifteen,version=0)"


def test_a_rule_book_of_ones_own(tmp_path: Path) -> None:
    """A path is a parameter as well, unless OpenSpiel's notation has no way to write it."""
    book = tmp_path / "my game.toml"
    book.write_text("[rules]\npool = '1-6'\n[rules.wins]\nsum = {count = 2, equals = 9}\n")
    game = pyspiel.load_game(f"ninefold(book={book})")
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    assert game.num_distinct_actions() == 6
    odd = book.rename(tmp_path / "a=b.toml")
    with pytest.raises(NinefoldError, match="an equals sign"):
        pyspiel.load_game("ninefold", {"book": str(odd)})


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ("book=nothing", "There is no game 'nothing'"),
        ("book=./none.toml", "Cannot read the rule book"),
        ("reading=nothing", "has no reading 'nothing'"),
        ("version=1", "There is no version 1 of this game, only 0."),
        ("max_plies=-2", "must not be negative"),
        (
            "book=sequence_duel_sum,reading=lose_turn,max_plies=0",
            "The games of OpenSpiel are finite",
        ),
    ],
)
def test_wrong_parameters_are_told_in_a_sentence(parameters: str, said: str) -> None:
    """By us; what OpenSpiel itself refuses, it tells."""
    with pytest.raises(NinefoldError, match=said):
        pyspiel.load_game(f"ninefold({parameters})")
    with pytest.raises(pyspiel.SpielError, match="Available parameters are: book, changes"):
        pyspiel.load_game("ninefold(game=magic_fifteen)")


def test_without_openspiel_one_line_says_what_to_install() -> None:
    """The base install has none of it."""
    script = "import sys; sys.modules['pyspiel'] = None\nimport importlib.util as u\n"
    script += "real = u.find_spec\nu.find_spec = lambda name, *a: None if name == 'pyspiel' "
    script += "else real(name, *a)\ntry:\n    import ninefold.envs.spiel\n"
    script += "except ImportError as error:\n    print(error)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == (
        "pyspiel is not installed. Install it with: pip install 'ninefold[openspiel]'\n"
    )


@pytest.mark.parametrize("action", [-3, 9, 99])
def test_what_is_no_action_has_no_name(action: int) -> None:
    """Nothing is counted from the end."""
    state = pyspiel.load_game("ninefold(book=magic_fifteen)").new_initial_state()
    with pytest.raises(Illegal, match=f"{action} is no action. There are 0 to 8."):
        state.action_to_string(0, action)
