"""How a game ended: who won is one field, why is another."""

from ninefold.core.text import NamedTuple


class Outcome(NamedTuple):
    """The end of a game: ``winner`` is 1, 2 or None for a draw; ``reason`` is a stable code.

    ``sets`` holds every set that decided it, each in ascending order, the smallest first.
    """

    winner: int | None
    reason: str
    sets: tuple[tuple[int, ...], ...] = ()
