"""The oracle knows what the solver knows, of every position there is."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy
import pytest
from effort import examples
from hypothesis import HealthCheck, assume, given, settings

from contract.strategies import (
    Twins,
    declared_rules,
    open_rules,
    ordered_rules,
    with_limits,
    with_turns,
)
from contract.test_encoding import load
from contract.test_vector import EVERY_DAY, RARE
from ninefold import state_table
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST
from ninefold.core.position import Position
from ninefold.encoding import encoding_for
from ninefold.envs.gym.vector import NinefoldVectorEnv
from ninefold.oracle import ENDLESS, Oracle, UnknownObservation, oracle_for, oracle_of
from ninefold.reachable import TooLarge
from ninefold.solver import Solver, solver_for
from ninefold.state_table import OPEN

SIGNS = {"win": 1, "draw": 0, "loss": -1}
SMALL: list[tuple[str, str | None]] = [
    *RARE,
    ("magic-fifteen", "pool=1-7 passing=true"),
    ("magic-fifteen", "pool=1-6 passing=true ending=[{measure='last-pick',prefer='lower'}]"),
    ("magic-fifteen", "pool=1-8 misere=true"),
    ("sequence-capture", "pool=1-8 misere=true wins.consecutive.length=3"),
    ("sequence-duel-sum", "pool=1-7 invalid='lose-turn' misere=true"),
    ("magic-fifteen", "pool=1-6 invalid='lose-turn' picks-per-turn=2 pie=true"),
    ("pattern-builder", "pool=1-6 declare=true picks-per-turn=2"),
    ("pattern-builder", "pool=1-5 declare=true passing=true"),
    ("magic-fifteen", "pool=1-7 otherwise='second' pie=true"),
]


def expected(solver: Solver, position: Position) -> tuple[int, int, list[int], list[int]]:
    """Value, distance, optimal and keeping actions, all by the solver."""
    action = encoding_for(position.game).action
    result, plies = solver.value(position)
    moves = solver.moves(position)
    keeping = {action(move) for move, value, _ in moves if value == result}
    best = {action(move) for move in solver.best(position)}
    return SIGNS[result], ENDLESS if plies is None else plies, sorted(best), sorted(keeping)


def told(answers: Any, at: int) -> tuple[int, int, list[int], list[int]]:
    """The same of an oracle's answers."""
    best, keeping = (numpy.flatnonzero(mask[at]).tolist() for mask in answers[2:4])
    assert answers.known[at]
    return int(answers.values[at]), int(answers.distances[at]), best, keeping


def assert_everywhere_equal(game: Game, solver: Solver) -> None:
    """Fail unless oracle and solver agree on every position that can be reached."""
    oracle = Oracle(oracle_for(game).table)
    states = numpy.flatnonzero(oracle.table.ends == OPEN).tolist()
    positions = [oracle.table.positions[state] for state in states]
    answers = oracle.ask([oracle.encoding.observe(position) for position in positions])
    for at, position in enumerate(positions):
        assert told(answers, at) == expected(solver, position), position


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), [*EVERY_DAY, *SMALL])
def test_oracle_and_solver_agree_on_every_reachable_position(
    name: str, reading: str | None
) -> None:
    """Value, distance, the optimal moves and those that keep the value."""
    game = load(name, reading)
    assert_everywhere_equal(game, solver_for(game))


@given(
    both=open_rules((1, 5))
    | with_turns(open_rules((1, 4)))
    | with_limits(with_turns(open_rules((1, 4))))
    | declared_rules((1, 5))
    | ordered_rules((1, 5))
)
@settings(max_examples=examples(12), suppress_health_check=list(HealthCheck))
def test_they_agree_under_rules_that_no_book_has(both: Twins) -> None:
    """Whatever wins, ends a turn or ends the game."""
    game = Game(both.engine)
    assume(game.start().outcome is None)
    assert_everywhere_equal(game, Solver(game))


def test_one_wrong_entry_would_be_found() -> None:
    """The comparison fails if a single score has the wrong sign."""
    game = load("magic-fifteen", "pool=1-8")
    scores = oracle_for(game).table.graph.scores
    at = next(at for at, score in enumerate(scores) if score > 0)
    scores[at] = -scores[at]
    with pytest.raises(AssertionError):
        assert_everywhere_equal(game, solver_for(game))
    scores[at] = -scores[at]
    assert_everywhere_equal(game, solver_for(game))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "reading"),
    [("pattern-builder", "pool=1-7 declare=true"), ("sequence-duel-sum", "lose-turn"), *RARE],
)
@pytest.mark.parametrize("illegal", ["lose", "lose-turn"])
def test_the_games_of_a_vector_environment_are_known_as_they_stand(
    name: str, reading: str | None, illegal: Any
) -> None:
    """As the solver sees the position that their recorded moves lead to."""
    changes = reading.split(" ") if reading and "=" in reading else []
    env = NinefoldVectorEnv(
        40,
        name,
        None if changes else reading,
        changes,
        opponent="random",
        seat="alternate",
        illegal=illegal,
        record=True,
        autoreset_mode="Disabled",
    )
    oracle, solver = oracle_of(env), solver_for(env.game)
    env.reset(seed=5)
    over, checked = numpy.zeros(40, bool), 0
    for step in range(8):
        answers = oracle.games(env)
        for at in range(40):
            position = env.game.start()
            for move in env.moves(at):
                position = position.play(move)
            if position.outcome is None and not over[at]:
                assert told(answers, at) == expected(solver, position)
                checked += 1
        actions = numpy.full(40, 99) if step == 3 else env.sample_actions()
        _, rewards, terminated, truncated, _ = env.step(actions)
        over = terminated | truncated
        answers = oracle.games(env)
        assert (answers.values[terminated] == rewards[terminated]).all()
        assert not answers.optimal[terminated].any()
        assert not answers.distances[terminated].any()
        if over.any():
            env.reset(options={"reset_mask": over})
            over[:] = False
    assert checked > 150


@pytest.mark.slow
def test_a_wrapped_environment_and_one_without_tables_are_asked_alike() -> None:
    """By state or by what is seen, the answers are the same."""
    env = gymnasium.make_vec("ninefold/MagicFifteen-v0", 20, opponent="self")
    env.reset(seed=2)
    assert isinstance(env, NinefoldVectorEnv)
    env.step(env.sample_actions())
    one = oracle_of(env).games(env)
    two = Oracle(oracle_for(env.game, True).table).games(env)  # a table of its own
    assert all((a == b).all() for a, b in zip(one, two, strict=True))
    with pytest.raises(NinefoldError, match="another game"):
        oracle_for(load("sequence-capture", "pool=1-7")).games(env)


def test_batches_of_any_shape_and_type() -> None:
    """One observation, a table of them, and other types of numbers: the same answers."""
    game = load("magic-fifteen", None)
    oracle = oracle_for(game)
    one = encoding_for(game).observe(game.play("5 2 1"))
    answers = oracle.ask(one)
    assert (answers.values.shape, answers.optimal.shape) == ((), (9,))
    assert answers.optimal.tolist() == [0, 0, 0, 0, 0, 0, 0, 0, 1]
    many = oracle.ask(numpy.broadcast_to(one, (2, 5, *one.shape)).astype(numpy.float32))
    assert (many.values.shape, many.keeping.shape) == ((2, 5), (2, 5, 9))
    assert (many.distances == 6).all()
    assert oracle.ask(numpy.empty((0, *one.shape))).values.shape == (0,)


def test_what_is_no_position_is_refused_or_told_so() -> None:
    """A number held twice, one nobody can hold, a finished game, half a number, no number."""
    game = load("magic-fifteen", None)
    oracle, encoding = oracle_for(game), encoding_for(game)
    fine = encoding.observe(game.play("5 2 1"))
    twice, nobody, half = fine.copy(), fine.copy(), fine + 0.25
    twice[0, 4] = 1
    nobody[2, 2] = 0
    finished = encoding.observe(game.play("5 1 8 3 2"))
    wrapped = fine.astype(numpy.int64) + 256
    none, vast = numpy.where(fine, fine, numpy.nan), numpy.where(fine, fine, 1e30)
    strange = numpy.stack([fine, twice, nobody, finished, half, wrapped, none, vast])
    with pytest.raises(UnknownObservation, match="Observation 1 is not that of the player to act"):
        oracle.ask(strange)
    answers = oracle.ask(strange, strict=False)
    assert answers.known.tolist() == [True] + 7 * [False]
    assert not answers.optimal[1:].any()
    assert not answers.distances[1:].any()
    with pytest.raises(NinefoldError, match=r"has the shape \(3, 9\), not \(3, 8\)"):
        oracle.ask(fine[:, :8])


def test_a_game_that_no_table_holds_is_refused_with_advice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At once if there are far too many numbers; else when the table is full."""
    monkeypatch.setattr(state_table, "MAX_STATES", 1000)  # to fill a real one takes a while
    for changes, reason in (
        ("pool=1-17", "17 numbers are too many to list all positions."),
        ("pool=1-8 passing=true", "This game has more than 1,000 positions."),
    ):
        with pytest.raises(TooLarge) as refusal:
            oracle_for(load("magic-fifteen", changes))
        assert refusal.value.code == "too-large"
        assert refusal.value.message == f"{reason} Use fewer numbers, for example pool=1-9."


def test_positions_after_illegal_actions_are_known_if_asked_for() -> None:
    """Where an illegal action loses the turn, more positions can come about."""
    game = load("magic-fifteen", "pool=1-7")
    position = game.start().play(LOST).play(5).play(LOST)
    seen = encoding_for(game).observe(position)
    assert not oracle_for(game).ask(seen, strict=False).known
    answers = oracle_for(game, may_lose_turn=True).ask(seen[None])
    assert told(answers, 0) == expected(solver_for(game), position)


def test_without_numpy_there_is_a_helpful_line() -> None:
    """It names what to install."""
    script = (
        "import sys\n"
        "sys.modules['numpy'] = None\n"
        "from ninefold.core.errors import NinefoldError\n"
        "from importlib import util\n"
        "util.find_spec = lambda name: None\n"
        "try:\n"
        "    import ninefold.oracle\n"
        "except NinefoldError as error:\n"
        "    print(error)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert said.stdout == ("numpy is not installed. Install it with: pip install 'ninefold[gym]'\n")


def test_a_game_that_was_cut_off_has_the_value_of_where_it_stopped() -> None:
    """For the agent, to bootstrap from; without actions while the opponent is to act."""
    for limit, agent_acts in ((1, False), (2, True)):
        env = NinefoldVectorEnv(9, "sequence-duel-sum", max_plies=limit, record=True)
        env.reset(seed=1)
        truncated = env.step(numpy.arange(9))[3]
        assert truncated.all()
        answers = oracle_of(env).games(env)
        for at in range(9):
            position = env.game.play(env.moves(at))
            value, distance, best, keeping = expected(solver_for(env.game), position)
            sign, actions = (1, (best, keeping)) if agent_acts else (-1, ([], []))
            assert told(answers, at) == (sign * value, distance, *actions)
        assert set(answers.values.tolist()) - {0}
