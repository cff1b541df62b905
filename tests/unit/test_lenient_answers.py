"""The lenient reader: every repair is counted, nothing is picked out of prose, no move invented."""

import re
import sys

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.test_llm_text import ANSWERS, DECLARE, FIFTEEN, GAMES, MOVELIKE, played, some_positions

from ninefold.core.game import Game
from ninefold.core.moves import Declare
from ninefold.llm_text import (
    REPAIRS,
    Factors,
    IllegalAnswer,
    LegalAnswer,
    UnreadableAnswer,
    read_answer,
    read_format,
    read_leniently,
)
from ninefold.llm_text.answers import MAX_CHARACTERS

POSITION = FIFTEEN.play("5 3")


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        ("4", ""),
        ("so\nAnswer: 4", ""),
        ("4.", "period"),
        ("Answer: 4.", "period"),
        ("**4**", "emphasis"),
        ("*4*", "emphasis"),
        ("__4__.", "period emphasis"),
        ("**Answer:** 4", "emphasis"),
        ("**Answer**: 4", "emphasis"),
        ("**Answer: 4**", "emphasis"),
        ("### Answer: 4", "emphasis"),
        ("Answer: **4**.", "period emphasis"),
        ("`4`", "quotes"),
        ('"4"', "quotes"),
        ("\\boxed{4}", "boxed"),
        ("It is $\\boxed{4}$, because 9 loses.", "boxed"),
        ("Answer: \\boxed{4}", "boxed"),
        ("<answer>4</answer>", "tag"),
        ("9 loses, so <Answer> 4 </Answer> it is", "tag"),
        ("<answer>**4**</answer>", "emphasis tag"),
        ("```\n4\n```", "fence"),
        ("I block:\n```text\n4\n```", "fence"),
        ("```4```", "fence"),
        ("Answer: 4\nI hope that is right.", "not-last"),
        ("Answer: 4\nAnswer: 4", "not-last repeated"),
        ("\\boxed{4}\nAnswer: 4", ""),
        ("\\boxed{4}\nAnswer: 4.", "period boxed repeated"),
        ("<think>9? Answer: 9</think>\n4", "thoughts"),
        ("<think>9?</think>\nso\nAnswer: 4.", "thoughts period"),
    ],
)
def test_repairs(text: str, repairs: str) -> None:
    """Each has a name, and only those that were needed are counted."""
    assert read_leniently(text, POSITION) == (LegalAnswer(4, 3), tuple(repairs.split()))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I pick 4",
        "I pick **4**",
        "I pick 4.",
        "**4** or **6**",
        "4 6",
        "Answer: 4 or 6",
        "Answer: 4\nAnswer: 6",
        "Answer: 9 is tempting.\nAnswer: 4",
        "\\boxed{4} \\boxed{6}",
        "\\boxed{4}\nAnswer: 6.",
        "\\boxed{x}\nAnswer: 4.",
        "\\boxed{4}" * 21,
        "\\boxed{4",
        "<answer>4",
        "<answer></answer>",
        "<answer>4</answer><answer>6</answer>",
        "<answer>I take 4</answer>",
        "```\n4\n```\n```\n6\n```",
        "```\n4\n```\nThat loses, so I take 6.",
        "```python\nprint(4)\n```",
        "<think>4</think>",
        "<think>Answer: 4",
        "The move is four.",
        "4.0",
        "4.5.",
        "4..5",
        "\uff14.",
        "Final answer is 4",
        "4! Because 5 is taken.",
    ],
)
def test_what_stays_unreadable(text: str) -> None:
    """Prose, two candidates, a mark around something else; the reason is the strict reader's."""
    answer, repairs = read_leniently(text, POSITION)
    assert isinstance(answer, UnreadableAnswer) and repairs == ()
    assert answer == read_answer(text, POSITION)


def test_declarations_and_words_are_repaired_too() -> None:
    """With the same decorations; the judge still judges."""
    asked = played(DECLARE, [5, 2, 7, 3, 9])
    assert read_leniently("**declare 5 7 9**", asked)[0] == LegalAnswer(Declare((5, 7, 9)), 9)
    assert read_leniently("<answer>Pass.</answer>", asked)[1] == ("period", "tag")
    answer, repairs = read_leniently("**5**", POSITION)
    assert isinstance(answer, IllegalAnswer) and repairs == ("emphasis",)


DECORATED = st.builds(
    "{}{}{}{}{}".format,
    st.text(max_size=8) | st.just(""),
    st.sampled_from(
        ["**", "\\boxed{", "<answer>", "```\n", "`", "Answer: ", "\nAnswer:", "<think>"]
    ),
    MOVELIKE | st.sampled_from(["4", "declare 1 2 3", "pass", "4."]),
    st.sampled_from(["**", "}", "</answer>", "\n```", "`", "", ".", "</think>"]),
    MOVELIKE | st.just("") | st.text(max_size=8),
)


@pytest.mark.slow
@given(ANSWERS | DECORATED | st.builds("{}{}".format, DECORATED, DECORATED), st.sampled_from(GAMES))
@settings(max_examples=examples(400), deadline=None)
def test_a_move_is_literally_there(text: str, game: Game) -> None:
    """Strict answers need no repair, others at least one; every number of a move is in the text."""
    position = some_positions(game, 3, 1)[1]
    strict, (answer, repairs) = read_answer(text, position), read_leniently(text, position)
    if not isinstance(strict, UnreadableAnswer) or isinstance(answer, UnreadableAnswer):
        assert (answer, repairs) == (strict, ())
    else:
        assert repairs and {*repairs} <= {*REPAIRS}
        numbers = [int(found) for found in re.findall("[+-]?[0-9]+", text)]
        if isinstance(answer.move, Declare):
            assert "declare" in text.lower() and {*answer.move.numbers} <= {*numbers}
        elif isinstance(answer.move, int):
            # Whole: not a part of a longer number.
            assert answer.move in numbers
        else:
            assert answer.move.value in text.lower()


@pytest.mark.parametrize(
    "text",
    [
        "*" * 99_999,
        "Answer: 4\n" * 9_000,
        "**Answer:** 4\n\n\n" * 6_000,
        "\\boxed{" * 14_000,
        "\\boxed{4}" * 11_000,
        "<answer>" * 12_000,
        "<answer>4</answer>" * 5_000,
        "```\n4\n```" * 10_000,
        "```" * 33_000,
        "#" * 99_999,
        "\n" * 99_990 + "**4**",
        "<think>" * 14_000 + "</think>",
        "." * 99_999,
        "4" + "." * 99_998,
        "_" * 50_000 + "4" + "_" * 49_000,
    ],
    ids=lambda text: text[:12],
)
def test_hostile_answers_take_no_more_steps_than_their_length(text: str) -> None:
    """Calls grow with the length only, and so does what they copy."""
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        read_leniently(text, POSITION)
    finally:
        sys.setprofile(None)
    assert calls < 20 * min(len(text), MAX_CHARACTERS) + 500


@pytest.mark.parametrize(
    ("text", "strict", "lenient"),
    [
        ('{"move": "4"}', (), ()),
        (' {"move": " 4 "}\n', (), ()),
        ('{"move": 4}', None, ("number",)),
        ('```json\n{"move": "4"}\n```', None, ("fence",)),
        ('{"move": "**4**"}', None, ("emphasis",)),
        ('{"move": "4", "note": "x"}', None, ()),
        ('{"move": "4", "move": "6"}', None, None),
        ('{"move": 4.0}', None, None),
        ('{"move": true}', None, None),
        ('{"move": null}', None, None),
        ('{"answer": "4"}', None, None),
        ('["4"]', None, None),
        ("4", None, None),
        ('{"move": "4"', None, None),
        ('{"move": ' + "9" * 5000 + "}", None, None),
        ("[" * 90_000, None, None),
        ("", None, None),
    ],
)
def test_json_answers(
    text: str, strict: tuple[str, ...] | None, lenient: tuple[str, ...] | None
) -> None:
    """The object that was asked for, and nothing else; a lenient reader forgives its shape only."""
    for expected, is_lenient in ((strict, False), (lenient, True)):
        answer, repairs = read_format(text, POSITION, Factors(format="json"), is_lenient)
        if expected is None:
            assert isinstance(answer, UnreadableAnswer) and repairs == ()
        else:
            assert (answer, repairs) == (LegalAnswer(4, 3), expected)
