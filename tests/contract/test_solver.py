"""The solver against brute force: every position of every reading, value and distance."""

from __future__ import annotations

from random import Random

import pytest
from effort import examples
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from contract import naive
from contract.brute import BruteForce, brute_force
from contract.language import WRITTEN, Written
from contract.strategies import (
    Twins,
    declared_rules,
    open_rules,
    ordered_rules,
    with_limits,
    with_turns,
)
from contract.walks import MISERE, READINGS, Case, Drawn, engine_move, walk
from ninefold import load
from ninefold.core.game import Game
from ninefold.core.moves import LOST
from ninefold.core.rules import Criterion, Restriction, Rules
from ninefold.solver import Solver
from ninefold.solver.breadth_first import TooLarge
from ninefold.solver.graph import Graph
from ninefold.solver.tables import Tables

SMALL = [
    Case("sequence-duel-arithmetic", "default", tuple(range(1, 9))),
    Case("sequence-duel-sum", "retry", tuple(range(1, 9))),
    Case("sequence-duel-sum", "lose-turn", tuple(range(1, 9))),
    Case("sequence-builder", "open-hand", tuple(range(1, 9))),
    Case("pattern-builder", "declare", tuple(range(1, 9))),
]


# As small as needed to be quick, and large enough for every ending of the book.
SMALL_MISERE = [
    case if case.reading == "three-slots" else case._replace(pool=tuple(range(1, 9)))
    for case in MISERE
    if case.reading != "three-slots-in-order"
] + [Case("sequence-builder", "three-slots-in-order", tuple(range(1, 8)), misere=True)]


@pytest.mark.parametrize("case", [*READINGS, *SMALL, *SMALL_MISERE], ids=str)
def test_values_and_distances_of_every_position(case: Case) -> None:
    """Whatever has no forced end is a draw; all else agrees in result and plies."""
    assert compare(brute_force(case), Solver(case.game)) > 1000


@pytest.mark.parametrize("case", WRITTEN, ids=str)
def test_values_and_distances_under_every_rule(case: Written) -> None:
    """The books that use the whole language: every position agrees in result and plies."""
    assert compare(brute_force(case), Solver(case.game)) > 20


def compare(brute: BruteForce, solver: Solver) -> int:
    """Compare the values of all positions; how many there were."""
    checked = 0
    for _, position, what, leads_to in brute.places:
        if leads_to:
            expected = brute.known.get(what, ("draw", 0))
            value = solver.value(position)
            assert value.result == expected[0], position
            if value.result != "draw":
                assert value.plies == expected[1], position
            checked += 1
    return checked


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        open_rules((1, 6)),
        declared_rules((3, 5)),
        ordered_rules((3, 5)),
        with_turns(open_rules((1, 5))),
        with_turns(declared_rules((3, 4))),
        with_turns(ordered_rules((3, 4))),
        with_limits(with_turns(open_rules((1, 5)))),
    ],
)
@given(data=st.data())
@settings(max_examples=examples(6))
def test_rules_no_book_has(rules: st.SearchStrategy[Twins], data: st.DataObject) -> None:
    """Any pool, ways to win, ending, limit, with or without misère: value and distance agree."""
    both = data.draw(rules)
    assume(both.naive.asks_from is None or naive.wins(both.naive, both.naive.pool))
    game = Game(both.engine)
    assert compare(BruteForce(Drawn(game, both.naive)), Solver(game)) > 0


def test_an_opening_at_the_end_of_the_row() -> None:
    """The first number must keep to every limit: of -2 and 0, only -2 is an end of the row."""
    ending = (Criterion("hand-sum", "higher"),)
    game = Game(Rules((-2, -1, 0, 1), (), ending, opening=(0, -2), row_ends=True))
    assert Solver(game).value(game.start()) == ("loss", 4)


@pytest.mark.parametrize(
    "rules",
    [
        open_rules((1, 6)),
        declared_rules((3, 5)),
        ordered_rules((3, 5)),
        with_turns(open_rules((1, 5))),
        with_turns(ordered_rules((3, 4))),
        with_limits(with_turns(open_rules((1, 6)))),
    ],
)
@given(data=st.data())
@settings(max_examples=examples(6))
def test_every_strategy_agrees(rules: st.SearchStrategy[Twins], data: st.DataObject) -> None:
    """Tables of the whole game, tables from a position on, and the graph find the same scores."""
    game = Game(data.draw(rules).engine)
    try:
        tables, graph = Tables(game), Graph(game.start())
    except TooLarge:
        reject()  # the rules look at the order of picks, which no table holds
    for at, position in enumerate(graph.nodes):
        if position.outcome is None:
            assert tables.score(position) == graph.scores[at], position
    at = data.draw(st.sampled_from([*range(len(graph.nodes))]))
    start = graph.nodes[at]
    if start.outcome is None and all(start.masks) and not game.rules.in_order:
        below, later = Graph(start), Tables(game, start=start)
        for score, position in zip(below.scores, below.nodes, strict=True):
            if position.outcome is None:
                assert later.score(position) == score, (start, position)


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


@pytest.mark.parametrize("pool", ["1-9", "1-20", "1-40"])
@pytest.mark.parametrize("book", ["sequence-capture", "magic-fifteen", "sequence-duel-sum"])
def test_a_finished_position_has_the_result_of_the_game(book: str, pool: str) -> None:
    """For the player whose turn it would be, with no moves left, whoever won and why."""
    game = load(book, changes=[f"pool={pool}"])
    solver, chance = Solver(game), Random(1)
    for _ in range(20):
        position = game.start()
        while position.outcome is None:
            position = position.play(chance.choice(position.legal))
        winner = position.outcome.winner
        result = "draw" if winner is None else "win" if winner == position.turn else "loss"
        assert solver.value(position) == (result, 0)
        assert solver.result(position) == result
        assert solver.moves(position) == []
        assert solver.best(position) == solver.perfect(position) == []


def test_a_result_needs_no_graph_of_the_whole_game() -> None:
    """Not even in a pool of the size of tables, where the tables are too large."""
    restrictions = (Restriction("divisor-or-multiple", "last"),)
    ending = (Criterion("last-pick", "higher"),)
    rules = Rules(tuple(range(1, 17)), (), ending=ending, restrictions=restrictions)
    solver = Solver(Game(rules), lambda positions: positions > 2_000)
    assert solver.result(solver.game.start()) == "win"
