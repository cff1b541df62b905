"""Many games in step, by whatever way, are what the judge plays: under any rules there can be."""

from typing import Any

import numpy
import pytest
from effort import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract.strategies import (
    Twins,
    declared_rules,
    open_rules,
    ordered_rules,
    with_limits,
    with_turns,
)
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.encoding import encoding_for
from ninefold.envs.batch.base import GOES_ON, TERMINATED, Batch, BatchSettings, StepResult
from ninefold.envs.batch.bitboard_batch import BitboardBatch, can_play
from ninefold.envs.batch.compiled_batch import CompiledBatch
from ninefold.envs.batch.judge_batch import JudgeBatch
from ninefold.envs.batch.random_streams import seeded_streams
from ninefold.envs.batch.table_batch import TableBatch
from ninefold.reachable import lost_turn

GAMES, STEPS, LIMIT = 16, 20, 20
ANY_RULES = (
    open_rules((1, 5))
    | with_turns(open_rules((1, 5)))
    | with_turns(declared_rules((1, 5)))
    | ordered_rules((1, 5))
    | with_limits(with_turns(open_rules((1, 5))))
    | with_limits(with_turns(declared_rules((3, 5))))
    | with_limits(ordered_rules((1, 5)))
)


def batches(terms: BatchSettings) -> list[Batch]:
    """A batch of each kind that knows these games, all with the same chance."""
    found: list[Batch] = [kind(terms, GAMES) for kind in (JudgeBatch, TableBatch, CompiledBatch)]
    found += [BitboardBatch(terms, GAMES)] if can_play(terms) else []
    for batch in found:
        batch.streams[:] = seeded_streams(3, GAMES)
        batch.begin(numpy.ones(GAMES, bool))
    return found


def shown(batch: Batch) -> tuple[Any, Any]:
    """The observations and masks of a batch."""
    encoding = encoding_for(batch.settings.game)
    views = numpy.zeros((GAMES, *encoding.shape), numpy.int8)
    masks = numpy.zeros((GAMES, len(encoding.actions)), numpy.int8)
    batch.show(views, masks)
    return views, masks


def replayed(game: Game, actions: list[int]) -> Position:
    """The position the judge comes to by these actions; one too many is a turn lost."""
    encoding, position = encoding_for(game), game.start()
    for action in actions:
        if action < len(encoding.actions):
            position = position.play(encoding.move(position, action))
        else:
            position = position.play(lost_turn(position))
    return position


@pytest.mark.slow
@settings(max_examples=examples(12), suppress_health_check=list(HealthCheck))
@given(
    ANY_RULES,
    st.sampled_from(["lose", "lose-turn"]),
    st.sampled_from([3, LIMIT]),
    st.booleans(),
    st.sampled_from(["self", "random"]),
)
def test_every_kind_of_batch_plays_the_same_games(
    both: Twins, illegal: str, limit: int, flips: bool, opponent: str
) -> None:
    """Whatever is legal or not is tried; what each tells is the same, and ends as judged."""
    game = Game(both.engine)
    alike = batches(BatchSettings(game, opponent, limit, illegal, flips, 2 * LIMIT))
    judge, chance = alike[0], numpy.random.default_rng(1)
    fresh = numpy.zeros(GAMES, bool)
    for _ in range(STEPS):
        views, masks = shown(judge)
        for batch in alike[1:]:
            assert all(map(numpy.array_equal, shown(batch), (views, masks)))
        # Any action at all, the first and the last of them one too many; mostly legal ones.
        actions = chance.integers(-1, masks.shape[1] + 1, GAMES)
        for at in numpy.flatnonzero(masks.any(axis=1) & (chance.random(GAMES) < 0.9)):
            actions[at] = chance.choice(numpy.flatnonzero(masks[at]))
        for batch in alike:
            result = StepResult.empty(GAMES, encoding_for(game))
            batch.step(actions, fresh, False, result)
            for name in ("rewards", "ends", "faults", "plies", "moves"):
                assert numpy.array_equal(getattr(batch, name), getattr(judge, name)), name
        fresh = judge.ends != GOES_ON
        for at in numpy.flatnonzero((judge.ends == TERMINATED) & ~judge.faults):
            position = replayed(game, judge.moves[at, : judge.plies[at]].tolist())
            assert position.outcome is not None
            mine = opponent == "random"
            winner = position.outcome.winner
            if winner is None or mine:
                won = 0 if winner is None else 1 if winner == judge.agent[at] else -1
                assert judge.rewards[at] == won
