"""Every verdict of a review is what brute force says."""

from __future__ import annotations

import random

import pytest

from contract import naive
from contract.brute import brute_force
from contract.walks import READINGS, Case, engine_move, observed
from ninefold.coach.review import review_game
from ninefold.core.moves import Move

SMALLER = {"three-slots-in-order": tuple(range(1, 8)), "lose-turn": tuple(range(1, 9))}
CASES = [case._replace(pool=SMALLER.get(case.reading, ())) for case in READINGS]
MEANING = {
    "only": (True, {"win", "draw"}),
    "kept": (True, {"win"}),
    "even": (True, {"draw"}),
    "threw": (False, {"win"}),
    "slipped": (False, {"draw"}),
    "lost": (True, {"loss"}),
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_verdicts_of_random_games(case: Case) -> None:
    """What a move kept or gave away, and that the better moves kept it."""
    brute, chance = brute_force(case), random.Random(1)
    for _ in range(60):
        state = naive.start(1)
        moves: list[Move] = []
        values = []
        while naive.result(brute.rules, state) is None and len(moves) < 40:
            before = brute.known.get(observed(brute.rules, state), ("draw", 0))[0]
            options = {
                move: (brute.seen(brute.child(state, move)) or ("draw", 0))[0]
                for move in brute.moves(state)
            }
            move = chance.choice(list(options))
            moves.append(engine_move(move))
            values.append((before, options[move], options))
            state = naive.play(brute.rules, state, move)
        for item, (before, after, options) in zip(
            review_game(case.game, moves).judgements, values, strict=True
        ):
            kept, results = MEANING[item.verdict]
            assert (before == after, before in results) == (kept, True)
            assert (item.before.result, item.after.result) == (before, after)
            keeping: list[Move] = [engine_move(m) for m, v in options.items() if v == before]
            if item.verdict == "only":
                assert keeping == [item.move]
            if not kept:
                assert set(item.better) == set(keeping)
                assert item.line[0] in keeping
