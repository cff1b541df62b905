"""The solver against brute force: every position of every reading, value and distance.

The brute force shares nothing with the solver: it walks the naive definition and sweeps over all
its states until nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from contract import naive
from contract.walks import READINGS, Case, Pair, engine_move, observed, playable, walk
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
Known = tuple[str, int]
Child = tuple[object, bool, Known | None]


def judged(rules: naive.Rules, state: naive.State, turn: int) -> Known | None:
    """Win, loss or draw for this player, if the game is over."""
    result = naive.result(rules, state)
    if result is None:
        return None
    return ("draw" if result.winner is None else "win" if result.winner == turn else "loss", 0)


class BruteForce:
    """The value of every state for the player to act, by sweeping until nothing changes."""

    def __init__(self, case: Case) -> None:
        self.rules = case.rules
        self.pairs: list[Pair] = list(walk(case))
        self.known: dict[object, Known] = {}
        states = [state for state, _ in self.pairs if naive.result(self.rules, state) is None]
        states.sort(key=lambda state: -len(state.hands[0] + state.hands[1]))
        children = [
            (observed(self.rules, state), [self.child(state, move) for move in self.moves(state)])
            for state in states
        ]
        while self.sweep(children):
            pass

    def moves(self, state: naive.State) -> list[naive.Move]:
        """What the player to act may choose."""
        return playable(self.rules, state, lost=False)

    def child(self, state: naive.State, move: naive.Move) -> Child:
        """Where a move leads, whether the same player acts there, and the result if it is over."""
        after = naive.play(self.rules, state, move)
        return (
            observed(self.rules, after),
            after.turn == state.turn,
            judged(self.rules, after, state.turn),
        )

    def seen(self, child: Child) -> Known | None:
        """What is known of a move for its maker, the move itself counted."""
        key, same, over = child
        if over is not None:
            return over[0], 1
        known = self.known.get(key)
        if known is None:
            return None
        mine = {"win": "loss", "loss": "win"}.get(known[0], "draw") if not same else known[0]
        return mine, known[1] + 1

    def sweep(self, children: Sequence[tuple[object, list[Child]]]) -> bool:
        """Look at every state once more; whether anything was learnt."""
        learnt = False
        for key, moves in children:
            values = [self.seen(child) for child in moves]
            wins = [value[1] for value in values if value and value[0] == "win"]
            losses = [value[1] for value in values if value and value[0] == "loss"]
            known = None
            if wins:
                known = ("win", min(wins))
            elif len(losses) == len(values):
                known = ("loss", max(losses))
            if known and self.known.get(key) != known:
                self.known[key] = known
                learnt = True
        return learnt


@pytest.mark.parametrize("case", [*READINGS, *SMALL], ids=str)
def test_values_and_distances_of_every_position(case: Case) -> None:
    """Whatever has no forced end is a draw; all else agrees in result and plies."""
    brute = BruteForce(case)
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
    brute = BruteForce(case)
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
