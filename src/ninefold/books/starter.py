"""The answers of a designer: what may be said, what is proposed, what rules become of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from ninefold.books.book import Book, parse_change, read_book
from ninefold.books.describe import FAMILIES, MEASURES, Asked
from ninefold.books.faults import BookError, Fault, nearest
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
_WHOLE = ("all", "whole hand", "whole-hand", "the whole hand")
_MULTIPLE = re.compile(r"multiples? of (-?[0-9]{1,9})\Z", re.IGNORECASE)
_POOL = tuple(range(1, 10))
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


def numbers_of(pool: str | list[int]) -> tuple[int, ...]:
    """The numbers of a pool that was parsed."""
    return _read({"rules": {"pool": pool}}).game.pool


def parse_wins(texts: Sequence[str], pool: Sequence[int] = _POOL) -> dict[str, dict[str, Any]]:
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
                meant(family, FAMILIES) or f"Choose one of: {', '.join(FAMILIES)}.",
            )
        wins[family] = complete(family, dict(map(_parameter, parameters)), pool)
    return wins


def parse_parameter(
    family: str, name: str, typed: str, given: Mapping[str, Any], pool: Sequence[int]
) -> dict[str, Any]:
    """What an answer says about a parameter, after what was given; raises BadAnswer."""
    said = _spoken(family, name, " ".join(typed.split()))
    complete(family, {**given, **said}, pool)
    return said


def _spoken(family: str, name: str, typed: str) -> dict[str, Any]:
    """An answer as it may be said: ``any``, ``all``, ``multiple of 5``, sets without brackets."""
    if name == "sets" and "[" not in typed:
        sets = [numbers.replace(",", " ").split() for numbers in re.split("[;,/]", typed)]
        typed = f"[{','.join('[' + ','.join(numbers) + ']' for numbers in sets)}]"
    if name == "count" and "whole-hand" in FAMILIES[family].parameters:
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
    """The parameters given, and what is proposed for the rest; raises BadAnswer."""
    completed = _completed(family, given, pool)
    _check({"pool": [*pool], "wins": {family: completed}})
    return completed


def _completed(family: str, given: Mapping[str, Any], pool: Sequence[int]) -> dict[str, Any]:
    """What was said, with what is proposed for the rest, unless the two exclude each other."""
    proposed = proposals(family, pool)
    if "multiple-of" in given:
        proposed.pop("equals", None)
    if given.get("whole-hand"):
        proposed.pop("count", None)
    both = {**proposed, **given}
    return {name: value for name, value in both.items() if value != _WITHOUT}


def proposals(family: str, pool: Sequence[int] = _POOL) -> dict[str, Any]:
    """What is proposed for a family on these numbers."""
    asked = FAMILIES[family].parameters.items()
    proposed = {name: of.proposal for name, of in asked if of.proposal is not None}
    if family == "sets" and not {*pool} >= {*chain(*proposed["sets"])}:
        proposed["sets"] = [[*pool[:3]], [*pool[-3:]]] if len(pool) > 3 else [[*pool]]
    elif family == "sum" and len(pool) > 3:
        proposed["equals"] = pool[0] + pool[len(pool) // 2] + pool[-1]
    elif family == "product" and len(pool) > 3 and max(map(abs, pool)) < 10**6:
        proposed["equals"] = pool[1] * pool[2] * pool[3]
    return proposed


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
        hint = meant(measure, MEASURES) if measure not in MEASURES else ""
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
        hint = meant(name, LIMITS) or f"Write no, or some of: {', '.join(limit_forms())}."
        raise BadAnswer("bad-answer", f"{word[:40]!r} is no limit.", hint)
    if name == "opening":
        value = f"[{','.join(value.strip('[]').replace(',', ' ').split())}]"
    return _parameter(f"{name}={value or 'true'}")


def limit_forms(pool: Sequence[int] = _POOL) -> list[str]:
    """How each limit is written, with what is proposed for it on these numbers."""
    proposed = {name: of.proposal for name, of in LIMITS.items()}
    proposed["opening"] = pool[len(pool) // 2]
    return [name if value is True else f"{name}={value}" for name, value in proposed.items()]


def check_answers(answers: Answers, parent: Mapping[str, Any]) -> Book:
    """The book these answers make; raises BadAnswer."""
    rules = merge(parent.get("rules", {}), rules_of(answers))
    return _read({"title": answers.title, "rules": rules})


def rules_of(answers: Answers) -> dict[str, Any]:
    """The rules as the file says them."""
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
        told = "; ".join(map(_told, error.faults[:3]))
        raise BadAnswer("bad-answer", f"That does not work: {told}.") from None


def _told(fault: Fault) -> str:
    hint = f" ({fault.hint})" if fault.hint else ""
    return f"{fault.path}: {fault.expected}{hint}"


def meant(word: str, choices: Iterable[str]) -> str:
    """The question "Did you mean …?" with the closest of the choices, or nothing."""
    question = nearest(word, choices)
    return question[:1].upper() + question[1:]
