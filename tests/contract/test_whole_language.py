"""The books of the contract leave out nothing of the language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from contract.language import AS_THEY_STAND, WRITTEN, Written
from contract.naive_book import rules_table
from contract.walks import engine_view, explored, naive_view
from ninefold.books.families import FAMILIES
from ninefold.core.patterns import KINDS
from ninefold.core.picks import RELATIONS
from ninefold.core.rules import (
    INVALID_POLICIES,
    MEASURES,
    OTHERWISE,
    PREFERENCES,
    REFERENCES,
    STUCK,
    TOTALS,
    Rules,
)

TURNS = ("passing", "picks-per-turn", "opening", "pie")
LIMITS = ("misere", "in-order", "declare", "hand-limit", "restrictions", "losses")


def used(case: Written) -> Iterator[str]:
    """What of the language one reading uses, by name; what never decides a game does not count."""
    table = rules_table(case.path, case.reading)
    yield f"pool {form_of(table['pool'])}"
    reached = ENDINGS[str(case)].split()
    both = [*table.get("wins", {}).items(), *table.get("losses", {}).items()]
    patterns = [(name, told) for name, told in both if told is not False]
    if not patterns:
        yield "wins nothing"
    for name, told in patterns:
        if told.get("family", name) not in reached:
            continue
        yield from used_by_pattern(told.get("family", name), told, table.get("in-order", False))
    for link in table.get("ending", []):
        if link["measure"] in reached:
            yield f"ending {link['measure']} {link['prefer']}"
        if link["measure"] == "distance":
            yield f"ending exceeding {link.get('exceeding', True)}"
        yield from (f"ending {field} {value}" for field, value in link.items())
    yield from used_by_limits(table)
    switched = [field for field in table if table[field] is not False]
    yield from switched
    yield from (f"{one} with {two}" for one in switched for two in switched)
    if table.get("otherwise", "draw") in reached:
        yield f"otherwise {table.get('otherwise', 'draw')}"
    yield f"invalid {table.get('invalid', 'retry')}"


def used_by_limits(table: dict[str, Any]) -> Iterator[str]:
    """What of the language the limits of one reading use."""
    for told in table.get("restrictions", []):
        yield told.get("must") or told["must-not"]
        yield f"{'must' if 'must' in told else 'must not'} {told['compared-with']}"
        yield from told
    for told in table.get("caps", []):
        yield f"cap {told['total']} {told['of']}"
    if "stuck" in table:
        yield f"stuck {table['stuck']}"


def form_of(pool: str | list[int]) -> str:
    """How a pool is written."""
    if isinstance(pool, list):
        return "list"
    return "step" if "step" in pool else "from below zero" if pool[0] == "-" else "range"


def used_by_pattern(family: str, told: dict[str, Any], in_order: bool) -> Iterator[str]:
    """What of the language one pattern uses."""
    yield f"{family}{' in order' * in_order}"
    yield from (f"{family} {parameter}" for parameter in told if parameter != "family")
    if family == "kind":
        yield f"kind of {told['kind']}"
    if family in ("sum", "product"):
        shapes = {"count": "count", "whole-hand": "whole", "shared": "shared"}
        shape = next((word for field, word in shapes.items() if field in told), "any")
        yield from (f"{family} {shape} {goal}" for goal in told)


def known() -> Iterator[str]:
    """Everything the language has, by name."""
    yield from (f"pool {form}" for form in ("list", "step", "from below zero", "range"))
    yield "wins nothing"
    for family, told in FAMILIES.items():
        yield from (family, f"{family} in order")
        yield from (f"{family} {name}" for name in told.parameters)
    yield from (f"kind of {kind}" for kind in KINDS)
    for family in ("sum", "product"):
        for shape in ("count", "whole", "any"):
            yield from (f"{family} {shape} {goal}" for goal in ("equals", "multiple-of"))
    for measure in MEASURES:
        yield from (f"ending {measure} {preference}" for preference in PREFERENCES)
    yield from (f"ending exceeding {value}" for value in (True, False))
    yield from (field.replace("_", "-") for field in Rules._fields)
    yield from (f"{turn} with {limit}" for turn in TURNS for limit in LIMITS)
    yield from (f"otherwise {value}" for value in OTHERWISE)
    yield from (f"invalid {value}" for value in INVALID_POLICIES)
    yield from (f"stuck {value}" for value in STUCK)
    yield from RELATIONS
    yield from ("must last", "must own-last", "must own-first", "must taken", "except", "by")
    yield from (f"must not {reference}" for reference in REFERENCES)
    yield from (f"cap {total} {of}" for total in TOTALS for of in ("own", "taken"))
    yield from ("ending among highest", "ending kind multiple", "ending of 3")


def test_nothing_of_the_language_is_left_out() -> None:
    """Every field, family, parameter, kind, measure and value is in one of the books.

    So are all ways to take turns together with all limits.
    """
    assert set(known()) - {name for case in WRITTEN for name in used(case)} == set()


@pytest.mark.parametrize("case", AS_THEY_STAND, ids=str)
def test_both_read_the_same_pool_and_the_same_sets(case: Written) -> None:
    """On the numbers the file names: a second reader of the file finds the same."""
    rules, game = case.rules, case.game
    assert game.pool == tuple(sorted(rules.pool))
    for numbers in game.sets:
        assert any(
            family.size in (None, len(numbers)) and not family.whole for family in rules.families
        )
    assert game.rules.hand_limit == rules.limit
    assert game.rules.picks_per_turn == rules.picks


# How the games of each book end, on the numbers they are walked through with.
ENDINGS = {
    "both-signs default": "geometric hand-sum second",
    "climbing-shelf default": "arithmetic highest",
    "coin-row default": "hand-sum",
    "dominoes default": "last-pick",
    "dry-wells default": "last-pick",
    "full-basket default": "hand-sum second sum",
    "kinship default": "last-pick",
    "last-drop default": "last-pick sum",
    "locked-safe default": "hand-product second",
    "spelled-out default": "hand-sum sum",
    "two-paths default": "last-pick",
    "upstairs default": "hand-sum second",
    "double-time default": "consecutive draw",
    "even-steps default": "consecutive draw",
    "fair-capture default": "consecutive longest-run run-start",
    "hot-potato default": "arithmetic draw",
    "ladder-of-divisors default": "chain draw",
    "lucky-seven default": "draw sum",
    "prime-hunt default": "draw kind",
    "sum-free default": "draw sum-triple",
    "tic-tac-toe default": "draw sets",
    "treasure default": "longest-run run-sum",
    "twenty-four default": "draw product",
    "twenty-one default": "count distance draw",
    "two-scales default": "draw sum",
    "counted default": "highest sum",
    "counted sum-count-equals": "highest sum",
    "counted sum-count-multiple": "highest sum",
    "counted sum-any-multiple": "distance sum",
    "counted sum-whole-equals": "draw highest sum",
    "counted sum-whole-multiple": "highest sum",
    "counted product-count-equals": "highest product",
    "counted product-count-multiple": "product",
    "counted product-any-equals": "distance product",
    "counted product-any-multiple": "highest product",
    "counted product-whole-equals": "highest product",
    "counted product-whole-multiple": "highest product",
    "counted evens": "highest kind",
    "counted odds": "kind",
    "counted multiples": "kind",
    "crossed default": "arithmetic lowest",
    "crossed passing-misere": "arithmetic draw last-pick",
    "crossed passing-in-order": "arithmetic draw lowest",
    "crossed passing-declare": "arithmetic draw first-complete",
    "crossed passing-limit": "draw hand-sum",
    "crossed picks-misere": "arithmetic last-pick",
    "crossed picks-in-order": "arithmetic lowest",
    "crossed picks-declare": "arithmetic draw first-complete",
    "crossed picks-limit": "arithmetic run-start",
    "crossed opening-misere": "arithmetic lowest",
    "crossed opening-in-order": "arithmetic lowest",
    "crossed opening-declare": "arithmetic lowest",
    "crossed opening-limit": "arithmetic lowest",
    "crossed pie-misere": "arithmetic lowest",
    "crossed pie-in-order": "arithmetic lowest",
    "crossed pie-declare": "arithmetic draw first-complete",
    "crossed pie-limit": "lowest",
    "crossed all-turns": "arithmetic lowest second",
    "crossed three-picks": "arithmetic count draw",
    "gallery-again default": "longest-run run-sum",
    "limited default": "last-pick",
    "limited divisor": "last-pick",
    "limited multiple": "last-pick",
    "limited common-factor": "hand-product",
    "limited difference": "draw longest-ascent",
    "limited within": "draw longest-ascent",
    "limited sum": "count",
    "limited same-parity": "count draw",
    "limited opposite-parity": "hand-product",
    "limited greater": "arithmetic last-pick",
    "limited less": "draw run-sum",
    "limited common-digit": "last-pick sum",
    "limited two-at-once": "consecutive last-pick sets",
    "limited own-sum": "draw hand-sum",
    "limited shared-product": "draw last-pick",
    "limited caps": "run-start",
    "limited row": "hand-sum",
    "limited row-with-turns": "draw run-sum",
    "limited pie-and-stuck": "last-pick",
    "limited full-hand-and-stuck": "count draw",
    "limited lost-turns-and-stuck": "count draw",
    "rows default": "arithmetic run-start",
    "rows geometric": "geometric lowest sets",
    "rows pairs": "consecutive draw",
    "rows shelf": "geometric run-start sets sum-triple",
    "rows ladder": "chain consecutive run-start",
    "rows made": "arithmetic kind product run-start sum",
    "rows nothing": "count run-sum",
    "rows nobody-wins": "first",
    "totals default": "last-pick",
    "totals bust": "draw last-pick sum",
    "totals bust-product": "arithmetic last-pick product",
    "totals bust-by-turns": "kind last-pick",
    "totals shared-sum": "sum",
    "totals shared-products": "product",
    "totals kinds": "last-pick sum",
    "totals bounds": "last-pick sum",
    "totals odd-products": "product sum",
    "totals low-products": "last-pick product",
}


def test_the_endings_of_every_book_are_stated() -> None:
    """A book that is added says here how its games end."""
    assert set(ENDINGS) == set(map(str, WRITTEN))


@pytest.mark.slow
@pytest.mark.parametrize("case", WRITTEN, ids=str)
def test_the_engine_agrees(case: Written) -> None:
    """Wherever play can lead, turn, moves and outcome are the naive ones.

    Each of the stated endings is reached by some game, and none ends in any other way.
    """
    rules, reached = case.rules, set()
    for state, position, *_ in explored(case):
        assert engine_view(position) == naive_view(rules, state)
        if position.outcome:
            reached.add(position.outcome.reason)
    assert reached == set(ENDINGS[str(case)].split())
