"""A link of the ending is said to tie exactly where it can, as far as that is looked at."""

from itertools import combinations
from typing import Any

import pytest

from ninefold.books.book import read_book
from ninefold.books.ties import deciding, final_sizes
from ninefold.core.game import Game
from ninefold.core.patterns import is_of_kind

POOLS = (
    [1, 2, 3],
    [1, 2, 3, 4],
    [2, 4, 6, 9],
    [1, 2, 4, 8, 16],
    [-3, 1, 2, 5, 7],
    [1, 2, 3, 5, 8, 9],
)
LINKS: tuple[dict[str, Any], ...] = (
    {"measure": "count", "prefer": "higher"},
    {"measure": "hand-sum", "prefer": "lower"},
    {"measure": "distance", "prefer": "lower", "target": 7},
    {"measure": "distance", "prefer": "lower", "target": 6, "exceeding": False},
    {"measure": "distance", "prefer": "higher", "target": 3, "exceeding": False},
    {"measure": "count", "prefer": "higher", "kind": "multiple", "of": 3},
    {"measure": "count", "prefer": "lower", "kind": "even"},
)
TURNS: tuple[dict[str, Any], ...] = (
    {},
    {"picks-per-turn": 2},
    {"picks-per-turn": 5},
    {"picks-per-turn": 3, "hand-limit": 4},
    {"invalid": "lose-turn"},
    {"invalid": "lose-turn", "hand-limit": 4},
    {"values": {"2": 5, "1": -2}},
    {"pie": True},
)


def game_of(rules: dict[str, Any]) -> Game:
    """The game with these rules."""
    return read_book({"rules": rules}, stem="book").game


def can_tie(game: Game) -> bool:
    """Whether some way to share out all numbers ties, by trying them all."""
    link, pool = game.rules.ending[0], game.pool
    for size, _ in final_sizes(game):
        for hand in combinations(pool, size):
            rest = [number for number in pool if number not in hand]
            values: list[int | None] = []
            for numbers in (hand, rest):
                total = sum(map(game.rules.points, numbers))
                if link.measure == "count":
                    kind, of = link.kind, link.of
                    fitting = [one for one in numbers if kind is None or is_of_kind(one, kind, of)]
                    values.append(len(fitting))
                elif link.measure == "hand-sum":
                    values.append(total)
                else:
                    beyond = total > link.target and not link.exceeding
                    values.append(None if beyond else abs(total - link.target))
            if values[0] == values[1]:
                return True
    return False


@pytest.mark.parametrize("turns", TURNS, ids=str)
@pytest.mark.parametrize("link", LINKS, ids=str)
def test_a_link_can_tie_if_some_way_to_share_the_numbers_does(
    link: dict[str, Any], turns: dict[str, Any]
) -> None:
    """Never in doubt, for every pool, with every number of picks and lost turns."""
    for pool in POOLS:
        fitting = {**turns, "values": {"2": 5}} if "values" in turns else turns
        fitting = fitting if 2 in pool else {**fitting, "values": {}}
        game = game_of({"pool": pool, "ending": [link], **fitting})
        assert final_sizes(game)
        assert (deciding(game) is None) == can_tie(game), pool


@pytest.mark.parametrize(
    "rules",
    [
        {"passing": True},
        {"hand-limit": 2},
        {"caps": [{"total": "sum", "of": "taken", "at-most": 12}]},
        {"restrictions": [{"must": "greater", "compared-with": "last"}], "stuck": "skip"},
    ],
    ids=str,
)
def test_where_numbers_can_be_left_over_it_may_tie(rules: dict[str, Any]) -> None:
    """Although both pool and total are odd."""
    ending = [{"measure": "hand-sum", "prefer": "higher"}]
    assert deciding(game_of({"pool": "1-5", "ending": ending})) == 0
    assert deciding(game_of({"pool": "1-5", "ending": ending, **rules})) is None


def test_too_many_totals_are_judged_by_their_parity() -> None:
    """In doubt, it may tie."""
    ending = [{"measure": "hand-sum", "prefer": "higher"}]
    pool = [2 + 2**at for at in range(14)]
    assert deciding(game_of({"pool": pool, "ending": ending})) == 0
    assert deciding(game_of({"pool": [1, *pool], "ending": ending})) is None


def test_points_can_make_runs_of_one_length_equal() -> None:
    """Otherwise the one that starts higher has the higher sum."""
    ending = [{"measure": name, "prefer": "higher"} for name in ("longest-run", "run-sum")]
    assert deciding(game_of({"pool": "1-6", "ending": ending})) == 1
    assert deciding(game_of({"pool": "1-6", "ending": ending, "values": {"6": 1}})) is None
