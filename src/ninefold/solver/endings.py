"""Who wins when no number can be claimed any more, for all hands at once."""

from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations

from ninefold.core.endings import decide, rank
from ninefold.core.game import Game
from ninefold.core.position import Memory, Position
from ninefold.solver.grid import Grid


class Endings:
    """Who wins when no number can be claimed any more, for every way that can come about."""

    def __init__(self, game: Game, grid: Grid, wide: bool, began: int) -> None:
        self._game = game
        self._grid = grid
        self._wide = wide
        otherwise = game.rules.otherwise
        self._favourite = {"draw": 0, "first": began, "second": 3 - began}[otherwise]
        self._rank = cache(partial(rank_hand, game))

    def decided(self, last: int) -> tuple[int, int]:
        """The positions won, and those lost, for the player who has just picked the last number."""
        if not self._game.rules.ending and not self._favourite:
            return 0, 0
        indices = self._grid.indices
        won: list[int] = []
        lost: list[int] = []
        for own, other in self._shares(last):
            mine, theirs = self._rank(own, True), self._rank(other, False)
            if mine != theirs or self._favourite:
                at = last * indices[own] + (3 - last) * indices[other]
                wins = mine > theirs if mine != theirs else self._favourite == last
                (won if wins else lost).append(at)
        return self._grid.of(won), self._grid.of(lost)

    def _shares(self, last: int) -> Iterator[tuple[int, int]]:
        """The masks of the last picker and the other player when the game is over."""
        size = len(self._game.pool)
        limit = min(size, self._game.rules.hand_limit or size)
        for own in range(1, limit + 1):
            for other in range(min(limit, size - own) + 1):
                over = own + other == size or own == other == limit
                if over and (self._wide or own - other == 2 - last):
                    yield from self._hands(own, other)

    def _hands(self, own: int, other: int) -> Iterator[tuple[int, int]]:
        """Every pair of masks with so many numbers and no set."""
        bits, holds = list(self._game.bits.values()), self._game.table
        assert holds is not None
        for mine in map(sum, combinations(bits, own)):
            if not holds[mine]:
                rest = [bit for bit in bits if not bit & mine]
                for theirs in map(sum, combinations(rest, other)):
                    if not holds[theirs]:
                        yield mine, theirs


def judge_hands(game: Game, own: int, other: int, began: int, last: int | None) -> int | None:
    """Who wins when nothing more is claimed: 1 for ``own``, 2 for ``other``, None for nobody."""
    hands, memory = (game.numbers(own), game.numbers(other)), Memory(began)
    return decide(Position(game, hands, (own, other), 1, last_picker=last, memory=memory)).winner


def rank_hand(game: Game, mask: int, picked_last: bool) -> tuple[float, ...]:
    """What the ending compares of a hand: the higher rank wins."""
    hands = game.numbers(mask), ()
    return rank(Position(game, hands, (mask, 0), 1, last_picker=1 if picked_last else 2), 1)
