"""What decides when no move is left, as the rule books say it; see naive."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from contract.naive import Ending, Numbers, State, Verdict, other
from contract.naive_sets import all_of_a_kind, multiplied


def drawn(_: State) -> Verdict:
    """Nobody wins."""
    return None, "draw"


def last_picker_loses(state: State) -> Verdict:
    """The player who picked the last number loses."""
    return other(state.picker), "last-pick"


def higher_sum_wins(state: State) -> Verdict:
    """The higher sum of a whole hand wins; if equal, the player who took the last turn loses."""
    one, two = sum(state.hand(1)), sum(state.hand(2))
    if one == two:
        return last_picker_loses(state)
    return 1 if one > two else 2, "hand-sum"


def first_completer_wins(state: State) -> Verdict:
    """The player who was the first to hold a winning set wins; without one, nobody."""
    return (state.completer, "first-complete") if state.completer else drawn(state)


def longest_run(pool: Numbers, hand: Numbers, among: str = "lowest") -> Numbers:
    """The longest row of neighbours in the hand, the lowest or highest of equally long ones."""
    line = sorted(pool)
    rows = [tuple(line[i:j]) for j in range(len(line) + 1) for i in range(j)]
    held = [row for row in rows if set(row) <= set(hand)]
    sign = 1 if among == "lowest" else -1
    return min(held, key=lambda row: (-len(row), sign * row[0]), default=())


def longest_ascent(hand: Numbers) -> int:
    """The length of the longest part of the hand, as it was taken, that is in ascending order."""
    parts = [hand[i:j] for j in range(len(hand) + 1) for i in range(j)]
    return max((len(part) for part in parts if list(part) == sorted(part)), default=0)


def longer_run_wins(pool: Numbers) -> Ending:
    """The longer run wins; of two equally long ones, the one that starts lower."""

    def verdict(state: State) -> Verdict:
        one, two = longest_run(pool, state.hand(1)), longest_run(pool, state.hand(2))
        if len(one) == len(two):
            return 1 if one[0] < two[0] else 2, "run-start"
        return 1 if len(one) > len(two) else 2, "longest-run"

    return verdict


Link = tuple[str, str, int, bool, str, str | None, int]


def chain(
    pool: Numbers, criteria: Iterable[Link], points: Callable[[int], int] = lambda number: number
) -> Ending:
    """The first measure that tells the players apart decides, for the higher or lower value.

    A player with nothing to measure loses against one who has something. ``points`` is what a
    number counts in totals.
    """

    def verdict(state: State) -> Verdict:
        for link in criteria:
            measure, prefer = link[:2]
            one, two = (measured(link, pool, state, seat, points) for seat in (1, 2))
            if one == two:
                continue
            if one is None or two is None:
                return 1 if two is None else 2, measure
            return 1 if (one > two) == (prefer == "higher") else 2, measure
        return drawn(state)

    return verdict


def measured(
    link: Link, pool: Numbers, state: State, seat: int, points: Callable[[int], int]
) -> int | None:
    """The value of a measure for one player; None where there is nothing to measure."""
    measure, _, target, exceeding, among, kind, of = link
    hand = state.hand(seat)
    run = longest_run(pool, hand, among) if "run" in measure else ()
    total = sum(map(points, hand))
    too_much = total > target and not exceeding
    counted = [number for number in hand if kind is None or all_of_a_kind(kind, of)((number,))]
    values: dict[str, Callable[[], int | None]] = {
        "last-pick": lambda: state.picker == seat,
        "first-complete": lambda: state.completer == seat,
        "hand-sum": lambda: total,
        "hand-product": lambda: multiplied(tuple(map(points, hand))) if hand else None,
        "longest-ascent": lambda: longest_ascent(hand),
        "longest-run": lambda: len(run),
        "run-start": lambda: min(run, default=None),
        "run-sum": lambda: sum(map(points, run)) if run else None,
        "distance": lambda: None if too_much else max(total - target, target - total),
        "highest": lambda: sorted(hand)[-1] if hand else None,
        "lowest": lambda: sorted(hand)[0] if hand else None,
        "count": lambda: len(counted),
    }
    return values[measure]()
