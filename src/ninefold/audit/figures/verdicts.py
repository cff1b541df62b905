"""Who wins when a game is over, for all hands at once."""

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_
from re import finditer
from typing import NamedTuple, TypeAlias

from ninefold.audit.figures import DRAW, LINK, OTHER, Decider
from ninefold.audit.figures.phases import Final, Place
from ninefold.core.endings import rank
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.solver.grid import Grid

Rank: TypeAlias = tuple[float, ...]
Verdict: TypeAlias = tuple[int | None, Decider]


class Ends(NamedTuple):
    """How the hands of one final phase end the game: who won them, and what decided."""

    winners: dict[int | None, int]
    deciders: dict[Decider, int]


class Ranks(dict[int, Rank]):
    """What the ending compares of each hand, found when it is asked for."""

    def __init__(self, game: Game, last: int, complete: int) -> None:
        self.game, self.last, self.complete = game, last, complete

    def __missing__(self, mask: int) -> Rank:
        hands = self.game.numbers(mask), ()
        position = Position(self.game, hands, (mask, 0), 1, False, self.last, self.complete)
        self[mask] = rank(position, 1)
        return self[mask]


class Verdicts:
    """Who wins with the hands that can be reached when a game is over, and by what."""

    def __init__(self, game: Game, grid: Grid, reached: Mapping[Place, int]) -> None:
        self.game, self.grid, self._reached = game, grid, reached
        self._known: dict[Final, dict[Verdict, int]] = {}

    def of(self, final: Final, hands: int) -> Ends:
        """How the game ends with these hands in this final phase."""
        if final.by != "ending":
            misere = self.game.rules.misere and final.by == "set"
            return Ends({3 - final.turn if misere else final.turn: hands}, {})
        winners: dict[int | None, int] = {}
        deciders: dict[Decider, int] = {}
        for (winner, decider), decided in self._decided(final._replace(turn=0)).items():
            there = decided & hands
            if there:
                winners[winner] = winners.get(winner, 0) | there
                deciders[decider] = deciders.get(decider, 0) | there
        return Ends(winners, deciders)

    def _decided(self, final: Final) -> dict[Verdict, int]:
        """All hands with which the game can end like that, whoever would be next, by verdict."""
        found = self._known.get(final)
        if found is None:
            indices: dict[Verdict, list[int]] = {}
            ranks = [self._ranks(final.last == seat, final.complete == seat) for seat in (1, 2)]
            known: dict[tuple[Rank, Rank], list[int]] = {}
            for index in indices_of(self.grid.as_bytes(self._ending_like(final))):
                one, two = self.grid.masks(index)
                pair = ranks[0][one], ranks[1][two]
                if pair not in known:
                    known[pair] = indices.setdefault(self._verdict(final, *pair), [])
                known[pair].append(index)
            found = {verdict: self.grid.of(some) for verdict, some in indices.items()}
            self._known[final] = found
        return found

    def _ending_like(self, final: Final) -> int:
        alike = (final._replace(turn=seat) for seat in (1, 2))
        return reduce(or_, (self._reached.get(place, 0) for place in alike))

    def _ranks(self, picked_last: bool, completed: bool) -> "Ranks":
        """What the ending compares, for every hand."""
        return Ranks(self.game, 1 if picked_last else 2, 1 if completed else 2)

    def _verdict(self, final: Final, mine: Rank, theirs: Rank) -> Verdict:
        """Who wins when the ending compares these two ranks, and by what."""
        if mine != theirs:
            at = next(at for at, value in enumerate(mine) if value != theirs[at])
            return (1 if mine > theirs else 2), Decider(LINK, at)
        otherwise = self.game.rules.otherwise
        if otherwise == "draw":
            return None, DRAW
        favourite = final.began if otherwise == "first" else 3 - final.began
        return favourite, Decider(OTHER, 0, otherwise)


def indices_of(positions: bytes) -> Iterator[int]:
    """The indices of the bits that are set."""
    for found in finditer(rb"[^\0]", positions):
        byte, base = positions[found.start()], 8 * found.start()
        for bit in range(8):
            if byte >> bit & 1:
                yield base + bit
