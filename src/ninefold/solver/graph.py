"""Every position that can be reached, found by asking the judge, and what each is worth.

This is the strategy for rules that no table holds: slower, but for any rules at all.
"""

from collections.abc import Iterable

from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.solver.breadth_first import BreadthFirst, position_key
from ninefold.solver.scores import BEST, Budget

# Ten numbers with passing have 344,061: each pair of hands, with either to act, passed or not.
MAX_NODES = 400_000


def forced_from(
    walk: BreadthFirst[Position, Move], seat: int, wanted: Iterable[int]
) -> dict[int, int]:
    """From where in a complete walk this player can force one of these ends, in how many moves.

    Without a player (0), all ways must lead there. It goes back from the ends, one move at a time,
    so cycles do no harm.
    """
    parents: list[list[int]] = [[] for _ in walk.nodes]
    waiting: list[int] = []
    for at, children in enumerate(walk.children):
        waiting.append(1 if walk.nodes[at].turn == seat else len(children))
        for child in children:
            parents[child].append(at)
    todo = [*wanted]
    plies = dict.fromkeys(todo, 0)
    for at in todo:  # it grows on the way
        for parent in parents[at]:
            waiting[parent] -= 1
            if not waiting[parent]:
                plies[parent] = plies[at] + 1
                todo.append(parent)
    return plies


class Graph(BreadthFirst[Position, Move]):
    """All positions that follow from a start, the nearest first, with their moves and scores.

    Two positions with the same key and the same player to act are one. ``moves[at]`` are the legal
    moves of ``nodes[at]``, ``children[at]`` the positions they lead to, ``scores[at]`` the exact
    score for the player to act. Raises TooLarge and OutOfBudget.
    """

    def __init__(
        self, start: Position, most: int = MAX_NODES, budget: Budget | None = None
    ) -> None:
        super().__init__(start, self._follow, position_key, most)
        self.budget, self.moves = budget or Budget(), list[list[Move]]()
        for _ in self:
            self.budget.spend()
        self.scores = [0] * len(self.nodes)
        self._solve()

    def _follow(self, position: Position) -> list[tuple[Move, Position]]:
        """Note the moves of a position, which are asked for once, and where they lead."""
        self.moves.append(position.legal)
        return [(move, position.play(move)) for move in self.moves[-1]]

    def _solve(self) -> None:
        """Find the scores of all positions; what nobody can force is a draw."""
        for seat in (1, 2):
            self.budget.ask()
            ends = [(at, node.outcome) for at, node in enumerate(self.nodes) if node.outcome]
            won = [at for at, outcome in ends if outcome.winner == seat]
            for at, plies in forced_from(self, seat, won).items():
                sign = 1 if self.nodes[at].turn == seat else -1
                self.scores[at] = sign * (BEST - plies) if plies else 0
