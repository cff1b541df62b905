"""The one statement of observations, actions, rewards and ends that every adapter follows.

A change of anything in here is another version, and another id of every environment. The page
docs/environments.md says the same in words.
"""

from ninefold.envs.extras import require

require("numpy", "gym")

from functools import lru_cache
from typing import Any, TypeAlias

from ninefold.envs.extras import require

require("numpy", "gym")

import numpy

from ninefold.core.errors import Illegal
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move, SpecialMove
from ninefold.core.position import Position
from ninefold.envs.layout import Layout

# Where turns can be lost again and again, a game is cut off after so many moves for each number.
LIMIT_PER_NUMBER = 4
_WORDS: dict[str, SpecialMove] = {"pass": PASS, "swap": SWAP, "lost": LOST}

Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.int8]]


@lru_cache(maxsize=64)
def encoding_for(game: Game) -> "Encoding":
    """The one encoding of a game that its environments share."""
    return Encoding(game)


def _most_moves(game: Game) -> int:
    """How many moves a game can have at most, if no turn is lost."""
    rules = game.rules
    picks = len(game.pool) if rules.hand_limit is None else 2 * rules.hand_limit
    picks = min(picks, len(game.pool))
    questions = max(picks - game.smallest_set + 1, 0) if rules.declare else 0
    # One turn passed before each pick, or two, which end the game; and of turns of several picks,
    # what is left of them. The last pick ends the game.
    passes = picks + (rules.picks_per_turn > 1) * (picks - 1)
    return picks + questions + passes * rules.passing + rules.pie


class Encoding(Layout):
    """The layout of one game in arrays, and what follows from actions.

    Where turns can be lost for ever, the game is cut off after ``limit`` moves; elsewhere no game
    has more than ``most_moves``.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        rules = game.rules
        self.shape = (len(self.planes), len(game.pool))
        # The highest value there can be: a place in a hand, or a count of numbers left in a turn.
        highest = len(game.pool) if rules.in_order else 1
        self.high = max(highest, rules.picks_per_turn)
        self.limit = LIMIT_PER_NUMBER * len(game.pool)
        self.is_endless = rules.invalid == "lose-turn"
        self.most_moves = _most_moves(game)
        self._moves: tuple[Move | None, ...] = (*game.pool, *map(_WORDS.get, self.words))
        self._row = lru_cache(maxsize=1 << 14)(self._make_row)
        self._hands = lru_cache(maxsize=1 << 14)(self._make_hands)
        self._is_ordinary = rules.is_ordinary

    def __deepcopy__(self, memo: object) -> "Encoding":
        return self  # it is fixed for the whole game, and shared

    def __reduce__(self) -> tuple[Any, ...]:
        return encoding_for, (self.game,)

    def observe(self, position: Position, viewer: int | None = None) -> Array:
        """The planes as player 1 or 2 sees them; without a viewer, as the player to act does."""
        viewer = viewer or position.turn
        own, other = position.masks if viewer == 1 else position.masks[::-1]
        planes = self._hands(own, other).copy()
        if len(self.planes) > 3:
            self._observe_more(position, viewer, planes)
        return planes

    def _make_hands(self, own: int, other: int) -> Array:
        """The three planes of every game, and room for the others; seen often, so kept."""
        planes = numpy.zeros(self.shape, numpy.int8)
        planes[0], planes[1] = self._row(own), self._row(other)
        planes[2] = self._row(self.game.full ^ (own | other))
        return planes

    def _observe_more(self, position: Position, viewer: int, planes: Array) -> None:
        at = 3
        if self.game.rules.in_order:
            for seat in (viewer, 3 - viewer):
                for place, number in enumerate(position.order_of(seat), 1):
                    planes[at, self._place[number]] = place
                at += 1
        for shown in self._shown.values():
            planes[at] = shown(position, viewer)
            at += 1

    def mask(self, position: Position, viewer: int | None = None) -> Array:
        """1 for each action that is legal here, else 0; all 0 for a viewer who is not to act."""
        if position.outcome is not None or viewer not in (None, position.turn):
            return numpy.zeros(len(self.actions), numpy.int8)
        if self._is_ordinary:
            return self._row(self.game.full ^ (position.masks[0] | position.masks[1])).copy()
        mask = numpy.zeros(len(self.actions), numpy.int8)
        for move in position.legal:
            mask[self.action(move)] = 1
        return mask

    def move(self, position: Position, action: int) -> Move:
        """The move an action stands for here; raises Illegal if it is none.

        Whether a number or a word is legal is for the judge to say, when it is played.
        """
        if not 0 <= action < len(self.actions):
            last = len(self.actions) - 1
            raise Illegal("no-action", f"{action} is no action.", f"There are 0 to {last}.")
        move = self._moves[action]
        if move is not None:
            return move
        sets = position.sets_of(position.turn)
        if not sets:
            raise Illegal("not-a-set", "There is no set to declare.")
        return Declare(sets[0])

    def play(self, position: Position, action: int) -> Position:
        """The position after an action of the player to act; raises Illegal."""
        return position.play(self.move(position, action))

    def lost_move(self, position: Position) -> Move:
        """What an illegal action amounts to where it loses the turn; an open question is passed."""
        return PASS if position.asking else LOST

    def reward(self, position: Position, viewer: int) -> float:
        """1 for a win of this player, -1 for a loss, 0 for a draw and before the end."""
        winner = None if position.outcome is None else position.outcome.winner
        return 0.0 if winner is None else 1.0 if winner == viewer else -1.0

    def _make_row(self, mask: int) -> Array:
        bits = [mask >> at & 1 for at in range(len(self.game.pool))]
        return numpy.array(bits, numpy.int8)
