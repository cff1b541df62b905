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
    if not rules.in_order or rules.declare or rules.hand_limit is None:
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
        self.scores: dict[tuple[int, int], int] = {}
        self._nodes: dict[Hand, Node] = {}
        self._alike: dict[tuple[object, ...], Node] = {}
        self._rank = cache(partial(rank_hand, game))
        self._may_lose_turn = game.rules.invalid == "lose-turn"

    @property
    def positions(self) -> int:
        """How many positions have been solved so far."""
        return len(self.scores)

    def score(self, position: Position) -> int:
        """The score of an unfinished position; raises OutOfBudget."""
        own, other = position.hands if position.turn == 1 else position.hands[::-1]
        return self._search(self._node(own), self._node(other))

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

    def _search(self, own: Node, other: Node) -> int:
        key = own.id, other.id
        score = self.scores.get(key)
        if score is None:
            score = self._by_picking(own, other)
            if self._may_lose_turn and score <= 0:
                score = self._with_lost_turn(own, other, score)
            self.scores[key] = score
            self.budget.spend()
        return score

    def _by_picking(self, own: Node, other: Node) -> int:
        """The best score among all picks: at once, by force, or by trying them all."""
        free = self.game.full & ~(own.mask | other.mask)
        if self.game.rules.misere:
            return self._try_all(own, other, free & ~own.completing, free, 1 - BEST)
        if own.completing & free:
            return BEST - 1
        threats = other.completing & free
        if threats & (threats - 1):
            return 2 - BEST
        if threats:
            block = self._after(own.after[threats], other, free ^ threats)
            return block if free == threats else max(block, 2 - BEST)
        return self._try_all(own, other, free, free, -BEST)

    def _try_all(self, own: Node, other: Node, picks: int, free: int, best: int) -> int:
        """The best score among these picks, none of which completes a set."""
        for bit, grown in own.after.items():
            if bit & picks:
                best = max(best, self._after(grown, other, free ^ bit))
        return best

    def _after(self, own: Node, other: Node, free: int) -> int:
        """The score of a quiet pick for its maker, who now holds ``own``."""
        if not free or (own.is_full and other.is_full):
            mine, theirs = self._rank(own.mask, True), self._rank(other.mask, False)
            return 0 if mine == theirs else BEST - 1 if mine > theirs else 1 - BEST
        if other.is_full:
            return for_same(self._search(own, other))
        return for_mover(self._search(other, own))

    def _with_lost_turn(self, own: Node, other: Node, score: int) -> int:
        """The score when the turn may be given away: see the solver for ordinary books."""
        if other.is_full:
            return 0  # the turn comes back, so this can go on for ever
        theirs = self._by_picking(other, own)
        return max(score, for_mover(theirs)) if theirs > 0 else 0
