"""Every position that can be reached, and how often two random players come there."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import lcm
from typing import NamedTuple, TypeAlias

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.envs.layout import layout_for
from ninefold.players import RandomPlayer

# A million rows take several minutes, and about a kilobyte of memory each.
MAX_ROWS = 1_000_000
# No game with more numbers has so few positions, unless it is won at once.
MOST_NUMBERS = 16

Key: TypeAlias = tuple[object, ...]
Tell: TypeAlias = Callable[[str], None]


class TooManyRows(NinefoldError):
    """A game has more positions than a dataset may have rows."""


class Seen(NamedTuple):
    """A position with the player to act in it; at the end, with who made the last move."""

    position: Position
    player: int


class Step(NamedTuple):
    """A position found, and a shortest game that leads to it."""

    seen: Seen
    moves: tuple[Move, ...]


def after(position: Position, move: Move) -> Seen:
    """What a move leads to."""
    child = position.play(move)
    return Seen(child, child.turn if child.outcome is None else position.turn)


class Walk:
    """The positions of one game; the same position with another player to act is another one."""

    def __init__(self, game: Game, most: int = MAX_ROWS, tell: Tell = lambda _: None) -> None:
        if len(game.pool) > MOST_NUMBERS:
            raise _too_many(f"{len(game.pool)} numbers are too many for a list of all positions.")
        self.game, self.layout = game, layout_for(game)
        self._most, self._tell = most, tell
        self._random = RandomPlayer()

    def key(self, seen: Seen) -> Key:
        """What tells a position from every other one."""
        position, player = seen
        if position.outcome is None:
            return (player, *position.key)
        winner, reason, _ = position.outcome
        return player, winner, reason, bytes(self.layout.flat(position, player))

    def layers(self) -> Iterator[list[Step]]:
        """Every position once, those with the same shortest way to them together.

        Raises TooManyRows.
        """
        start = Seen(self.game.start(), 1)
        known = {self.key(start)}
        layer = [Step(start, ())]
        while layer:
            yield layer
            layer = self._next_layer(layer, known)

    def _next_layer(self, layer: list[Step], known: set[Key]) -> list[Step]:
        found: list[Step] = []
        for (position, _), moves in layer:
            for move in self.layout.moves(position).values():
                seen = after(position, move)
                key = self.key(seen)
                if key not in known:
                    known.add(key)
                    self._check(len(known))
                    found.append(Step(seen, (*moves, move)))
        return found

    def random_play(self) -> Iterator[dict[Key, Fraction]]:
        """Where random players are after 0, 1, 2 … moves, and how likely; the finished drop out.

        Raises TooManyRows.
        """
        start = Seen(self.game.start(), 1)
        layer, whole = {self.key(start): (start, 1)}, 1
        while layer:
            yield {key: Fraction(weight, whole) for key, (_, weight) in layer.items()}
            layer, factor = self._played_on(layer)
            whole *= factor
            self._check(len(layer))

    def _played_on(
        self, layer: dict[Key, tuple[Seen, int]]
    ) -> tuple[dict[Key, tuple[Seen, int]], int]:
        """One move further; whole numbers stay whole, because all are multiplied by a factor."""
        choices = [
            (position, weight, self._random.candidates(position))
            for (position, _), weight in layer.values()
            if position.outcome is None
        ]
        factor = lcm(*{len(moves) for _, _, moves in choices})
        found: dict[Key, tuple[Seen, int]] = {}
        for position, weight, moves in choices:
            share = weight * (factor // len(moves))
            for move in moves:
                seen = after(position, move)
                key = self.key(seen)
                found[key] = seen, share + (found[key][1] if key in found else 0)
        return found, factor

    def visits(self) -> dict[Key, Fraction]:
        """How likely random players are to come to each position at some time.

        Those never come to are left out. Raises TooManyRows.
        """
        found: dict[Key, Fraction] = {}
        for ply, layer in enumerate(self.random_play()):
            self._tell(f"ply {ply} of random play, positions so far: {len(found):,}")
            for key, chance in layer.items():
                found[key] = found[key] + chance if key in found else chance
            self._check(len(found))
        return found

    def _check(self, count: int) -> None:
        if count > self._most:
            raise _too_many(f"This game has more than {self._most:,} positions.")


def _too_many(reason: str) -> TooManyRows:
    advice = "Take fewer numbers, for instance with --set pool=1-9."
    return TooManyRows("too-large", reason, advice)
