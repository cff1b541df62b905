"""What decides when no move is left, as the rule books say it; see naive."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from contract.naive import Ending, Numbers, State, Verdict, other


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


def longest_run(pool: Numbers, hand: Numbers) -> Numbers:
    """The longest row of neighbours in the hand, the lowest of several equally long ones."""
    line = sorted(pool)
    rows = [tuple(line[i:j]) for j in range(len(line) + 1) for i in range(j)]
    held = [row for row in rows if set(row) <= set(hand)]
    return min(held, key=lambda row: (-len(row), row[0]), default=())


def longer_run_wins(pool: Numbers) -> Ending:
    """The longer run wins; of two equally long ones, the one that starts lower."""

    def verdict(state: State) -> Verdict:
        one, two = longest_run(pool, state.hand(1)), longest_run(pool, state.hand(2))
        if len(one) == len(two):
            return 1 if one[0] < two[0] else 2, "run-start"
        return 1 if len(one) > len(two) else 2, "longest-run"

    return verdict


def chain(pool: Numbers, criteria: Iterable[tuple[str, str, int, bool]]) -> Ending:
    """The first measure that tells the players apart decides, for the higher or lower value.

    A player with nothing to measure loses against one who has something.
    """

    def verdict(state: State) -> Verdict:
        for measure, prefer, target, exceeding in criteria:
            one = measured(measure, pool, state, 1, target, exceeding)
            two = measured(measure, pool, state, 2, target, exceeding)
            if one == two:
                continue
            if one is None or two is None:
                return 1 if two is None else 2, measure
            return 1 if (one > two) == (prefer == "higher") else 2, measure
        return drawn(state)

    return verdict


def measured(
    measure: str, pool: Numbers, state: State, seat: int, target: int = 0, exceeding: bool = True
) -> int | None:
    """The value of a measure for one player; None where there is nothing to measure."""
    hand = state.hand(seat)
    run = longest_run(pool, hand)
    too_much = sum(hand) > target and not exceeding
    values: dict[str, Callable[[], int | None]] = {
        "last-pick": lambda: state.picker == seat,
        "first-complete": lambda: state.completer == seat,
        "hand-sum": lambda: sum(hand),
        "longest-run": lambda: len(run),
        "run-start": lambda: min(run, default=None),
        "run-sum": lambda: sum(run) if run else None,
        "distance": lambda: None if too_much else max(sum(hand) - target, target - sum(hand)),
        "highest": lambda: sorted(hand)[-1] if hand else None,
        "lowest": lambda: sorted(hand)[0] if hand else None,
        "count": lambda: len(hand),
    }
    return values[measure]()
