"""All positions of an ordinary game, ply by ply, as big integers: one bit for each position."""

from collections.abc import Iterator
from functools import cache, cached_property, partial
from itertools import combinations

from ninefold.audit.figures import (
    DRAW,
    LINK,
    PATTERN,
    Decider,
    Moves,
    Tell,
)
from ninefold.core.game import TABLE_POOL, Game
from ninefold.core.rules import Rules
from ninefold.solver.endings import rank_hand
from ninefold.solver.grid import Grid
from ninefold.solver.scores import BEST, Budget
from ninefold.solver.sweep import Sweep

# Every field of the rules these layers know; any other one must have its default.
_KNOWN = ("pool", "wins", "ending", "hand_limit", "misere")


def has_layers(game: Game) -> bool:
    """Whether turns alternate, hands only grow, and a hand that holds a set keeps it."""
    rules = game.rules
    others = set(Rules._fields) - set(_KNOWN)
    if len(game.pool) > TABLE_POOL or game.table is None:
        return False
    defaults = Rules._field_defaults
    return all(getattr(rules, field) == defaults[field] for field in others) and _grows(game)


def _grows(game: Game) -> bool:
    """Whether a hand wins exactly if it holds one of the sets, so that it never stops winning."""
    assert game.table is not None
    size, winning = len(game.pool), 0
    for line in game.lines.values():
        winning |= 1 << line
    for at in range(size):
        without = ((1 << (1 << at)) - 1) * (((1 << (1 << size)) - 1) // ((1 << (2 << at)) - 1))
        winning |= (winning & without) << (1 << at)
    return bytes(map(int, bin(winning | 1 << (1 << size))[:2:-1])) == bytes(game.table)


class Layers:
    """The positions of an ordinary game by ply: unfinished, final, won, lost, without mistakes."""

    def __init__(self, game: Game, tell: Tell) -> None:
        self.game, self.tell = game, tell
        self.size = len(game.pool)
        limit = game.rules.hand_limit or self.size
        self.last = min(self.size, 2 * limit)
        tell("solving every position")
        sweep = Sweep(game, False)
        self.grid: Grid = sweep.grid
        self._planes = sweep.run(Budget())
        self.unfinished: list[int] = [1]
        self.over: list[int] = [0]
        self._fill()
        self.finals = self._finals()

    @staticmethod
    def mover(ply: int) -> int:
        """Who makes the move after so many."""
        return 1 + ply % 2

    @cached_property
    def lost(self) -> int:
        """The unfinished positions lost for the player to act."""
        return int.from_bytes(self._planes[-1], "little") if self._planes else 0

    @cached_property
    def won(self) -> int:
        """The unfinished positions won for the player to act."""
        known = 0
        for plane in self._planes[:-1]:
            known |= int.from_bytes(plane, "little")
        return known & ~self.lost

    def holding(self, seat: int, sets: list[tuple[int, ...]]) -> int:
        """The positions in which this player holds one of these sets."""
        lines = (self.grid.indices[self.game.lines[numbers]] * seat for numbers in sets)
        return self.grid.and_later(self.grid.of(lines))

    def score(self, index: int) -> int:
        """The score of an unfinished position for the player to act."""
        code, byte, bit = 0, index >> 3, index & 7
        for plane in self._planes:
            code = code << 1 | plane[byte] >> bit & 1
        if not code:
            return 0
        return (code >> 1) - BEST if code & 1 else BEST - (code >> 1)

    def _fill(self) -> None:
        self.tell("counting positions")
        self.held = [self.holding(seat, list(self.game.sets)) for seat in (1, 2)]
        for ply in range(self.last):
            reached = self.grid.after(self.mover(ply), self.unfinished[ply])
            over = reached & self.held[self.mover(ply) - 1] if ply + 1 < self.last else reached
            self.over.append(over)
            self.unfinished.append(reached & ~over)

    def _finals(self) -> dict[Decider, list[int]]:
        """The final positions of each ply by what decides them; two patterns may share some."""
        finals: dict[Decider, list[int]] = {}
        for at, pattern in enumerate(self.game.rules.wins):
            sets = [numbers for numbers, found in self.game.patterns.items() if pattern in found]
            held = [self.holding(seat, sets) for seat in (1, 2)]
            finals[Decider(PATTERN, at)] = [0] + [
                over & held[self.mover(ply) - 1] for ply, over in enumerate(self.over[1:])
            ]
        self.winners = self._winners_by_set()
        for decider, indices in self._endings().items():
            finals[decider] = [0] * self.last + [self.grid.of(indices)]
        return finals

    def _winners_by_set(self) -> list[list[int]]:
        """The final positions of each ply won by either player with a set; as yet none is drawn."""
        winners = [[0] * (self.last + 1) for _ in range(3)]
        for ply, over in enumerate(self.over[1:]):
            seat = self.mover(ply)
            winner = 3 - seat if self.game.rules.misere else seat
            winners[winner - 1][ply + 1] = over & self.held[seat - 1]
        return winners

    def _endings(self) -> dict[Decider, list[int]]:
        """The final positions without a set, by the link that decides them."""
        found: dict[Decider, list[int]] = {}
        won: list[list[int]] = [[], [], []]
        last = self.mover(self.last - 1)
        ranks = cache(partial(rank_hand, self.game))
        self.tell("judging full boards")
        for one, two in self._shares():
            own, other = ranks(one, last == 1), ranks(two, last == 2)
            differ = (at for at in range(len(own)) if own[at] != other[at])
            decider = DRAW if own == other else Decider(LINK, next(differ))
            index = self.grid.indices[one] + 2 * self.grid.indices[two]
            found.setdefault(decider, []).append(index)
            won[2 if own == other else 0 if own > other else 1].append(index)
        for seat, indices in enumerate(won):
            self.winners[seat][self.last] |= self.grid.of(indices)
        return found

    def _shares(self) -> Iterator[tuple[int, int]]:
        """Every pair of hands without a set when no move is left."""
        table, bits = self.game.table, list(self.game.bits.values())
        assert table is not None
        if not self.over[self.last] & ~(self.held[0] | self.held[1]):
            return
        for one in map(sum, combinations(bits, (self.last + 1) // 2)):
            if not table[one]:
                rest = [bit for bit in bits if not bit & one]
                for two in map(sum, combinations(rest, self.last // 2)):
                    if not table[two]:
                        yield one, two

    # What a mover hopes for, and how games without a mistake go.

    def good(self, ply: int, seat: int) -> int:
        """The positions after so many plies that are won for this player, who has just moved."""
        return self.winners[seat - 1][ply] | self.unfinished[ply] & self.lost

    def level(self, ply: int) -> int:
        """The positions after so many plies that are drawn under best play."""
        return self.winners[2][ply] | self.unfinished[ply] & ~(self.won | self.lost)

    @cached_property
    def flawless(self) -> list[int]:
        """The positions of each ply, final ones too, that are reached without a mistake."""
        self.tell("following best play")
        reached, layers = 1, [1]
        for ply in range(self.last):
            seat, grid = self.mover(ply), self.grid
            open_ = reached & self.unfinished[ply]
            reached = grid.after(seat, open_ & self.won) & self.good(ply + 1, seat)
            reached |= grid.after(seat, open_ & ~(self.won | self.lost)) & self.level(ply + 1)
            reached |= grid.after(seat, open_ & self.lost)
            layers.append(reached)
        return layers

    def game_to(self, ply: int, positions: int, flawless: bool = False) -> Moves:
        """A game that ends, after so many plies, in the first of these positions."""
        index = (positions & -positions).bit_length() - 1
        moves: list[int] = []
        for at in reversed(range(ply)):
            number, index = self._step_back(at, index, flawless)
            moves.append(number)
        return tuple(reversed(moves))

    def _step_back(self, ply: int, index: int, flawless: bool) -> tuple[int, int]:
        """The last move that led to a position, and the position before it."""
        layer = self.unfinished[ply] & self.flawless[ply] if flawless else self.unfinished[ply]
        seat = self.mover(ply)
        hand = self.grid.masks(index)[seat - 1]
        for number, bit in reversed(self.game.bits.items()):
            before = index - seat * self.grid.indices[bit]
            if not hand & bit or not layer >> before & 1:
                continue
            if not flawless or self._keeps(before, index, ply):
                return number, before
        raise AssertionError("a position without a way to it")

    def _keeps(self, before: int, after: int, ply: int) -> bool:
        """Whether a move from one position to the other keeps what its maker has."""
        if self.won >> before & 1:
            return bool(self.good(ply + 1, self.mover(ply)) >> after & 1)
        return bool(self.lost >> before & 1 or self.level(ply + 1) >> after & 1)
