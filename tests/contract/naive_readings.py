"""The rule books and their readings, written from the books; see naive."""

from __future__ import annotations

from collections.abc import Callable

from contract.naive import Family, Numbers, Rules
from contract.naive_endings import (
    drawn,
    first_completer_wins,
    higher_sum_wins,
    last_picker_loses,
    longer_run_wins,
)
from contract.naive_sets import (
    adding_up_to,
    arithmetic,
    evenly_scaled,
    evenly_spaced,
    geometric,
    neighbours,
    sum_triple,
)

THREE_IN_PROGRESSION = (Family("arithmetic", 3, arithmetic), Family("geometric", 3, geometric))


def sequence_duel_arithmetic(pool: Numbers) -> Rules:
    """Three evenly spaced numbers win; without them the last to pick loses."""
    return Rules(pool, (Family("arithmetic", 3, arithmetic),), last_picker_loses)


def sequence_capture(pool: Numbers) -> Rules:
    """Four neighbours win; without them the longest runs are compared."""
    return Rules(pool, (Family("consecutive", 4, neighbours(pool)),), longer_run_wins(pool))


def sequence_duel_sum_retry(pool: Numbers) -> Rules:
    """Three numbers, one the sum of the others, win; without them the game is drawn."""
    return Rules(pool, (Family("sum-triple", 3, sum_triple),), drawn)


def sequence_duel_sum_lose_turn(pool: Numbers) -> Rules:
    """As the default, and a player may lose a turn by an invalid choice."""
    return sequence_duel_sum_retry(pool)._replace(forfeits=True)


def sequence_builder_open_hand(pool: Numbers) -> Rules:
    """Any three numbers in progression win; without them the higher sum."""
    return Rules(pool, THREE_IN_PROGRESSION, higher_sum_wins)


def sequence_builder_three_slots(pool: Numbers) -> Rules:
    """As the default, but a hand holds at most three numbers."""
    return sequence_builder_open_hand(pool)._replace(limit=3)


def sequence_builder_three_slots_in_order(pool: Numbers) -> Rules:
    """At most three numbers, which must form the progression in the order picked."""
    families = (Family("arithmetic", 3, evenly_spaced), Family("geometric", 3, evenly_scaled))
    return sequence_builder_three_slots(pool)._replace(families=families, in_order=True)


def pattern_builder_automatic(pool: Numbers) -> Rules:
    """Any three numbers in progression win; without them the game is drawn."""
    return Rules(pool, THREE_IN_PROGRESSION, drawn)


def pattern_builder_declare(pool: Numbers) -> Rules:
    """A progression must be declared; if nobody does, the first to have completed one wins."""
    return Rules(pool, THREE_IN_PROGRESSION, first_completer_wins, asks_from=3)


def magic_fifteen(pool: Numbers) -> Rules:
    """Three numbers with a total of 15 win; without them the game is drawn."""
    return Rules(pool, (Family("sum", 3, adding_up_to(15)),), drawn)


READINGS: dict[tuple[str, str], Callable[[Numbers], Rules]] = {
    ("magic-fifteen", "default"): magic_fifteen,
    ("pattern-builder", "automatic"): pattern_builder_automatic,
    ("pattern-builder", "declare"): pattern_builder_declare,
    ("sequence-builder", "open-hand"): sequence_builder_open_hand,
    ("sequence-builder", "three-slots"): sequence_builder_three_slots,
    ("sequence-builder", "three-slots-in-order"): sequence_builder_three_slots_in_order,
    ("sequence-capture", "default"): sequence_capture,
    ("sequence-duel-arithmetic", "default"): sequence_duel_arithmetic,
    ("sequence-duel-sum", "retry"): sequence_duel_sum_retry,
    ("sequence-duel-sum", "lose-turn"): sequence_duel_sum_lose_turn,
}
