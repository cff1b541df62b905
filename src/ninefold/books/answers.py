"""A designer's answers about a new book: how they are typed, and the values they stand for."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ninefold.books.book import Book, parse_change, read_book
from ninefold.books.families import FAMILIES, MEASURES, proposals
from ninefold.books.faults import BookError, Fault, nearest
from ninefold.books.fields import Field
from ninefold.books.language import LINK
from ninefold.books.rule_types import POOL, VALUES
from ninefold.books.values import FLAG, NUMBERS
from ninefold.core.errors import NinefoldError
from ninefold.core.patterns import KINDS, TOTALS
from ninefold.core.rules import PREFERENCES

NOTHING = "none"
DRAW = "draw"
# The answer that leaves out a proposed parameter, such as the count of a sum.
_WITHOUT = "any"
_SHAPES = {"all": "whole-hand", "whole": "whole-hand", "both": "shared", "shared": "shared"}
_MULTIPLE = re.compile(r"multiples? of (-?[0-9]{1,9})\Z", re.IGNORECASE)
_BOUND = re.compile(r"(at least|at most) (-?[0-9]{1,9})", re.IGNORECASE)
# A name and a value; a list may have spaces.
_PARAMETER = re.compile(r"[^\s,=]+(?:=(?:\[.*\]|[^\s,]*))?")
_COUNTS = re.compile(r"(-?[0-9]{1,18})\s*(?:=|:|counts)\s*(-?[0-9]{1,18})[\s,;]*")
_POOL = tuple(range(1, 10))


class BadAnswer(NinefoldError):
    """An answer that makes no sense; the message says what does."""

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__("bad-answer", message, advice[:1].upper() + advice[1:])


def typed(value: object) -> str:
    """A proposal as it would be typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {item}" for name, item in value.items())
    if isinstance(value, list | tuple):
        between = ", " if any(isinstance(item, list) for item in value) else " "
        return between.join(map(typed, value))
    return str(value)


def parse_value(field: Field, text: str, proposal: str = "") -> Any:
    """What an answer to the question for a field stands for; raises BadAnswer."""
    if field.type is FLAG:
        return parse_yes(text)
    if field.type is POOL:
        return parse_pool(text)
    if field.type is VALUES:
        return _parse_counts(text, proposal)
    if field.type is NUMBERS:
        text = f"[{','.join(text.replace(',', ' ').strip('[] ').split())}]"
    return _value(text)


def _value(text: str) -> Any:
    """A value as ``--set`` writes it; what is none stays text, for the check to refuse."""
    try:
        return parse_change(f"value={text}")["value"]
    except BookError:
        return text


def parse_yes(text: str) -> bool:
    """Yes or no; raises BadAnswer."""
    if text.casefold() not in ("y", "yes", "n", "no"):
        raise BadAnswer("Type yes or no.")
    return text.casefold().startswith("y")


def parse_pool(text: str) -> str | list[int]:
    """A pool as it is written in the file, not checked."""
    words = text.replace(",", " ").strip("[] ").split()
    try:
        return [int(word) for word in words] if len(words) > 1 else text.strip()
    except ValueError:
        return " ".join(text.split())


def _parse_counts(text: str, proposal: str) -> dict[str, int]:
    """Numbers and what they count, such as ``1 = 10, 9 = 0``."""
    if not _COUNTS.sub("", text).strip("{} ") and (found := _COUNTS.findall(text)):
        return {name: int(points) for name, points in found}
    example = f", such as {proposal}" if proposal else ", such as 1 = 10"
    raise BadAnswer(f"Type numbers and what they count{example}.")


def numbers_of(pool: str | list[int]) -> tuple[int, ...]:
    """The numbers of a pool that was parsed; raises BadAnswer."""
    return read_answers({"rules": {"pool": pool}}, "rules.pool").game.pool


def parse_patterns(texts: Sequence[str], pool: Sequence[int] = _POOL) -> dict[str, dict[str, Any]]:
    """Families such as ``arithmetic length=3``, with proposals for the rest; raises BadAnswer."""
    if [*texts] == [NOTHING]:
        return {}
    patterns: dict[str, dict[str, Any]] = {}
    for text in texts:
        family, _, rest = text.strip().partition(" ")
        if family not in FAMILIES:
            advice = nearest(family, FAMILIES) or f"Choose one of: {', '.join(FAMILIES)}."
            raise BadAnswer(f"There is no family {family[:40]!r}.", advice)
        patterns[family] = complete(family, dict(map(_parameter, _PARAMETER.findall(rest))), pool)
    return patterns


def parse_parameter(family: str, name: str, text: str) -> dict[str, Any]:
    """What an answer in plain words says about a parameter: ``any``, ``all``, ``multiple of 5``."""
    text = " ".join(text.split())
    if name == "sets" and "[" not in text:
        sets = [numbers.replace(",", " ").split() for numbers in re.split("[;,/]", text)]
        text = f"[{','.join('[' + ','.join(numbers) + ']' for numbers in sets)}]"
    if family in TOTALS and name == "count":
        first = text.casefold().removeprefix("the ").partition(" ")[0].partition("-")[0]
        if first in _SHAPES:
            return {_SHAPES[first]: True}
        text = _WITHOUT if text.casefold() == _WITHOUT else text
    if family in TOTALS and name == "equals":
        if text.casefold() in KINDS:
            return {"kind": text.casefold()}
        if bounds := _BOUND.findall(text):
            return {side.casefold().replace(" ", "-"): int(bound) for side, bound in bounds}
    if found := _MULTIPLE.match(text):
        if name == "equals":
            return {"multiple-of": int(found[1])}
        if name == "kind":
            return {"kind": "multiple", "of": int(found[1])}
    return {name: _value(text)}


def complete(family: str, given: Mapping[str, Any], pool: Sequence[int] = _POOL) -> dict[str, Any]:
    """The parameters given, and proposals for the rest that fit them."""
    proposed = proposals(family, pool)
    if given.keys() & {"multiple-of", "at-least", "at-most", "kind"} and family in TOTALS:
        proposed.pop("equals")
    if given.get("whole-hand") or given.get("shared"):
        proposed.pop("count", None)
    both = {**proposed, **given}
    return {name: value for name, value in both.items() if value != _WITHOUT}


def _parameter(text: str) -> tuple[str, Any]:
    """A parameter as ``--set`` writes it; raises BadAnswer."""
    try:
        ((name, value),) = parse_change(text).items()
    except BookError:
        advice = "Write a name and a value, such as length=3."
        raise BadAnswer(f"{text[:40]!r} is not a parameter.", advice) from None
    return name, value


def parse_ending(texts: Sequence[str], pool: Sequence[int] = _POOL) -> list[dict[str, Any]]:
    """Links such as ``hand-sum higher`` or ``distance lower target=21``; raises BadAnswer."""
    return [] if [*texts] == [DRAW] else [_link(text, pool) for text in texts]


def _link(text: str, pool: Sequence[int]) -> dict[str, Any]:
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
            example = f"{measure} {prefer} {name}={field.proposals(pool)[0]}"
            raise BadAnswer(f"{text[:40]!r} has no {name}.", f"Write: {example}.")
    return link


def read_answers(data: Mapping[str, Any], asked: str = "") -> Book:
    """The book that these answers make; raises BadAnswer, about the field asked for if it can."""
    try:
        return read_book(data, stem="book")
    except BookError as error:
        raise BadAnswer(" ".join(_sentence(fault, asked) for fault in error.faults[:3])) from None


def _sentence(fault: Fault, asked: str) -> str:
    """What is wrong, without the path of the field that was asked for."""
    if not asked or not fault.path.startswith(asked):
        return f"That does not work: {fault}."
    hint = f" ({fault.hint})" if fault.hint else ""
    start = "It " if fault.problem.startswith("must ") else "That does not work: "
    return f"{start}{fault.problem}{hint}."
