"""Families of winning sets and measures of the ending in words; what they *are*, core decides."""

import re
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

from ninefold.books.faults import Values
from ninefold.books.fields import Field, Fields, Offers, optional, required
from ninefold.books.values import FLAG, SETS, choice, whole
from ninefold.core.patterns import KINDS, TOTALS, Numbers, Pattern, quotient
from ninefold.core.rules import MAX_POOL, PREFERENCES, Criterion

_KINDS = {"even": "an even", "odd": "an odd", "prime": "a prime", "square": "a square"}
_EITHER = re.compile(r"\[(.+?)\|(.+?)\]")
_BOUNDS = ("at-least", "at-most")
_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split()


class FamilyWords(NamedTuple):
    """A family in words; ``ninefold new`` asks for the parameters that have offers."""

    meaning: str
    goal: Callable[[Values], str]  # what a player has to hold, or the total of a whole hand
    why: Callable[[Numbers, Values], str]  # what makes numbers a set of the family
    parameters: Fields
    aside: str = ""  # how to recognise such a set


class MeasureWords(NamedTuple):
    """A measure in words: its meaning, who wins by it, and the line that shows it."""

    meaning: str
    wins: str  # with words for [higher|lower], the {target} and the {kind} of numbers
    shown: str
    tie: str = ""  # when nobody wins by it; without one, only if nobody took a number
    prefer: str = "higher"  # what is proposed

    def winner(self, link: Criterion, target: str = "") -> str:
        """Who wins by it, for instance "the sum nearer to 21 wins"."""
        words = _EITHER.sub(lambda found: found[1 + PREFERENCES.index(link.prefer)], self.wins)
        return words.format(target=target or link.target, kind=counted(link))


def counted(link: Criterion) -> str:
    """The numbers that a link counts: numbers, even numbers, multiples of 3."""
    if link.kind == "multiple":
        return f"multiples of {link.of}"
    return f"{link.kind} numbers" if link.kind else "numbers"


def count(number: int, noun: str = "number") -> str:
    """So many numbers, or so many of something else, in words."""
    word = _COUNTS[number] if 0 <= number < len(_COUNTS) else str(number)
    return f"{word} {noun}" + "s" * (number != 1)


def why(pattern: Pattern, numbers: Numbers, points: Mapping[int, int] | None = None) -> str:
    """Why these numbers are a set: 3 x 8 = 24, or steps of 2; ``points`` are what they count."""
    counted = tuple((points or {}).get(number, number) for number in numbers)
    is_total = pattern.family in TOTALS
    words, shown = FAMILIES[pattern.family], counted if is_total else numbers
    reason = words.why(shown, dict(pattern.parameters))
    reason = f"counting {reason}" if is_total and counted != numbers else reason
    whose = "the numbers of both players" if pattern.is_shared else "the whole hand"
    return f"{whose}, {reason}" if pattern.is_whole_hand else reason


def shown_order(pattern: Pattern, numbers: Numbers) -> Numbers:
    """A set, given in ascending order, in the order that shows its pattern."""
    if pattern.family not in ("geometric", "chain"):
        return numbers
    return tuple(sorted(numbers, key=lambda number: (number == 0, abs(number))))


def proposals(family: str, pool: Sequence[int]) -> dict[str, Any]:
    """The parameters that are proposed for a family on these numbers."""
    fields = FAMILIES[family].parameters
    return {name: field.proposals(pool)[0] for name, field in fields.items() if field.offers}


def _size(least: int, what: str) -> Field:
    """How many numbers there are in a set."""
    return required(
        whole(least, MAX_POOL), f"How many {what}.", question=f"how many {what}?", offers=(3,)
    )


def _total(
    what: str, sign: str, calculate: Callable[[Numbers], int], example: str, offers: Offers
) -> FamilyWords:
    """A family of numbers with a given sum or product."""

    def wanted(of: Values) -> str:
        if "equals" in of:
            return f"a {what} of {of['equals']}"
        if "multiple-of" in of:
            return f"a {what} that is a multiple of {of['multiple-of']}"
        if "kind" in of:
            return f"{_KINDS[of['kind']]} {what}"
        return f"a {what} of {bounds(of)}"

    def bounds(of: Values) -> str:
        return " and ".join(f"{key.replace('-', ' ')} {of[key]}" for key in _BOUNDS if key in of)

    def goal(of: Values) -> str:
        if of.get("shared") or of.get("whole-hand"):
            return wanted(of)
        return f"{count(of['count']) if 'count' in of else 'any numbers'} with {wanted(of)}"

    def why(numbers: Numbers, of: Values) -> str:
        value, more = calculate(numbers), bounds(of)
        if "multiple-of" in of:
            more = f"a multiple of {of['multiple-of']}"
        elif "kind" in of:
            more = f"{_KINDS[of['kind']]} number"
        if len(numbers) == 1:
            return more or f"just {value}"
        equation = f"{_joined(sign, numbers)} = {value}"
        return f"{equation}, {more}" if more else equation

    parameters = {
        "count": _size(1, "numbers")._replace(
            required=False,
            without="any number of them",
            question="how many numbers? (or: any; all of a hand; both hands together)",
        ),
        "whole-hand": optional(
            FLAG, "The whole hand counts at the moment of a pick, not any part of it.", "`false`"
        ),
        "shared": optional(
            FLAG,
            "The numbers of both players count together; the player who makes the total has it.",
            "`false`",
        ),
        "equals": optional(
            whole(),
            f"The {what} the numbers must have.",
            "required, unless one of the fields below is there",
            question=f"which {what}? (or for instance: multiple of 5, at least 20, prime)",
            offers=offers,
        ),
        "multiple-of": optional(whole(1), f"The {what} must be a multiple of this.", "any"),
        "at-least": optional(whole(), f"The {what} must not be lower.", "any"),
        "at-most": optional(whole(), f"The {what} must not be higher.", "any"),
        "kind": optional(choice([*_KINDS]), f"The kind of number the {what} must be.", "any"),
    }
    return FamilyWords(f"numbers with a given {what}, such as {example}", goal, why, parameters)


def _offered_sum(pool: Sequence[int]) -> tuple[int]:
    return (pool[0] + pool[len(pool) // 2] + pool[-1] if len(pool) > 3 else 15,)


def _offered_product(pool: Sequence[int]) -> tuple[int]:
    small = len(pool) > 3 and max(map(abs, pool)) < 10**6
    return (prod(pool[1:4]) if small else 24,)


def _offered_sets(pool: Sequence[int]) -> tuple[list[list[int]]]:
    if {*pool} >= {1, 2, 4, 5, 6, 9}:
        return ([[1, 5, 9], [2, 4, 6]],)
    return ([[*pool[:3]], [*pool[-3:]]] if len(pool) > 3 else [[*pool]],)


def _equation(numbers: Numbers, _: Values) -> str:
    total = sum(numbers) // 2
    addends = [number for number in numbers if number != total]
    return f"{_joined(' + ', addends)} = {total}"


def _joined(sign: str, numbers: Sequence[int]) -> str:
    first, *rest = numbers
    return sign.join([str(first), *(str(n) if n >= 0 else f"({n})" for n in rest)])


def _of_kind(number: int, of: Values) -> str:
    if of["kind"] == "multiple":
        return f"{count(number, 'multiple')} of {of['of']}"
    return count(number, f"{of['kind']} number")


FAMILIES: Mapping[str, FamilyWords] = {
    "arithmetic": FamilyWords(
        "numbers in arithmetic progression, such as 2 4 6",
        lambda of: f"{count(of['length'])} in arithmetic progression",
        lambda numbers, _: f"steps of {numbers[1] - numbers[0]}",
        {"length": _size(3, "terms")},
        "equal steps",
    ),
    "geometric": FamilyWords(
        "numbers in geometric progression, such as 2 4 8 or 4 6 9",
        lambda of: f"{count(of['length'])} in geometric progression",
        lambda numbers, _: f"factors of {quotient(numbers[1], numbers[0])}",
        {"length": _size(3, "terms")},
        "equal factors, which may be fractions",
    ),
    "consecutive": FamilyWords(
        "neighbours in the pool, such as 4 5 6",
        lambda of: f"{count(of['length'])} that are neighbours in the pool",
        lambda numbers, _: count(len(numbers), "neighbour"),
        {"length": _size(2, "neighbours")},
    ),
    "sum-triple": FamilyWords(
        "three numbers, one the sum of the other two, such as 2 3 5",
        lambda _: "three numbers, one the sum of the other two",
        _equation,
        {},
    ),
    "sum": _total("sum", " + ", sum, "1 5 9 for 15", _offered_sum),
    "product": _total("product", " x ", prod, "2 3 4 for 24", _offered_product),
    "kind": FamilyWords(
        "numbers of one kind, such as 2 4 6 (even)",
        lambda of: _of_kind(of["count"], of),
        lambda numbers, of: _of_kind(len(numbers), of),
        {
            "kind": required(
                choice(KINDS),
                "Which kind.",
                question="even, odd, prime, square, or for instance multiple of 3?",
                offers=("even",),
            ),
            "of": optional(
                whole(1), "What they are multiples of.", "required for multiple, and only for that"
            ),
            "count": _size(1, "numbers"),
        },
    ),
    "chain": FamilyWords(
        "numbers each of which divides the next, such as 2 4 8",
        lambda of: f"{count(of['length'])}, each of which divides the next",
        lambda *_: "each divides the next",
        {"length": _size(2, "numbers")},
    ),
    "sets": FamilyWords(
        "sets that the book lists one by one",
        lambda of: "one of the listed sets" if len(of["sets"]) > 1 else "the listed set",
        lambda *_: "a set of the list",
        {
            "sets": required(
                SETS,
                "The sets, each a list of numbers.",
                question="which sets? (with commas between them)",
                offers=_offered_sets,
            )
        },
    ),
}

MEASURES: Mapping[str, MeasureWords] = {
    "count": MeasureWords(
        "how many numbers a player holds",
        "whoever holds [more|fewer] {kind} wins",
        "{Counted} held: {counted1} and {counted2}.",
        "both hold equally many",
    ),
    "distance": MeasureWords(
        "how far the sum of a player's numbers is from a target",
        "the sum [farther from|nearer to] {target} wins",
        "Sums: {sum1} and {sum2}. The target is {target}.",
        "both are equally far from it",
        prefer="lower",
    ),
    "first-complete": MeasureWords(
        "who was first to complete a set, in a game where sets must be declared",
        "whoever completed a set first [wins|loses]",
        "{winner} held {set} first.",
        "nobody completed one",
    ),
    "hand-product": MeasureWords(
        "the product of a player's numbers",
        "the [higher|lower] product wins",
        "Products: {product1} and {product2}.",
        "the products are equal",
    ),
    "hand-sum": MeasureWords(
        "the sum of a player's numbers",
        "the [higher|lower] sum wins",
        "Sums: {sum1} and {sum2}.",
        "the sums are equal",
    ),
    "highest": MeasureWords(
        "the highest number a player holds",
        "[whoever holds the highest number|the player whose highest number is lower] wins",
        "Highest numbers: {highest1} and {highest2}.",
    ),
    "last-pick": MeasureWords(
        "who took the last number (higher: that player wins)",
        "whoever took the last number [wins|loses]",
        "{last} took the last number.",
    ),
    "longest-ascent": MeasureWords(
        "how many numbers a player took one after the other in ascending order, at most",
        "whoever took [more|fewer] numbers one after the other in ascending order wins",
        "Longest ascents: {ascent1} and {ascent2}.",
        "their longest ascents are equal",
    ),
    "longest-run": MeasureWords(
        "the length of a player's longest run of neighbours in the pool",
        "the [longer run of neighbours|player whose longest run of neighbours is shorter] wins",
        "Longest runs: {run1} and {run2}.",
        "their runs are equally long",
    ),
    "lowest": MeasureWords(
        "the lowest number a player holds",
        "[the player whose lowest number is higher|whoever holds the lowest number] wins",
        "Lowest numbers: {lowest1} and {lowest2}.",
    ),
    "run-start": MeasureWords(
        "the first number of a player's longest run of neighbours",
        "the player whose longest run starts with the [higher|lower] number wins",
        "Longest runs: {run1} and {run2}.",
    ),
    "run-sum": MeasureWords(
        "the sum of a player's longest run of neighbours",
        "the player whose longest run has the [higher|lower] sum wins",
        "Longest runs: {run1} and {run2}.",
        "those sums are equal",
    ),
}
