"""The file that ``ninefold new`` writes: it plays at once, and shows every other field."""

import os
from collections.abc import Mapping
from contextlib import suppress
from itertools import chain, count

from ninefold.books.answers import read_answers
from ninefold.books.families import FAMILIES, MEASURES, proposals
from ninefold.books.faults import Fault, Table, Values
from ninefold.books.fields import Field
from ninefold.books.language import BOOK, LINK, PLAY, RULES
from ninefold.books.rules import read_rules
from ninefold.books.sources import SUFFIX, merge
from ninefold.books.values import as_toml
from ninefold.books.words import PHRASES

# Fields of the book that have a section or a line of their own.
_ELSEWHERE = ("title", "extends", "rules", "words", "play", "readings", "examples", "claims")


class Draft:
    """What a designer wants, beside the rules of a parent, as a ``book``; raises BadAnswer."""

    def __init__(
        self, title: str, rules: Values, extends: str | None = None, parent: Values | None = None
    ) -> None:
        self.title = title
        self.rules = rules
        self.extends = extends
        self.parent = parent or {}
        self._all_rules = merge(self.parent.get("rules", {}), rules)
        self.book = read_answers({"title": title, "rules": self._all_rules})

    def fits(self, name: str, value: object) -> bool:
        """Whether a rule fits the other rules, in every inherited reading."""
        rules = merge(self._all_rules, {name: value})
        readings = self.parent.get("readings", {}).values()
        faults: list[Fault] = []
        for reading in ({}, *(reading for reading in readings if isinstance(reading, dict))):
            read_rules(Table(merge(rules, reading.get("rules", {})), ("rules",), faults))
        return not faults


def free_name(path: str) -> str:
    """The path, or a similar one that no file has yet."""
    stem = path.removesuffix(SUFFIX)
    numbered = (f"{stem}-{number}{SUFFIX}" for number in count(2))
    return next(name for name in chain([path], numbered) if not os.path.lexists(name))


def write_book(path: str, text: str) -> None:
    """Write the complete file or nothing; raises OSError."""
    draft = f"{path}.{os.getpid()}.new"
    try:
        with open(draft, "x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            os.remove(draft)
        raise


def format_book(draft: Draft, stem: str, name: str, schema: str | None) -> str:
    """The file; ``name`` is how commands name it, and ``schema`` a path for editors."""
    parts = [f"#:schema {schema}\n"] if schema else []
    parts.append(
        "# A rule book for Ninefold.\n"
        f"#   ninefold play {name}     play it\n"
        f"#   ninefold check {name}    list every error, after a change\n"
        f"#   ninefold rules {name}    show its rules\n"
        f"#   ninefold audit {name}    find out whether it is fair and every rule can matter\n"
        "# A line that starts with # and no space is a field that is left out: remove the # to\n"
        "# use it.\n"
    )
    sections = (_identity(draft, stem), _rules(draft), _wins(draft), _play(draft))
    return "\n".join([*parts, *("\n".join([*lines, ""]) for lines in sections)])


def _identity(draft: Draft, stem: str) -> list[str]:
    lines = [f"title = {as_toml(draft.title)}"]
    if draft.extends:
        lines += _line("extends", BOOK["extends"], draft.extends)
    elif draft.fits("wins", {"sum": {"count": 3, "equals": 15}}):
        lines += _line("extends", BOOK["extends"], "magic-fifteen", left_out=True)
    readings = draft.parent.get("readings", {})
    default = draft.parent.get("default-reading") or next(iter(readings), "default")
    values: dict[str, object] = {"id": stem, "default-reading": default}
    for name, field in BOOK.items():
        if name not in _ELSEWHERE:
            value = values.get(name, field.default)
            lines += _line(name, field, "..." if value is None else value, left_out=True)
    return [*lines, *_statements(draft)]


def _statements(draft: Draft) -> list[str]:
    """A claim, and an example that is true: the first numbers of the pool."""
    position, moves = draft.book.game.start(), list[str]()
    while position.outcome is None and not position.asking and len(moves) < 3:
        moves.append(str(position.picks[0]))
        position = position.play(position.picks[0])
    winner = position.outcome.winner or 0 if position.outcome else 0
    example = f'name = "A game", moves = "{" ".join(moves)}", says = {{ winner = {winner} }}'
    return [
        f"# {BOOK['claims'].meaning}",
        '#claims = [{ kind = "no-draws", says = "There are no draws." }]',
        f"# {BOOK['examples'].meaning}",
        f"#examples = [{{ {example} }}]",
    ]


def _rules(draft: Draft) -> list[str]:
    said, pool = draft.rules, [*draft.book.game.pool]
    lines = ["[rules]"]
    for name, field in RULES.items():
        if name == "ending":
            lines += _ending(draft, field)
        elif name in said and name != "wins":
            lines += _line(name, field, said[name])
        elif name != "wins":
            offers = [pool] if name == "pool" else field.proposals(pool)
            fitting = [value for value in offers if draft.fits(name, value)]
            lines += _line(name, field, fitting[0], left_out=True) if fitting else []
    return lines


def _ending(draft: Draft, field: Field) -> list[str]:
    """The links in force, and one for every other measure."""
    ending, comment = draft.rules.get("ending"), f"# {field.meaning}"
    if ending is None:
        return [comment, f"#ending = [{as_toml(_proposed_link(draft, 'hand-sum'))}]"]
    used = [link["measure"] for link in ending]
    others = [
        f"  #{as_toml(_proposed_link(draft, measure))},  # {words.meaning}"
        for measure, words in MEASURES.items()
        if measure not in used
    ]
    return [comment, "ending = [", *(f"  {as_toml(link)}," for link in ending), *others, "]"]


def _proposed_link(draft: Draft, measure: str) -> dict[str, object]:
    link: dict[str, object] = {"measure": measure, "prefer": MEASURES[measure].prefer}
    for name, field in LINK.items():
        if field.required and name not in link and field.applies(link.get):
            link[name] = field.proposals(draft.book.game.pool)[0]
    return link


def _wins(draft: Draft) -> list[str]:
    said = draft.rules.get("wins", {})
    inherited = draft.parent.get("rules", {}).get("wins", {})
    lines = ["[rules.wins]", "# No pattern wins: only the ending decides."]
    if draft.book.game.rules.wins:
        lines[1] = "# What a player has to hold to win; there can be several families."
    for name, value in said.items():
        if isinstance(value, Mapping):
            lines += [f"# {FAMILIES[name].meaning}", f"{name} = {as_toml(value)}"]
        else:
            lines += ["# removed", f"{name} = false"]
    for name in inherited:
        if name not in said and draft.fits("wins", {name: False}):
            lines.append(f"#{name} = false")
    for family, words in FAMILIES.items():
        offer = proposals(family, draft.book.game.pool)
        if family not in {*said, *inherited} and draft.fits("wins", {family: offer}):
            lines += [f"# {words.meaning}", f"#{family} = {as_toml(offer)}"]
    return lines


def _play(draft: Draft) -> list[str]:
    """What is shown on screen, the clock, and other ways to play."""
    misere = bool(draft.rules.get("misere"))
    name, verb = ("play-to-win", "wins") if misere else ("misere", "loses")
    reading = f'summary = "Whoever completes a set {verb}.", rules.misere = {as_toml(not misere)}'
    return [
        "[words]",
        f"# {BOOK['words'].meaning} Every phrase has a default; names in braces are filled in.",
        *(f"#{name} = {as_toml(PHRASES[name].default)}" for name in ("prompt", "victory")),
        "",
        "[play]",
        *(line for row in PLAY.items() for line in _line(*row, row[1].proposals(())[0], True)),
        "",
        "[readings]",
        f"# {BOOK['readings'].meaning}",
        *([f"#{name} = {{ {reading} }}"] if draft.fits("misere", not misere) else []),
    ]


def _line(name: str, field: Field, value: object, left_out: bool = False) -> list[str]:
    """A comment, and the field or what it could be."""
    default = f" Default: {field.without.replace('`', '')}." if field.without else ""
    return [f"# {field.meaning}{default}", f"{'#' * left_out}{name} = {as_toml(value)}"]
