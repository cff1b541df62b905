"""How much work a rule book may cause: it is counted, and past the bound the book is refused."""

from ninefold.core.errors import RulesError

# A game whose sets need more steps than this is refused, so that no rule book can hang the program.
MAX_STEPS = 600_000


class Work:
    """The steps of all searches for the winning sets of a game; ``what`` is looked for now."""

    def __init__(self, what: str = "the winning sets") -> None:
        self.what = what
        self._left = MAX_STEPS

    def spend(self, steps: int = 1) -> None:
        """Count some steps; raises RulesError when there have been too many."""
        self._left -= steps
        if self._left < 0:
            raise RulesError(
                "too-many-sets",
                f"finding {self.what} takes too long: more than {MAX_STEPS:,} steps for all "
                "patterns together; use fewer patterns, smaller counts or a smaller pool",
            )
