"""The solver for turns that are more than one pick: several picks, and turns that may be passed.

Two masks are the position, and what is left of the turn. That turns may be passed adds nothing to
look up: a pick after a pass leads where it would have led without one.
"""

from functools import cache, partial

from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.solver.endings import rank_hand
from ninefold.solver.scores import BEST, Budget, for_mover, for_same

# What the ending may ask about, as the player to act sees it: who began, times 3, plus who picked
# last; each 1 for that player, 2 for the other one, 0 where nobody asks. TURNED is the other view.
TURNED = [3 * (-began % 3) + -last % 3 for began in range(3) for last in range(3)]


class TurnSearch:
    """Exact scores of positions by masks and what is left of the turn, found on demand."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.budget = budget
        self.scores: dict[int, int] = {}  # by picking
        self._either: dict[int, int] = {}  # by picking or passing, after a pass or not
        self._size = len(game.pool)
        self._picks = game.rules.picks_per_turn
        self._limit = game.rules.hand_limit or len(game.pool)
        self._misere = game.rules.misere
        self._passing = game.rules.passing
        self._completing: dict[int, int] = {}
        self._rank = cache(partial(rank_hand, game))
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
        return self._search(own, other, position.picks_left, passed, 3 * began + last)

    def _search(self, own: int, other: int, left: int, passed: bool, side: int) -> int:
        """The better of picking and, where that is allowed, passing."""
        key = ((own << self._size | other) * 65 + left) * 9 + side
        if not self._passing:
            return self._by_picking(key, own, other, left, side)
        score = self._either.get(key << 1 | passed)
        if score is None:
            score = self._by_picking(key, own, other, left, side)
            if score != BEST - 1:
                score = max(score, self._by_passing(own, other, left, passed, side))
            self._either[key << 1 | passed] = score
        return score

    def _by_passing(self, own: int, other: int, left: int, passed: bool, side: int) -> int:
        fresh = left == self._picks  # nothing was picked in this turn
        if fresh and passed:
            return self._decide(own, other, side)
        if self._has_room(other):
            return for_mover(self._search(other, own, self._picks, fresh, TURNED[side]))
        return for_same(self._search(own, other, self._picks, fresh, side))

    def _by_picking(self, key: int, own: int, other: int, left: int, side: int) -> int:
        score = self.scores.get(key)
        if score is None:
            score = self._best_pick(own, other, left, side)
            self.scores[key] = score
            self.budget.spend()
        return score

    def _best_pick(self, own: int, other: int, left: int, side: int) -> int:
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

    def _after(self, own: int, other: int, left: int, free: int, side: int) -> int:
        """The score of a quiet pick for its maker, who now holds ``own``."""
        if self._asks_last:
            side += 1 - side % 3
        room, their_room = self._has_room(own), self._has_room(other)
        if not free or not (room or their_room):
            return self._decide(own, other, side - side % 3 + 1)
        if left and room:
            return for_same(self._search(own, other, left, False, side))
        if their_room:
            return for_mover(self._search(other, own, self._picks, False, TURNED[side]))
        return for_same(self._search(own, other, self._picks, False, side))

    def _has_room(self, hand: int) -> bool:
        return hand.bit_count() < self._limit

    def _decide(self, own: int, other: int, side: int) -> int:
        """The score of the move that ended the game without a set, for its maker."""
        began, last = divmod(side, 3)
        mine, theirs = self._rank(own, last == 1), self._rank(other, last == 2)
        if mine != theirs:
            return BEST - 1 if mine > theirs else 1 - BEST
        if not began:
            return 0
        return BEST - 1 if (began == 1) == (self.game.rules.otherwise == "first") else 1 - BEST

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
