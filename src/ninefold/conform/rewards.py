"""The rewards of an environment: its convention, and what to expect for each move."""

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

    def at_end(self, outcome: Outcome, mover: int) -> float | None:
        """The reward of the move that ended the game."""
        return self._of(outcome, mover if self.to == "mover" else 1)

    def fits(self, given: Any, outcome: Outcome | None, mover: int) -> bool:
        """Whether this is the right reward for a move; ``outcome`` is None if the game continues.

        A pair holds one number per player, whoever receives single numbers.
        """
        if isinstance(given, list):
            wanted = [self._of(outcome, seat) if outcome else self.step for seat in (1, 2)]
            return all(map(_same, given, wanted))
        return _same(given, self.at_end(outcome, mover) if outcome else self.step)

    def punishes(self, given: Any, mover: int) -> bool:
        """Whether this is a right reward for losing by an illegal action."""
        own = given[mover - 1] if isinstance(given, list) else given
        if self.illegal is not None:
            return _same(own, self.illegal)
        seen_by_mover = isinstance(given, list) or self.to == "mover" or mover == 1
        return not seen_by_mover or self.loss is None or own <= self.loss + TOLERANCE

    def words(self, outcome: Outcome | None, mover: int, pair: bool) -> str:
        """The expected reward in words."""
        if outcome is None:
            return _show(self.step)
        if pair:
            return ", ".join(_show(self._of(outcome, seat)) for seat in (1, 2))
        return _show(self.at_end(outcome, mover))

    def _of(self, outcome: Outcome, seat: int) -> float | None:
        if outcome.winner is None:
            return self.draw
        return self.win if outcome.winner == seat else self.loss


def parse_rewards(text: str, to: str) -> Rewards:
    """The usual convention with changes such as ``win=1,draw=0.5``; raises NinefoldError."""
    values: dict[str, float | None] = {}
    for item in filter(None, text.replace(",", " ").split()):
        name, _, value = item.partition("=")
        if name not in Rewards._fields[:5] or name in values:
            raise NinefoldError("bad-rewards", f"{item!r} is not a reward.", EXAMPLE)
        values[name] = None if value == "any" else _number(item, value)
    return Rewards(to=to)._replace(**values)  # type: ignore[arg-type]  # names are checked above


def _number(item: str, text: str) -> float:
    from math import isfinite

    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise NinefoldError("bad-rewards", f"{item!r} has no valid number.", EXAMPLE)
    return number


def _same(given: Any, wanted: float | None) -> bool:
    return wanted is None or bool(abs(given - wanted) <= TOLERANCE)


def _show(value: float | None) -> str:
    return "any" if value is None else f"{value:g}"
