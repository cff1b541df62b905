"""Complete tables: every position of a game solved at once, as sets of positions in big integers.

A position is a number to base 3 with a digit for each number of the pool: 0 while it is free, else
who holds it. A set of positions is one integer with a bit for each of them, so claiming a number is
a shift, and a few dozen operations take all positions one ply further from the end.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

from ninefold.core.endings import rank
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.solver.scores import BEST, Budget

# More numbers take too much memory: a set of all positions of 16 numbers has 5 MB already.
TABLE_NUMBERS = 16


class TableSearch:
    """Exact scores from complete tables, made when they are first needed.

    One table knows all positions of alternating turns; another, made only if a turn was lost or may
    be, all ways to share out numbers.
    """

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.budget = budget
        self._tables: dict[bool, Table] = {}
        self._may_lose_turn = game.rules.invalid == "lose-turn"

    @property
    def positions(self) -> int:
        """How many positions the tables hold."""
        return sum(table.positions for table in self._tables.values())

    def score(self, position: Position) -> int:
        """The score of an unfinished position; raises OutOfBudget."""
        own, other = position.masks if position.turn == 1 else position.masks[::-1]
        lead = other.bit_count() - own.bit_count()
        wide = self._may_lose_turn or lead not in (0, 1)
        table = self._tables.get(wide)
        if table is None:
            table = self._tables[wide] = Table(self.game, wide, self.budget)
        return table.score(other, own) if lead == 1 and not wide else table.score(own, other)


class Table:
    """The scores of all positions of a game, by the masks of two players.

    A ``wide`` table knows every way to share out numbers, with the first player to act; any other
    one the positions of alternating turns, where the masks tell who is to act.
    """

    def __init__(self, game: Game, wide: bool, budget: Budget) -> None:
        self._wide = wide
        self._grid = Grid(len(game.pool))
        self._may_lose_turn = game.rules.invalid == "lose-turn"
        self._planes: list[int] = []
        budget.ask()
        self._prepare(game)
        self.positions = self._shown(self._open).bit_count()
        self._solve(budget)
        self._places = self._grid.indices
        self._bytes = [self._grid.as_bytes(plane) for plane in self._planes]
        del self._planes, self._grid, self._open, self._full, self._won, self._lost

    def score(self, one: int, two: int) -> int:
        """The score for the player to act, who is the first in a wide table."""
        at = self._places[one] + 2 * self._places[two]
        code, byte, bit = 0, at >> 3, at & 7
        for plane in self._bytes:
            code = code << 1 | plane[byte] >> bit & 1
        if not code:
            return 0
        distance = code >> 1
        return distance - BEST if code & 1 else BEST - distance

    def _prepare(self, game: Game) -> None:
        """Which positions are open, and which are won or lost for the player who has just picked.

        Each pair has a set for either player, to act or who has just picked.
        """
        grid, lines = self._grid, game.lines.values()
        held = [grid.of(seat * grid.indices[line] for line in lines) for seat in (1, 2)]
        held = [grid.and_later(positions) for positions in held]
        unfinished = grid.any_free & ~(held[0] | held[1])
        self._open = [unfinished & turn for turn in self._turns()]
        self._full = [0, 0]
        if game.rules.hand_limit is not None:
            self._limit_hands(game.rules.hand_limit)
        ends = Endings(game, self._grid, self._wide)
        decided = [ends.decided(seat) for seat in (1, 2)]
        won, lost = ([0, 0], held) if game.rules.misere else (held, [0, 0])
        self._won = [won[seat] | decided[seat][0] for seat in (0, 1)]
        self._lost = [lost[seat] | decided[seat][1] for seat in (0, 1)]

    def _limit_hands(self, limit: int) -> None:
        """Close the positions with too many numbers in a hand, or a full one to act."""
        grid = self._grid
        self._full = [grid.held_by(seat, limit) for seat in (1, 2)]
        room = [0, 0]
        for count in range(limit):
            room = [room[seat] | grid.held_by(seat + 1, count) for seat in (0, 1)]
        for seat in (0, 1):
            self._open[seat] &= room[seat] & (room[1 - seat] | self._full[1 - seat])

    def _turns(self) -> tuple[int, int]:
        """The positions in which either player may be to act."""
        if self._wide:
            return self._grid.everything, self._grid.everything
        return self._grid.with_lead(0), self._grid.with_lead(1)

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
            wins = self._grid.before(seat + 1, self._won[seat]) if self._won[seat] else 0
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
                losses &= ~self._grid.before(seat + 1, self._grid.everything & ~lost[seat])
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


class Grid:
    """Sets of positions over so many numbers."""

    def __init__(self, size: int) -> None:
        self.everything = (1 << 3**size) - 1
        self._length = 3**size // 8 + 1
        self._places = [3**at for at in range(size)]
        self._free = [self._where_free(place) for place in self._places]
        self.indices = [0]
        for place in self._places:
            self.indices += [index + place for index in self.indices]

    def _where_free(self, place: int) -> int:
        """The positions with digit 0 at this place: runs of ones, three times as far apart."""
        positions, period = (1 << place) - 1, 3 * place
        while period <= self._places[-1]:
            positions |= positions << period | positions << 2 * period
            period *= 3
        return positions

    @property
    def any_free(self) -> int:
        """The positions in which a number is free."""
        found = 0
        for free in self._free:
            found |= free
        return found

    def of(self, indices: Iterable[int]) -> int:
        """The set of the positions with these indices."""
        found = bytearray(self._length)
        for at in indices:
            found[at >> 3] |= 1 << (at & 7)
        return int.from_bytes(found, "little")

    def as_bytes(self, positions: int) -> bytes:
        """The set with one bit a position, the lowest first."""
        return positions.to_bytes(self._length, "little")

    def and_later(self, positions: int) -> int:
        """These positions, and all that follow when anybody picks anything."""
        for place, free in zip(self._places, self._free, strict=True):
            open_ = positions & free
            positions |= open_ << place | open_ << 2 * place
        return positions

    def before(self, seat: int, positions: int) -> int:
        """The positions from which a pick of this player leads to one of these."""
        found = 0
        for place, free in zip(self._places, self._free, strict=True):
            # Where the digit was not the player's, the shift leaves one that is not 0.
            found |= positions >> seat * place & free
        return found

    def with_lead(self, lead: int) -> int:
        """The positions in which the first player holds so many numbers more."""
        return self._counted(1, -1).get(lead, 0)

    def held_by(self, seat: int, count: int) -> int:
        """The positions in which this player holds so many numbers."""
        return self._counted(*((1, 0) if seat == 1 else (0, 1))).get(count, 0)

    @cache  # noqa: B019 - a grid is dropped together with what it counted
    def _counted(self, one: int, two: int) -> dict[int, int]:
        """All positions by a count to which each number of either player adds so much."""
        counted = {0: 1}
        for place in self._places:
            grown: dict[int, int] = {}
            for count, positions in counted.items():
                for digit, more in enumerate((0, one, two)):
                    before = grown.get(count + more, 0)
                    grown[count + more] = before | positions << digit * place
            counted = grown
        return counted


class Endings:
    """Who wins when no number can be claimed any more, for every way that can come about."""

    def __init__(self, game: Game, grid: Grid, wide: bool) -> None:
        self._game = game
        self._grid = grid
        self._wide = wide
        self._rank = cache(self._find_rank)

    def decided(self, last: int) -> tuple[int, int]:
        """The positions won, and those lost, for the player who has just picked the last number."""
        if not self._game.rules.ending:
            return 0, 0
        indices = self._grid.indices
        won: list[int] = []
        lost: list[int] = []
        for own, other in self._shares(last):
            mine, theirs = self._rank(own, True), self._rank(other, False)
            if mine != theirs:
                at = last * indices[own] + (3 - last) * indices[other]
                (won if mine > theirs else lost).append(at)
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

    def _find_rank(self, mask: int, last: bool) -> tuple[float, ...]:
        hands = self._game.numbers(mask), ()
        return rank(Position(self._game, hands, (mask, 0), 1, last_picker=1 if last else 2), 1)
