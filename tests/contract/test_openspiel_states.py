"""OpenSpiel: what its states, tensors, texts and parameters tell is what the judge knows."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ninefold import books
from ninefold.core.errors import Illegal, NinefoldError
from ninefold.encoding import encoding_for

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from contract.openspiel_cases import EVERY, READINGS, random_states
from ninefold.envs import openspiel
from ninefold.envs.openspiel.snapshot import Snapshot

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", EVERY)
def test_states_are_told_alike_if_and_only_if_their_future_is(name: str) -> None:
    """By key, player and moves left: what solvers of OpenSpiel tell states apart by."""
    told: dict[str, object] = {}
    for state in random_states(name, 100):
        if not state.is_terminal():
            line = state.snapshot
            limit = line.shared.limit
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
            planes = encoding.observe(state.snapshot.position, player + 1)
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
import sys, pyspiel, ninefold.envs.openspiel
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
        ({"hands": []}, "There are no moves in it"),
        ("{", "There are no moves in it"),
        ([5, 3], "There are no moves in it"),
        (5, "There are no moves in it"),
        ("5 lost", "'lost' is not an action of this game"),
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
    for action, said in (
        (4, "5 is already taken"),
        (9, "9 is not a valid action"),
        (-2, "-2 is not a valid action"),
    ):
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
    with pytest.raises(Illegal, match="'10' is not an action of this game"):
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
    assert max(len(line.actions) for line in all_snapshots(game.shared.start)) == longest
    assert game.max_game_length() == told


def all_snapshots(start: Snapshot) -> Iterator[Snapshot]:
    """Lines to every position after every number of moves."""
    level = [start]
    while level:
        yield from level
        found = [line.after(action) for line in level for action in line.legal]
        level = [*{(line.position.key, line.player): line for line in found}.values()]


def test_names_may_be_written_either_way() -> None:
    """Dashes or underscores; what is the default is left out of the name that is kept."""
    openspiel.register()  # once more does no harm
    for name in ("sequence_builder", "sequence-builder"):
        for reading in ("three_slots", "three-slots"):
            game = pyspiel.load_game(f"ninefold(book={name},reading={reading})")
            assert game.book.game is books.load_book("sequence-builder", "three-slots").game
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
    with pytest.raises(NinefoldError, match="bracket, equals sign"):
        pyspiel.load_game("ninefold", {"book": str(odd)})


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ("book=nothing", "There is no game 'nothing'"),
        ("book=./none.toml", "Cannot read the rule book"),
        ("reading=nothing", "has no reading 'nothing'"),
        ("version=1", "Version 1 of this game does not exist, only 0."),
        ("max_plies=-2", "must not be negative"),
        (
            "book=sequence_duel_sum,reading=lose_turn,max_plies=0",
            "Games in OpenSpiel are finite",
        ),
    ],
)
def test_wrong_parameters_are_told_in_a_sentence(parameters: str, said: str) -> None:
    """By us; what OpenSpiel itself refuses, it tells."""
    with pytest.raises(NinefoldError, match=said):
        pyspiel.load_game(f"ninefold({parameters})")
    with pytest.raises(pyspiel.SpielError, match="Available parameters are: book, changes"):
        pyspiel.load_game("ninefold(game=magic_fifteen)")


@pytest.mark.parametrize("action", [-3, 9, 99])
def test_what_is_no_action_has_no_name(action: int) -> None:
    """Nothing is counted from the end."""
    state = pyspiel.load_game("ninefold(book=magic_fifteen)").new_initial_state()
    with pytest.raises(Illegal, match=f"{action} is not a valid action. Use 0 to 8."):
        state.action_to_string(0, action)
