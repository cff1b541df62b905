"""What a book says about restrictions, caps, points and losing sets: slips and idle rules."""

import pytest

from ninefold.books import read_book
from ninefold.books.check import examine
from ninefold.books.sources import Source, parse

RESTRICTION = "[[rules.restrictions]]\n"
CAP = "[[rules.caps]]\n"


def said(rules: str, warnings: bool = False) -> list[str]:
    """The faults, or the warnings, of a book with these rules on 1 to 12."""
    text = f'[rules]\npool = "1-12"\notherwise = "first"\n{rules}'
    report = examine(Source("book.toml", "book.toml", text, parse(text, "book.toml")))
    found = report.warnings if warnings else report.faults
    return [f"{one.path}: {one.problem}" + f" ({one.hint})" * bool(one.hint) for one in found]


@pytest.mark.parametrize(
    ("rules", "fault"),
    [
        (
            RESTRICTION + 'must = "multiple"\nmust-not = "divisor"\ncompared-with = "last"\n',
            "rules.restrictions[0]: must and must-not cannot be combined: write two restrictions",
        ),
        (
            RESTRICTION + 'compared-with = "last"\n',
            "rules.restrictions[0]: needs must or must-not",
        ),
        (
            RESTRICTION + 'must = "difference"\ncompared-with = "last"\n',
            "rules.restrictions[0]: difference needs a number to go by, such as by = 2",
        ),
        (
            RESTRICTION + 'must = "multiple"\nby = 2\ncompared-with = "last"\n',
            "rules.restrictions[0]: multiple has no by: only difference, within and sum have one",
        ),
        (
            RESTRICTION + 'must = "within"\nby = -2\ncompared-with = "last"\n',
            "rules.restrictions[0]: two numbers cannot differ by -2: by must be at least 1",
        ),
        (
            RESTRICTION + 'must = "multiple"\ncompared-with = "own-lst"\n',
            "rules.restrictions[0].compared-with: must be one of last, own-last, own-first, own, "
            "opponent, taken (did you mean own-last?)",
        ),
        (
            RESTRICTION + 'must = "multiple"\n',
            "rules.restrictions[0].compared-with: missing; it must be one of last, own-last, "
            "own-first, own, opponent, taken",
        ),
        (
            RESTRICTION + 'must_not = "multiple"\ncompared-with = "last"\n',
            "rules.restrictions[0].must_not: unknown field (did you mean must-not?)",
        ),
        (
            RESTRICTION + 'must = "multiple"\ncompared-with = "last"\nexcept = [99]\n',
            "rules.restrictions[0].except: must be a list of numbers of the pool",
        ),
        (
            '[rules.restrictions]\nmust = "multiple"\ncompared-with = "last"\n',
            "rules.restrictions: must be a list of tables "
            "(write [[rules.restrictions]], with two brackets)",
        ),
        (
            CAP + 'total = "sum"\nof = "own"\nat-most = 0\n',
            "rules.caps: no number may be taken first: caps leave none",
        ),
        (
            CAP + 'total = "sum"\nof = "both"\nat-most = 20\n',
            "rules.caps[0].of: must be one of own, taken",
        ),
        ('stuck = "lose"\n', "rules.stuck: must be one of end, skip"),
        ("values.13 = 1\n", "rules.values.13: 13 is not a number of the pool"),
        ("losses.sum = 22\n", "rules.losses.sum: must be a table"),
        (
            "losses.sum = { at-least = 22 }\n",
            "rules.losses.sum: at-least needs a count, or whole-hand = true, or shared = true",
        ),
        (
            "losses.sum = { whole-hand = true, shared = true, equals = 9 }\n",
            "rules.losses.sum: whole-hand and shared cannot be combined: keep one of them",
        ),
        (
            "losses.sum = { whole-hand = true, at-least = 9, at-most = 8 }\n",
            "rules.losses.sum: no sum is at least 9 and at most 8",
        ),
        (
            "losses.sum = { whole-hand = true, at-least = 9, kind = 'even' }\n",
            "rules.losses.sum: kind and at-least cannot be combined: keep one of them",
        ),
    ],
)
def test_a_slip_is_told_once_with_what_to_do(rules: str, fault: str) -> None:
    """The place, what was expected, and where it helps, what to write."""
    assert said(rules) == [fault]


@pytest.mark.parametrize(
    ("rules", "warning"),
    [
        (
            RESTRICTION + 'must = "within"\nby = 11\ncompared-with = "last"\n',
            "rules.restrictions[0]: never forbids a number of this pool",
        ),
        (
            RESTRICTION + 'must-not = "sum"\nby = 24\ncompared-with = "own"\n',
            "rules.restrictions[0]: never forbids a number of this pool",
        ),
        (
            RESTRICTION + 'must = "difference"\nby = 12\ncompared-with = "taken"\n',
            "rules.restrictions[0]: allows no number as soon as there is one to compare it with",
        ),
        (
            CAP + 'total = "sum"\nof = "taken"\nat-most = 78\n',
            "rules.caps[0]: never forbids a number: no sum of this pool is above 78",
        ),
        (
            'stuck = "skip"\n',
            "rules.stuck: never matters: without restrictions and caps, a free number may be taken",
        ),
        (
            'values.3 = 1\nending = [{ measure = "lowest", prefer = "lower" }]\n',
            "rules.values: never matters: no pattern, cap or measure adds numbers up or multiplies "
            "them",
        ),
        (
            RESTRICTION
            + 'must = "divisor"\ncompared-with = "last"\n'
            + RESTRICTION
            + 'must = "multiple"\ncompared-with = "last"\n',
            "rules.restrictions: together they allow no second number, so that every game ends "
            "after the first (a number must satisfy all of them)",
        ),
        (
            "losses.arithmetic.length = 13\n",
            "rules.losses.arithmetic: no set of the pool matches this pattern",
        ),
        (
            "losses.sum = { whole-hand = true, equals = 79 }\n",
            "rules.losses.sum: no numbers of the pool have such a sum",
        ),
        (
            "wins.product = { shared = true, multiple-of = 13 }\n",
            "rules.wins.product: no numbers of the pool have such a product",
        ),
    ],
)
def test_a_rule_that_changes_nothing_is_a_warning(rules: str, warning: str) -> None:
    """One for each, and none for what can matter."""
    assert said(rules, warnings=True) == [warning]


@pytest.mark.parametrize(
    "rules",
    [
        RESTRICTION + 'must = "within"\nby = 10\ncompared-with = "last"\n',
        RESTRICTION + 'must = "difference"\nby = 11\ncompared-with = "taken"\nexcept = [3]\n',
        CAP + 'total = "sum"\nof = "taken"\nat-most = 77\n[rules.values]\n3 = 1\n12 = 20\n',
        "wins.sum = { shared = true, equals = 78 }\nvalues.3 = 3\n",
    ],
)
def test_a_rule_that_can_matter_is_fine(rules: str) -> None:
    """Just within the bounds of the warnings."""
    assert said(rules) == said(rules, warnings=True) == []


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"1": 10}, "In totals, 1 counts 10; any other number counts itself."),
        ({"1": 10, "2": 0, "3": 1}, "In totals, 1 counts 10, 2 counts 0 and 3 counts 1."),
    ],
)
def test_other_numbers_are_only_mentioned_where_there_are_some(
    values: dict[str, int], sentence: str
) -> None:
    """What every number counts may be said one by one."""
    rules = {"pool": "1-3", "values": values, "wins": {"sum": {"count": 2, "equals": 4}}}
    assert sentence in read_book({"rules": rules}, stem="book").text
