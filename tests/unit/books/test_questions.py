"""The questions about a new book: any front end can ask them, and the answers make a book."""

from typing import Any

import pytest

from ninefold.books.answers import BadAnswer
from ninefold.books.language import RULES
from ninefold.books.questions import SPECIAL, Interview, Question


def answered(*texts: str, **given: Any) -> Interview:
    """An interview after these answers; the rest is still to be asked."""
    interview = Interview(given=given)
    for text in texts:
        interview.answer(text)
    return interview


def asked(interview: Interview) -> Question:
    """The question that is asked now."""
    assert interview.question is not None
    return interview.question


def special(*texts: str, **given: str) -> dict[str, Any]:
    """The special rules that these answers make of the game that is proposed."""
    interview = answered("", "", "", "", "", "", *texts, **given)
    assert interview.question is None and interview.draft is not None
    return {name: rule for name, rule in interview.draft.rules.items() if name in SPECIAL}


def test_proposals_alone_make_a_book() -> None:
    """Nothing typed accepts them, and everything asked for has been answered."""
    interview = answered("", "", "", "", "", "", "")
    assert [question.id for question, _ in interview.answered] == [
        "title",
        "rules.pool",
        "rules.wins",
        "rules.wins.arithmetic.length",
        "rules.misere",
        "rules.ending",
        "special",
    ]
    assert interview.question is None and interview.draft is not None
    wins = {"arithmetic": {"length": 3}}
    assert interview.draft.rules == {"pool": "1-9", "wins": wins, "ending": []}


def test_every_rule_can_be_asked_for() -> None:
    """In a question of its own or in the menu; in-order depends on two others."""
    own = {"pool", "wins", "misere", "ending"}
    assert {*SPECIAL} == {*RULES} - own - {"in-order"}


@pytest.mark.parametrize("name", SPECIAL)
def test_every_special_rule_has_proposals_that_work(name: str) -> None:
    """Whatever else it asks, accepting every proposal changes the rules."""
    interview = answered("", "", "", "", "", "", name)
    while interview.question:
        interview.answer("")
    assert interview.draft is not None
    assert interview.draft.rules[name] != RULES[name].default


def test_a_restriction_is_asked_for_in_plain_questions() -> None:
    """Compared with what, what it must or must not do, by how much, and whether there are more."""
    first, second = ("own-last", "within", "2", "yes"), ("4", "13", "1", "no")
    assert special("restrictions", *first, *second) == {
        "restrictions": [
            {"compared-with": "own-last", "must": "within", "by": 2},
            {"compared-with": "own", "must-not": "divisor"},
        ]
    }


def test_other_special_rules_are_asked_for_in_plain_questions() -> None:
    """Totals, numbers that count something else, losing sets: never as they stand in a file."""
    caps = special("caps", "2", "taken", "100", "")
    assert caps == {"caps": [{"total": "product", "of": "taken", "at-most": 100}]}
    assert special("values", "1 = 10, 9 counts 0") == {"values": {"1": 10, "9": 0}}
    losses = special("losses", "sum", "both hands", "at least 20 and at most 25")
    bounds = {"shared": True, "at-least": 20, "at-most": 25}
    assert losses == {"losses": {"sum": bounds}}
    chosen = special("opening hand-limit stuck otherwise", "3, 4", "2", "second")
    assert chosen == {"opening": [3, 4], "hand-limit": 2, "stuck": "skip", "otherwise": "second"}


def test_a_total_can_be_of_both_hands_and_of_a_kind() -> None:
    """The same questions as for any other sum."""
    draft = answered("", "", "sum", "both", "prime", "", "", "").draft
    assert draft is not None and draft.rules["wins"] == {"sum": {"shared": True, "kind": "prime"}}


@pytest.mark.parametrize(
    ("before", "wrong", "refusal"),
    [
        (("",), "1 to 8", '(did you mean "1-8"?).'),
        (("", "", ""), "2", "It must be a whole number from 3 to 100."),
        (("", "", "", "", "", "", "opening"), "51", "It must be a list of numbers of the pool."),
        (("", "", "", "", "", "", "values"), "10 1", "what they count, such as 1 = 10."),
        (("", "", "", "", "", "", "restrictions"), "1 2", "Type one number from 1 to 6."),
        (("", "", "", "", "", ""), "passing invalid", "passing: cannot be combined with invalid"),
    ],
)
def test_a_refused_answer_changes_nothing(
    before: tuple[str, ...], wrong: str, refusal: str
) -> None:
    """The question stays the same, and the reason does not name the field that was asked for."""
    interview = answered(*before)
    question = interview.question
    with pytest.raises(BadAnswer) as error:
        interview.answer(wrong)
    assert refusal in error.value.message
    assert interview.question is question
    assert len(interview.answered) == len(before)


def test_proposals_fit_the_pool() -> None:
    """Also in what is offered after a refusal: there is one proposal for each question."""
    interview = answered("", "1-100", "", "", "", "", "opening")
    assert asked(interview).proposal == "51"
    with pytest.raises(BadAnswer):
        interview.answer("x")
    assert asked(interview).proposal == "51"


def test_rules_that_cannot_be_combined_are_not_offered() -> None:
    """Losing sets make no sense where completing a set loses."""
    interview = answered("", "", "", "", "yes", "")
    assert "losses" not in asked(interview).choices
    assert "losses" in asked(answered("", "", "", "", "no", "")).choices


def test_an_answer_can_be_taken_back() -> None:
    """Its question is asked again, and the answers before it still count."""
    interview = answered("Mine", "1-6", "", "4")
    interview.back()
    assert asked(interview).id == "rules.wins.arithmetic.length"
    for text in ("3", "", "", ""):
        interview.answer(text)
    assert interview.draft is not None
    assert (interview.draft.title, interview.draft.rules["pool"]) == ("Mine", "1-6")
    interview.back()
    assert asked(interview).id == "special" and interview.draft is None


def test_what_is_given_is_not_asked_for() -> None:
    """And what is given wrong is refused as soon as that is known."""
    interview = answered(title="A", pool="1-20", wins=["sum"], ending=["draw"], passing=True)
    assert asked(interview).id == "rules.misere"
    interview.answer("")
    assert interview.draft is not None and interview.draft.rules["passing"] is True
    with pytest.raises(BadAnswer, match="There is no family 'harmonic'"):
        answered(title="A", pool="1-20", wins=["harmonic"])
