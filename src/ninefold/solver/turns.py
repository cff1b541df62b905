"""The solver for turns that are more than one pick: several picks, and turns that may be passed.

Two masks are the position, and what is left of the turn. That turns may be passed adds nothing to
look up: a pick after a pass leads where it would have led without one.
"""

from functools import cache
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.solver.endings import judge_hands
from ninefold.solver.scores import BEST, Budget, for_mover, for_same


class Side(NamedTuple):
    """What the ending may ask about, as the player to act sees it: 1 that player, 2 the other."""

    began: int = 0
    last: int = 0

    def turned(self) -> "Side":
        """The same as the other player sees it."""
        return Side(self.began and 3 - self.began, self.last and 3 - self.last)


class TurnSearch:
    """Exact scores of positions by masks and what is left of the turn, found on demand."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.budget = budget
        self.scores: dict[object, int] = {}
        self._picks = game.rules.picks_per_turn
        self._limit = game.rules.hand_limit or len(game.pool)
        self._misere = game.rules.misere
        self._passing = game.rules.passing
        self._completing: dict[int, int] = {}
        self._judge = cache(self._decide)
        measures = {link.measure for link in game.rules.ending}
        self._asks_last = self._passing and "last-pick" in measures
        self._asks_began = game.rules.otherwise != "draw"
        single = self._picks == 1 and game.rules.hand_limit is None and not self._misere
        self._soonest = BEST - (3 if single else 2)  # of all wins that are not immediate

    @property
    def positions(self) -> int:
        """How many positions have been solved so far."""
        return len(self.scores)

    def score(self, position: Position) -> int:
        """The score of an unfinished position; raises OutOfBudget."""
        turn, memory = position.turn, position.memory
        own, other = position.masks if turn == 1 else position.masks[::-1]
        began = last = 0
        if self._asks_began:
            began = 1 if position.began == turn else 2
        if self._asks_last and position.last_picker is not None:
            last = 1 if position.last_picker == turn else 2
        passed = memory is not None and memory.passed
        return self._search(own, other, position.picks_left, passed, Side(began, last))

    def _search(self, own: int, other: int, left: int, passed: bool, side: Side) -> int:
        """The better of picking and, where that is allowed, passing."""
        best = self._by_picking(own, other, left, side)
        if not self._passing or best == BEST - 1:
            return best
        return max(best, self._by_passing(own, other, left, passed, side))

    def _by_passing(self, own: int, other: int, left: int, passed: bool, side: Side) -> int:
        fresh = left == self._picks  # nothing was picked in this turn
        if fresh and passed:
            return self._judge(own, other, side)
        if self._has_room(other):
            return for_mover(self._search(other, own, self._picks, fresh, side.turned()))
        return for_same(self._search(own, other, self._picks, fresh, side))

    def _by_picking(self, own: int, other: int, left: int, side: Side) -> int:
        key = own, other, left, side
        score = self.scores.get(key)
        if score is None:
            score = self._best_pick(own, other, left, side)
            self.scores[key] = score
            self.budget.spend()
        return score

    def _best_pick(self, own: int, other: int, left: int, side: Side) -> int:
        """The best score among all picks: at once, by force, or by trying them all."""
        free = self.game.full & ~(own | other)
        mine = self._complete(own) & free
        if mine and not self._misere:
            return BEST - 1
        best, picks = (1 - BEST, free & ~mine) if mine else (-BEST, free)
        if self._picks == 1 and not self._misere:
            threats = self._complete(other) & free
            if threats & (threats - 1):
                return 2 - BEST
            if threats:
                best, picks = (2 - BEST if free != threats else -BEST), threats
        while picks:
            bit = picks & -picks
            picks ^= bit
            best = max(best, self._after(own | bit, other, left - 1, free ^ bit, side))
            if best >= self._soonest:
                break
        return best

    def _after(self, own: int, other: int, left: int, free: int, side: Side) -> int:
        """The score of a quiet pick for its maker, who now holds ``own``."""
        side = side._replace(last=1 if self._asks_last else 0)
        room, their_room = self._has_room(own), self._has_room(other)
        if not free or not (room or their_room):
            return self._judge(own, other, Side(side.began, 1))
        if left and room:
            return for_same(self._search(own, other, left, False, side))
        if their_room:
            return for_mover(self._search(other, own, self._picks, False, side.turned()))
        return for_same(self._search(own, other, self._picks, False, side))

    def _has_room(self, hand: int) -> bool:
        return hand.bit_count() < self._limit

    def _decide(self, own: int, other: int, side: Side) -> int:
        """The judge's word on a game that is over, as the score of the move that ended it."""
        winner = judge_hands(self.game, own, other, side.began or 1, side.last or None)
        return 0 if winner is None else BEST - 1 if winner == 1 else 1 - BEST

    def _complete(self, hand: int) -> int:
        """The bits that complete a set for this hand; none if it is full."""
        bits = self._completing.get(hand)
        if bits is None:
            game, bits = self.game, 0
            numbers = game.numbers(hand)
            for number, bit in game.bits.items() if self._has_room(hand) else ():
                if not hand & bit and game.holds_set(hand | bit, (*numbers, number)):
                    bits |= bit
            self._completing[hand] = bits
        return bits
