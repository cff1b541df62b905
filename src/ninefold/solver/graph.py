"""Every position that can be reached, found by asking the judge: slower, but for any rules."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.solver.breadth_first import BreadthFirst, position_key
from ninefold.solver.scores import BEST, Budget

# Ten numbers with passing have 344,061: each pair of hands, with either to act, passed or not.
MAX_NODES = 350_000


@contextmanager
def no_garbage() -> Iterator[None]:
    """What is made is kept, and looking for garbage meanwhile would take a quarter of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def forced_from(
    walk: BreadthFirst[Position, Move], wanted: Mapping[int, int]
) -> dict[int, tuple[int, int]]:
    """From where in a complete walk a player can force an end: by seat, and in how many moves.

    ``wanted`` are ends with the player who wants them; with 0, all ways must lead there. It goes
    back from the ends, one move at a time, so cycles do no harm.
    """
    parents, turns = walk.parents, [node.turn for node in walk.nodes]
    waiting = [*map(len, walk.children)]
    found = {at: (seat, 0) for at, seat in wanted.items()}
    todo = [*found]
    for at in todo:  # it grows on the way
        seat, plies = found[at]
        for parent in parents[at]:
            if parent in found:
                continue
            # Each of its moves so far leads to an end that the other player wants.
            waiting[parent] -= 1
            if turns[parent] == seat or not waiting[parent]:
                found[parent] = seat, plies + 1
                todo.append(parent)
    return found


class Graph(BreadthFirst[Position, Move]):
    """All positions that follow from a start, the nearest first, with their moves and scores.

    ``moves[at]`` are the legal moves of ``nodes[at]``, ``children[at]`` the positions they lead to,
    ``scores[at]`` the exact score for the player to act. Raises TooLarge and OutOfBudget.
    """

    def __init__(
        self, start: Position, most: int = MAX_NODES, budget: Budget | None = None
    ) -> None:
        super().__init__(start, self._moves_of, position_key, most)
        self.budget, self.moves = budget or Budget(), list[tuple[Move, ...]]()
        self._known_moves: dict[tuple[Move, ...], tuple[Move, ...]] = {}
        with no_garbage():
            for _ in self:
                self.budget.spend()
            self.scores = [0] * len(self.nodes)
            self._solve()
        del self.parents  # they take much memory

    def _moves_of(self, position: Position) -> list[tuple[Move, Position]]:
        """Note the moves of a position, equal ones once, and where they lead."""
        children = position.children()
        moves = tuple([move for move, _ in children])
        self.moves.append(self._known_moves.setdefault(moves, moves))
        return children

    @property
    def positions(self) -> int:
        """How many positions were solved."""
        return len(self.nodes)

    def score(self, position: Position) -> int | None:
        """The score of an unfinished position for the player to act; None if it is not here."""
        at = self.index(position)
        return None if at is None else self.scores[at]

    def _solve(self) -> None:
        """Find the scores of all positions; what nobody can force is a draw."""
        self.budget.ask()
        ends = ((at, node.outcome) for at, node in enumerate(self.nodes) if node.outcome)
        won = {at: outcome.winner for at, outcome in ends if outcome.winner is not None}
        for at, (seat, plies) in forced_from(self, won).items():
            sign = 1 if self.nodes[at].turn == seat else -1
            self.scores[at] = sign * (BEST - plies) if plies else 0
