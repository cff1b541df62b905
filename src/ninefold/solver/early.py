"""The first moves of a game with a limited opening or the pie rule, around any other search.

They differ from an ordinary game only until the turn of the first number has been answered.
"""

from typing import Protocol

from ninefold.core.game import Game
from ninefold.core.moves import LOST
from ninefold.core.position import Position
from ninefold.solver.scores import for_mover, score_of_child


class Search(Protocol):
    """What finds the scores of positions."""

    @property
    def positions(self) -> int:
        """How many positions have been solved so far."""

    def score(self, position: Position) -> int:
        """The score of an unfinished position; raises OutOfBudget."""


class EarlySearch:
    """Scores of the first moves by playing them, of all other positions by the search inside."""

    def __init__(self, game: Game, inner: Search) -> None:
        self.game = game
        self.inner = inner
        self._scores: dict[object, int] = {}

    @property
    def positions(self) -> int:
        """How many positions have been solved so far."""
        return len(self._scores) + self.inner.positions

    def score(self, position: Position) -> int:
        """The score of an unfinished position; raises OutOfBudget."""
        if not self._is_early(position):
            return self.inner.score(position)
        key = position.key
        if key not in self._scores:
            score = self._by_playing(position)
            if self.game.rules.invalid == "lose-turn" and not any(position.masks):
                score = self._with_lost_turn(position, score)
            self._scores[key] = score
        return self._scores[key]

    def _is_early(self, position: Position) -> bool:
        """Whether no number is taken, the first turn is going on, or its answer may be a swap."""
        if not any(position.masks) or position.may_swap:
            return True
        own, other = position.hands[:: 1 if position.turn == 1 else -1]
        picked = 0 if position.memory is None else position.memory.picked
        return not other and len(own) == picked

    def _by_playing(self, position: Position) -> int:
        """The best score among all moves, but that giving away turns at the start leads nowhere."""
        empty = not any(position.masks)
        moves = [move for move in position.legal if not (empty and move is LOST)]
        return max(score_of_child(position, position.play(move), self.score) for move in moves)

    def _with_lost_turn(self, position: Position, score: int) -> int:
        """The score when the turn may be given away: see the solver for ordinary books."""
        if score > 0:
            return score
        theirs = self._by_playing(position.play(LOST))
        return max(score, for_mover(theirs)) if theirs > 0 else 0
