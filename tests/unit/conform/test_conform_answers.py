"""What an environment answers is taken whole, with its token, or not at all."""

import json
from typing import Any

import pytest
from unit.conform.conforming import DUEL, settings

from ninefold import books
from ninefold.conform.answer import parse_answer
from ninefold.conform.check import Terms, examine

pytestmark = pytest.mark.usefixtures("beside_the_environments")


@pytest.mark.slow
@pytest.mark.parametrize(
    "forged",
    [
        "{}",
        '{"at": {}, "tries": [{}]}',
        '{"broken": 1}',
        '{"at": {"digest": 1, "legal": 7}, "tries": [{"reward": {}}], "printed": ""}',
        '{"at": {"digest": 1}, "tries": [], "printed": ""}',
        "[" * 30_000,
    ],
)
def test_a_forged_answer_is_no_answer(forged: str) -> None:
    """Nor does the line behind it count: the environment is to blame for both."""
    book = books.load_book(DUEL, None, ("pool=1-6",))
    report = examine(
        book, settings("environments.faulty:Faulty", fault=f"forges {forged}"), Terms()
    )
    (row,) = report.as_data()["differences"]
    assert row["kind"] == "crash"
    assert row["environment"].startswith('unexpected output instead of an answer: "')


STATE = {"digest": 1, "legal": [[0, 1], "nothing"], "turn": "one"}
MADE = {"reward": 0.5, "ended": "", **STATE}
HELLO = {"actions": 6, "start": 0, "sources": ["a"], "turn": None, "opponent": "", "at": STATE}
HELLO |= {"limited": True}


@pytest.mark.parametrize(
    ("answer", "tries"),
    [
        (HELLO, None),
        ({"refused": "make", "why": "no"}, None),
        ({"broken": "no", "printed": ""}, [1]),
        ({"at": STATE, "tries": [MADE], "printed": ""}, [1]),
        ({"at": STATE, "tries": [{"raised": "no", "digest": None}], "printed": ""}, [1]),
        ({"at": STATE, "tries": [{**MADE, "reward": [1, -1]}, MADE], "printed": ""}, [1, 2]),
        ({"at": STATE, "tries": [{**MADE, "then": MADE}], "printed": ""}, [1]),
    ],
)
def test_an_answer_is_taken_whole_and_with_its_token(
    answer: dict[str, Any], tries: list[int] | None
) -> None:
    """Without it, or without any of its fields but those that may be absent, it is none."""
    line = json.dumps(answer).encode()
    assert parse_answer(b"abc " + line, "abc", tries) == answer
    optional = {"actions", "turn"}
    wrong = [{**answer, name: {}} for name in answer]
    wrong += [{key: answer[key] for key in answer if key != name} for name in {*answer} - optional]
    for text in (line, b"abcd " + line, *(b"abc " + json.dumps(each).encode() for each in wrong)):
        with pytest.raises(ValueError, match=r"no token|nested too deeply|not an answer"):
            parse_answer(text, "abc", tries)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("reward", float("nan")),
        ("reward", float("inf")),
        ("reward", 10**400),
        ("reward", True),
        ("reward", [1, 2, 3]),
        ("reward", [1, "2"]),
        ("reward", None),
        ("ended", "perhaps"),
        ("ended", []),
        ("legal", 7),
        ("legal", [7]),
        ("legal", [["7"]]),
        ("turn", []),
        ("turn", 1.5),
        ("digest", "1"),
        ("then", {}),
        ("failed", "crash"),
        ("broken", 1),
        ("raised", 1),
    ],
)
def test_a_field_of_another_kind_makes_it_no_answer(field: str, value: object) -> None:
    """What is compared later is a number where a number is expected."""
    answer = {"at": STATE, "tries": [{**MADE, field: value}], "printed": ""}
    with pytest.raises(ValueError, match="not an answer"):
        parse_answer(b"abc " + json.dumps(answer).encode(), "abc", [1])
