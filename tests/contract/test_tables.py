"""The solver's tables against the judge: a plain search over positions, and the graph."""

from __future__ import annotations

import random
import traceback

import pytest
from effort import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract.strategies import Twins, open_rules, ordered_rules, with_limits
from contract.walks import READINGS, Case, walk
from ninefold.core.game import Game
from ninefold.core.moves import LOST
from ninefold.core.patterns import Pattern
from ninefold.core.position import Position
from ninefold.core.rules import Criterion, Rules
from ninefold.solver import Solver
from ninefold.solver.graph import Graph
from ninefold.solver.scores import Budget, OutOfBudget, score_of_child
from ninefold.solver.tables import Tables

RETRY = [case for case in READINGS if case.game.rules.invalid == "retry"]


class PlainSearch:
    """Every move tried, one position after the other; for rules under which no game is endless."""

    def __init__(self) -> None:
        self._scores: dict[object, int] = {}

    def score(self, position: Position) -> int:
        """The score of an unfinished position for the player to act."""
        key = position.key
        if key not in self._scores:
            children = map(position.play, position.legal)
            self._scores[key] = max(
                score_of_child(position, child, self.score) for child in children
            )
        return self._scores[key]


def random_positions(game: Game, seed: int, count: int, lost: float = 0) -> list[Position]:
    """The unfinished positions of random games, with or without lost turns."""
    chance, found = random.Random(seed), []
    for _ in range(count):
        position = game.start(chance.choice((1, 2)))
        while position.outcome is None:
            found.append(position)
            legal = [move for move in position.legal if move is not LOST]
            lose = chance.random() < lost and not position.asking
            position = position.play(LOST if lose else chance.choice(legal))
    return found


LOST_TURNS = [case._replace(lost=True) for case in RETRY]


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        *(case._replace(pool=tuple(range(1, 8))) for case in LOST_TURNS),
        *(pytest.param(case, marks=pytest.mark.long) for case in LOST_TURNS),
    ],
    ids=str,
)
def test_turns_lost_on_the_clock(case: Case) -> None:
    """No book counts on them, but every position after them has its exact score, too."""
    solver, search, checked = Solver(case.game), PlainSearch(), 0
    for at, (_, position) in enumerate(walk(case)):
        if position.outcome is None and at % 3 == 0:
            assert solver.score(position) == search.score(position), position
            checked += 1
    assert checked > 100


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules", [open_rules((1, 7)), ordered_rules((3, 5)), with_limits(open_rules((1, 6)))]
)
@given(data=st.data(), seed=st.integers(0, 999))
@settings(max_examples=examples(10), suppress_health_check=list(HealthCheck))
def test_random_rules_with_lost_turns(
    rules: st.SearchStrategy[Twins], data: st.DataObject, seed: int
) -> None:
    """Any pool, ways to win, ending and hand limit: the same scores, whoever begins."""
    game = Game(data.draw(rules).engine._replace(invalid="retry"))
    solver, search = Solver(game), PlainSearch()
    for position in random_positions(game, seed, 3) + random_positions(game, seed, 3, lost=0.3):
        assert solver.score(position) == search.score(position), position


@pytest.mark.parametrize("size", [11, 13])
def test_tables_from_a_position_on_agree_with_those_of_the_whole_game(size: int) -> None:
    """A sample of positions of pools that have no book: the same scores both ways."""
    wins = (Pattern("consecutive", (("length", 4),)), Pattern("arithmetic", (("length", 5),)))
    rules = Rules(tuple(range(size)), wins, (Criterion("longest-run", "higher"),))
    game = Game(rules)
    whole, sample = Tables(game), random_positions(game, size, 12)
    late = [position for position in sample if 0 < len(position.available) <= 7]
    assert len(late) > 40
    for position in late:
        assert Tables(game, start=position).score(position) == whole.score(position), position


@pytest.mark.slow
def test_sixteen_numbers() -> None:
    """The largest tables know what is found from positions with few free numbers on."""
    game = Game(Rules(tuple(range(1, 17)), (Pattern("arithmetic", (("length", 4),)),)))
    solver, tables = Solver(game), Tables(game)
    late = [position for position in random_positions(game, 1, 12) if len(position.available) <= 8]
    assert len(late) > 30
    assert [tables.score(position) for position in late] == [*map(solver.score, late)]
    assert solver.positions < 100_000  # it never needed those of the whole game
    assert tables.positions == 7_275_377


@pytest.mark.xdist_group("compiling")
def test_late_positions_of_very_large_pools_are_solved_exactly() -> None:
    """Thirty numbers, eight of them free: the same as by trying everything."""
    game = Game(Rules(tuple(range(1, 31)), (Pattern("arithmetic", (("length", 6),)),)))
    chance = random.Random(4)
    position = game.start()
    while len(position.available) > 8 and position.outcome is None:
        position = position.play(chance.choice(position.available))
    assert position.outcome is None
    assert Solver(game).score(position) == PlainSearch().score(position)


@pytest.mark.parametrize("case", READINGS, ids=str)
def test_tables_count_the_positions_that_play_can_reach(case: Case) -> None:
    """As many as the graph has unfinished positions."""
    graph = Graph(case.game.start())
    met = sum(position.outcome is None for position in graph.nodes)
    if case.game.rules.in_order:
        # Hands with the same future are one there.
        assert 0 < Tables(case.game).positions <= met
    else:
        assert Tables(case.game).positions == met


def test_a_budget_stops_the_tables_in_the_making() -> None:
    """Asked to stop it stops, and what it would have known is unknown."""
    game = Game(Rules(tuple(range(1, 12)), (Pattern("arithmetic", (("length", 3),)),)))
    asked: list[int] = []

    def stop(positions: int) -> bool:
        asked.append(positions)
        return len(asked) == 4

    with pytest.raises(OutOfBudget):
        Tables(game, Budget(stop))
    assert len(asked) == 4
    assert Solver(game, lambda _: True).value(game.start()) == ("unknown", None)


def test_tables_that_hold_lost_turns_are_made_once() -> None:
    """Also where only a turn lost on the clock leads to a phase: asked again, nothing is made."""
    game = Game(
        Rules(
            tuple(range(1, 8)),
            (Pattern("sum", (("count", 3), ("equals", 12))),),
            (Criterion("last-pick", "higher"),),
            passing=True,
            otherwise="first",
        )
    )
    lost, solver = game.start().play(LOST), Solver(game)
    assert [*map(solver.score, (lost, lost, lost))] == [Graph(lost).scores[0]] * 3
    assert len(solver._tables) == 2


def test_comparing_hands_at_the_end_asks_the_budget() -> None:
    """Where a game can end with any hands, there are millions of pairs to compare."""
    pattern = Pattern("sum", (("count", 3), ("equals", 6)))
    ending = (Criterion("hand-sum", "higher"),)
    game = Game(Rules(tuple(range(1, 13)), (pattern,), ending, passing=True))
    asked: list[int] = []

    def stop(positions: int) -> bool:
        asked.append(positions)
        compares = any(frame.name == "_compared" for frame in traceback.extract_stack())
        return compares and len(asked) > 20

    with pytest.raises(OutOfBudget):
        Tables(game, Budget(stop))


def test_a_graph_that_is_too_large_is_not_walked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither for the same position nor for one with as many free numbers."""
    monkeypatch.setattr("ninefold.solver.MOST_NODES", 50)
    monkeypatch.setattr("ninefold.solver.one_by_one.MOST_POSITIONS", 50)
    pattern = Pattern("arithmetic", (("length", 5),))
    game = Game(Rules(tuple(range(1, 19)), (pattern,), declare=True))
    seen: list[int] = []

    def note(positions: int) -> bool:
        seen.append(positions)
        return False

    solver = Solver(game, note)
    values = solver.moves(game.start())
    assert {value.result for value in values} == {"unknown"}
    assert len(seen) <= 2
