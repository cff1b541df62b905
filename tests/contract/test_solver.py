"""The solver against brute force: every position of every reading, value and distance."""

from __future__ import annotations

import pytest

from contract.brute import brute_force
from contract.walks import READINGS, Case, engine_move, observed, walk
from ninefold.core.game import Game
from ninefold.core.moves import LOST
from ninefold.core.rules import Criterion
from ninefold.solver import Solver

SMALL = [
    Case("sequence-duel-arithmetic", "default", tuple(range(1, 9))),
    Case("sequence-duel-sum", "retry", tuple(range(1, 9))),
    Case("sequence-duel-sum", "lose-turn", tuple(range(1, 9))),
    Case("sequence-builder", "open-hand", tuple(range(1, 9))),
    Case("pattern-builder", "declare", tuple(range(1, 9))),
]


@pytest.mark.parametrize("case", [*READINGS, *SMALL], ids=str)
def test_values_and_distances_of_every_position(case: Case) -> None:
    """Whatever has no forced end is a draw; all else agrees in result and plies."""
    brute = brute_force(case)
    solver = Solver(case.game)
    checked = 0
    for state, position in brute.pairs:
        if position.outcome is None:
            expected = brute.known.get(observed(brute.rules, state), ("draw", 0))
            value = solver.value(position)
            assert value.result == expected[0], position
            if value.result != "draw":
                assert value.plies == expected[1], position
            checked += 1
    assert checked > 1000


@pytest.mark.parametrize("case", [READINGS[0], SMALL[2]], ids=str)
def test_every_move_is_valued_for_its_maker(case: Case) -> None:
    """The value of a move is the value of where it leads, seen from the other side."""
    brute = brute_force(case)
    solver = Solver(case.game)
    for state, position in brute.pairs[::17]:
        if position.outcome is not None:
            continue
        expected = {
            engine_move(move): brute.seen(brute.child(state, move)) or ("draw", None)
            for move in brute.moves(state)
        }
        for move, result, plies in solver.moves(position):
            assert result == expected[move][0]
            if result != "draw":
                assert plies == expected[move][1]


def test_losing_a_turn_on_purpose_never_helps() -> None:
    """On 1-9 and on 1-8, with lost turns and without, every position has the same result."""
    for pool in (range(1, 10), range(1, 9)):
        case = Case("sequence-duel-sum", "retry", tuple(pool))
        plain = case.game
        losing = Game(plain.rules._replace(invalid="lose-turn"))
        without, with_lost_turns = Solver(plain), Solver(losing)
        for _, position in walk(case):
            if position.outcome is None:
                free = position._replace(game=losing)
                value = without.value(position)
                assert with_lost_turns.value(free).result == value.result
                assert LOST in free.legal


def test_where_both_would_lose_by_moving_nobody_is_forced_to() -> None:
    """Two numbers, and the last picker loses: giving turns away goes on for ever."""
    rules = Case("sequence-duel-arithmetic", "default", (1, 2, 4)).game.rules
    game = Game(rules._replace(ending=(Criterion("last-pick", "lower"),), invalid="lose-turn"))
    value = Solver(game).value(game.play("1 2"))
    assert value == ("draw", None)
    assert Solver(game).value(game.play("1")).result == "draw"
