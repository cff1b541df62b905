"""Complete tables against the search that plays, position by position."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from effort import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract.strategies import Twins, open_rules
from contract.walks import READINGS, Case, walk
from ninefold.core.game import Game
from ninefold.core.moves import LOST
from ninefold.core.patterns import Pattern
from ninefold.core.position import Position
from ninefold.core.rules import Criterion, Rules
from ninefold.solver.general import GeneralSearch
from ninefold.solver.plain import PlainSearch
from ninefold.solver.scores import Budget, OutOfBudget
from ninefold.solver.table import TableSearch

ONE_TO_SEVEN = tuple(range(1, 8))
TABLED = [case for case in READINGS if not (case.game.rules.declare or case.game.rules.in_order)]


def searches(game: Game) -> tuple[TableSearch, PlainSearch | GeneralSearch]:
    """The tables of a game, and the search they are compared with."""
    special = game.rules.hand_limit or game.rules.otherwise != "draw"
    other = GeneralSearch if special else PlainSearch
    return TableSearch(game, Budget()), other(game, Budget())


def random_positions(game: Game, seed: int, count: int, lost: float = 0) -> list[Position]:
    """The unfinished positions of random games, with or without lost turns."""
    chance, found = random.Random(seed), []
    for _ in range(count):
        position = game.start(chance.choice((1, 2)))
        while position.outcome is None:
            found.append(position)
            move = LOST if chance.random() < lost else chance.choice(position.available)
            position = position.play(move)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        *TABLED,
        *(case._replace(lost=True, pool=ONE_TO_SEVEN) for case in TABLED),
        *(pytest.param(case._replace(lost=True), marks=pytest.mark.long) for case in TABLED),
        *(case._replace(misere=True, pool=tuple(range(1, 9))) for case in TABLED),
    ],
    ids=str,
)
def test_every_position_of_every_book(case: Case) -> None:
    """The table and the search agree on result and distance, also after turns lost on the clock."""
    table, search = searches(case.game)
    scores = {
        (position.key, position.turn): (table.score(position), search.score(position))
        for _, position in walk(case)
        if position.outcome is None
    }
    assert len(scores) > 500
    assert all(ours == theirs for ours, theirs in scores.values())


@given(twins=open_rules((1, 8)), seed=st.integers(0, 999))
@settings(max_examples=examples(60), suppress_health_check=list(HealthCheck))
def test_random_rules(twins: Twins, seed: int) -> None:
    """Any pool, ways to win, ending, hand limit and lost turns: the same scores."""
    game = Game(twins.engine)
    table, search = searches(game)
    for position in random_positions(game, seed, 3) + random_positions(game, seed, 3, lost=0.3):
        assert table.score(position) == search.score(position), position


@pytest.mark.slow
@pytest.mark.parametrize("size", [11, 12, 13])
@pytest.mark.parametrize("invalid", ["retry", "lose-turn"])
def test_larger_pools(size: int, invalid: str) -> None:
    """A sample of positions of pools that have no book: the same scores."""
    wins = (Pattern("consecutive", (("length", 4),)), Pattern("arithmetic", (("length", 5),)))
    rules = Rules(tuple(range(size)), wins, (Criterion("longest-run", "higher"),))
    game = Game(rules._replace(invalid="lose-turn" if invalid == "lose-turn" else "retry"))
    table, search = searches(game)
    for position in (game.start(), game.start().play(LOST).play(0).play(LOST)):
        table.score(position)  # from here on, both tables are there
    sample = [
        position
        for position in random_positions(game, size, 30, lost=0.1)
        if len(position.available) <= 9
    ]
    assert len(sample) > 50
    for position in sample:
        assert table.score(position) == search.score(position), position


@pytest.mark.slow
def test_sixteen_numbers() -> None:
    """The largest table knows what the search finds out about positions with nine free numbers."""
    game = Game(Rules(tuple(range(1, 17)), (Pattern("arithmetic", (("length", 4),)),)))
    table, search = searches(game)
    sample = [
        position for position in random_positions(game, 1, 20) if len(position.available) <= 9
    ]
    assert len(sample) > 50
    table.score(game.start())
    assert [table.score(position) for position in sample] == [
        search.score(position) for position in sample
    ]
    assert table.positions == 7_275_377


def test_late_positions_of_a_large_pool_need_no_table() -> None:
    """They are searched: at once, and with the same result as the table gives."""
    game = Game(Rules(tuple(range(1, 17)), (Pattern("arithmetic", (("length", 4),)),)))
    late = game.play("1 2 4 3 6 5 9 8")
    table = TableSearch(game, Budget())
    score = table.score(late)
    assert 0 < table.positions < 20_000
    assert score == PlainSearch(game, Budget()).score(late)


@pytest.mark.slow
def test_the_table_counts_the_positions_of_alternating_turns() -> None:
    """As many as a walk over the game meets, whoever starts."""
    for case in TABLED:
        if case.game.rules.invalid == "retry":
            table = TableSearch(case.game, Budget())
            assert table.positions == 0
            table.score(case.game.start())
            met = {position.key for _, position in walk(case) if position.outcome is None}
            assert table.positions == len(met), case


def test_a_budget_stops_the_table_in_the_making() -> None:
    """Asked to stop it stops, and it asks with growing counts of solved positions."""
    game = Game(Rules(tuple(range(1, 12)), (Pattern("arithmetic", (("length", 3),)),)))
    asked: list[int] = []

    def stop(positions: int) -> bool:
        asked.append(positions)
        return len(asked) == 4

    table = TableSearch(game, Budget(stop))
    with pytest.raises(OutOfBudget):
        table.score(game.start())
    assert len(asked) == 4
    assert all(fewer < more for fewer, more in pairwise(asked))
