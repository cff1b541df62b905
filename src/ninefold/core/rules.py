"""The rules of one game as plain values: what a rule book says, before it is compiled."""

from typing import Literal, NamedTuple, TypeAlias

from ninefold.core.patterns import Pattern

Measure: TypeAlias = Literal["first-complete", "hand-sum", "last-pick", "longest-run", "run-start"]
Preference: TypeAlias = Literal["higher", "lower"]
InvalidPolicy: TypeAlias = Literal["retry", "lose-turn"]

MEASURES: tuple[Measure, ...] = (
    "first-complete",
    "hand-sum",
    "last-pick",
    "longest-run",
    "run-start",
)
PREFERENCES: tuple[Preference, ...] = ("higher", "lower")
INVALID_POLICIES: tuple[InvalidPolicy, ...] = ("retry", "lose-turn")
# What running out of time costs; the clock is the referee's, but a book may name its policy.
TIMEOUT_POLICIES = ("lose", "lose-turn", "random")
MAX_POOL = 64


class Criterion(NamedTuple):
    """One link of the ending: the player with the preferred measure wins; equal passes on."""

    measure: Measure
    prefer: Preference


class Rules(NamedTuple):
    """Everything the judge needs to know; ``ending`` is tried link by link, then it is a draw."""

    pool: tuple[int, ...]
    wins: tuple[Pattern, ...]
    ending: tuple[Criterion, ...] = ()
    hand_limit: int | None = None
    in_order: bool = False
    declare: bool = False
    invalid: InvalidPolicy = "retry"
    misere: bool = False  # whoever completes a set loses
