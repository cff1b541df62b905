"""What a whole book may cost is bounded, however many small things it is made of."""

from typing import Any

import pytest

from ninefold.books import read_book
from ninefold.books.answers import BadAnswer, parse_ending, parse_patterns
from ninefold.books.check import _readings, examine
from ninefold.books.faults import BookError
from ninefold.books.sources import Source, parse
from ninefold.core.patterns import is_prime

LINK = {"measure": "hand-sum", "prefer": "higher"}
SLOW = {"family": "sum", "count": 5, "multiple-of": 99999}
MANY = {"family": "kind", "kind": "multiple", "of": 1, "count": 3}
WHOLE = {"family": "sum", "whole-hand": True, "multiple-of": 999}


def fault_of(rules: dict[str, Any]) -> str:
    """The one fault of a book with these rules."""
    with pytest.raises(BookError) as caught:
        read_book({"rules": rules}, stem="book")
    (fault,) = caught.value.faults
    return f"{fault.path}: {fault.problem}"


def many(pattern: dict[str, Any], number: int) -> dict[str, Any]:
    """So many patterns, each under a name of its own."""
    return {f"p{at}": pattern for at in range(number)}


def test_there_are_at_most_32_ways_to_win_and_16_links() -> None:
    """One more is a fault that says how many there may be."""
    small = {"family": "sum", "count": 2, "equals": 3}
    read_book(
        {"rules": {"pool": "1-3", "wins": many(small, 32), "ending": [LINK] * 16}}, stem="book"
    )
    told = fault_of({"pool": "1-3", "wins": many(small, 33)})
    assert told == "rules.wins: must have at most 32 patterns, not 33"
    told = fault_of({"pool": "1-3", "ending": [LINK] * 17})
    assert told == "rules.ending: must have at most 16 links, not 17"


def test_the_ways_to_win_share_one_budget() -> None:
    """One of them is fine; several are refused together: searched, or found again."""
    for pool, pattern, number in (("1-60", SLOW, 2), ("1-64", MANY, 32)):
        if pattern is not SLOW:
            read_book({"rules": {"pool": pool, "wins": many(pattern, 1)}}, stem="book")
        assert "takes too long" in fault_of({"pool": pool, "wins": many(pattern, number)})


def test_the_refusal_says_the_bound_and_what_to_do() -> None:
    """And no value of the file, which would be a whole table."""
    with pytest.raises(BookError) as caught:
        read_book({"rules": {"pool": "1-60", "wins": many(SLOW, 2)}}, stem="book")
    (fault,) = caught.value.faults
    assert "more than 600,000 steps for all patterns together; use fewer patterns" in str(fault)
    assert fault.found == ""


def test_as_many_whole_hands_as_there_can_be_patterns() -> None:
    """On the largest pool with a table of all hands, winning and losing."""
    wins = {f"w{at}": {**WHOLE, "multiple-of": 40 + at} for at in range(32)}
    losses = {
        f"l{at}": {"family": "product", "whole-hand": True, "equals": 30 + at} for at in range(32)
    }
    game = read_book({"rules": {"pool": "1-16", "wins": wins, "losses": losses}}, stem="b").game
    assert game.wins.table is not None
    for hand in ((16, 15, 9), (16, 15, 14), (2, 15, 1), (7, 8)):
        mask = game.mask(hand)
        assert game.wins.table[mask] == any(sum(hand) % (40 + at) == 0 for at in range(32))


def test_a_product_of_many_digits_is_never_prime() -> None:
    """So it is not even tried: that would take minutes."""
    pool = [10**17 + more for more in (3, 13, 19, 21, 49, 81, 99, 141, 181, 337, 339, 353)]
    wins = {"product": {"whole-hand": True, "kind": "prime"}}
    game = read_book({"rules": {"pool": pool, "wins": wins}}, stem="b").game
    assert game.wins.table is not None
    assert sum(game.wins.table) == sum(map(is_prime, pool)) > 0


@pytest.mark.parametrize("kind", ["wins", "losses"])
def test_listed_sets_are_of_numbers_of_the_pool(kind: str) -> None:
    """Winning ones and losing ones."""
    told = fault_of({"pool": "1-9", kind: {"sets": {"sets": [[1, 2], [1, 22]]}}})
    assert told.startswith(f"rules.{kind}.sets.sets[1]: must be ")


def test_no_more_readings_are_examined_than_there_may_be() -> None:
    """The default, and 24 others."""
    assert len(_readings({"readings": {f"r{at}": {} for at in range(7_000)}})) == 25


@pytest.mark.parametrize(
    ("pool", "told"),
    [
        ("1 to 9", 'did you mean "1-9"?'),
        ("1 - 9", 'did you mean "1-9"?'),
        ("2..20 by 2", 'did you mean "2-20 step 2"?'),
        ("9-1", 'a range must go from low to high did you mean "1-9"?'),
        ("1-9 step 0", "the step of a range must be at least 1"),
        ("1-199", "must have at most 100 numbers, not 199"),
        ([*range(101)], "must have at most 100 numbers, not 101"),
        ([], "must be a list of 1 to 100 whole numbers, such as [5]"),
        ([3, 5, 3], "the numbers must be different, but 3 is listed twice"),
        ([1, 2.5], "must be a whole number"),
        ([1, "2"], "must be a whole number"),
    ],
)
def test_a_bad_pool_is_told_what_is_bad_about_it(pool: object, told: str) -> None:
    """Each mistake has its own sentence, or a proposal."""
    with pytest.raises(BookError) as caught:
        read_book({"rules": {"pool": pool}}, stem="book")
    (fault,) = caught.value.faults
    assert f"{fault.problem} {fault.hint}".strip().endswith(told)


def test_a_pool_that_is_missing_is_said_to_be_missing() -> None:
    """Not that it is wrong."""
    assert fault_of({}).startswith("rules.pool: missing; it must be a range such as")


def test_every_bad_set_of_a_list_is_told() -> None:
    """Not only the first."""
    listed = [[1, 2], [1, 1], [2, 3], [3, 99]]
    with pytest.raises(BookError) as caught:
        read_book({"rules": {"pool": "1-9", "wins": {"sets": {"sets": listed}}}}, stem="book")
    paths = [fault.path for fault in caught.value.faults]
    assert paths == ["rules.wins.sets.sets[1]", "rules.wins.sets.sets[3]"]


def test_an_unknown_family_is_one_error() -> None:
    """Nothing is known about the parameters of a family that does not exist."""
    wins = {"mine": {"family": "kid", "count": 3}}
    assert fault_of({"pool": "1-9", "wins": wins}).startswith("rules.wins.mine.family: must be one")


def test_two_wishes_for_a_sum_are_one_too_many() -> None:
    """And none is one too few."""
    both = fault_of({"pool": "1-9", "wins": {"sum": {"equals": 3, "multiple-of": 3}}})
    assert both == ("rules.wins.sum: equals and multiple-of cannot be combined: keep one of them")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("[rules]\npool = 1-9\n", 'text needs quotation marks: pool = "1-9"'),
        ('[rules]\npool = "1-9"\npool = "1-8"\n', "pool is set twice"),
        ("title = \u201cMine\u201d\n", 'use straight quotation marks: title = "Mine"'),
        ("title = \u2018Mine\u2019\n", "use straight quotation marks: title = 'Mine'"),
    ],
)
def test_common_slips_of_toml_are_recognised(text: str, hint: str) -> None:
    """Where the parser only says that it does not go on."""
    with pytest.raises(BookError) as caught:
        parse(text, "a.toml")
    assert caught.value.faults[0].hint == hint


def test_orders_that_only_a_second_family_allows_are_in_the_fingerprint() -> None:
    """2 1 3 is no progression, but a sum of three: other rules, another fingerprint."""
    rules = {"pool": "1-3", "hand-limit": 3, "in-order": True}
    one = {"arithmetic": {"length": 3}}
    prints = {
        read_book({"rules": {**rules, "wins": wins}}, stem="book").game.fingerprint
        for wins in (one, {**one, "sum-triple": {}}, {**one, "consecutive": {"length": 3}})
    }
    assert len(prints) == 2  # neighbours are right in the same orders as the progression


@pytest.mark.parametrize(
    ("rules", "warning"),
    [
        (
            "wins.sum = { count = 3, equals = 100 }",
            "rules: no set can be completed and there is no ending: every game is a draw",
        ),
        (
            "wins.arithmetic.length = 3\nhand-limit = 2",
            "rules: no set can be completed and there is no ending: every game is a draw",
        ),
        (
            "ending = [{ measure = 'first-complete', prefer = 'higher' }]",
            "rules.ending[0]: never decides: without declare, completing a set ends the game",
        ),
        (
            "ending = [{ measure = 'last-pick', prefer = 'higher' },"
            " { measure = 'count', prefer = 'higher' }]",
            "rules.ending[1]: never used: last-pick before it always decides",
        ),
        (
            "ending = [{ measure = 'longest-ascent', prefer = 'higher' },"
            " { measure = 'longest-run', prefer = 'higher' },"
            " { measure = 'longest-ascent', prefer = 'lower' }]",
            "rules.ending[2]: never decides: if longest-ascent ties once, it ties again",
        ),
    ],
)
def test_what_can_never_happen_is_a_warning(rules: str, warning: str) -> None:
    """The book is valid, but probably not as intended."""
    text = f"[rules]\npool = '1-9'\n{rules}\n"
    report = examine(Source("./a.toml", "/a.toml", text, parse(text, "a.toml")))
    assert not report.faults
    assert warning in [f"{found.path}: {found.problem}" for found in report.warnings]


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("sum multiple-of=5", {"count": 3, "multiple-of": 5}),
        ("sum whole-hand=true equals=10", {"whole-hand": True, "equals": 10}),
        ("sum count=any", {"equals": 15}),
    ],
)
def test_what_a_designer_says_goes_before_what_is_proposed(
    text: str, parameters: dict[str, Any]
) -> None:
    """Proposals that do not fit with it are left out."""
    assert parse_patterns([text]) == {"sum": parameters}


def test_a_distance_has_a_target_and_a_misspelt_measure_a_proposal() -> None:
    """Both are said where the ending is asked for."""
    link = {"measure": "distance", "prefer": "lower", "target": 21}
    assert parse_ending(["distance lower target=21"]) == [link]
    with pytest.raises(BadAnswer, match="has no target"):
        parse_ending(["distance lower"])
    with pytest.raises(BadAnswer, match="Did you mean hand-sum"):
        parse_ending(["hand-sun higher"])
