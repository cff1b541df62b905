"""A strategy card as data: the rules that come first, and lines of moves to try in order.

On every turn the general rules come first: complete a set, or else stop the opponent's. Where they
say nothing, the current line of the card does: the first of its moves that is possible. After each
turn of the opponent, the line below that names it becomes the current one; if there is none, the
same line goes on.
"""

from typing import Literal, NamedTuple, TypeAlias

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position

Rule: TypeAlias = Literal["declare", "complete", "stop"]
Goal: TypeAlias = Literal["win", "draw"]
# What an opponent answers with: a move, or all the moves of a turn that has several; None where a
# full hand is skipped, so there is no answer.
Reply: TypeAlias = Move | tuple[Move, ...] | None


class NoCard(NinefoldError):
    """What keeps the value of a position cannot be written on a card."""


class Line(NamedTuple):
    """One line of a card: on these replies (none named: any other), these moves in this order.

    They are numbers, save where the turn is better passed, swapped or lost.
    """

    replies: tuple[Reply, ...]
    numbers: tuple[Move, ...]
    then: tuple["Line", ...] = ()

    @property
    def size(self) -> int:
        """How many lines this is on paper, with everything below it."""
        return 1 + sum(line.size for line in self.then)


class Card(NamedTuple):
    """A complete strategy for one player from one position: it wins, or never loses.

    If the player is the one to move, or will be when the opponent has passed, the first number of
    ``root`` is the opening; otherwise ``root`` has no numbers of its own.
    """

    start: Position
    player: int
    goal: Goal
    rules: tuple[Rule, ...]
    root: Line


def reply_of(game: Game, moves: tuple[Move, ...]) -> Reply:
    """The turn that these moves of the opponent are; in any order, where that cannot matter."""
    if len(moves) == 1:
        return moves[0]
    numbers = [move for move in moves if isinstance(move, int)]
    others = [move for move in moves if not isinstance(move, int)]
    return (*(numbers if game.rules.in_order else sorted(numbers)), *others)


def goes_on(before: Position, after: Position) -> bool:
    """Whether a move leaves its maker in the same turn, with another number to take."""
    same = after.turn == before.turn and after.outcome is None
    return same and after.game.rules.picks_per_turn > 1 and after.picked > 0
