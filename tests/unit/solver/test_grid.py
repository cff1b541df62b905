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


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("count", range(-1, SIZE + 2))
def test_hands_are_told_apart_by_their_size(seat: int, count: int) -> None:
    """Exactly the positions in which this player holds fewer numbers, whatever the other holds."""
    grid = Grid(GAME)
    expected = grid.of(index_of(digits) for digits in ALL if digits.count(seat) < count)
    assert grid.smaller(seat, count) == expected


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
