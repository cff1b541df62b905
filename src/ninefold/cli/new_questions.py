"""The questions of ``ninefold new``, each asked until its answer makes sense."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any, NamedTuple, TypeVar

from ninefold.books.answers import (
    DRAW,
    NOTHING,
    BadAnswer,
    complete,
    numbers_of,
    parse_ending,
    parse_parameter,
    parse_special,
    parse_wins,
    special_forms,
)
from ninefold.books.families import FAMILIES, MEASURES, proposals
from ninefold.books.faults import nearest
from ninefold.books.fields import FLAG, Field
from ninefold.books.language import LINK, RULES
from ninefold.books.safety import is_readable, shown
from ninefold.books.sources import SUFFIX
from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console

T = TypeVar("T")

_ENDINGS = (
    "hand-sum higher",
    "longest-run higher",
    "last-pick higher",
    "last-pick lower",
    "distance lower",
)
QUESTIONS = {field.name: field.question for field in RULES}


class Target(NamedTuple):
    """The file to write, and whether an existing one may be replaced."""

    path: str
    replace: bool


class Questions:
    """Asks, unless the command line has answered or nobody is to be asked."""

    def __init__(self, console: Console | None) -> None:
        self._console = console

    def text(self, question: str, given: str | None, proposal: str, parse: Callable[[str], T]) -> T:
        """One answer, asked for until it makes sense; raises BadAnswer if it was given."""
        if given is not None or self._console is None:
            return parse(proposal if given is None else given)
        while True:
            typed = self._console.ask(f"{question} [{proposal}]: ").strip()
            try:
                return parse(typed or proposal)
            except NinefoldError as error:
                self._console.show(f"{error.message}\n", "refusal")

    def file(self, given: str | None, proposal: str, overwrite: bool) -> Target:
        """The file to write; asks before it replaces one. Raises NinefoldError."""
        while True:
            path = self.text("Which file should it be?", given, proposal, _path)
            if overwrite or not os.path.lexists(path):
                return Target(path, overwrite)
            if self._console is None:
                advice = "Name another file, or add --overwrite."
                raise NinefoldError("exists", f"{path} already exists.", advice)
            if self.text(f"{path} already exists. Replace it?", None, "no", parse_yes):
                return Target(path, True)
            given, proposal = None, _free(path)

    def wins(self, given: list[str] | None, numbers: Sequence[int]) -> dict[str, dict[str, Any]]:
        """What wins: families with their parameters."""
        if given is not None:
            return parse_wins(given, numbers)
        options = {family: words.meaning for family, words in FAMILIES.items()}
        options[NOTHING] = "nothing: only the ending decides"
        chosen = self._choose(QUESTIONS["wins"], "One or more of them", options)
        families = [] if NOTHING in chosen else chosen
        return {family: self._parameters(family, numbers) for family in families}

    def _parameters(self, family: str, numbers: Sequence[int]) -> dict[str, Any]:
        given: dict[str, Any] = {}
        questions = {field.name: field.question for field in FAMILIES[family].parameters}
        for name, proposal in proposals(family, numbers).items():
            parse = partial(parse_parameter, family, name, given=dict(given), pool=numbers)
            question = f"{family.capitalize()}: {questions[name]}"
            given |= self.text(question, None, _typed(proposal), parse)
        return complete(family, given, numbers)

    def ending(self, given: list[str] | None, numbers: Sequence[int]) -> list[dict[str, Any]]:
        """Who wins when no number is left."""
        if given is not None:
            return parse_ending(given)
        options = {DRAW: "a draw", **{link: _winner(link) for link in _ENDINGS}}
        chosen = self._choose(QUESTIONS["ending"], "One, or several in order", options)
        return [self._link(link, numbers) for link in chosen if link != DRAW]

    def _link(self, link: str, numbers: Sequence[int]) -> dict[str, Any]:
        """A link of the ending; asks for the fields that only its measure has."""
        measure, _ = link.split()
        for field in LINK:
            if field.when == ("measure", measure):
                proposal = "yes" if field.type is FLAG else str(field.proposals(numbers)[0])
                question = f"{measure.capitalize()}: {field.question}"
                link = self.text(question, None, proposal, partial(_with_field, link, field))
        return parse_ending([link])[0]

    def special(self, given: str | None, pool: str | list[int] | None) -> dict[str, Any]:
        """The rules that are listed under "Anything special?"."""
        if given is None:
            forms = special_forms(numbers_of(pool or "1-9"))
            self._list("Anything special?", [f"{form}: {forms[form].meaning}" for form in forms])
        return self.text("Some of them", given, "no", lambda typed: parse_special(typed, pool))

    def _choose(self, question: str, prompt: str, options: Mapping[str, str]) -> list[str]:
        """One or more options of a menu that shows what they mean; the first is proposed."""
        meanings = enumerate(options.values(), 1)
        self._list(question, [f"{number}. {meaning}" for number, meaning in meanings])
        return self.text(prompt, None, "1", lambda typed: _several(typed, [*options]))

    def _list(self, question: str, options: Sequence[str]) -> None:
        if self._console is not None:
            self._console.show(f"\n{question}\n")
            for option in options:
                self._console.show(f"  {option}\n")


def _with_field(link: str, field: Field, typed: str) -> str:
    """The link with one more field; raises BadAnswer."""
    value = str(parse_yes(typed)).lower() if field.type is FLAG else typed
    parse_ending([f"{link} {field.name}={value}"])
    return f"{link} {field.name}={value}"


def _winner(link: str) -> str:
    """Who wins by a link of the ending."""
    measure, prefer = link.split()
    words = MEASURES[measure]
    return (words.higher if prefer == "higher" else words.lower).replace("{target}", "a target")


def _typed(proposal: object) -> str:
    """A proposal as it would be typed."""
    if isinstance(proposal, list):
        return ", ".join(" ".join(map(str, numbers)) for numbers in proposal)
    return str(proposal)


def _several(typed: str, options: Sequence[str]) -> list[str]:
    """The options named by their numbers or by their words; raises BadAnswer."""
    chosen = []
    for word in typed.replace(",", " ").split():
        if word.isdecimal() and 1 <= int(word[:9]) <= len(options):
            chosen.append(options[int(word[:9]) - 1])
        elif word in options:
            chosen.append(word)
        else:
            advice = nearest(word, options) or f"Type numbers from 1 to {len(options)}."
            raise BadAnswer(f"{shown(word, 40)!r} is not in the list.", advice)
    return [*dict.fromkeys(chosen)]


def parse_yes(typed: str) -> bool:
    """Whether the answer is yes; raises BadAnswer."""
    if typed.casefold() not in ("y", "yes", "n", "no"):
        raise BadAnswer("Type yes or no.")
    return typed.casefold().startswith("y")


def parse_title(typed: str) -> str:
    """A title that can be shown; raises BadAnswer."""
    title = typed.strip()
    if not title or len(title) > 60 or not is_readable(title):
        raise BadAnswer("A title must have 1 to 60 visible characters.")
    return title


def _path(typed: str) -> str:
    """The file to write, in a folder that exists; raises BadAnswer."""
    path = os.path.expanduser(typed if typed.endswith(SUFFIX) else typed + SUFFIX)
    folder = os.path.dirname(path) or os.curdir
    if not is_readable(path) or not os.path.isdir(folder):
        raise BadAnswer(f"Cannot write {shown(path, 100)}.", "Name another file.")
    return path


def _free(path: str) -> str:
    """A similar name that no file has yet."""
    stem = path.removesuffix(SUFFIX)
    numbered = (f"{stem}-{number}{SUFFIX}" for number in count(2))
    return next(name for name in numbered if not os.path.lexists(name))
