"""Every position that can be reached, found by asking the judge, and what each is worth.

This is the strategy for rules that no table holds: slower, but for any rules at all.
"""

from collections.abc import Callable

from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.solver.breadth_first import BreadthFirst, TooLarge, legal_steps, position_key
from ninefold.solver.scores import BEST, Budget, for_mover, for_same, sign_of

__all__ = ["MAX_NODES", "Graph", "TooLarge"]

# Ten numbers with passing have 344,061: each pair of hands, with either to act, passed or not.
MAX_NODES = 400_000


class Graph:
    """All positions that follow from a start, the nearest first, with their moves and scores.

    Two positions with the same key and the same player to act are one. ``moves[at]`` are the legal
    moves of ``positions[at]``, ``children[at]`` the positions they lead to, ``scores[at]`` the
    exact score for the player to act, ``move_scores[at]`` that of each move for its maker. Raises
    TooLarge and OutOfBudget.
    """

    def __init__(
        self, start: Game | Position, most: int = MAX_NODES, budget: Budget | None = None
    ) -> None:
        start = start.start() if isinstance(start, Game) else start
        self.game, self.budget = start.game, budget or Budget()
        self._walk = BreadthFirst(start, legal_steps, position_key, most)
        for _ in self._walk:
            self.budget.spend()
        self.positions, self.children = self._walk.nodes, self._walk.children
        self.moves: list[list[Move]] = [position.legal for position in self.positions]
        self.scores = _solve(self)
        self.move_scores = [
            [self.score_of_move(at, child) for child in children]
            for at, children in enumerate(self.children)
        ]

    def index(self, position: Position) -> int | None:
        """The index of a position, or None if it cannot be reached."""
        return self._walk.index(position)

    def path(self, at: int) -> tuple[Move, ...]:
        """The moves of a shortest game that leads to this position."""
        return self._walk.path(at)

    def score_of_move(self, at: int, child: int) -> int:
        """The score of the move from one position to another, for its maker."""
        before, after = self.positions[at], self.positions[child]
        if after.outcome is not None:
            winner = after.outcome.winner
            return 0 if winner is None else BEST - 1 if winner == before.turn else 1 - BEST
        score = self.scores[child]
        return for_same(score) if after.turn == before.turn else for_mover(score)

    def keeping(self, at: int) -> list[int]:
        """The places of the moves that keep what the player to act has."""
        mine = sign_of(self.scores[at])
        return [place for place, score in enumerate(self.move_scores[at]) if sign_of(score) == mine]

    def children_first(
        self, chosen: Callable[[int], list[int]] | None = None
    ) -> tuple[list[int], bool]:
        """The positions in an order in which children come first, and whether there are cycles.

        With ``chosen``, only the moves at the places it names are followed.
        """
        seen = bytearray(len(self.positions))
        order: list[int] = []
        cyclic = False
        stack = [(0, iter(self._next(0, chosen)))]
        seen[0] = 1
        while stack:
            at, rest = stack[-1]
            for child in rest:
                if not seen[child]:
                    seen[child] = 1
                    stack.append((child, iter(self._next(child, chosen))))
                    break
                cyclic = cyclic or seen[child] == 1
            else:
                seen[at] = 2
                order.append(at)
                stack.pop()
        return order, cyclic

    def _next(self, at: int, chosen: Callable[[int], list[int]] | None) -> list[int]:
        children = self.children[at]
        if chosen is None or not children:
            return children
        return [children[place] for place in chosen(at)]


def _solve(graph: Graph) -> list[int]:
    """The score of every position for the player to act; what nobody can force is a draw.

    From the end to the beginning, one move at a time, so cycles do no harm.
    """
    count = len(graph.positions)
    before: list[list[int]] = [[] for _ in range(count)]
    for at, children in enumerate(graph.children):
        for child in children:
            before[child].append(at)
    graph.scores = scores = [0] * count
    open_moves = [len(children) for children in graph.children]
    frontier = [at for at, position in enumerate(graph.positions) if position.outcome is not None]
    known = bytearray(count)
    for at in frontier:
        known[at] = 1
    while frontier:
        graph.budget.ask()
        wins: dict[int, int] = {}
        losses: dict[int, int] = {}
        for child in frontier:
            for at in before[child]:
                if known[at]:
                    continue
                score = graph.score_of_move(at, child)
                if score > 0:
                    wins[at] = score
                elif score < 0:
                    open_moves[at] -= 1
                    if not open_moves[at]:
                        losses[at] = score
        for at, score in {**losses, **wins}.items():
            scores[at] = score
            known[at] = 1
        frontier = [*wins, *(at for at in losses if at not in wins)]
    return scores
