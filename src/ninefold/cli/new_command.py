"""``ninefold new``: a few questions, and a rule-book file that plays at once."""

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ninefold import books
from ninefold.books.describe import FAMILIES, MEASURES, Asked, summary_of, title_of
from ninefold.books.safety import is_readable, shown
from ninefold.books.sources import SUFFIX, is_path, merge_chain, read_chain, read_source
from ninefold.books.starter import (
    DRAW,
    LIMITS,
    NOTHING,
    Answers,
    BadAnswer,
    check_answers,
    format_book,
    limit_forms,
    parse_ending,
    parse_limits,
    parse_pool,
    parse_wins,
)
from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console, open_console
from ninefold.line.note import note

T = TypeVar("T")

SCHEMA = "rulebook.schema.json"
_ENDINGS = ("hand-sum higher", "longest-run higher", "last-pick higher", "last-pick lower")


def run(options: argparse.Namespace) -> int:
    """Ask, write the file, and say how to go on; raises NinefoldError."""
    console = None if options.yes else open_console()
    try:
        path, text, summary = _compose(options, console)
        _write(path, text, _may_replace(options, console, path))
    except EOFError:
        note("Nothing was written.")
        return 0 if console and console.interactive else 2
    except KeyboardInterrupt:
        note("Nothing was written.")
        raise
    name = _named(path)
    print(f"{path}: {summary}\n")
    print(f"  ninefold play {name}     play it (--p2 level:3 against the computer)")
    print(f"  ninefold check {name}    what is wrong with it, after a change")
    print(f"  ninefold solve {name}    who wins, and by which moves")
    return 0


def _named(path: str) -> str:
    """The file as a command names it."""
    import shlex

    return shlex.quote(path)


def _compose(options: argparse.Namespace, console: Console | None) -> tuple[str, str, str]:
    """Where to write what, and the game in a line."""
    ask = Questions(console)
    path = _path(options.file) if options.file else None
    stem = books.stem_of(path) if path else "my-game"
    title = ask.text("What is the game called?", options.title, title_of(stem), _title)
    parent = _parent(options.extends, path)
    pool = ask.pool(options.pool, parent)
    chosen = ask.wins(options.wins, parent)
    dropped = _dropped(parent, chosen or {})
    wins = None if chosen is None else dropped | chosen
    misere = ask.misere(options.misere, chosen, parent)
    ending = ask.ending(options.ending, parent)
    limits = ask.limits(_given_limits(options), parent, pool)
    answers = Answers(title, pool, wins, misere, ending, options.extends, limits)
    book = check_answers(answers, parent or {})
    if path is None:
        proposal = books.stem_of(title) + SUFFIX
        path = ask.text("Which file shall it be?", None, proposal, _path)
    folder = os.path.dirname(path) or os.curdir
    schema = f"./{SCHEMA}" if os.path.isfile(os.path.join(folder, SCHEMA)) else None
    return path, format_book(answers, _named(path), schema), summary_of(book.game)


def _given_limits(options: argparse.Namespace) -> str | None:
    """The limits that flags name, as they are typed; None if none does."""
    given = {name: getattr(options, name.replace("-", "_")) for name in LIMITS}
    words = [
        name if value is True else f"{name}={value}"
        for name, value in given.items()
        if value not in (None, False)
    ]
    return " ".join(words) or None


def _parent(extends: str | None, path: str | None) -> Mapping[str, Any] | None:
    """The book to start from, with what it inherits itself; raises NinefoldError."""
    if extends is None:
        return None
    if not is_path(extends) and extends not in books.names():
        books.load(extends)  # says which games there are
    folder = os.path.dirname(path) if path else ""
    name = os.path.join(folder or os.curdir, extends) if is_path(extends) else extends
    if os.path.isabs(extends):
        raise NinefoldError("usage", "--extends needs a path relative to the new file.")
    return merge_chain(read_chain(read_source(name), books.names()))


def _dropped(parent: Mapping[str, Any] | None, wins: Mapping[str, object]) -> dict[str, Any]:
    """The families of the book it starts from that are not wanted any more."""
    inherited = (parent or {}).get("rules", {}).get("wins", {})
    return {family: False for family in inherited if family not in wins}


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

    def pool(self, given: str | None, parent: Mapping[str, Any] | None) -> str | list[int] | None:
        """The numbers; with a book to start from, its own unless given."""
        if given is None and parent is not None:
            return None
        return self.text("Which numbers are there?", given, "1-9", parse_pool)

    def wins(
        self, given: list[str] | None, parent: Mapping[str, Any] | None
    ) -> dict[str, dict[str, Any]] | None:
        """What wins: families with their parameters."""
        if given is not None:
            return parse_wins(given)
        if parent is not None:
            return None
        if self._console is None:
            return parse_wins([next(iter(FAMILIES))])
        return self._ask_wins(self._console)

    def _ask_wins(self, console: Console) -> dict[str, dict[str, Any]]:
        families = [*FAMILIES, NOTHING]
        meanings = [FAMILIES[family].meaning for family in FAMILIES]
        nothing = "nothing: only the ending counts"
        _menu(console, "What does a player have to hold?", [*meanings, nothing])
        chosen = self._several("One or more of them", families)
        if NOTHING in chosen:
            return {}
        return {family: self._parameters(family) for family in chosen}

    def _several(self, question: str, options: Sequence[str]) -> list[str]:
        return self.text(question, None, "1", lambda typed: _several(typed, options))

    def _parameters(self, family: str) -> dict[str, Any]:
        asked = FAMILIES[family].parameters.items()
        return {
            name: self._parameter(family, name, of) for name, of in asked if of.proposal is not None
        }

    def _parameter(self, family: str, name: str, asked: Asked) -> Any:
        def parse(typed: str) -> Any:
            return parse_wins([f"{family} {name}={typed}"])[family][name]

        question = f"{family.capitalize()}: {asked.meaning}"
        return self.text(question, None, str(asked.proposal), parse)

    def misere(self, given: bool | None, wins: object, parent: Mapping[str, Any] | None) -> bool:
        """Whether completing a set loses."""
        if given is not None or parent is not None or not wins:
            return bool(given)
        return self.text("Does whoever completes a set lose instead of win?", None, "no", _yes)

    def ending(
        self, given: list[str] | None, parent: Mapping[str, Any] | None
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
        return parse_ending([link for link in chosen if link != DRAW] or [DRAW])

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
            told = [f"{form}: {LIMITS[form.partition('=')[0]].meaning}" for form in limit_forms()]
            self._console.show("\nAnything special?\n")
            self._console.show("".join(f"  {line}\n" for line in told))
        return self.text("Some of them", given, "no", lambda typed: parse_limits(typed, pool))


def _ending_told(link: str) -> str:
    measure, prefer = link.split()
    return MEASURES[measure].higher if prefer == "higher" else MEASURES[measure].lower


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
            raise BadAnswer("bad-answer", told, f"Type numbers from 1 to {len(options)}.")
    return [*dict.fromkeys(chosen)]


def _yes(typed: str) -> bool:
    if typed.casefold() not in ("y", "yes", "n", "no"):
        raise BadAnswer("bad-answer", "Type yes or no.")
    return typed.casefold().startswith("y")


def _title(typed: str) -> str:
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


def _may_replace(options: argparse.Namespace, console: Console | None, path: str) -> bool:
    """Whether a file that is there may be replaced; raises NinefoldError if it must not be."""
    if not os.path.lexists(path) or options.overwrite:
        return bool(options.overwrite)
    if console is None:
        told = f"{path} is there already."
        raise NinefoldError("exists", told, "Name another file, or add --overwrite.")
    typed = console.ask(f"{path} is there already. Replace it? [no]: ").strip().casefold()
    if typed not in ("y", "yes"):
        raise NinefoldError("exists", f"{path} stays as it is; nothing was written.")
    return True


def _write(path: str, text: str, replace: bool) -> None:
    """The whole file or none; raises NinefoldError."""
    draft = f"{path}.{os.getpid()}.new"
    try:
        with open(draft, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if replace:
            os.replace(draft, path)
        else:
            os.link(draft, path)  # refuses a file that has appeared meanwhile
            os.unlink(draft)
    except OSError as error:
        if os.path.exists(draft):
            os.unlink(draft)
        why = error.strerror or str(error)
        raise NinefoldError("unwritable", f"Cannot write {path}: {why}.") from None
