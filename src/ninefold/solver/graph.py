"""Every position that can be reached, found by asking the judge, and what each is worth.

This is the strategy for rules that no table holds: slower, but for any rules at all.
"""

from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.solver.breadth_first import BreadthFirst, legal_steps, position_key
from ninefold.solver.scores import Budget, score_of_child

# Ten numbers with passing have 344,061: each pair of hands, with either to act, passed or not.
MAX_NODES = 400_000


class Graph(BreadthFirst[Position, Move]):
    """All positions that follow from a start, the nearest first, with their moves and scores.

    Two positions with the same key and the same player to act are one. ``moves[at]`` are the legal
    moves of ``nodes[at]``, ``children[at]`` the positions they lead to, ``scores[at]`` the exact
    score for the player to act. Raises TooLarge and OutOfBudget.
    """

    def __init__(
        self, start: Position, most: int = MAX_NODES, budget: Budget | None = None
    ) -> None:
        super().__init__(start, legal_steps, position_key, most)
        self.budget = budget or Budget()
        for _ in self:
            self.budget.spend()
        self.moves: list[list[Move]] = [position.legal for position in self.nodes]
        self.scores = [0] * len(self.nodes)
        self._solve()

    def score_of_move(self, at: int, child: int) -> int:
        """The score of the move from one position to another, for its maker."""
        score = self.scores[child]
        return score_of_child(self.nodes[at], self.nodes[child], lambda _: score)

    def children_first(self) -> tuple[list[int], bool]:
        """The positions in an order in which children come first, and whether there are cycles."""
        seen = bytearray(len(self.nodes))
        order: list[int] = []
        cyclic = False
        stack = [(0, iter(self.children[0]))]
        seen[0] = 1
        while stack:
            at, rest = stack[-1]
            for child in rest:
                if not seen[child]:
                    seen[child] = 1
                    stack.append((child, iter(self.children[child])))
                    break
                cyclic = cyclic or seen[child] == 1
            else:
                seen[at] = 2
                order.append(at)
                stack.pop()
        return order, cyclic

    def _solve(self) -> None:
        """Find the score of every position for the player to act; what nobody can force is a draw.

        From the end to the beginning, one move at a time, so cycles do no harm.
        """
        before: list[list[int]] = [[] for _ in self.nodes]
        for at, children in enumerate(self.children):
            for child in children:
                before[child].append(at)
        open_moves = [len(children) for children in self.children]
        frontier = [at for at, position in enumerate(self.nodes) if position.outcome]
        known = set(frontier)
        while frontier:
            self.budget.ask()
            wins: dict[int, int] = {}
            losses: dict[int, int] = {}
            for child in frontier:
                for at in before[child]:
                    if at in known:
                        continue
                    score = self.score_of_move(at, child)
                    if score > 0:
                        wins[at] = score
                    elif score < 0:
                        open_moves[at] -= 1
                        if not open_moves[at]:
                            losses[at] = score
            found = losses | wins
            for at, score in found.items():
                self.scores[at] = score
            known |= found.keys()
            frontier = [*found]
