"""Opponents from outside in many games, and infos that say what those of one game say."""

import sys
from typing import Any

import bots.faulty
import numpy
import pytest

from ninefold.core.errors import NinefoldError
from ninefold.core.position import Position
from ninefold.envs.batch.bitboard_batch import BitboardBatch
from ninefold.envs.batch.compiled_batch import CompiledBatch
from ninefold.envs.batch.judge_batch import JudgeBatch
from ninefold.envs.batch.table_batch import TableBatch
from ninefold.envs.gym.single import NinefoldEnv
from ninefold.envs.gym.vector import NinefoldVectorEnv

COUNT = 12


def lowest(position: Position) -> int:
    """The first free number."""
    return position.picks[0]


def first_action(_: Any, masks: Any) -> Any:
    """The first legal action of each."""
    return masks.argmax(axis=1)


def wrong_in_the_end(_: Any, masks: Any) -> Any:
    """The first legal action, and an illegal one once only four are left."""
    return numpy.where(masks.sum(axis=1) > 4, masks.argmax(axis=1), masks.argmin(axis=1))


CASES: list[tuple[type, dict[str, Any]]] = [
    (CompiledBatch, {"book": "magic-fifteen", "opponent": "self"}),
    (TableBatch, {"book": "magic-fifteen", "opponent": "self", "compiled": False}),
    (TableBatch, {"book": "pattern-builder", "opponent": first_action}),
    (TableBatch, {"book": "sequence-duel-sum", "opponent": lowest, "illegal": "lose-turn"}),
    (TableBatch, {"book": "magic-fifteen", "opponent": wrong_in_the_end, "seat": 2}),
    (TableBatch, {"book": "pattern-builder", "reading": "declare", "opponent": first_action}),
    (BitboardBatch, {"book": "pattern-builder", "changes": "pool=1-14", "opponent": "self"}),
    (BitboardBatch, {"book": "magic-fifteen", "changes": "pool=1-13", "opponent": first_action}),
    (
        JudgeBatch,
        {
            "book": "magic-fifteen",
            "changes": "pool=1-13",
            "opponent": lowest,
            "illegal": "lose-turn",
        },
    ),
]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize(("kind", "settings"), CASES)
def test_infos_say_what_those_of_one_game_say(
    kind: type, settings: dict[str, Any], mode: str
) -> None:
    """Who sees it, who won and why, and why an action was illegal: step by step, in every game."""
    env = NinefoldVectorEnv(COUNT, autoreset_mode=mode, **settings)
    assert type(env.batch) is kind
    plain = {name: value for name, value in settings.items() if name != "compiled"}
    singles = [NinefoldEnv(**plain) for _ in range(COUNT)]
    _, info = env.reset(seed=1)
    expected = [single.reset(seed=1)[1] for single in singles]
    assert info["seat"].tolist() == [one["seat"] for one in expected]
    chance, done, ends = numpy.random.default_rng(1), [False] * COUNT, 0
    for _ in range(40):
        legal = env.sample_actions()
        actions = numpy.where(chance.random(COUNT) < 0.1, 0, legal)
        _, rewards, terminated, _, info = env.step(actions)
        for game, single in enumerate(singles):
            if done[game]:
                _, now = single.reset()
                done[game] = False
                assert info["seat"][game] == now["seat"]
                continue
            _, reward, over, cut, now = single.step(actions[game])
            assert (rewards[game], terminated[game]) == (reward, over)
            told = told_about(info, game, mode == "SameStep" and (over or cut))
            for name in ("seat", "winner", "reason"):
                assert told.get(name) == now.get(name), name
            fault = info.get("illegal_action", [None] * COUNT)[game]
            assert fault == now.get("illegal_action")
            assert now["action_mask"].tolist() == told["action_mask"].tolist()
            ends += over
            if over or cut:
                if mode == "SameStep":
                    _, now = single.reset()
                    assert info["seat"][game] == now["seat"]
                else:
                    done[game] = True
    assert ends > COUNT


def told_about(info: dict[str, Any], game: int, final: bool) -> dict[str, Any]:
    """What an info says about one game, or its final info."""
    source = info["final_info"] if final else info
    return {
        name: value[game]
        for name, value in source.items()
        if name[0] != "_" and f"_{name}" in source and source[f"_{name}"][game]
    }


def test_a_league_of_past_selves_knows_its_games() -> None:
    """An agent of three arguments is told which games it is asked about."""
    asked: list[int] = []

    def highest(_: Any, masks: Any) -> Any:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    def league(views: Any, masks: Any, games: Any) -> Any:
        asked.extend(games.tolist())
        return numpy.where(games % 2, highest(views, masks), first_action(views, masks))

    env = NinefoldVectorEnv(6, "magic-fifteen", opponent=league, record=True)
    env.reset(seed=1)
    *_, info = env.step(numpy.full(6, 4))
    assert info["moves"][:, :2].tolist() == [[4, 0], [4, 8]] * 3
    assert asked == [0, 1, 2, 3, 4, 5]


def test_a_policy_is_drawn_from_in_every_game_by_the_seed() -> None:
    """As often as it says; the same seed, the same games."""

    def mostly_first(_: Any, masks: Any) -> Any:
        best = numpy.eye(masks.shape[1])[masks.argmax(axis=1)]
        return 0.75 * best + 0.25 * masks / masks.sum(axis=1, keepdims=True)

    env = NinefoldVectorEnv(2000, "magic-fifteen", opponent=mostly_first, seat=2, record=True)
    first = env.reset(seed=1)[1]["moves"][:, 0]
    assert 1480 < (first == 0).sum() < 1640  # 0.75 + 0.25 / 9 of them
    assert set(first.tolist()) == set(range(9))
    assert numpy.array_equal(env.reset(seed=1)[1]["moves"][:, 0], first)
    assert not numpy.array_equal(env.reset(seed=2)[1]["moves"][:, 0], first)


def test_a_program_plays_many_games() -> None:
    """It is told the moves of each; its process ends with the environment."""
    command = f"program:{sys.executable} {bots.faulty.__file__}"
    env = NinefoldVectorEnv(3, "magic-fifteen", opponent=command, record=True)
    env.reset(seed=1)
    env.step(numpy.array([8, 7, 0]))
    *_, info = env.step(numpy.array([7, 8, 2]))
    assert info["moves"][:, :4].tolist() == [[8, 0, 7, 1], [7, 0, 8, 1], [0, 1, 2, 3]]
    env.close()


def test_a_wrong_answer_of_an_agent_is_an_error() -> None:
    """It says what to return."""
    env = NinefoldVectorEnv(3, "magic-fifteen", opponent=lambda _, masks: masks.argmax(axis=1)[:1])
    env.reset(seed=1)
    with pytest.raises(NinefoldError, match="must return 3 integers"):
        env.step(numpy.zeros(3, int))


def games_of(seed: int | list[int], count: int) -> Any:
    """The moves of the first 30 steps, without restarts, of games against the random player."""
    env = NinefoldVectorEnv(count, "magic-fifteen", seat=2, record=True)
    env.reset(seed=seed)
    taken = []
    for _ in range(30):
        *_, info = env.step(env.action_masks().argmax(axis=1))
        taken.append(info["moves"])
    return numpy.stack(taken, axis=1)


def test_a_game_depends_on_its_own_seed_alone() -> None:
    """Not on how many others there are; a list of seeds is a game of one for each."""
    assert numpy.array_equal(games_of(7, 3), games_of(7, 10)[:3])
    each = [games_of(seed, 1)[0] for seed in (4, 5, 6)]
    assert numpy.array_equal(games_of([4, 5, 6], 3), numpy.stack(each))
    assert not numpy.array_equal(each[0], each[1])
