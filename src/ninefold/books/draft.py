"""The file that ``ninefold new`` writes: it plays at once, and names everything else it could say.

A remark stands behind ``# ``, a field that is left out behind ``#`` alone: each of these lines is
valid as soon as its sign is taken away, and the tests take it away from one after the other.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ninefold.books import fields
from ninefold.books.book import Book
from ninefold.books.describe import FAMILIES, MEASURES
from ninefold.books.faults import Fault, Table
from ninefold.books.format import read_rules
from ninefold.books.sources import merge
from ninefold.books.starter import Answers, proposals, rules_of

_ENDING = "hand-sum"
# What is offered for a rule, the first that goes with the others; no rule is offered as it is.
_OFFERS: Mapping[str, tuple[object, ...]] = {
    "otherwise": ("second",),
    "misere": (True, False),
    "passing": (True, False),
    "picks-per-turn": (2,),
    "pie": (True,),
    "opening": (),  # a number of the pool
    "hand-limit": (4, 3),
    "in-order": (True, False),
    "declare": (True, False),
    "invalid": ("lose-turn", "retry"),
}


class Draft(NamedTuple):
    """What is known while the file is written: the answers, the book they make, its parent."""

    answers: Answers
    book: Book
    parent: Mapping[str, Any]

    def fits(self, **changes: object) -> bool:
        """Whether these rules go with the others, in every reading that is inherited."""
        rules = merge(self.parent.get("rules", {}), rules_of(self.answers))
        rules = merge(rules, {name.replace("_", "-"): value for name, value in changes.items()})
        faults: list[Fault] = []
        for reading in ({}, *self._readings()):
            read_rules(Table(merge(rules, reading.get("rules", {})), "rules", faults))
        return not faults

    def _readings(self) -> Iterator[Mapping[str, Any]]:
        readings = self.parent.get("readings", {}).values()
        return (reading for reading in readings if isinstance(reading, dict))


def format_book(draft: Draft, stem: str, name: str, schema: str | None) -> str:
    """The file: plays at once, and says what else could stand in it."""
    parts = [f"#:schema {schema}\n"] if schema else []
    parts.append(
        "# A rule book for Ninefold.\n"
        f"#   ninefold play {name}     play it\n"
        f"#   ninefold check {name}    what is wrong with it, after a change\n"
        f"#   ninefold rules {name}    its rules in words\n"
        f"#   ninefold audit {name}    whether it is fair, and every rule alive\n"
        "# A line that begins with # and no space is a field that is left out: take the # away to\n"
        "# have it.\n"
    )
    sections = (_identity(draft, stem), _rules(draft), _wins(draft), _play(draft))
    return "\n".join([*parts, *("\n".join([*lines, ""]) for lines in sections)])


def _identity(draft: Draft, stem: str) -> list[str]:
    answers = draft.answers
    lines = [f"title = {_value(answers.title)}"]
    if answers.extends:
        lines += _live("extends", answers.extends, fields.BOOK)
    elif draft.fits(wins={"sum": {"count": 3, "equals": 15}}):
        lines += _left_out("extends", "magic-fifteen", fields.BOOK)
    default = draft.parent.get("default-reading") or next(
        iter(draft.parent.get("readings", {})), "default"
    )
    about = {
        "id": stem,
        "order": 100,
        "summary": "One line about the game.",
        "text": "The rules in your own words.",
        "notes": "A remark below the rules.",
        "default-reading": default,
    }
    for name, value in about.items():
        lines += _left_out(name, value, fields.BOOK)
    return [*lines, *_about_games(draft)]


def _about_games(draft: Draft) -> list[str]:
    """A claim, and an example that is true: the first numbers of the pool."""
    position, moves = draft.book.game.start(), list[str]()
    while position.outcome is None and not position.asking and len(moves) < 3:
        moves.append(str(position.picks[0]))
        position = position.play(position.picks[0])
    winner = position.outcome.winner or 0 if position.outcome else 0
    example = f'name = "A game", moves = "{" ".join(moves)}", says = {{ winner = {winner} }}'
    return [
        f"# {fields.BOOK['claims']} ninefold audit proves or refutes it.",
        '#claims = [{ kind = "no-draws", says = "There are no draws." }]',
        f"# {fields.BOOK['examples']}",
        f"#examples = [{{ {example} }}]",
    ]


def _rules(draft: Draft) -> list[str]:
    answers = draft.answers
    said = rules_of(answers)
    pool = [*draft.book.game.pool]
    lines = ["[rules]"]
    if answers.pool is not None:
        lines += _live("pool", answers.pool, fields.RULES)
    else:
        lines += _left_out("pool", pool, fields.RULES)
    lines += _ending(draft)
    for name, offers in _OFFERS.items():
        if name in said:
            lines += _live(name, said[name], fields.RULES)
            continue
        middle = [pool[len(pool) // 2]]
        fitting = [value for value in offers or (middle,) if draft.fits(**{name: value})]
        lines += _left_out(name, fitting[0], fields.RULES) if fitting else []
    return lines


def _ending(draft: Draft) -> list[str]:
    """The links in force, and one for each other measure."""
    ending = draft.answers.ending
    lines = [f"# {fields.RULES['ending']}"]
    if ending is None:
        return [*lines, f"#ending = [{_link({'measure': _ENDING, 'prefer': 'higher'})}]"]
    used = [link["measure"] for link in ending]
    others = [
        f"  #{_link(_proposed_link(draft, measure))},  # {text.meaning}"
        for measure, text in MEASURES.items()
        if measure not in used
    ]
    return [*lines, "ending = [", *(f"  {_link(link)}," for link in ending), *others, "]"]


def _proposed_link(draft: Draft, measure: str) -> dict[str, object]:
    if measure != "distance":
        return {"measure": measure, "prefer": "higher"}
    return {"measure": measure, "prefer": "lower", "target": sum(draft.book.game.pool) // 2}


def _link(link: Mapping[str, object]) -> str:
    return f"{{ {', '.join(f'{name} = {_value(value)}' for name, value in link.items())} }}"


def _wins(draft: Draft) -> list[str]:
    said = draft.answers.wins or {}
    inherited = draft.parent.get("rules", {}).get("wins", {})
    lines = ["[rules.wins]", *_nothing(draft)]
    lines += [line for name, value in said.items() for line in _pattern(name, value)]
    others = [line for name in inherited if name not in said for line in _dropped(draft, name)]
    for family, text in FAMILIES.items():
        value = proposals(family, draft.book.game.pool)
        if family not in said and family not in inherited and draft.fits(wins={family: value}):
            others += [f"# {text.meaning}", f"#{family} = {_table(value)}"]
    return [*lines, *others]


def _nothing(draft: Draft) -> list[str]:
    if draft.book.game.rules.wins:
        return ["# What a player has to hold; any number of families may stand here together."]
    return ["# Nothing wins at once: only the ending counts."]


def _pattern(name: str, value: Mapping[str, Any] | bool) -> list[str]:
    if not isinstance(value, Mapping):
        return ["# not any more", f"{name} = false"]
    return [f"# {FAMILIES[name].meaning}", f"{name} = {_table(value)}"]


def _dropped(draft: Draft, name: str) -> list[str]:
    """How to take away what is inherited."""
    return [f"#{name} = false"] if draft.fits(wins={name: False}) else []


def _play(draft: Draft) -> list[str]:
    """What is said on screen, the clock, and other ways to play."""
    name, rule = ("play-to-win", "false") if draft.answers.misere else ("misere", "true")
    loses = "wins" if draft.answers.misere else "loses"
    reading = f'summary = "Whoever completes a set {loses}.", rules.misere = {rule}'
    fits = draft.fits(misere=not draft.answers.misere)
    return [
        "[words]",
        "# What is shown on screen. Every phrase has a default; names in braces are filled in.",
        '#prompt = "{player}, choose a number: "',
        '#victory = "{winner} wins!"',
        "",
        "[play]",
        *_left_out("on-timeout", "random", fields.PLAY),
        "",
        "[readings]",
        f"# {fields.BOOK['readings']}",
        *([f"#{name} = {{ {reading} }}"] if fits else []),
    ]


def _live(name: str, value: object, told: Mapping[str, str]) -> list[str]:
    return [f"# {told[name]}", f"{name} = {_value(value)}"]


def _left_out(name: str, value: object, told: Mapping[str, str]) -> list[str]:
    return [f"# {told[name]}", f"#{name} = {_value(value)}"]


def _table(values: Mapping[str, object]) -> str:
    """A table in braces."""
    told = ", ".join(f"{name} = {_value(value)}" for name, value in values.items())
    return f"{{ {told} }}" if told else "{}"


def _value(value: object) -> str:
    """A text, a number, yes or no, or a list of numbers, as TOML and JSON both write it."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return json.dumps([*value])
    return json.dumps(value, ensure_ascii=False)
