"""Many games in step: the same as one by one, compiled or not, for every book and reading."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from typing import Any

import gymnasium
import numpy
import pytest
from effort import examples
from gymnasium.vector import AutoresetMode

from contract.test_encoding import GAMES
from ninefold import books, state_table
from ninefold.core.errors import Illegal, NinefoldError
from ninefold.core.moves import format_move
from ninefold.envs import gym as registered
from ninefold.envs.batch.bitboard_batch import BitboardBatch
from ninefold.envs.batch.compiled_batch import CompiledBatch
from ninefold.envs.batch.judge_batch import JudgeBatch
from ninefold.envs.batch.playout import Playout
from ninefold.envs.batch.table_batch import TableBatch
from ninefold.envs.gym.vector import NinefoldVectorEnv
from ninefold.envs.settings import ANY_BOOK, registered_arguments
from ninefold.players import PerfectPlayer, make
from ninefold.state_table import policy_for, state_table_for
from tools.judge_games import LARGE_POOLS, judge_games, judge_states

READINGS: list[tuple[str, str | None]] = [
    (name, reading) for name in books.names() for reading in books.load_book(name).readings
]
# Several picks, the pie rule, passing, an opening, who began, order, misère: rules that no book
# here has, on pools that are quickly walked through.
RARE: list[tuple[str, str | None]] = [
    ("magic-fifteen", "pool=1-7 picks-per-turn=2"),
    ("magic-fifteen", "pool=1-7 pie=true opening=[1,2,3]"),
    ("magic-fifteen", "pool=1-6 passing=true picks-per-turn=2 pie=true otherwise='second'"),
    ("sequence-builder", "pool=1-6 hand-limit=3 in-order=true misere=true"),
]
# The largest readings have their whole pools in the long run only.
LARGEST = [("sequence-capture", "default"), ("pattern-builder", "declare")]
EVERY_DAY = [
    *(pytest.param(*each, marks=[pytest.mark.long] * (each in LARGEST)) for each in READINGS),
    ("sequence-capture", "pool=1-8"),
    ("pattern-builder", "pool=1-7 declare=true"),
]
OPPONENTS = ("self", "random", "greedy", "perfect")


def make_env(name: str, reading: str | None, count: int, **settings: Any) -> NinefoldVectorEnv:
    """An environment of a case of ``GAMES``."""
    if reading and "=" in reading:
        return NinefoldVectorEnv(count, name, changes=reading.split(" "), **settings)
    return NinefoldVectorEnv(count, name, reading, **settings)


def by_the_judge(env: NinefoldVectorEnv) -> NinefoldVectorEnv:
    """The same environment with positions that the judge plays, instead of tables."""
    env.batch = JudgeBatch(env.batch.settings, env.num_envs)
    return env


def trajectory(env: NinefoldVectorEnv, steps: int, seed: int = 3, wrong: bool = True) -> list[Any]:
    """All that is told in so many steps of random actions, some of them illegal."""
    views, info = env.reset(seed=seed)
    told = [views, info["action_mask"]]
    chance = numpy.random.default_rng(seed)
    for _ in range(steps):
        actions = env.sample_actions()
        any_ = chance.integers(-1, len(env.encoding.actions) + 1, env.num_envs)
        actions = numpy.where(wrong & (chance.random(env.num_envs) < 0.05), any_, actions)
        views, *results, info = env.step(actions)
        told += [views, *results, info["action_mask"], env.batch.actor.copy()]
        told += [info["moves"], info["plies"], env.batch.faults.copy(), env.batch.agent.copy()]
        told += [info["final_obs"][info["_final_obs"]] if "final_obs" in info else 0]
    return told


def same(one: list[Any], two: list[Any]) -> bool:
    """Whether all arrays are equal."""
    return all(numpy.array_equal(a, b) for a, b in zip(one, two, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), [*EVERY_DAY, *RARE])
def test_tables_compiled_or_not_do_what_the_judge_does(name: str, reading: str | None) -> None:
    """Every observation, mask, reward, end, seat and move is the same, illegal actions and all."""
    modes = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)
    cases = product(OPPONENTS, zip(("lose", "lose-turn"), modes, strict=True))
    for opponent, (illegal, mode) in cases:
        if illegal == "lose-turn" and opponent == "perfect":
            continue  # the solver takes long for all positions that only lost turns lead to
        settings: dict[str, Any] = {"illegal": illegal, "autoreset_mode": mode, "record": True}
        settings |= {"seat": "alternate", "opponent": opponent}
        expected = trajectory(by_the_judge(make_env(name, reading, 8, **settings)), 15)
        for compiled in (True, False):
            env = make_env(name, reading, 8, compiled=compiled, **settings)
            assert type(env.batch) is (CompiledBatch if compiled else TableBatch)
            assert same(trajectory(env, 15), expected), (opponent, illegal, compiled)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_games_judged_again_have_the_same_outcome(name: str, reading: str | None) -> None:
    """Many random games for every reading, against itself and against players."""
    for opponent, count in (("self", 600), ("random", 600), ("greedy", 400)):
        wanted = examples(count)
        assert judge_games(name, reading, wanted, opponent=opponent) >= wanted


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_games_by_states_judged_again_have_the_same_outcome(name: str, reading: str | None) -> None:
    """Thousands of random games for every reading."""
    judge_states(books.load_book(name, reading).game, examples(600))


@pytest.mark.slow
@pytest.mark.parametrize("changes", LARGE_POOLS)
def test_games_on_large_pools_judged_again_have_the_same_outcome(changes: list[str]) -> None:
    """Won, lost and drawn, or decided at the end."""
    for opponent in ("self", "random"):
        judge_games("magic-fifteen", None, examples(600), opponent=opponent, changes=changes)


def test_a_game_judged_wrongly_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One wrong entry among the results of the table, and the comparison fails."""
    monkeypatch.setattr(state_table, "_TABLES", {})  # a table of its own, which others never see
    ends = state_table_for(books.load_book("magic-fifteen").game).ends
    ends[numpy.flatnonzero(ends == 1)[0]] = -1
    with pytest.raises(AssertionError):
        judge_games("magic-fifteen", None, 50_000, opponent="self")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), GAMES[:10])
def test_the_table_of_the_perfect_player_is_the_perfect_player(
    name: str, reading: str | None
) -> None:
    """In a sample of all positions it considers the very same moves."""
    table = state_table_for(books.load_book(name, reading).game)
    policy, player = policy_for(table, "perfect"), make("perfect")
    assert player is not None
    chance = numpy.random.default_rng(1)
    for state in chance.choice(numpy.flatnonzero(policy.counts > 0), 400, replace=False).tolist():
        start, count = policy.starts[state], policy.counts[state]
        moves = player.candidates(table.positions[state])
        expected = sorted({table.encoding.action(move) for move in moves})
        assert policy.actions[start : start + count].tolist() == expected


def test_nobody_beats_the_perfect_opponent_where_it_cannot_lose() -> None:
    """In magic-fifteen no random game is won, and many are lost."""
    env = NinefoldVectorEnv(2000, "magic-fifteen", opponent="perfect", seat="alternate")
    env.reset(seed=1)
    rewards = numpy.concatenate([env.step(env.sample_actions())[1] for _ in range(30)])
    assert rewards.max() == 0
    assert (rewards < 0).sum() > 5000


SCRIPT = """
import hashlib, sys
from ninefold.envs.gym.vector import NinefoldVectorEnv
env = NinefoldVectorEnv(40_000, "sequence-capture", opponent="greedy", seat="alternate",
                        compiled=sys.argv[1] == "compiled")
digest = hashlib.sha256(env.reset(seed=9)[0].tobytes())
for _ in range(12):
    views, rewards, *_ = env.step(env.sample_actions())
    digest.update(views.tobytes() + rewards.tobytes())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_the_same_seed_is_the_same_in_every_process_with_and_without_numba() -> None:
    """So many games that threads share them; another seed is another trajectory."""
    said = set()
    for number, way in enumerate(("compiled", "plain")):
        said.add(
            subprocess.run(
                [sys.executable, "-c", SCRIPT, way],
                env={**os.environ, "PYTHONHASHSEED": str(number)},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
    assert len(said) == 1
    env = NinefoldVectorEnv(50, "sequence-capture", record=True)
    assert not same(trajectory(env, 5, seed=1, wrong=False), trajectory(env, 5, 2, False))
    assert same(trajectory(env, 5, seed=1, wrong=False), trajectory(env, 5, 1, False))


def test_gymnasium_makes_every_one_of_them() -> None:
    """By its id, with the spaces of as many single ones."""
    registered.register()  # once more does no harm
    for name in registered_arguments().keys() - {ANY_BOOK}:
        env = gymnasium.make_vec(name, 3)
        assert isinstance(env, NinefoldVectorEnv)
        single = gymnasium.make(name)
        assert env.single_observation_space == single.observation_space
        assert env.single_action_space == single.action_space
        views, info = env.reset(seed=1)
        assert views in env.observation_space
        assert env.step(env.sample_actions())[0] in env.observation_space
        assert info["action_mask"].shape == (3, single.action_space.n)  # type: ignore[attr-defined]
        assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


def test_games_begin_anew_as_the_mode_says() -> None:
    """In the next step, in the same step with what was last seen, or when asked to."""
    moves = [4, 0, 7, 2, 1]  # 5 1 8 3 2: a total of 15
    for mode in AutoresetMode:
        env = NinefoldVectorEnv(2, "magic-fifteen", opponent="self", autoreset_mode=mode)
        env.reset(seed=1)
        for action in moves[:-1]:
            assert not env.step(numpy.array([action, action]))[2].any()
        views, rewards, terminated, _, info = env.step(numpy.array([moves[-1], 8]))
        assert rewards.tolist() == [1, 0] and terminated.tolist() == [True, False]
        if mode is AutoresetMode.SAME_STEP:
            assert views[0, 2].all() and info["action_mask"][0].all()
            assert info["_final_obs"].tolist() == [True, False]
            assert info["final_obs"][0, 0].tolist() == [0, 1, 0, 0, 1, 0, 0, 1, 0]
            continue
        assert views[0, 0].tolist() == [0, 1, 0, 0, 1, 0, 0, 1, 0]
        assert not info["action_mask"][0].any()
        if mode is AutoresetMode.DISABLED:
            with pytest.raises(Illegal, match="Game 0 is over"):
                env.step(numpy.array([0, 5]))
            views, info = env.reset(options={"reset_mask": numpy.array([True, False])})
            assert views[0, 2].all() and views[1, 2].sum() == 4
            continue
        views, rewards, terminated, _, info = env.step(numpy.array([0, 5]))
        assert views[0, 2].all() and views[1, 2].sum() == 3
        assert not rewards.any() and not terminated.any()


def test_illegal_actions_raise_if_they_shall() -> None:
    """Before anything has happened; the message names the game."""
    env = NinefoldVectorEnv(2, "magic-fifteen", opponent="self", illegal="raise")
    env.reset(seed=1)
    env.step(numpy.array([4, 4]))
    for action in (4, 9, -1):
        with pytest.raises(Illegal, match=f"Action {action} is illegal in game 1"):
            env.step(numpy.array([1, action]))
    assert env.step(numpy.array([1, 1]))[0][:, 2].sum(axis=1).tolist() == [7, 7]


def test_bitboards_hold_64_numbers_and_the_judge_plays_larger_pools() -> None:
    """With 65 to 100 numbers, each game ends as the judge says when it is played again."""
    for size, kind in ((64, BitboardBatch), (65, JudgeBatch), (100, JudgeBatch)):
        changes = [f"pool=1-{size}"]
        assert isinstance(NinefoldVectorEnv(1, "magic-fifteen", changes=changes).batch, kind)
    judge_games("magic-fifteen", None, 30, opponent="self", changes=["pool=1-100"])


def test_a_game_too_large_for_a_table_is_played_all_the_same() -> None:
    """Slower, by the judge itself."""
    env = NinefoldVectorEnv(20, "sequence-capture", changes=["pool=1-20"], opponent="greedy")
    assert isinstance(env.batch, JudgeBatch)
    env.reset(seed=1)
    ended = sum(env.step(env.sample_actions())[2].sum() for _ in range(30))
    assert ended > 20


@pytest.mark.slow
def test_perfect_plays_many_large_games() -> None:
    """It answers like the player itself, in every game, and wins those in which it goes first."""
    changes = ["pool=1-20"]
    env = NinefoldVectorEnv(
        4, "sequence-duel-arithmetic", changes=changes, opponent="perfect", seat=2, record=True
    )
    env.reset(seed=1)
    player, rewards = PerfectPlayer(None), list[float]()
    while len(rewards) < 4:
        _, reward, over, _, _ = env.step(env.sample_actions())
        rewards += reward[over].tolist()
        for at in range(4):
            *before, last = env.moves(at)
            position = env.game.play(before)
            assert position.turn == 2 or last in player.candidates(position)
    assert {*rewards} == {-1.0}


LARGE = (
    ("magic-fifteen", "pool=1-20"),
    ("sequence-capture", "pool=1-16"),
    ("sequence-duel-sum", "pool=1-24"),
    ("pattern-builder", "pool=1-64"),
    # Few complete so rare a line, so it is often the judge who decides.
    ("magic-fifteen", "pool=1-13 wins.sum.equals=8 ending=[{measure='hand-sum',prefer='lower'}]"),
    ("magic-fifteen", "pool=1-14 wins.sum.equals=6 ending=[{measure='last-pick',prefer='lower'}]"),
    # Who began is seen, and wins if nothing else decides.
    ("magic-fifteen", "pool=1-13 wins.sum.equals=6 otherwise='first'"),
    # A single number wins: the opponent may have won before the agent's first turn.
    ("magic-fifteen", "pool=1-14 wins.sum.count=1 wins.sum.equals=3"),
)


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["self", "random"])
@pytest.mark.parametrize(("name", "changes"), LARGE)
def test_large_pools_are_played_as_the_judge_plays_them(
    name: str, changes: str, opponent: str
) -> None:
    """Compiled, for ordinary rules: the same to the last bit, in every mode, illegal or not."""
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        settings: dict[str, Any] = {"opponent": opponent, "seat": "alternate", "record": True}
        settings |= {"autoreset_mode": mode}
        env = make_env(name, changes, 16, **settings)
        assert isinstance(env.batch, BitboardBatch)
        expected = trajectory(by_the_judge(make_env(name, changes, 16, **settings)), 40)
        assert same(trajectory(env, 40), expected)
    env = make_env(name, changes, examples(20), **settings, max_plies=9)
    judge = by_the_judge(make_env(name, changes, examples(20), **settings, max_plies=9))
    assert same(trajectory(env, 30), trajectory(judge, 30))


def test_large_pools_refuse_what_is_illegal() -> None:
    """As small ones do."""
    env = make_env("magic-fifteen", "pool=1-20", 2, opponent="self", illegal="raise")
    assert isinstance(env.batch, BitboardBatch)
    env.reset(seed=1)
    env.step(numpy.array([4, 4]))
    for action in (4, 20, -1):
        with pytest.raises(Illegal, match=f"Action {action} is illegal in game 1"):
            env.step(numpy.array([1, action]))


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("changes", [(), *LARGE_POOLS])
def test_a_game_that_begins_anew_at_once_leaves_its_record(
    compiled: bool, changes: tuple[str, ...]
) -> None:
    """In the final info; and recording changes nothing else that is told."""
    settings: dict[str, Any] = {"changes": changes, "compiled": compiled}
    settings |= {"autoreset_mode": "SameStep", "seat": "alternate"}
    env, plain = (
        NinefoldVectorEnv(30, "magic-fifteen", record=record, **settings)
        for record in (True, False)
    )
    judged = 0
    assert numpy.array_equal(env.reset(seed=1)[0], plain.reset(seed=1)[0])
    for _ in range(40):
        seats = env.seats()
        *told, info = env.step(env.sample_actions())
        *alike, other = plain.step(plain.sample_actions())
        assert all(map(numpy.array_equal, told, alike))
        assert numpy.array_equal(info["action_mask"], other["action_mask"])
        for at in numpy.flatnonzero(told[2]).tolist():
            assert numpy.array_equal(info["final_obs"][at], other["final_obs"][at])
            last, plies = info["final_info"], int(info["final_info"]["plies"][at])
            position = env.game.play([env.game.pool[it] for it in last["moves"][at][:plies]])
            assert position.outcome is not None
            assert told[1][at] == env.encoding.reward(position, int(seats[at]))
            assert info["plies"][at] <= 1
            judged += 1
    assert judged > 30


def test_the_moves_of_a_game_are_recorded() -> None:
    """As actions in the info, and as moves of the judge; a question and its answer, too."""
    env = NinefoldVectorEnv(1, "pattern-builder", "declare", opponent="self", record=True)
    env.reset(seed=1)
    for action in (0, 3, 1, 4, 2, 9):
        *_, info = env.step(numpy.array([action]))
    assert info["moves"][0, : info["plies"][0]].tolist() == [0, 3, 1, 4, 2, 9]
    assert [format_move(move) for move in env.moves(0)] == [
        "1",
        "4",
        "2",
        "5",
        "3",
        "declare:1:2:3",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_bare_random_games_are_the_same_compiled_or_not(name: str, reading: str | None) -> None:
    """Both players win some, draws aside; where turns can be lost for ever, none is played."""
    game = books.load_book(name, reading).game
    if game.rules.invalid == "lose-turn":
        with pytest.raises(NinefoldError, match="need not end"):
            Playout(game, 1, seed=1)
        return
    results = [Playout(game, 2000, seed=1, compiled=compiled) for compiled in (True, False)]
    for _ in range(3):
        one, two = (playout.run() for playout in results)
        assert one.tolist() == two.tolist()
        assert set(one.tolist()) >= {1, -1}


def test_random_games_of_tic_tac_toe_are_won_as_often_as_known() -> None:
    """737/1260 for the first player, 121/420 for the second, 8/63 are drawn."""
    playout = Playout(books.load_book("magic-fifteen").game, 400_000, seed=1)
    results = playout.run()
    assert abs((results == 1).mean() - 737 / 1260) < 0.004
    assert abs((results == -1).mean() - 121 / 420) < 0.004
    assert abs((results == 0).mean() - 8 / 63) < 0.003


def test_a_seed_may_be_a_number_of_numpy() -> None:
    """As a sweep over seeds hands it over."""
    env = NinefoldVectorEnv(8, "magic-fifteen", seat="alternate")
    plain = env.reset(seed=5)[0]
    assert same([env.reset(seed=numpy.int64(5))[0]], [plain])  # type: ignore[arg-type]


def test_a_mode_of_beginning_anew_is_told_in_a_sentence() -> None:
    """By its value, as Gymnasium writes it."""
    said = "autoreset_mode must be one of 'NextStep', 'SameStep', 'Disabled', not 'same_step'."
    with pytest.raises(NinefoldError, match=said):
        NinefoldVectorEnv(1, "magic-fifteen", autoreset_mode="same_step")


@pytest.mark.parametrize("compiled", [True, False])
def test_results_of_random_games_stay_as_they_are(compiled: bool) -> None:
    """The next games do not write over them."""
    playout = Playout(books.load_book("magic-fifteen").game, 100, seed=1, compiled=compiled)
    first = playout.run()
    kept = first.copy()
    assert not same([playout.run()], [kept]) and same([first], [kept])
