"""Every game in plain sets and loops, written from the rule books: the engine is compared with it.

Nothing is imported from ninefold, so that the engine and this file cannot share a mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import combinations, pairwise, permutations
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
    ``whole``, only the hand as a whole is tested.
    """

    name: str
    size: int | None
    test: Callable[[Numbers], bool]
    whole: bool = False


Verdict = tuple[int | None, str]
Ending = Callable[[State], Verdict]


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


# The winning sets


def evenly_spaced(row: Numbers) -> bool:
    """Whether the difference between neighbours in the row is constant."""
    return len({b - a for a, b in pairwise(row)}) == 1


def evenly_scaled(row: Numbers) -> bool:
    """Whether each number of the row is the one before it times a constant."""
    return 0 not in row and all(
        b * b == a * c for a, b, c in zip(row, row[1:], row[2:], strict=False)
    )


@lru_cache(maxsize=100_000)
def arithmetic(numbers: Numbers) -> bool:
    """Whether the numbers can be rearranged into an arithmetic progression."""
    return any(map(evenly_spaced, permutations(numbers)))


@lru_cache(maxsize=100_000)
def geometric(numbers: Numbers) -> bool:
    """Whether the numbers can be rearranged into a geometric progression."""
    return any(map(evenly_scaled, permutations(numbers)))


def sum_triple(numbers: Numbers) -> bool:
    """Whether one of the three numbers is the sum of the other two."""
    return any(x + y == z for x, y, z in permutations(numbers))


def neighbours(pool: Numbers) -> Callable[[Numbers], bool]:
    """A test whether the numbers stand side by side when the pool is laid out in a line."""
    line = sorted(pool)

    def test(numbers: Numbers) -> bool:
        places = sorted(line.index(number) for number in numbers)
        return all(b - a == 1 for a, b in pairwise(places))

    return test


def adding_up_to(total: int) -> Callable[[Numbers], bool]:
    """A test whether the numbers add up to the total."""
    return lambda numbers: sum(numbers) == total


def multiplying_to(product: int) -> Callable[[Numbers], bool]:
    """A test whether the numbers multiply to the product."""
    return lambda numbers: multiplied(numbers) == product


def multiplied(numbers: Numbers) -> int:
    """The product of the numbers."""
    product = 1
    for number in numbers:
        product *= number
    return product


def adding_up_to_a_multiple(of: int) -> Callable[[Numbers], bool]:
    """A test whether some number times ``of`` is the sum."""
    return lambda numbers: sum(numbers) in range(-abs(sum(numbers)) // of * of, 10**15, of)


def multiplying_to_a_multiple(of: int) -> Callable[[Numbers], bool]:
    """A test whether ``of`` divides the product."""
    return lambda numbers: divmod(multiplied(numbers), of)[1] == 0


def all_of_a_kind(kind: str, of: int) -> Callable[[Numbers], bool]:
    """A test whether every number is of this kind."""
    tests: dict[str, Callable[[int], bool]] = {
        "even": lambda n: n // 2 * 2 == n,
        "odd": lambda n: n // 2 * 2 != n,
        "prime": lambda n: n > 1 and all(n % d for d in range(2, n) if d * d <= n),
        "square": lambda n: any(d * d == n for d in range(int(max(n, 0) ** 0.5) + 2)),
        "multiple": lambda n: n // of * of == n,
    }
    return lambda numbers: all(map(tests[kind], numbers))


def dividing(row: Numbers) -> bool:
    """Whether each number of the row times a whole number is the next; zero divides nothing."""
    return all(a != 0 and b // a * a == b for a, b in pairwise(row))


@lru_cache(maxsize=100_000)
def chained(numbers: Numbers) -> bool:
    """Whether the numbers can be rearranged so that each divides the next."""
    return any(map(dividing, permutations(numbers)))


# What decides when no move is left


def other(seat: int) -> int:
    """The opponent of a player."""
    return 3 - seat


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


# The books and their readings

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


# Playing


def start(first: int) -> State:
    """The beginning: two empty hands, and the first player to move."""
    return State(((), ()), first, beginner=first)


def free(rules: Rules, state: State) -> Numbers:
    """The numbers nobody holds, in ascending order."""
    taken = {*state.hand(1), *state.hand(2)}
    return tuple(sorted(number for number in rules.pool if number not in taken))


@lru_cache(maxsize=100_000)
def wins(rules: Rules, hand: Numbers) -> dict[Numbers, str]:
    """Every winning set of the hand, the smallest first, with the first family it belongs to."""
    found: dict[Numbers, str] = {}
    for family in rules.families:
        for numbers in holdings(rules, family, hand):
            found.setdefault(tuple(sorted(numbers)), family.name)
    return dict(sorted(found.items()))


def holdings(rules: Rules, family: Family, hand: Numbers) -> list[Numbers]:
    """The winning sets of one family in a hand."""
    row = hand if rules.in_order else tuple(sorted(hand))
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
    one, two = state.hands
    passed_twice = state.turns[-2:] == (PASS, PASS)
    exhausted = len(one) + len(two) == len(rules.pool)
    return exhausted or (full(rules, one) and full(rules, two)) or passed_twice


def result(rules: Rules, state: State) -> Result | None:
    """How the game ended, or None while it goes on."""
    if state.declared:
        reason = wins(rules, state.hand(state.turn))[state.declared]
        return Result(state.turn, reason, (state.declared,))
    if state.picker and not rules.asks_from:
        held = wins(rules, state.hand(state.picker))
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
    moves: list[Move] = [*choices(rules, state), *claims, *([LOST] if rules.forfeits else [])]
    return [*moves, *[PASS] * rules.passing, *[SWAP] * may_swap(rules, state)]


def choices(rules: Rules, state: State) -> Numbers:
    """The numbers the player to move may take."""
    if rules.opening and state.hands == ((), ()):
        return tuple(sorted(rules.opening))
    return free(rules, state)


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
        return State(
            hands=(state.hand(2), state.hand(1)),
            turn=other(state.turn),
            picker=other(state.picker),
            completer=other(state.completer) if state.completer else 0,
            beginner=other(state.beginner),
            turns=(*state.turns, SWAP),
        )
    return end_turn(rules, state, move)


def go_on(rules: Rules, state: State) -> State:
    """The same turn, if more can be taken in it, or else the next one."""
    more = state.taken < rules.picks and not full(rules, state.hand(state.turn))
    if more and free(rules, state):
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
    completer = state.completer or (state.turn if wins(rules, hand) else 0)
    taken = state.taken + 1
    return state._replace(hands=hands, picker=state.turn, completer=completer, taken=taken)


def next_turn(rules: Rules, state: State) -> int:
    """The opponent, or the same player again if the opponent's hand is full."""
    return state.turn if full(rules, state.hand(other(state.turn))) else other(state.turn)


def threats(rules: Rules, state: State, seat: int) -> set[int]:
    """The free numbers that would complete a further winning set for the player."""
    hand = state.hand(seat)
    if full(rules, hand):
        return set()
    return {
        number
        for number in (choices(rules, state) if seat == state.turn else free(rules, state))
        if any(number in numbers for numbers in wins(rules, (*hand, number)))
    }
