"""Claims and examples as a stranger writes them: all faults at once, each with its place."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold.books import read_book
from ninefold.books.claims import KINDS, about
from ninefold.books.faults import BookError

RULES = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}}


def read(**fields: Any) -> Any:
    """A book with these fields."""
    told = {"id": "own", "title": "Own", "summary": "Own.", "rules": RULES}
    return read_book({**told, **fields})


def faults(**fields: Any) -> list[str]:
    """What is wrong with a book with these fields."""
    with pytest.raises(BookError) as refused:
        read(**fields)
    return [str(fault) for fault in refused.value.faults]


def test_all_faults_are_reported_at_once() -> None:
    """With the path of each, what is expected, and the nearest spelling."""
    found = faults(
        claims=[
            {"kind": "no-draw"},
            {"kind": "at-most-moves"},
            {"kind": "at-most-moves", "moves": "nine"},
            {"kind": "good-openings", "openings": []},
            {"kind": "no-draws", "moves": 3},
            {"kind": "no-draws", "because": {"kind": "any-hand"}},
            {"kind": "no-draws", "readings": ["other"]},
        ],
        examples=[{"name": "One", "moves": "5 x"}],
    )
    assert [fault.split(":")[0] for fault in found] == [
        "examples[0].moves",
        "claims[0].kind",
        "claims[1].moves",
        "claims[2].moves",
        "claims[3].openings",
        "claims[4].moves",
        "claims[5].because.numbers",
        "claims[6].readings",
    ]
    assert "did you mean no-draws?" in found[1]


@pytest.mark.parametrize(
    ("example", "path"),
    [
        ({"moves": "5"}, "examples[0].name"),
        ({"name": "", "moves": "5"}, "examples[0].name"),
        ({"name": "One"}, "examples[0].moves"),
        ({"name": "One", "moves": "5", "hands": [[1], [2]]}, "examples[0].hands"),
        ({"name": "One", "hands": [[1], ["2"]]}, "examples[0].hands[1][0]"),
        ({"name": "One", "hands": [[1]]}, "examples[0].hands"),
        ({"name": "One", "moves": "5", "first": 3}, "examples[0].first"),
        ({"name": "One", "moves": "5", "says": {"winner": 3}}, "examples[0].says.winner"),
        (
            {"name": "One", "moves": "5", "says": {"winner": 1, "sums": [1]}},
            "examples[0].says.sums",
        ),
        ({"name": "One", "moves": "5", "says": {"winer": 1}}, "examples[0].says.winer"),
        (
            {"name": "One", "moves": "5", "attempts": [{"after": 1}]},
            "examples[0].attempts[0].number",
        ),
        ({"name": "One", "moves": "5", "statements": [{"after": 1}]}, "examples[0].statements[0]"),
        (
            {"name": "One", "moves": "5", "statements": [{"after": 1, "hand": [5]}]},
            "examples[0].statements[0].player",
        ),
        (
            {"name": "One", "moves": "5", "statements": [{"after": -1, "turn": 1}]},
            "examples[0].statements[0].after",
        ),
        (
            {
                "name": "One",
                "moves": "5",
                "statements": [{"after": 1, "player": 1, "could-form": [1]}],
            },
            "examples[0].statements[0].with",
        ),
    ],
    ids=str,
)
def test_what_is_wrong_with_an_example_is_named(example: dict[str, Any], path: str) -> None:
    """The fault has the path of the field."""
    assert any(fault.startswith(f"{path}:") for fault in faults(examples=[example]))


def test_examples_have_names_of_their_own() -> None:
    """Reasons refer to them by name."""
    twice = [{"name": "One", "moves": "5"}, {"name": "One", "moves": "6"}]
    assert faults(examples=twice) == ["examples: every example must have a different name"]


def test_a_reason_may_only_name_an_example_that_exists() -> None:
    """And a claim, too."""
    claims = [{"kind": "example", "name": "Two"}]
    assert faults(claims=claims, examples=[{"name": "One", "moves": "5"}]) == [
        "claims[0].name: must be the name of one of the examples"
    ]


def test_any_pool_is_a_reason_and_no_claim() -> None:
    """It says that a claim holds elsewhere too."""
    assert faults(claims=[{"kind": "any-pool"}])[0].startswith("claims[0].kind")
    assert read(claims=[{"kind": "no-draws", "because": {"kind": "any-pool"}}]).claims


def test_a_set_that_can_happen_is_named() -> None:
    """That it has no negative number is too little to look for it."""
    for told in ({}, {"negative": False}):
        assert faults(claims=[{"kind": "set-can-happen", **told}]) == [
            "claims[0].set: missing; it must be a list of 1 to 100 whole numbers, such as [5]"
        ]
    assert read(claims=[{"kind": "set-can-happen", "negative": True}])
    assert read(claims=[{"kind": "set-can-happen", "negative": False, "set": [1, 2, 3]}])


def test_an_opening_is_a_number_of_the_pool() -> None:
    """Of the pool of one of the readings at least."""
    claims = [{"kind": "good-openings", "openings": [5, 99]}]
    assert faults(claims=claims) == ["claims[0].openings[1]: must be a number of the pool"]
    larger = {"large": {"rules": {"pool": "90-99"}}}
    assert read(claims=claims, readings=larger)


def test_what_decides_an_example_is_something_that_can_decide() -> None:
    """A family, what the book calls a pattern, a measure, or one of a few words."""
    wins = {"evens": {"family": "kind", "kind": "even", "count": 3}}

    def told(reason: str) -> dict[str, Any]:
        example = {"name": "One", "moves": "5", "says": {"winner": 1, "reason": reason}}
        return {"rules": {"pool": "1-9", "wins": wins}, "examples": [example]}

    for reason in ("evens", "kind", "arithmetic", "hand-sum", "draw", "first", "second"):
        assert read(**told(reason))
    (fault,) = faults(**told("total"))
    assert fault.startswith("examples[0].says.reason: must be one of evens, arithmetic, ")


def test_claims_are_about_all_readings_unless_they_say() -> None:
    """The names of readings are checked when the book is read."""
    assert about({"kind": "no-draws"}, "any")
    assert about({"kind": "no-draws", "readings": ["a", "b"]}, "b")
    assert not about({"kind": "no-draws", "readings": ["a", "b"]}, "c")


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(list(KINDS)),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "kind because says set numbers openings moves hands name after".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=300)
@given(claims=anything, examples=anything)
def test_whatever_is_written_is_read_or_refused(claims: Any, examples: Any) -> None:
    """Never a traceback."""
    try:
        read(claims=claims, examples=examples)
    except BookError as error:
        assert error.faults


@pytest.mark.parametrize("field", ["attempts", "statements"])
@pytest.mark.parametrize("told", [{"moves": "5 6"}, {"hands": [[5], [6]]}], ids=str)
def test_nothing_is_said_of_a_time_after_the_example(field: str, told: dict[str, Any]) -> None:
    """Nobody would ever look at it, so that it would pass for right."""
    said = {"number": 5} if field == "attempts" else {"turn": 1}
    assert read(examples=[{"name": "One", **told, field: [{"after": 2, **said}]}])
    (fault,) = faults(examples=[{"name": "One", **told, field: [{"after": 3, **said}]}])
    assert fault.startswith(f"examples[0].{field}[0].after: the example ends after 2 moves")
