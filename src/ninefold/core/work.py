"""How much work a rule book may cause: it is counted, and past the bound the book is refused."""

from ninefold.core.errors import RulesError

# A family that needs more steps than this is refused, so that no rule book can hang the program.
MAX_STEPS = 1_000_000


class Work:
    """The steps of one search for winning sets; ``what`` is looked for."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._left = MAX_STEPS

    def spend(self, steps: int = 1) -> None:
        """Count some steps; raises RulesError when there have been too many."""
        self._left -= steps
        if self._left < 0:
            raise RulesError(
                "too-many-sets",
                f"finding {self._what} takes too long: use fewer or a smaller pool",
            )
