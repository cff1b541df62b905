"""The solver for ordinary books: two masks are the whole position, and hands only grow.

Lost turns are allowed for: they lead to the same masks with the other player to act, the only
cycle there is.
"""

from ninefold.core.endings import decide
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.solver.scores import BEST, Budget, for_mover

WIN_IN_1, LOSS_IN_2, WIN_IN_3 = BEST - 1, 2 - BEST, BEST - 3


class PlainSearch:
    """Exact scores of positions by (own mask, other mask), found on demand and kept."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.budget = budget
        self.scores: dict[int, int] = {}
        self._size = len(game.pool)
        self._completing: dict[int, int] = {}
        self._may_lose_turn = game.rules.invalid == "lose-turn"

    @property
    def positions(self) -> int:
        """How many positions have been solved so far."""
        return len(self.scores)

    def score(self, position: Position) -> int:
        """The score of an unfinished position; raises OutOfBudget."""
        own, other = position.masks if position.turn == 1 else position.masks[::-1]
        return self._search(own, other)

    def _search(self, own: int, other: int) -> int:
        key = own << self._size | other
        score = self.scores.get(key)
        if score is None:
            score = self._by_picking(own, other)
            if self._may_lose_turn and score <= 0:
                score = self._with_lost_turn(own, other, score)
            self.scores[key] = score
            self.budget.spend()
        return score

    def _by_picking(self, own: int, other: int) -> int:
        """The best score among all picks: at once, by force, or by trying them all."""
        free = self.game.full & ~(own | other)
        completing = self._completing
        mine = completing[own] if own in completing else self._complete(own)
        if self.game.rules.misere:
            return self._avoid(own, other, free, mine)
        if mine & free:
            return WIN_IN_1
        theirs = completing[other] if other in completing else self._complete(other)
        threats = theirs & free
        if threats & (threats - 1):
            return LOSS_IN_2
        if threats:
            block = self._after(own | threats, other, free ^ threats)
            return block if free == threats else max(block, LOSS_IN_2)
        return self._try_all(own, other, free)

    def _try_all(self, own: int, other: int, free: int) -> int:
        """The best score among the picks of a quiet position."""
        if not free & (free - 1):
            return self._final(own | free, other)
        scores, size, best, rest = self.scores, self._size, -BEST, free
        high = other << size
        while rest:
            bit = rest & -rest
            rest ^= bit
            score = scores.get(high | own | bit)
            if score is None:
                score = self._search(other, own | bit)
            # The score for the mover, written out: this is the innermost loop of all.
            score = 1 - score if score > 0 else -1 - score if score else 0
            if score > best:
                if score == WIN_IN_3:
                    return score
                best = score
        return best

    def _avoid(self, own: int, other: int, free: int, completing: int) -> int:
        """The best score among the picks where completing a set loses at once."""
        best, rest = 1 - BEST, free & ~completing
        while rest:
            bit = rest & -rest
            rest ^= bit
            best = max(best, self._after(own | bit, other, free ^ bit))
        return best

    def _after(self, own: int, other: int, free: int) -> int:
        """The score of a quiet pick for its maker, who now holds ``own``."""
        return for_mover(self._search(other, own)) if free else self._final(own, other)

    def _final(self, own: int, other: int) -> int:
        """The judge's word on a full board, for the player who made the last pick."""
        hands = self.game.numbers(own), self.game.numbers(other)
        winner = decide(Position(self.game, hands, (own, other), 1, last_picker=1)).winner
        return 0 if winner is None else WIN_IN_1 if winner == 1 else 1 - BEST

    def _with_lost_turn(self, own: int, other: int, score: int) -> int:
        """The score when the turn may be given away.

        If the other player can win by picking, giving the turn away loses, perhaps later. If
        neither can, both may give turns away for ever: nobody is forced to lose.
        """
        theirs = self._by_picking(other, own)
        return max(score, for_mover(theirs)) if theirs > 0 else 0

    def _complete(self, hand: int) -> int:
        """The bits that complete a set for this hand."""
        game, bits = self.game, 0
        numbers = game.numbers(hand)
        for number, bit in game.bits.items():
            if not hand & bit and game.holds_set(hand | bit, (*numbers, number)):
                bits |= bit
        self._completing[hand] = bits
        return bits
