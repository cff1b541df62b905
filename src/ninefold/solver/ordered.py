"""The solver for books in which the order of a hand counts: hands with the same future are one."""

from functools import cache, partial
from math import perm
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.position import Hand, Position
from ninefold.solver.endings import rank_hand
from ninefold.solver.scores import BEST, Budget, for_mover, for_same

# All hands are looked at once, in every order; more of them than this take too long.
MAX_HANDS = 20_000


def is_orderly(game: Game) -> bool:
    """Whether this search can solve the game."""
    rules = game.rules
    turns = rules.passing or rules.picks_per_turn > 1
    if not rules.in_order or rules.declare or rules.hand_limit is None or turns:
        return False
    return perm(len(game.pool), min(len(game.pool), rules.hand_limit)) <= MAX_HANDS


class Node(NamedTuple):
    """A hand, as far as it matters: its numbers, those that complete a set, and what it becomes."""

    id: int
    mask: int
    completing: int
    is_full: bool
    after: dict[int, "Node"]


class OrderedSearch:
    """Exact scores of positions by the nodes of two hands, found on demand and kept."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.budget = budget
        self.scores: dict[tuple[int, int, int], int] = {}
        self._nodes: dict[Hand, Node] = {}
        self._alike: dict[tuple[object, ...], Node] = {}
        self._rank = cache(partial(rank_hand, game))
        self._may_lose_turn = game.rules.invalid == "lose-turn"
        self._otherwise = game.rules.otherwise

    @property
    def positions(self) -> int:
        """How many positions have been solved so far."""
        return len(self.scores)

    def score(self, position: Position) -> int:
        """The score of an unfinished position; raises OutOfBudget."""
        own, other = position.hands if position.turn == 1 else position.hands[::-1]
        began = 0
        if self._otherwise != "draw":
            began = 1 if position.began == position.turn else 2
        return self._search(self._node(own), self._node(other), began)

    def _node(self, hand: Hand) -> Node:
        """The node of a hand: the same one for all hands with the same future."""
        if hand not in self._nodes:
            game = self.game
            mask, completing, after = game.mask(hand), 0, {}
            is_full = len(hand) == game.rules.hand_limit
            for number, bit in game.bits.items():
                if not is_full and not mask & bit:
                    grown = (*hand, number)
                    after[bit] = self._node(grown)
                    if game.holds_set(mask | bit, grown):
                        completing |= bit
            future = (mask, completing, *(node.id for node in after.values()))
            node = Node(len(self._alike), mask, completing, is_full, after)
            self._nodes[hand] = self._alike.setdefault(future, node)
        return self._nodes[hand]

    def _search(self, own: Node, other: Node, began: int) -> int:
        """The score by the nodes of both hands; ``began`` is 1 for the player to act, or 2.

        It is 0 where no rule asks who began.
        """
        key = own.id, other.id, began
        score = self.scores.get(key)
        if score is None:
            score = self._by_picking(own, other, began)
            if self._may_lose_turn and score <= 0:
                score = self._with_lost_turn(own, other, began, score)
            self.scores[key] = score
            self.budget.spend()
        return score

    def _by_picking(self, own: Node, other: Node, began: int) -> int:
        """The best score among all picks: at once, by force, or by trying them all."""
        free = self.game.full & ~(own.mask | other.mask)
        if self.game.rules.misere:
            return self._try_all(own, other, began, free & ~own.completing, 1 - BEST)
        if own.completing & free:
            return BEST - 1
        threats = other.completing & free
        if threats & (threats - 1):
            return 2 - BEST
        if threats:
            block = self._after(own.after[threats], other, began)
            return block if free == threats else max(block, 2 - BEST)
        return self._try_all(own, other, began, free, -BEST)

    def _try_all(self, own: Node, other: Node, began: int, picks: int, best: int) -> int:
        """The best score among these picks, none of which completes a set."""
        for bit, grown in own.after.items():
            if bit & picks:
                best = max(best, self._after(grown, other, began))
        return best

    def _after(self, own: Node, other: Node, began: int) -> int:
        """The score of a quiet pick for its maker, who now holds ``own``."""
        if own.mask | other.mask == self.game.full or (own.is_full and other.is_full):
            mine, theirs = self._rank(own.mask, True), self._rank(other.mask, False)
            if mine != theirs:
                return BEST - 1 if mine > theirs else 1 - BEST
            if self._otherwise == "draw":
                return 0
            return BEST - 1 if (self._otherwise == "first") == (began == 1) else 1 - BEST
        if other.is_full:
            return for_same(self._search(own, other, began))
        return for_mover(self._search(other, own, began and 3 - began))

    def _with_lost_turn(self, own: Node, other: Node, began: int, score: int) -> int:
        """The score when the turn may be given away: see the solver for ordinary books."""
        if other.is_full:
            return 0  # the turn comes back, so this can go on for ever
        theirs = self._by_picking(other, own, began and 3 - began)
        return max(score, for_mover(theirs)) if theirs > 0 else 0
