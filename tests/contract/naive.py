"""A game in plain sets and loops, written from the rule books: the engine is compared with it.

Nothing is imported from ninefold, so that the engine and this cannot share a mistake. The winning
sets are in naive_sets, what decides at the end in naive_endings, the books in naive_readings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

Numbers = tuple[int, ...]
Move = int | str | Numbers  # a pick, LOST, PASS or SWAP, a declared set

LOST = "lost"
PASS = "pass"
SWAP = "swap"


class State(NamedTuple):
    """A game in progress: two hands in the order picked, and what the rules can ask about."""

    hands: tuple[Numbers, Numbers]
    turn: int
    asking: bool = False
    picker: int = 0  # who picked last
    completer: int = 0  # who was the first to hold a winning set
    declared: Numbers = ()
    beginner: int = 0  # who began; whoever swaps for that hand is said to have begun
    taken: int = 0  # how many numbers were taken in this turn
    turns: tuple[str, ...] = ()  # every turn so far: "took", PASS, LOST or SWAP

    def hand(self, seat: int) -> Numbers:
        """The numbers of a player, in the order picked."""
        return self.hands[seat - 1]


class Result(NamedTuple):
    """Who won (None: nobody), why, and with which sets."""

    winner: int | None
    reason: str
    sets: tuple[Numbers, ...]


class Family(NamedTuple):
    """A kind of winning set: its name, its size, and the test its numbers pass.

    Without a size, any numbers that pass win, as long as no smaller part of them does. If
    ``whole``, only the hand as a whole is tested; if ``shared``, both hands together.
    """

    name: str
    size: int | None
    test: Callable[[Numbers], bool]
    whole: bool = False
    shared: bool = False


Verdict = tuple[int | None, str]
Ending = Callable[[State], Verdict]


# Whether a player may take a number, as far as one rule goes.
Limit = Callable[[State, int, int], bool]


class Rules(NamedTuple):
    """One reading of one book on one pool."""

    pool: Numbers
    families: tuple[Family, ...]
    ending: Ending
    limit: int | None = None  # how many numbers a hand holds
    in_order: bool = False  # the numbers count in the order picked
    asks_from: int | None = None  # a win must be declared, and how many numbers bring the question
    forfeits: bool = False  # a player may lose the turn by choice
    misere: bool = False  # the player who completes a winning set loses
    passing: bool = False  # a turn may be passed, and two in a row end the game
    picks: int = 1  # numbers taken in a turn
    opening: Numbers = ()  # the very first number is one of these, if there are any
    pie: bool = False  # the turn of the first number may be answered by swapping hands
    otherwise: str = "draw"  # or "first" or "second": who wins if the ending does not decide
    limits: tuple[Limit, ...] = ()  # which numbers may be taken
    compared: frozenset[str] = frozenset()  # what the limits compare a number with
    row_ends: bool = False  # only the lowest and the highest free number
    sees_order: bool = False  # the ending asks in which order the numbers were taken
    skips: bool = False  # a player who may take no number is skipped; else the game ends
    losses: tuple[Family, ...] = ()  # the player who completes such a set loses


def other(seat: int) -> int:
    """The opponent of a player."""
    return 3 - seat


def start(first: int) -> State:
    """The beginning: two empty hands, and the first player to move."""
    return State(((), ()), first, beginner=first)


def free(rules: Rules, state: State) -> Numbers:
    """The numbers nobody holds, in ascending order."""
    return left_of(rules.pool, state.hands)


@lru_cache(maxsize=100_000)
def left_of(pool: Numbers, hands: tuple[Numbers, Numbers]) -> Numbers:
    """The numbers of a pool that are in neither hand, in ascending order."""
    return tuple(sorted({*pool} - {*hands[0], *hands[1]}))


def wins(rules: Rules, hand: Numbers, theirs: Numbers = ()) -> dict[Numbers, str]:
    """Every winning set of the hand, the smallest first, with the first family it belongs to.

    The other player's hand matters where both count together.
    """
    seen = theirs if count_both_hands(rules.families) else ()
    return sets_of_hand(rules.families, hand, seen, rules.in_order)


@lru_cache(maxsize=1000)
def count_both_hands(families: tuple[Family, ...]) -> bool:
    """Whether the numbers of both players count together in any of these families."""
    return any(family.shared for family in families)


def losses(rules: Rules, hand: Numbers, theirs: Numbers = ()) -> dict[Numbers, str]:
    """Every losing set of the hand, likewise."""
    seen = theirs if count_both_hands(rules.losses) else ()
    return sets_of_hand(rules.losses, hand, seen) if rules.losses else {}


@lru_cache(maxsize=100_000)
def sets_of_hand(
    families: tuple[Family, ...], hand: Numbers, theirs: Numbers, in_order: bool = False
) -> dict[Numbers, str]:
    """The sets of these families in a hand, whose order may count; that of the other never does."""
    row = hand if in_order else tuple(sorted(hand))
    return sets_of_row(families, row, tuple(sorted(theirs)))


@lru_cache(maxsize=100_000)
def sets_of_row(families: tuple[Family, ...], row: Numbers, theirs: Numbers) -> dict[Numbers, str]:
    """The sets of these families in numbers in the order in which they count."""
    found: dict[Numbers, str] = {}
    for family in families:
        for numbers in holdings(family, row, theirs):
            found.setdefault(tuple(sorted(numbers)), family.name)
    return dict(sorted(found.items()))


def holdings(family: Family, row: Numbers, theirs: Numbers = ()) -> list[Numbers]:
    """The sets of one family in numbers in the order in which they count."""
    if family.shared:
        both = (*row, *theirs)
        return [both] if row and family.test(both) else []
    if family.whole:
        return [row] if row and family.test(row) else []
    if family.size is not None:
        return list(filter(family.test, combinations(row, family.size)))
    found: list[Numbers] = []
    for size in range(1, len(row) + 1):
        for numbers in combinations(row, size):
            if family.test(numbers) and not any(set(part) <= set(numbers) for part in found):
                found.append(numbers)
    return found


def full(rules: Rules, hand: Numbers) -> bool:
    """Whether the hand can take no more numbers."""
    return rules.limit is not None and len(hand) >= rules.limit


def over(rules: Rules, state: State) -> bool:
    """Whether no number can be picked any more."""
    passed_twice = state.turns[-2:] == (PASS, PASS)
    stuck = not state.taken and is_out(rules, state, state.turn)
    return passed_twice or stuck or not free(rules, state)


def is_out(rules: Rules, state: State, seat: int) -> bool:
    """Whether a player's hand is full, or no free number may be taken."""
    return full(rules, state.hand(seat)) or not choices(rules, state, seat)


def result(rules: Rules, state: State) -> Result | None:
    """How the game ended, or None while it goes on."""
    if state.declared:
        reason = wins(rules, state.hand(state.turn))[state.declared]
        return Result(state.turn, reason, (state.declared,))
    if state.picker and not rules.asks_from:
        hands = state.hand(state.picker), state.hand(other(state.picker))
        lost, held = losses(rules, *hands), wins(rules, *hands)
        if lost:
            return Result(other(state.picker), next(iter(lost.values())), tuple(lost))
        if held:
            winner = other(state.picker) if rules.misere else state.picker
            return Result(winner, next(iter(held.values())), tuple(held))
    if state.asking or not over(rules, state):
        return None
    return undecided(rules, state)


def undecided(rules: Rules, state: State) -> Result:
    """How the game ended when no number is left to pick and no winning set has decided it."""
    winner, reason = rules.ending(state)
    if winner is None and rules.otherwise != "draw":
        first = rules.otherwise == "first"
        return Result(state.beginner if first else other(state.beginner), rules.otherwise, ())
    if winner and reason == "first-complete":
        return Result(winner, reason, first_sets(rules, state.hand(winner)))
    return Result(winner, reason, ())


def first_sets(rules: Rules, hand: Numbers) -> tuple[Numbers, ...]:
    """The winning sets the hand held as soon as it held any."""
    beginnings = (hand[:count] for count in range(len(hand) + 1))
    return next((tuple(wins(rules, part)) for part in beginnings if wins(rules, part)), ())


def legal(rules: Rules, state: State) -> list[Move]:
    """What the player to move may choose."""
    if result(rules, state):
        return []
    claims = wins(rules, state.hand(state.turn)) if rules.asks_from else {}
    if state.asking:
        return [PASS, *claims]
    moves: list[Move] = [
        *choices(rules, state, state.turn),
        *claims,
        *([LOST] if rules.forfeits else []),
    ]
    return [*moves, *[PASS] * rules.passing, *[SWAP] * may_swap(rules, state)]


def choices(rules: Rules, state: State, seat: int) -> Numbers:
    """The numbers a player may take; the first of all may be limited for the player to move."""
    left = free(rules, state)
    if rules.row_ends:
        left = tuple(number for number in left if number in (min(left), max(left)))
    if rules.opening and state.hands == ((), ()) and seat == state.turn:
        left = tuple(number for number in left if number in rules.opening)
    if not rules.limits:
        return left
    return tuple(
        number for number in left if all(limit(state, seat, number) for limit in rules.limits)
    )


def may_swap(rules: Rules, state: State) -> bool:
    """Whether the turn before was the first in which numbers were taken, and this one is new."""
    before = state.turns
    return (
        rules.pie
        and state.taken == 0
        and before[-1:] == ("took",)
        and before.count("took") == 1
        and SWAP not in before
    )


def play(rules: Rules, state: State, move: Move) -> State:
    """The state after a move of the player to move."""
    if isinstance(move, tuple):
        return state._replace(declared=move)
    if isinstance(move, str):
        return play_word(rules, state, move)
    after = pick(rules, state, move)
    if rules.asks_from and len(after.hand(state.turn)) >= rules.asks_from:
        return after._replace(asking=True)
    return go_on(rules, after)


def play_word(rules: Rules, state: State, move: str) -> State:
    """The state after a turn that was lost, passed or swapped, or a question that was passed."""
    if state.asking:
        return go_on(rules, state._replace(asking=False))
    if move == SWAP:
        swapped = State(
            hands=(state.hand(2), state.hand(1)),
            turn=state.turn,
            picker=other(state.picker),
            completer=other(state.completer) if state.completer else 0,
            beginner=other(state.beginner),
            turns=(*state.turns, SWAP),
        )
        return swapped._replace(turn=next_turn(rules, swapped))
    return end_turn(rules, state, move)


def go_on(rules: Rules, state: State) -> State:
    """The same turn, if more can be taken in it, or else the next one."""
    more = state.taken < rules.picks and not full(rules, state.hand(state.turn))
    if more and choices(rules, state, state.turn):
        return state
    return end_turn(rules, state, "took")


def end_turn(rules: Rules, state: State, how: str) -> State:
    """The state at the beginning of the next turn."""
    how = "took" if state.taken else how
    turn = next_turn(rules, state)
    return state._replace(turn=turn, taken=0, turns=(*state.turns, how))


def pick(rules: Rules, state: State, number: int) -> State:
    """The state with the number in the hand of the player to move, the turn not yet passed on."""
    hand = (*state.hand(state.turn), number)
    hands = (hand, state.hand(2)) if state.turn == 1 else (state.hand(1), hand)
    complete = wins(rules, hand, state.hand(other(state.turn)))
    completer = state.completer or (state.turn if complete else 0)
    taken = state.taken + 1
    return state._replace(hands=hands, picker=state.turn, completer=completer, taken=taken)


def next_turn(rules: Rules, state: State) -> int:
    """The opponent, or the same player again if the opponent's hand is full or is skipped."""
    them = other(state.turn)
    skipped = full(rules, state.hand(them)) or (rules.skips and is_out(rules, state, them))
    return state.turn if skipped else them


def threats(rules: Rules, state: State, seat: int) -> set[int]:
    """The free numbers that would complete a further winning set, and no losing one."""
    hand, theirs = state.hand(seat), state.hand(other(seat))
    if full(rules, hand):
        return set()
    return {
        number
        for number in choices(rules, state, seat)
        if any(number in numbers for numbers in wins(rules, (*hand, number), theirs))
        and not losses(rules, (*hand, number), theirs)
    }
