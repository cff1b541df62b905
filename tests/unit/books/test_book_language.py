"""The rows of the language fit what core knows, and everything is derived from them."""

from collections import namedtuple
from typing import Any

import pytest

from ninefold.books import describe, language, new_file, questions, rules, schema
from ninefold.books.book import read_book
from ninefold.books.families import MEASURES as MEASURE_WORDS
from ninefold.books.faults import BookError, Table
from ninefold.books.fields import attribute, flag
from ninefold.books.language import LINK, RULES, conflicts
from ninefold.core.game import Game
from ninefold.core.patterns import Pattern
from ninefold.core.rules import MEASURES, Criterion, Rules

POOL = (1, 2, 3, 4, 5, 6)
BASE: dict[str, Any] = {"pool": "1-6", "hand-limit": 3, "wins": {"arithmetic": {"length": 3}}}
SPECIAL = [name for name in RULES if name not in ("pool", "wins", "ending")]


def test_there_is_a_row_for_every_rule_and_every_field_of_a_link() -> None:
    """Named like the field of core, in whatever order."""
    assert sorted(map(attribute, RULES)) == sorted(Rules._fields)
    assert [*map(attribute, LINK)] == [*Criterion._fields]
    assert [*MEASURE_WORDS] == [*MEASURES]


def test_the_defaults_of_the_rows_are_those_of_core() -> None:
    """Rules that a book does not mention are at their defaults."""
    faults: list[Any] = []
    assert rules.read_rules(Table({"pool": [1]}, (), faults)) == Rules((1,), ())
    assert faults == []
    link = {"measure": "distance", "prefer": "lower", "target": 0}
    read = rules.read_rules(Table({"pool": [1], "ending": [link]}, (), faults))
    assert read.ending == (Criterion("distance", "lower"),)


@pytest.mark.parametrize("name", SPECIAL)
def test_every_rule_changes_the_generated_text(name: str) -> None:
    """A rule that no sentence mentions would be a rule nobody knows about."""
    value, *_ = [value for value in RULES[name].proposals(POOL) if value != BASE.get(name)]
    rules = dict(BASE)
    if name == "stuck":
        rules["restrictions"] = [{"must": "greater", "compared-with": "last"}]
    usual = read_book({"rules": rules}, stem="book").game
    changed = read_book({"rules": {**rules, name: value}}, stem="book").game
    assert changed.rules != usual.rules
    assert describe.text_of(changed) != describe.text_of(usual)
    assert describe.summary_of(changed)


def test_a_conflict_names_a_rule() -> None:
    """So that its error points to a line of the file."""
    total = (Pattern("sum", (("equals", 6), ("shared", True))),)
    everything = Rules(POOL, total, losses=total, in_order=True, declare=True, misere=True)
    everything = everything._replace(passing=True, invalid="lose-turn")
    found = [name for name, _ in conflicts(everything)]
    assert found == ["losses", "losses", "wins", "in-order", "in-order", "misere", "passing"]
    assert {*found} <= {*RULES}
    assert not [*conflicts(Rules(POOL, total))]


def test_every_row_has_a_sentence_for_its_meaning() -> None:
    """Editors show it, and so do the reference and new files."""
    for name, field in (*RULES.items(), *LINK.items()):
        assert field.meaning[0].isupper() and field.meaning.endswith("."), name


# Rules with one more flag, as a later version may have.
LaterFields = namedtuple(  # type: ignore[misc]  # the fields are those of today, and one more
    "LaterFields",
    [*Rules._fields, "silent"],
    defaults=[*Rules._field_defaults.values(), False],
)


class LaterRules(LaterFields):
    """What core would know about the flag."""

    is_ordinary = Rules.is_ordinary
    has_turns = Rules.has_turns
    points = Rules.points
    sees_order = Rules.sees_order


SILENT = flag("Nobody may speak.", sentence="You may not speak.", menu="silence")


@pytest.fixture
def silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """The language with the row of a new flag, and nothing else."""
    for module in (language, rules, schema, new_file, describe, questions):
        monkeypatch.setattr(module, "RULES", {**RULES, "silent": SILENT})
    for module in (rules, describe):
        monkeypatch.setattr(module, "Rules", LaterRules)
    monkeypatch.setattr(questions, "SPECIAL", {**questions.SPECIAL, "silent": SILENT})


@pytest.mark.usefixtures("silence")
def test_a_new_flag_needs_one_row() -> None:
    """Reader, errors, generated rules, fingerprint, schema, questions and new files follow."""
    plain = read_book({"rules": {"pool": "1-6"}}, stem="book")
    silent = read_book({"rules": {"pool": "1-6", "silent": True}}, stem="book")
    assert "You may not speak." in silent.text
    assert "You may not speak." not in plain.text
    assert plain.game.fingerprint == Game(Rules(POOL, ())).fingerprint
    assert silent.game.fingerprint != plain.game.fingerprint
    with pytest.raises(BookError, match=r"rules\.silent: must be true or false"):
        read_book({"rules": {"pool": "1-6", "silent": 1}}, stem="book")
    assert schema.build_schema()["$defs"]["rules"]["properties"]["silent"] == {
        "description": "Nobody may speak.",
        "type": "boolean",
        "default": False,
    }
    interview = questions.Interview()
    while (question := interview.question) and question.id != "special":
        interview.answer("")
    assert question is not None and question.choices["silent"] == "silence"
    interview.answer("silent")
    assert interview.draft is not None and interview.draft.rules["silent"] is True
    text = new_file.format_book(new_file.Draft("A", {"pool": "1-6"}), "a", "a.toml", None)
    assert "\n# Nobody may speak.\n#silent = true\n" in text
    assert '"silent": true' in rules.format_game(silent.game)
    assert rules.parse_game(rules.format_game(silent.game)).rules == silent.game.rules
