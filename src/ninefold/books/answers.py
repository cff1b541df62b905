"""A designer's answers to ``ninefold new``: how they are read, and the rules they make."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ninefold.books.book import Book, parse_change, read_book
from ninefold.books.families import FAMILIES, MEASURES, proposals
from ninefold.books.faults import BookError, nearest
from ninefold.books.fields import Field, Fields
from ninefold.books.language import LINK, RULES
from ninefold.books.values import FLAG, NUMBERS, as_toml
from ninefold.core.errors import NinefoldError
from ninefold.core.rules import PREFERENCES

NOTHING = "none"
DRAW = "draw"
# The answer that leaves out a proposed parameter, such as the count of a sum.
_WITHOUT = "any"
_WHOLE = ("all", "whole hand", "whole-hand", "the whole hand")
_MULTIPLE = re.compile(r"multiples? of (-?[0-9]{1,9})\Z", re.IGNORECASE)
# A name and a value; a list may have spaces.
_PARAMETER = re.compile(r"[^\s,=]+(?:=(?:\[.*\]|[^\s,]*))?")
# The same, but a list of numbers needs no brackets, and a list of tables may have spaces, too.
_SPECIAL = re.compile(r"[^\s,=]+(?:=\[\{.*?\}\]|=\[?-?[0-9]+(?:[\s,]+-?[0-9]+)*\]?|=[^\s,]*)?")
_POOL = tuple(range(1, 10))
# The rules of the question "Anything special?".
SPECIAL: Fields = {name: field for name, field in RULES.items() if field.in_menu}


class BadAnswer(NinefoldError):
    """An answer that makes no sense; the message says what does."""

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__("bad-answer", message, advice[:1].upper() + advice[1:])


def parse_pool(text: str) -> str | list[int]:
    """A pool as it is written in the file; raises BadAnswer."""
    words = text.replace(",", " ").strip("[] ").split()
    try:
        pool: str | list[int] = [int(word) for word in words] if len(words) > 1 else text.strip()
    except ValueError:
        pool = " ".join(text.split())
    _check({"pool": pool})
    return pool


def numbers_of(pool: str | list[int]) -> tuple[int, ...]:
    """The numbers of a pool that was parsed."""
    return read_answers({"rules": {"pool": pool}}).game.pool


def parse_wins(texts: Sequence[str], pool: Sequence[int] = _POOL) -> dict[str, dict[str, Any]]:
    """Families such as ``arithmetic length=3``, with proposals for the rest; raises BadAnswer."""
    if [*texts] == [NOTHING]:
        return {}
    wins: dict[str, dict[str, Any]] = {}
    for text in texts:
        family, _, rest = text.strip().partition(" ")
        if family not in FAMILIES:
            advice = nearest(family, FAMILIES) or f"Choose one of: {', '.join(FAMILIES)}."
            raise BadAnswer(f"There is no family {family[:40]!r}.", advice)
        wins[family] = complete(family, dict(map(_parameter, _PARAMETER.findall(rest))), pool)
    return wins


def parse_parameter(
    family: str, name: str, typed: str, given: Mapping[str, Any], pool: Sequence[int]
) -> dict[str, Any]:
    """What an answer says about a parameter, beside those already given; raises BadAnswer."""
    said = _spoken(family, name, " ".join(typed.split()))
    complete(family, {**given, **said}, pool)
    return said


def _spoken(family: str, name: str, typed: str) -> dict[str, Any]:
    """An answer in plain words: ``any``, ``all``, ``multiple of 5``, sets without brackets."""
    if name == "sets" and "[" not in typed:
        sets = [numbers.replace(",", " ").split() for numbers in re.split("[;,/]", typed)]
        typed = f"[{','.join('[' + ','.join(numbers) + ']' for numbers in sets)}]"
    if name == "count" and family in ("sum", "product"):
        if typed.casefold() in _WHOLE:
            return {"whole-hand": True}
        typed = _WITHOUT if typed.casefold() == _WITHOUT else typed
    if found := _MULTIPLE.match(typed):
        if name == "equals":
            return {"multiple-of": int(found[1])}
        if name == "kind":
            return {"kind": "multiple", "of": int(found[1])}
    return dict([_parameter(f"{name}={typed}")])


def complete(family: str, given: Mapping[str, Any], pool: Sequence[int] = _POOL) -> dict[str, Any]:
    """The parameters given, and proposals for the rest that fit them; raises BadAnswer."""
    proposed = proposals(family, pool)
    if "multiple-of" in given:
        proposed.pop("equals", None)
    if given.get("whole-hand"):
        proposed.pop("count", None)
    both = {**proposed, **given}
    completed = {name: value for name, value in both.items() if value != _WITHOUT}
    _check({"pool": [*pool], "wins": {family: completed}})
    return completed


def _parameter(text: str) -> tuple[str, Any]:
    """A parameter as ``--set`` writes it; raises BadAnswer."""
    try:
        ((name, value),) = parse_change(text).items()
    except BookError:
        advice = "Write a name and a value, such as length=3."
        raise BadAnswer(f"{text[:40]!r} is not a parameter.", advice) from None
    return name, value


def parse_ending(texts: Sequence[str]) -> list[dict[str, Any]]:
    """Links such as ``hand-sum higher`` or ``distance lower target=21``; raises BadAnswer."""
    return [] if [*texts] == [DRAW] else [*map(_link, texts)]


def _link(text: str) -> dict[str, Any]:
    measure, *rest = text.split() or [""]
    prefer = " ".join(word for word in rest if "=" not in word) or "higher"
    if measure not in MEASURES or prefer not in PREFERENCES:
        advice = nearest(measure, MEASURES) if measure not in MEASURES else ""
        advice = advice or f"Write one of {', '.join(MEASURES)}, then higher or lower."
        raise BadAnswer(f"{text[:40]!r} is not a link of an ending.", advice)
    more = dict(_parameter(word) for word in rest if "=" in word)
    link = {"measure": measure, "prefer": prefer, **more}
    for name, field in LINK.items():
        if field.required and field.applies(link.get) and name not in link:
            example = f"{measure} {prefer} {name}={field.proposals(_POOL)[0]}"
            raise BadAnswer(f"{text[:40]!r} has no {name}.", f"Write: {example}.")
    _check({"ending": [link]})
    return link


def parse_special(text: str, pool: str | list[int] | None = None) -> dict[str, Any]:
    """Rules such as ``passing picks-per-turn=2 opening=4,5,6``; raises BadAnswer."""
    if text.strip().casefold() in ("", "no", NOTHING):
        return {}
    rules = dict(map(_special, _SPECIAL.findall(text)))
    _check({"pool": pool or rules.get("opening", "1-9"), **rules})
    return rules


def _special(word: str) -> tuple[str, Any]:
    """A special rule with its value; a flag needs none."""
    name, _, value = word.partition("=")
    field = SPECIAL.get(name)
    if field is None or not (value or field.type is FLAG):
        hint = nearest(name, SPECIAL) or f"Write no, or some of: {', '.join(special_forms())}."
        raise BadAnswer(f"{word[:40]!r} is not one of these rules.", hint)
    if field.type is NUMBERS:
        value = f"[{','.join(value.strip('[]').replace(',', ' ').split())}]"
    return _parameter(f"{name}={value or 'true'}")


def special_forms(pool: Sequence[int] = _POOL) -> dict[str, Field]:
    """How each special rule is typed, with a value that suits these numbers."""
    forms = {}
    for name, field in SPECIAL.items():
        value = field.proposals(pool)[0]
        shown = value if isinstance(value, str) else as_toml(value)
        shown = " ".join(map(str, value)) if field.type is NUMBERS else shown
        forms[name if value is True else f"{name}={shown}"] = field
    return forms


def _check(rules: Mapping[str, Any]) -> None:
    read_answers({"rules": {"pool": "1-9", **rules}})


def read_answers(data: Mapping[str, Any]) -> Book:
    """The book that these answers make; raises BadAnswer."""
    try:
        return read_book(data, stem="book")
    except BookError as error:
        faults = "; ".join(map(str, error.faults[:3]))
        raise BadAnswer(f"That does not work: {faults}.") from None
