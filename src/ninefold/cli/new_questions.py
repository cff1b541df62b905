"""The questions of ``ninefold new``, each asked until its answer makes sense."""

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple, TypeVar

from ninefold.books.describe import FAMILIES, MEASURES, Asked
from ninefold.books.safety import is_readable, shown
from ninefold.books.sources import SUFFIX
from ninefold.books.starter import (
    DRAW,
    LIMITS,
    NOTHING,
    BadAnswer,
    complete,
    limit_forms,
    meant,
    numbers_of,
    parse_ending,
    parse_limits,
    parse_parameter,
    parse_pool,
    parse_wins,
    proposals,
)
from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console

T = TypeVar("T")

_DISTANCE = "distance lower"
_ENDINGS = (
    "hand-sum higher",
    "longest-run higher",
    "last-pick higher",
    "last-pick lower",
    _DISTANCE,
)


class Target(NamedTuple):
    """The file to write, and whether one that is there may be replaced."""

    path: str
    replace: bool


class Questions:
    """Asks, unless the command line has answered or nobody is to be asked."""

    def __init__(self, console: Console | None) -> None:
        self._console = console

    def text(self, question: str, given: str | None, proposal: str, parse: Callable[[str], T]) -> T:
        """One answer, asked for until it makes sense; raises BadAnswer if it was not asked for."""
        if given is not None or self._console is None:
            return parse(proposal if given is None else given)
        while True:
            typed = self._console.ask(f"{question} [{proposal}]: ").strip()
            try:
                return parse(typed or proposal)
            except NinefoldError as error:
                self._console.show(f"{error.message}\n", "refusal")

    def file(self, given: str | None, proposal: str, overwrite: bool) -> Target:
        """The file to write; one that is there is asked about at once. Raises NinefoldError."""
        while True:
            path = self.text("Which file shall it be?", given, proposal, _path)
            if overwrite or not os.path.lexists(path):
                return Target(path, overwrite)
            if self._console is None:
                told = f"{path} is there already."
                raise NinefoldError("exists", told, "Name another file, or add --overwrite.")
            if self.text(f"{path} is there already. Replace it?", None, "no", _yes):
                return Target(path, True)
            given, proposal = None, _free(path)

    def pool(self, given: str | None, parent: Mapping[str, Any] | None) -> str | list[int] | None:
        """The numbers; with a book to start from, its own unless given."""
        if given is None and parent is not None:
            return None
        return self.text("Which numbers are there?", given, "1-9", parse_pool)

    def wins(
        self,
        given: list[str] | None,
        parent: Mapping[str, Any] | None,
        numbers: Sequence[int],
    ) -> dict[str, dict[str, Any]] | None:
        """What wins: families with their parameters."""
        if given is not None:
            return parse_wins(given, numbers)
        if parent is not None:
            return None
        if self._console is None:
            return parse_wins([next(iter(FAMILIES))], numbers)
        return self._ask_wins(self._console, numbers)

    def _ask_wins(self, console: Console, numbers: Sequence[int]) -> dict[str, dict[str, Any]]:
        families = [*FAMILIES, NOTHING]
        meanings = [FAMILIES[family].meaning for family in FAMILIES]
        nothing = "nothing: only the ending counts"
        _menu(console, "What does a player have to hold?", [*meanings, nothing])
        chosen = self._several("One or more of them", families)
        if NOTHING in chosen:
            return {}
        return {family: self._parameters(family, numbers) for family in chosen}

    def _several(self, question: str, options: Sequence[str]) -> list[str]:
        return self.text(question, None, "1", lambda typed: _several(typed, options))

    def _parameters(self, family: str, numbers: Sequence[int]) -> dict[str, Any]:
        given: dict[str, Any] = {}
        for name, proposal in proposals(family, numbers).items():
            asked = FAMILIES[family].parameters[name]
            given |= self._parameter(
                family, name, asked._replace(proposal=proposal), given, numbers
            )
        return complete(family, given, numbers)

    def _parameter(
        self,
        family: str,
        name: str,
        asked: Asked,
        given: Mapping[str, Any],
        numbers: Sequence[int],
    ) -> dict[str, Any]:
        def parse(typed: str) -> dict[str, Any]:
            return parse_parameter(family, name, typed, given, numbers)

        question = f"{family.capitalize()}: {asked.asks or asked.meaning}"
        return self.text(question, None, _typed(asked.proposal), parse)

    def misere(self, given: bool | None, wins: object, parent: Mapping[str, Any] | None) -> bool:
        """Whether completing a set loses."""
        if given is not None or parent is not None or not wins:
            return bool(given)
        return self.text("Does whoever completes a set lose instead of win?", None, "no", _yes)

    def ending(
        self,
        given: list[str] | None,
        parent: Mapping[str, Any] | None,
        numbers: Sequence[int],
    ) -> list[dict[str, Any]] | None:
        """Who wins when no number is left."""
        if given is not None:
            return parse_ending(given)
        if parent is not None:
            return None
        if self._console is None:
            return []
        told = [_ending_told(link) for link in _ENDINGS]
        _menu(self._console, "And if no number is left and nobody has won?", ["a draw", *told])
        links = [DRAW, *_ENDINGS]
        chosen = self._several("One, or several in order", links)
        links = [link for link in chosen if link != DRAW] or [DRAW]
        return [
            part
            for link in links
            for part in ([self._distance(numbers)] if link == _DISTANCE else parse_ending([link]))
        ]

    def _distance(self, numbers: Sequence[int]) -> dict[str, Any]:
        """The link of the ending that measures how far a sum is from a target."""

        def parse(typed: str) -> str:
            parse_ending([f"{_DISTANCE} target={typed}"])
            return typed

        target = self.text("Distance: from which target?", None, str(sum(numbers) // 2), parse)
        above = self.text("Distance: may a sum above it win?", None, "yes", _yes)
        rest = "" if above else " exceeding=false"
        return parse_ending([f"{_DISTANCE} target={target}{rest}"])[0]

    def limits(
        self,
        given: str | None,
        parent: Mapping[str, Any] | None,
        pool: str | list[int] | None,
    ) -> dict[str, Any]:
        """What is special about a turn or a hand."""
        if given is None and parent is not None:
            return {}
        if given is None and self._console is not None:
            forms = limit_forms(numbers_of(pool or "1-9"))
            told = [f"{form}: {LIMITS[form.partition('=')[0]].meaning}" for form in forms]
            self._console.show("\nAnything special?\n")
            self._console.show("".join(f"  {line}\n" for line in told))
        return self.text("Some of them", given, "no", lambda typed: parse_limits(typed, pool))


def _ending_told(link: str) -> str:
    measure, prefer = link.split()
    told = MEASURES[measure].higher if prefer == "higher" else MEASURES[measure].lower
    return told.replace("{target}", "a target")


def _typed(proposal: object) -> str:
    """What is proposed, as it would be typed."""
    if isinstance(proposal, list):
        return ", ".join(" ".join(map(str, numbers)) for numbers in proposal)
    return str(proposal)


def _menu(console: Console, question: str, options: Sequence[str]) -> None:
    console.show(f"\n{question}\n")
    for number, option in enumerate(options, 1):
        console.show(f"  {number}. {option}\n")


def _several(typed: str, options: Sequence[str]) -> list[str]:
    """The options named by their numbers or by their words; raises BadAnswer."""
    chosen = []
    for word in typed.replace(",", " ").split():
        if word.isdecimal() and 1 <= int(word[:9]) <= len(options):
            chosen.append(options[int(word[:9]) - 1])
        elif word in options:
            chosen.append(word)
        else:
            told = f"{shown(word, 40)!r} is none of them."
            advice = meant(word, options) or f"Type numbers from 1 to {len(options)}."
            raise BadAnswer("bad-answer", told, advice)
    return [*dict.fromkeys(chosen)]


def _yes(typed: str) -> bool:
    if typed.casefold() not in ("y", "yes", "n", "no"):
        raise BadAnswer("bad-answer", "Type yes or no.")
    return typed.casefold().startswith("y")


def parse_title(typed: str) -> str:
    """A title that can be shown; raises BadAnswer."""
    title = typed.strip()
    if not title or len(title) > 60 or not is_readable(title):
        raise BadAnswer("bad-answer", "A title has 1 to 60 visible characters.")
    return title


def _path(typed: str) -> str:
    """The file to write; its folder must be there. Raises BadAnswer."""
    path = os.path.expanduser(typed if typed.endswith(SUFFIX) else typed + SUFFIX)
    folder = os.path.dirname(path) or os.curdir
    if not is_readable(path) or not os.path.isdir(folder):
        raise BadAnswer("bad-answer", f"Cannot write {shown(path, 100)}.", "Name another file.")
    return path


def _free(path: str) -> str:
    """A name like this one that no file has yet."""
    stem = path.removesuffix(SUFFIX)
    numbered = (f"{stem}-{number}{SUFFIX}" for number in count(2))
    return next(name for name in numbered if not os.path.lexists(name))
