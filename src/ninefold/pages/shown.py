"""A game that shows something, and a sentence with such a game."""

from itertools import accumulate

from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, SWAP, Move, format_move
from ninefold.core.position import Position
from ninefold.core.text import NamedTuple, listed

_EVENTS: dict[Move, str] = {LOST: "a lost turn", PASS: "a pass", SWAP: "a swap"}


class Shown(NamedTuple):
    """A game that shows something: its moves, replayed by the judge whenever it is drawn."""

    game: Game
    moves: tuple[Move, ...]
    first: int = 1

    @property
    def positions(self) -> list[Position]:
        """The position at the start, and the one after each move."""
        start = self.game.start(self.first)
        return [*accumulate(self.moves, Position.play, initial=start)]

    @property
    def position(self) -> Position:
        """The position after its moves."""
        return self.positions[-1]

    @property
    def line(self) -> str:
        """The moves in the one notation."""
        return " ".join(map(format_move, self.moves))

    @property
    def words(self) -> str:
        """The moves in words: 5 3 2, or 5, a lost turn and 2."""
        if all(isinstance(move, int) for move in self.moves):
            return self.line
        return listed(_EVENTS.get(move) or format_move(move) for move in self.moves)


class Evidence(NamedTuple):
    """A sentence, and perhaps the game that shows it."""

    text: str
    shown: Shown | None = None
