"""How a game ended: who won is one field, why is another."""

from ninefold.core.text import NamedTuple


class Outcome(NamedTuple):
    """The end of a game: ``winner`` is 1, 2 or None for a draw; ``reason`` is a stable code."""

    winner: int | None
    reason: str
    sets: tuple[tuple[int, ...], ...] = ()  # each in ascending order, the smallest first

    def result_for(self, seat: int) -> int:
        """1, 0 or -1: whether this player has won, drawn or lost."""
        return 0 if self.winner is None else 1 if self.winner == seat else -1
