"""Sets of positions as big integers: each operation is what it says, position by position."""

from itertools import product

import pytest

from ninefold.core.game import Game
from ninefold.core.patterns import Pattern
from ninefold.core.rules import Rules
from ninefold.solver.grid import Grid

SIZE = 4
GAME = Game(Rules(tuple(range(1, SIZE + 1)), (Pattern("arithmetic", (("length", 3),)),)))
ALL = list(product(range(3), repeat=SIZE))  # who holds each number: nobody, the first, the second


def index_of(digits: tuple[int, ...]) -> int:
    """The index of a position, from who holds each number."""
    return sum(digit * 3**at for at, digit in enumerate(digits))


@pytest.mark.parametrize("weights", [(1, 0), (0, 1), (1, 1), (1, -1), (2, 1)])
@pytest.mark.parametrize("wanted", [range(5), range(2, 3), range(1, 3)])
def test_positions_are_counted_by_what_each_number_adds(
    weights: tuple[int, int], wanted: range
) -> None:
    """Free numbers add nothing, so a count can stay as low as it is."""
    expected: dict[int, set[int]] = {}
    for digits in ALL:
        count = sum((0, *weights)[digit] for digit in digits)
        if count in wanted:
            expected.setdefault(count, set()).add(index_of(digits))
    counted = Grid(GAME).counted(*weights, wanted)
    found = {
        count: {at for at in range(3**SIZE) if positions >> at & 1}
        for count, positions in counted.items()
    }
    assert found == expected


@pytest.mark.parametrize("seat", [1, 2])
def test_picks_lead_forwards_and_back(seat: int) -> None:
    """From every position to exactly those with one more number of this player."""
    grid = Grid(GAME)
    for digits in ALL:
        after = {
            index_of((*digits[:at], seat, *digits[at + 1 :]))
            for at in range(SIZE)
            if not digits[at]
        }
        here = 1 << index_of(digits)
        assert grid.after(seat, here) == grid.of(after)
        for position in after:
            assert grid.before(seat, 1 << position) & here
