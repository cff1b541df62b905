"""A rule-book file to start from: the answers of a designer, with a remark beside everything."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ninefold.books.book import Book, parse_change, read_book
from ninefold.books.describe import FAMILIES, MEASURES, Asked
from ninefold.books.faults import BookError, nearest
from ninefold.books.sources import merge
from ninefold.core.errors import NinefoldError
from ninefold.core.rules import PREFERENCES

NOTHING = "none"
# A name and a value; a list may hold spaces.
_PARAMETER = re.compile(r"[^\s,=]+(?:=(?:\[.*\]|[^\s,]*))?")
# The same, where a list of numbers needs no brackets.
_LIMIT = re.compile(r"[^\s,=]+(?:=\[?-?[0-9]+(?:[\s,]+-?[0-9]+)*\]?|=[^\s,]*)?")
DRAW = "draw"
# The answer that leaves out what is proposed, such as the count of a sum.
_WITHOUT = "any"
# What a turn or a hand may be beside one free number after the other, with what is proposed.
LIMITS: Mapping[str, Asked] = {
    "passing": Asked("A turn may be passed; two passes in a row end the game.", True),
    "picks-per-turn": Asked("So many numbers are taken in a turn.", 2),
    "pie": Asked("The second player may answer the first turn by changing hands.", True),
    "opening": Asked("The very first number must be one of these.", [5]),
    "hand-limit": Asked("At most so many numbers each; a player whose hand is full is skipped.", 4),
}


class Answers(NamedTuple):
    """What a designer wants: everything else has a default.

    None stands for what the book it extends says; a family that is false is taken away from it.
    """

    title: str
    pool: str | list[int] | None
    wins: Mapping[str, Mapping[str, Any] | bool] | None
    misere: bool
    ending: Sequence[Mapping[str, Any]] | None
    extends: str | None = None
    limits: Mapping[str, Any] = {}


class BadAnswer(NinefoldError):
    """An answer that makes no sense; the message says what does."""


def parse_pool(text: str) -> str | list[int]:
    """A pool as it is written in the file; raises BadAnswer."""
    words = text.replace(",", " ").strip("[] ").split()
    try:
        pool: str | list[int] = [int(word) for word in words] if len(words) > 1 else text.strip()
    except ValueError:
        pool = " ".join(text.split())
    _check({"pool": pool})
    return pool


def parse_wins(texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Families such as ``arithmetic length=3``; what is not said is proposed. Raises BadAnswer."""
    if [*texts] == [NOTHING]:
        return {}
    wins: dict[str, dict[str, Any]] = {}
    for text in texts:
        family, _, rest = text.strip().partition(" ")
        parameters = _PARAMETER.findall(rest)
        if family not in FAMILIES:
            raise BadAnswer(
                "bad-answer",
                f"There is no family {family[:40]!r}.",
                nearest(family, FAMILIES) or f"Choose one of: {', '.join(FAMILIES)}.",
            )
        wins[family] = _completed(family, dict(map(_parameter, parameters)))
        _check({"wins": {family: wins[family]}})
    return wins


def _completed(family: str, given: dict[str, Any]) -> dict[str, Any]:
    """What was said, with what is proposed for the rest, unless the two exclude each other."""
    proposed = _proposed(family)
    if "multiple-of" in given:
        proposed.pop("equals", None)
    if given.get("whole-hand"):
        proposed.pop("count", None)
    both = {**proposed, **given}
    return {name: value for name, value in both.items() if value != _WITHOUT}


def _proposed(family: str) -> dict[str, Any]:
    asked = FAMILIES[family].parameters.items()
    return {name: of.proposal for name, of in asked if of.proposal is not None}


def _parameter(text: str) -> tuple[str, Any]:
    """A parameter as ``--set`` writes it; raises BadAnswer."""
    try:
        ((name, value),) = parse_change(text).items()
    except BookError:
        told = f"{text[:40]!r} is no parameter."
        raise BadAnswer("bad-answer", told, "Write a name and a value: length=3.") from None
    return name, value


def parse_ending(texts: Sequence[str]) -> list[dict[str, Any]]:
    """Links such as ``hand-sum higher`` or ``distance lower target=21``; raises BadAnswer."""
    if [*texts] == [DRAW]:
        return []
    return [*map(_link, texts)]


def _link(text: str) -> dict[str, Any]:
    measure, *rest = text.split() or [""]
    prefer = " ".join(word for word in rest if "=" not in word) or "higher"
    if measure not in MEASURES or prefer not in PREFERENCES:
        hint = nearest(measure, MEASURES) if measure not in MEASURES else ""
        raise BadAnswer(
            "bad-answer",
            f"{text[:40]!r} is no link of an ending.",
            hint or f"Write one of {', '.join(MEASURES)}, and higher or lower.",
        )
    more = dict(_parameter(word) for word in rest if "=" in word)
    link = {"measure": measure, "prefer": prefer, **more}
    if measure == "distance" and "target" not in more:
        advice = "Write what it is measured from: distance lower target=21."
        raise BadAnswer("bad-answer", f"{text[:40]!r} has no target.", advice)
    _check({"ending": [link]})
    return link


def parse_limits(text: str, pool: str | list[int] | None = None) -> dict[str, Any]:
    """Limits such as ``passing picks-per-turn=2 opening=4,5,6``; raises BadAnswer."""
    if text.strip().casefold() in ("", "no", NOTHING):
        return {}
    limits = dict(map(_limit, _LIMIT.findall(text)))
    _check({"pool": pool or limits.get("opening", "1-9"), **limits})
    return limits


def _limit(word: str) -> tuple[str, Any]:
    """A limit with its value; one that is only allowed or not needs none."""
    name, _, value = word.partition("=")
    if name not in LIMITS or (not value and LIMITS[name].proposal is not True):
        hint = nearest(name, LIMITS) or f"Write no, or some of: {', '.join(limit_forms())}."
        raise BadAnswer("bad-answer", f"{word[:40]!r} is no limit.", hint)
    if name == "opening":
        value = f"[{','.join(value.strip('[]').replace(',', ' ').split())}]"
    return _parameter(f"{name}={value or 'true'}")


def limit_forms() -> list[str]:
    """How each limit is written, with what is proposed for it."""
    proposals = {name: json.dumps(of.proposal).strip("[]") for name, of in LIMITS.items()}
    return [name if value == "true" else f"{name}={value}" for name, value in proposals.items()]


def check_answers(answers: Answers, parent: Mapping[str, Any]) -> Book:
    """The book these answers make; raises BadAnswer."""
    rules = merge(parent.get("rules", {}), _rules(answers))
    return _read({"title": answers.title, "rules": rules})


def _rules(answers: Answers) -> dict[str, Any]:
    given: dict[str, Any] = {
        "pool": answers.pool,
        "wins": answers.wins,
        "misere": answers.misere or None,
        **answers.limits,
    }
    if answers.ending is not None:
        given["ending"] = [*answers.ending]
    return {name: value for name, value in given.items() if value is not None}


def _check(rules: Mapping[str, Any]) -> None:
    _read({"rules": {"pool": "1-9", **rules}})


def _read(data: Mapping[str, Any]) -> Book:
    try:
        return read_book(data, stem="book")
    except BookError as error:
        told = "; ".join(f"{fault.path}: {fault.expected}" for fault in error.faults[:3])
        raise BadAnswer("bad-answer", f"That does not work: {told}.") from None


def format_book(answers: Answers, name: str, schema: str | None) -> str:
    """The file: plays at once, and says what else could stand in it."""
    parts = [f"#:schema {schema}\n"] if schema else []
    parts.append(
        "# A rule book for Ninefold.\n"
        f"#   ninefold play {name}     play it\n"
        f"#   ninefold check {name}    what is wrong with it, after a change\n"
        f"#   ninefold rules {name}    its rules in words\n"
    )
    parts.append(_identity(answers))
    parts.append(_rules_text(answers))
    parts.append(_WORDS)
    parts.append(_READINGS)
    return "\n".join(parts)


def _identity(answers: Answers) -> str:
    extends = ""
    if answers.extends:
        extends = (
            "# What is not said here is as in this book: its rules, its words, its readings.\n"
            f"extends = {_quoted(answers.extends)}\n"
        )
    return (
        f"title = {_quoted(answers.title)}\n{extends}"
        "# One line about the game, and its rules in your own words. As long as they are missing,\n"
        "# they are made from the rules below.\n"
        '# summary = "…"\n# text = """\n# …\n# """\n'
    )


def _rules_text(answers: Answers) -> str:
    lines = ["[rules]"]
    if answers.pool is not None:
        lines += ['# The numbers: a range such as "1-9", or a list such as [2, 3, 5, 7, 11].']
        lines += [f"pool = {_value(answers.pool)}"]
    lines += ["# Whoever completes a set wins. With misere = true, that player loses."]
    lines += ["misere = true" if answers.misere else "# misere = true"]
    if answers.ending is not None:
        lines += _ending_text(answers.ending)
    for name, limit in LIMITS.items():
        chosen = name in answers.limits
        value = answers.limits[name] if chosen else limit.proposal
        lines += [f"# {limit.meaning}", f"{'' if chosen else '# '}{name} = {_value(value)}"]
    lines += ["# A number that is not free: asked again (retry), or the turn is lost (lose-turn)."]
    lines += ['# invalid = "lose-turn"', ""]
    if answers.wins is not None:
        lines += _wins_text(answers)
    return "\n".join(lines)


def _ending_text(ending: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = [
        "# If no number is left and nobody has won: each line decides, or passes on to the next;",
        "# after the last it is a draw. Measures:",
        *(f"#   {measure}: {text.meaning}" for measure, text in MEASURES.items()),
    ]
    fields = (", ".join(f"{name} = {_value(of)}" for name, of in link.items()) for link in ending)
    links = [f"  {{ {told} }}," for told in fields]
    if not links:
        return [*lines, "ending = []"]
    return [*lines, "ending = [", *links, "]"]


def _wins_text(answers: Answers) -> list[str]:
    wins = answers.wins or {}
    lines = []
    dropped = [family for family, parameters in wins.items() if not isinstance(parameters, Mapping)]
    if dropped:
        lines += [
            "[rules.wins]",
            "# Not any more:",
            *(f"{family} = false" for family in dropped),
            "",
        ]
    for family, parameters in wins.items():
        if isinstance(parameters, Mapping):
            lines += [f"# {FAMILIES[family].meaning}", f"[rules.wins.{family}]"]
            lines += [*(f"{name} = {_value(value)}" for name, value in parameters.items()), ""]
    if len(dropped) == len(wins):
        lines += ["# Nothing wins at once: only the ending counts.", ""]
    return [*lines, *_other_families(wins), ""]


def _other_families(wins: Mapping[str, object]) -> list[str]:
    """The families that are not used, to be tried out."""
    lines = ["# Other families, any number of which may stand here together:"]
    for family, text in FAMILIES.items():
        if family not in wins:
            named = (f"{name} = {_value(value)}" for name, value in _proposed(family).items())
            lines.append(f"# [rules.wins.{family}]  " + "; ".join((text.meaning, *named)))
    return lines if len(lines) > 1 else []


_WORDS = """\
# What is shown on screen. Every phrase has a default; names in braces are filled in.
# [words]
# prompt = "{player}, choose a number: "
# victory = "{winner} wins!"
"""
_READINGS = """\
# Other ways to play, chosen with --reading: each changes a few things.
# [readings.misere]
# summary = "Whoever completes a set loses."
# rules.misere = true
"""


def _value(value: object) -> str:
    """A text, a number, yes or no, or a list of numbers, as TOML and JSON both write it."""
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    """The text in quotation marks, as TOML and JSON both write it."""
    return json.dumps(text, ensure_ascii=False)
