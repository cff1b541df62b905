"""Observations, actions and rewards as NumPy arrays: the encoding that all adapters share.

Any change here needs a new version, and a new id for every environment. docs/environments.md
describes the encoding in words. ``ninefold.state_table`` holds a whole game as arrays.
"""

from functools import lru_cache
from typing import Any, TypeAlias

from ninefold.require import require_package

require_package("numpy", "gym")

import numpy

from ninefold.core.errors import Illegal
from ninefold.core.game import Game
from ninefold.core.moves import Declare, Move, SpecialMove
from ninefold.core.position import Position, as_seat
from ninefold.layout import Layout

# If turns can be lost without end, a game is cut off after this many moves per number.
LIMIT_PER_NUMBER = 4

Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.int8]]


@lru_cache(maxsize=64)
def encoding_for(game: Game) -> "Encoding":
    """The encoding of a game, made once and shared by its environments."""
    return Encoding(game)


class Encoding(Layout):
    """The layout of one game as arrays, and what its actions do."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        rules = game.rules
        self.shape = (len(self.planes), len(game.pool))
        # The highest value in a plane: a place in a hand, or the picks left in a turn.
        highest = len(game.pool) if rules.sees_order else 1
        self.high = max(highest, rules.picks_per_turn)
        self.limit = LIMIT_PER_NUMBER * len(game.pool)
        self.is_endless = game.turns.is_endless
        self.most_moves = game.turns.most_moves()
        special = (None if word == "declare" else SpecialMove(word) for word in self.words)
        self._moves: tuple[Move | None, ...] = (*game.pool, *special)

    def __reduce__(self) -> tuple[Any, ...]:
        return encoding_for, (self.game,)

    def observe(self, position: Position, viewer: int | None = None) -> Array:
        """The planes as seen by player 1 or 2; by default, by the player to act."""
        flat = self.flat(position, position.turn if viewer is None else viewer)
        return numpy.array(flat, numpy.int8).reshape(self.shape)

    def mask(self, position: Position, viewer: int | None = None) -> Array:
        """1 for each legal action, else 0; all 0 for a viewer who is not to act."""
        mask = bytearray(len(self.actions))
        if viewer is None or as_seat(viewer) == position.turn:
            for move in position.legal:
                mask[self.action(move)] = 1
        return numpy.frombuffer(mask, numpy.int8)

    def move(self, position: Position, action: int) -> Move:
        """The move of an action, which may still be illegal; raises Illegal if there is none."""
        move = self._moves[self.checked(action)]
        if move is not None:
            return move
        sets = position.sets_of(position.turn)
        if not sets:
            raise Illegal("not-a-set", "There is no set to declare.")
        return Declare(sets[0])

    def checked(self, action: int) -> int:
        """The same action; raises Illegal if it is out of range."""
        if not 0 <= action < len(self.actions):
            advice = f"Use 0 to {len(self.actions) - 1}."
            raise Illegal("no-action", f"{action} is not a valid action.", advice)
        return action

    def reward(self, position: Position, viewer: int) -> float:
        """1 if this player has won, -1 if it has lost, 0 for a draw or an unfinished game."""
        seat, outcome = as_seat(viewer), position.outcome
        return 0.0 if outcome is None else float(outcome.result_for(seat))
