"""From the end to the beginning: a few dozen operations take all positions one ply further back."""

from functools import reduce
from operator import or_

from ninefold.core.game import Game
from ninefold.solver.endings import Endings
from ninefold.solver.grid import Grid
from ninefold.solver.scores import Budget


class Sweep:
    """All positions of a game, taken from the end to the beginning.

    Each pair of sets has one for either player: to act, or who has just picked. ``wide`` stands for
    every way to share out numbers, else turns alternate. ``began`` tells which of the two began.
    """

    def __init__(self, game: Game, wide: bool, began: int = 1) -> None:
        self.grid = grid = Grid(len(game.pool))
        self._wide = wide
        self._may_lose_turn = game.rules.invalid == "lose-turn"
        self._planes: list[int] = []
        held = self._held(game)
        unfinished = grid.any_free & ~(held[0] | held[1])
        self._open = [unfinished & turn for turn in self._turns()]
        self._full = [0, 0]
        if game.rules.hand_limit is not None:
            self._limit_hands(game.rules.hand_limit)
        ends = Endings(game, grid, self._wide, began)
        decided = [ends.decided(seat) for seat in (1, 2)]
        won, lost = ([0, 0], held) if game.rules.misere else (held, [0, 0])
        self._won = [won[seat] | decided[seat][0] for seat in (0, 1)]
        self._lost = [lost[seat] | decided[seat][1] for seat in (0, 1)]
        self.positions = self._shown(self._open).bit_count()

    def run(self, budget: Budget) -> list[bytes]:
        """The codes of all positions, one plane a bit, the highest first; raises OutOfBudget."""
        self._solve(budget)
        return [self.grid.as_bytes(plane) for plane in self._planes]

    def _held(self, game: Game) -> list[int]:
        """The positions in which each player holds what counts as a set."""
        grid, lines = self.grid, game.lines.values()
        if not game.whole:
            held = [grid.of(seat * grid.indices[line] for line in lines) for seat in (1, 2)]
            return [grid.and_later(positions) for positions in held]
        assert game.table is not None, "there are tables for small pools only"
        hands = [mask for mask, wins in enumerate(game.table) if wins]
        held = [grid.of(seat * grid.indices[hand] for hand in hands) for seat in (1, 2)]
        # More numbers of one's own may be too many, so only the other player's are added.
        return [grid.and_later(held[0], (2,)), grid.and_later(held[1], (1,))]

    def _limit_hands(self, limit: int) -> None:
        """Close the positions with too many numbers in a hand, or a full one to act."""
        room = []
        for seat, (one, two) in enumerate(((1, 0), (0, 1))):
            counted = self.grid.counted(one, two, range(limit + 1))
            self._full[seat] = counted.pop(limit, 0)
            room.append(reduce(or_, counted.values()))
        for seat in (0, 1):
            self._open[seat] &= room[seat] & (room[1 - seat] | self._full[1 - seat])

    def _turns(self) -> tuple[int, int]:
        """The positions in which either player may be to act."""
        if self._wide:
            return self.grid.everything, self.grid.everything
        leads = self.grid.counted(1, -1, range(2))
        return leads[0], leads[1]

    def _solve(self, budget: Budget) -> None:
        """Take all positions further from the end, ply by ply, until nothing more is decided.

        Whatever is open then is a draw.
        """
        distance, solved = 0, 0
        lost, beaten = [0, 0], [0, 0]  # after a pick, and to act: all that is known so far
        wins, losses = [0, 0], [0, 0]  # to act: what became known last
        while any(self._won) or any(self._lost):
            distance += 1
            lost = [old | new for old, new in zip(lost, self._lost, strict=True)]
            beaten = [old | new for old, new in zip(beaten, wins, strict=True)]
            wins, losses = self._wins(losses), self._losses(lost, beaten)
            losses = [loss & ~win for loss, win in zip(losses, wins, strict=True)]
            for seat in (0, 1):
                self._open[seat] &= ~(wins[seat] | losses[seat])
            self._won, self._lost = self._after_picks(wins, losses)
            self._note(2 * distance, self._shown(wins))
            self._note(2 * distance + 1, self._shown(losses))
            solved += self._shown(wins).bit_count() + self._shown(losses).bit_count()
            budget.ask(solved)

    def _wins(self, losses: list[int]) -> list[int]:
        """Where a pick wins that is now known to, or giving the turn away does."""
        found = []
        for seat in (0, 1):
            wins = self.grid.before(seat + 1, self._won[seat]) if self._won[seat] else 0
            if self._may_lose_turn:
                wins |= losses[1 - seat] & ~self._full[1 - seat]
            found.append(wins & self._open[seat])
        return found

    def _losses(self, lost: list[int], beaten: list[int]) -> list[int]:
        """Where every pick is known to lose, and giving the turn away as well."""
        found = []
        for seat in (0, 1):
            losses = self._open[seat]
            if self._may_lose_turn:
                losses &= beaten[1 - seat] & ~self._full[1 - seat]
            elif not self._lost[seat]:
                losses = 0
            if losses:
                losses &= ~self.grid.before(seat + 1, self.grid.everything & ~lost[seat])
            found.append(losses)
        return found

    def _after_picks(self, wins: list[int], losses: list[int]) -> tuple[list[int], list[int]]:
        """What is now won and lost for the player who has just picked, past a full hand."""
        won, lost = [], []
        for seat, full in ((0, self._full[1]), (1, self._full[0])):
            won.append(losses[1 - seat] & ~full | wins[seat] & full)
            lost.append(wins[1 - seat] & ~full | losses[seat] & full)
        return won, lost

    def _shown(self, pair: list[int]) -> int:
        """The positions the table answers for."""
        return pair[0] if self._wide else pair[0] | pair[1]

    def _note(self, code: int, positions: int) -> None:
        """Write a code down for these positions, one plane a bit, the highest bit first."""
        while len(self._planes) < code.bit_length():
            self._planes.insert(0, 0)
        for at in range(code.bit_length()):
            if code >> at & 1:
                self._planes[-1 - at] |= positions
