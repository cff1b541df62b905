"""The rewards of an environment: its convention, and what to expect for each move."""

from math import isfinite
from typing import Any, NamedTuple

from ninefold.core.errors import NinefoldError
from ninefold.core.outcome import Outcome

EXAMPLE = "Write for instance: --rewards win=1,draw=0,loss=-1,step=0,illegal=-10 (or step=any)."
TOLERANCE = 1e-6


class Rewards(NamedTuple):
    """The convention; None means any number. ``to`` is who receives it, mover or player1."""

    win: float | None = 1.0
    draw: float | None = 0.0
    loss: float | None = -1.0
    step: float | None = 0.0
    illegal: float | None = None
    to: str = "mover"

    def expected(self, outcome: Outcome | None, mover: int, pair: bool) -> list[float | None]:
        """The reward of a move, or of each player for a pair; no outcome: the game continues."""
        seats = (1, 2) if pair else (mover if self.to == "mover" else 1,)
        if outcome is None or outcome.winner is None:
            return [self.step if outcome is None else self.draw] * len(seats)
        return [self.win if outcome.winner == seat else self.loss for seat in seats]

    def punishes(self, given: Any, mover: int) -> bool:
        """Whether this is a right reward for losing by an illegal action."""
        own = given[mover - 1] if isinstance(given, list) else given
        if self.illegal is not None:
            return is_same(own, self.illegal)
        seen_by_mover = isinstance(given, list) or self.to == "mover" or mover == 1
        return not seen_by_mover or self.loss is None or own <= self.loss + TOLERANCE


def parse_rewards(text: str, to: str) -> Rewards:
    """The usual convention with changes such as ``win=1,draw=0.5``; raises NinefoldError."""
    values: dict[str, float | None] = {}
    for item in text.replace(",", " ").split():
        name, _, value = item.partition("=")
        if name not in Rewards._fields[:5] or name in values:
            raise NinefoldError("bad-rewards", f"{item!r} is not a reward.", EXAMPLE)
        values[name] = None if value == "any" else _number(item, value)
    return Rewards(to=to)._replace(**values)  # type: ignore[arg-type]  # names are checked above


def _number(item: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise NinefoldError("bad-rewards", f"{item!r} has no valid number.", EXAMPLE)
    return number


def is_same(given: float, wanted: float | None) -> bool:
    """Whether a reward is the wanted one, or any is."""
    return wanted is None or abs(given - wanted) <= TOLERANCE
