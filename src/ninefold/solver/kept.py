"""What follows from the scores of positions, worked out once for each of them and kept."""

from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

from ninefold.core.moves import Move, specials_last
from ninefold.core.position import Position
from ninefold.solver.breadth_first import position_key
from ninefold.solver.scores import score_of_child

Found = TypeVar("Found")
# So many positions are kept at a time, half a kilobyte each.
MOST_KEPT = 20_000


class Kept:
    """Scores of moves, lengths of draws and lines of best play, all from ``score``.

    Every method raises whatever ``score`` raises.
    """

    def __init__(self, score: Callable[[Position], int]) -> None:
        self._score = score
        self._move_scores: dict[Hashable, Mapping[Move, int]] = {}
        self._draws: dict[Hashable, int | None] = {}
        self._lines: dict[Hashable, tuple[Move, ...]] = {}

    def move_scores(self, position: Position) -> Mapping[Move, int]:
        """The score of each legal move for its maker."""
        key = position_key(position)
        found = self._move_scores.get(key)
        if found is None:
            children, score = position.children(), self._score
            found = {move: score_of_child(position, child, score) for move, child in children}
            _keep(self._move_scores, key, found)
        return found

    def best(self, position: Position) -> list[Move]:
        """The moves that keep the value and win soonest, or lose latest."""
        scores = self.move_scores(position)
        top = max(scores.values(), default=0)
        return [move for move, score in scores.items() if score == top]

    def line(self, position: Position) -> tuple[Move, ...]:
        """Best play of both, numbers first, to the end or until a position comes back."""
        path = dict[Hashable, Move]()
        while position.outcome is None and (key := position_key(position)) not in self._lines:
            if key in path:
                return tuple(path.values())
            path[key] = specials_last(self.best(position))[0]
            position = position.play(path[key])
        line = () if position.outcome else self._lines[key]
        for key, move in reversed(path.items()):
            line = (move, *line)
            _keep(self._lines, key, line)
        return line

    def draw_plies(self, position: Position) -> int | None:
        """How long a draw takes if nobody wastes time; None if it need never end."""
        path, length = dict[Hashable, None](), None
        while (key := position_key(position)) not in path:
            if position.outcome is not None or key in self._draws:
                length = self._draws.get(key, 0)
                break
            path[key] = None
            children = map(position.play, position.legal)
            position = next(
                child for child in children if not score_of_child(position, child, self._score)
            )
        for key in reversed(path):
            length = None if length is None else length + 1
            _keep(self._draws, key, length)
        return length


def _keep(memory: dict[Hashable, Found], key: Hashable, found: Found) -> None:
    """Remember this; when there is too much to remember, forget everything else."""
    if len(memory) >= MOST_KEPT:
        memory.clear()
    memory[key] = found
