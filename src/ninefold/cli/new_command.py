"""``ninefold new``: ask a few questions, and write a rule-book file that plays at once."""

import argparse
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any, TypeVar

from ninefold import books
from ninefold.books import answers
from ninefold.books.book import title_of
from ninefold.books.describe import summary_of
from ninefold.books.families import FAMILIES, MEASURES, proposals
from ninefold.books.faults import nearest
from ninefold.books.fields import Field, attribute
from ninefold.books.language import LINK, RULES
from ninefold.books.new_file import Draft, format_book
from ninefold.books.safety import is_readable, shown
from ninefold.books.sources import SUFFIX, Source, merge_chain, read_chain, read_source
from ninefold.books.values import FLAG
from ninefold.cli.common import whole_file
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.rules import Criterion
from ninefold.invocation import command
from ninefold.line.console import Console, open_console
from ninefold.line.wrap import note, wrap

T = TypeVar("T")
SCHEMA = "rulebook.schema.json"
_ENDINGS = (
    Criterion("hand-sum", "higher"),
    Criterion("longest-run", "higher"),
    Criterion("last-pick", "higher"),
    Criterion("last-pick", "lower"),
    Criterion("distance", "lower"),
)


def run_new(options: argparse.Namespace) -> int:
    """Ask, write the file, and say what to do next; raises NinefoldError."""
    console = None if options.yes else open_console()
    try:
        path, replace, draft = _ask(Questions(console), options)
        folder = os.path.dirname(path) or os.curdir
        schema = f"./{SCHEMA}" if os.path.isfile(os.path.join(folder, SCHEMA)) else None
        text = format_book(draft, books.stem_of(path), shlex.quote(path), schema)
        with whole_file(path, replace) as file:
            file.write(text.encode())
    except EOFError:
        note("Nothing was written.")
        return 0 if console and console.interactive else 2
    except KeyboardInterrupt:
        note("Nothing was written.")
        raise
    _print_next(path, draft.book.game)
    return 0


def _print_next(path: str, game: Game) -> None:
    """Print what the book is, the commands to try next, and what is probably unintended."""
    from ninefold.books.check import examine

    name = shlex.quote(path)
    print(wrap(f"{path}: {summary_of(game)}\n"))
    print(wrap(f"  {command(f'play {name}')}     play it (--p2 level:3 against the computer)"))
    print(wrap(f"  {command(f'check {name}')}    list every error, after a change"))
    print(wrap(f"  {command(f'solve {name}')}    find out who wins, and how"))
    fair = "find out whether it is fair and every rule can matter"
    print(wrap(f"  {command(f'audit {name}')}    {fair}"))
    for warning in examine(read_source(path)).warnings:
        note(f"warning: {warning.path}: {warning.problem}")


def _ask(ask: "Questions", options: argparse.Namespace) -> tuple[str, bool, Draft]:
    """The file to write, whether an existing one may be replaced, and what to write."""
    path, replace = options.file, options.overwrite
    if path:
        path, replace = ask.file(path, "", replace)
    stem = books.stem_of(path) if path else "my-game"
    title = ask.text("What is the game called?", options.title, title_of(stem), _parse_title)
    if not path:
        path, replace = ask.file(None, books.stem_of(title) + SUFFIX, replace)
    parent: Mapping[str, Any] = {}
    if options.extends is not None:
        child = Source(path, os.path.realpath(path), "", {"extends": options.extends})
        parent = merge_chain(read_chain(child)[1:])
    rules = _ask_rules(ask, options, parent)
    return path, replace, Draft(title, rules, options.extends, parent)


def _ask_rules(
    ask: "Questions", options: argparse.Namespace, parent: Mapping[str, Any]
) -> dict[str, Any]:
    """The rules asked for, as the file says them; only those given if it extends another book."""
    everything, inherited = options.extends is None, parent.get("rules", {})
    rules: dict[str, Any] = {}
    if everything or options.pool is not None:
        rules["pool"] = ask.text(RULES["pool"].question, options.pool, "1-9", answers.parse_pool)
    numbers = answers.numbers_of(rules.get("pool") or inherited.get("pool", "1-9"))
    if everything or options.wins is not None:
        wins = ask.wins(options.wins, numbers)
        # Families that are not named any more are removed.
        dropped = {name: False for name in inherited.get("wins", {}) if name not in wins}
        rules["wins"] = dropped | wins
    for name, field in RULES.items():
        if field.type is FLAG and field.question:
            given = getattr(options, attribute(name), None)
            asked = given is None and everything and rules["wins"]
            if given or (asked and ask.text(field.question, None, "no", _yes)):
                rules[name] = True
    if everything or options.ending is not None:
        rules["ending"] = ask.ending(options.ending, numbers)
    special = _given_special(options)
    if everything or special is not None:
        rules |= ask.special(special, rules.get("pool"))
    return rules


def _given_special(options: argparse.Namespace) -> str | None:
    """The special rules that flags name, as they are typed; None if there are none."""
    words = []
    for name in answers.SPECIAL:
        value = getattr(options, attribute(name), None)
        if value not in (None, False):
            words.append(name if value is True else f"{name}={value}")
    return " ".join(words) or None


class Questions:
    """Asks, unless the command line has answered or nobody is to be asked."""

    def __init__(self, console: Console | None) -> None:
        self._console = console

    def text(self, question: str, given: str | None, proposal: str, parse: Callable[[str], T]) -> T:
        """One answer, asked for until it makes sense; raises BadAnswer if it was given."""
        if given is not None or self._console is None:
            return parse(proposal if given is None else given)
        prompt = f"{question} [{proposal}]: "
        return self._console.ask_until(prompt, lambda typed: parse(typed or proposal))

    def file(self, given: str | None, proposal: str, overwrite: bool) -> tuple[str, bool]:
        """The file to write, and whether to replace it if it exists; raises NinefoldError."""
        while True:
            path = self.text("Which file should it be?", given, proposal, _path)
            if overwrite or not os.path.lexists(path):
                return path, overwrite
            if self._console is None:
                advice = "Name another file, or add --overwrite."
                raise NinefoldError("exists", f"{path} already exists.", advice)
            if self.text(f"{path} already exists. Replace it?", None, "no", _yes):
                return path, True
            given, proposal = None, _free(path)

    def wins(self, given: list[str] | None, numbers: Sequence[int]) -> dict[str, dict[str, Any]]:
        """What wins: families with their parameters."""
        if given is not None or self._console is None:
            return answers.parse_wins(given or [next(iter(FAMILIES))], numbers)
        meanings = {family: words.meaning for family, words in FAMILIES.items()}
        meanings[answers.NOTHING] = "nothing: only the ending decides"
        chosen = self._several(RULES["wins"].question, meanings, "One or more of them")
        families = [] if answers.NOTHING in chosen else chosen
        return {family: self._parameters(family, numbers) for family in families}

    def _parameters(self, family: str, numbers: Sequence[int]) -> dict[str, Any]:
        given: dict[str, Any] = {}
        for name, proposal in proposals(family, numbers).items():
            parse = partial(answers.parse_parameter, family, name, given=dict(given), pool=numbers)
            question = f"{family.capitalize()}: {FAMILIES[family].parameters[name].question}"
            given |= self.text(question, None, _typed(proposal), parse)
        return answers.complete(family, given, numbers)

    def ending(self, given: list[str] | None, numbers: Sequence[int]) -> list[dict[str, Any]]:
        """Who wins when no number is left."""
        if given is not None or self._console is None:
            return answers.parse_ending(given or [answers.DRAW])
        winners = {answers.DRAW: "a draw"}
        for link in _ENDINGS:
            winner = MEASURES[link.measure].winner(link, "a target")
            winners[f"{link.measure} {link.prefer}"] = winner
        chosen = self._several(RULES["ending"].question, winners, "One, or several in order")
        return [self._link(link, numbers) for link in chosen if link != answers.DRAW]

    def _link(self, link: str, numbers: Sequence[int]) -> dict[str, Any]:
        """A link of the ending; asks for the fields that only its measure has."""
        measure, _ = link.split()
        for name, field in LINK.items():
            if field.question and field.when[:1] == ("measure",) and measure in field.when:
                proposal = "yes" if field.type is FLAG else str(field.proposals(numbers)[0])
                question = f"{measure.capitalize()}: {field.question}"
                link = self.text(question, None, proposal, partial(_with_field, link, name, field))
        return answers.parse_ending([link])[0]

    def special(self, given: str | None, pool: str | list[int] | None) -> dict[str, Any]:
        """The rules that are listed under "Anything special?"."""
        if given is None and self._console is not None:
            self._console.show("\nAnything special?\n")
            for form, field in answers.special_forms(answers.numbers_of(pool or "1-9")).items():
                self._console.show(f"  {form}: {field.meaning}\n")
        parse = partial(answers.parse_special, pool=pool)
        return self.text("Some of them", given, "no", parse)

    def _several(self, question: str, options: Mapping[str, str], prompt: str) -> list[str]:
        """The options chosen from a numbered list of their meanings."""
        assert self._console is not None, "a menu is only shown to somebody"
        self._console.show_menu(question, options.values())
        return self.text(prompt, None, "1", lambda typed: _parse_several(typed, [*options]))


def _with_field(link: str, name: str, field: Field, typed: str) -> str:
    """The link with one more field; raises BadAnswer."""
    value = str(_yes(typed)).lower() if field.type is FLAG else typed
    longer = f"{link} {name}={value}"
    answers.parse_ending([longer])
    return longer


def _typed(proposal: object) -> str:
    """A proposal as it would be typed."""
    if isinstance(proposal, list):
        return ", ".join(" ".join(map(str, numbers)) for numbers in proposal)
    return str(proposal)


def _parse_several(typed: str, options: Sequence[str]) -> list[str]:
    """The options named by their numbers or by their words; raises BadAnswer."""
    chosen = []
    for word in typed.replace(",", " ").split():
        if word.isdecimal() and 1 <= int(word[:9]) <= len(options):
            chosen.append(options[int(word[:9]) - 1])
        elif word in options:
            chosen.append(word)
        else:
            advice = nearest(word, options) or f"Type numbers from 1 to {len(options)}."
            raise answers.BadAnswer(f"{shown(word, 40)!r} is not in the list.", advice)
    return [*dict.fromkeys(chosen)]


def _yes(typed: str) -> bool:
    if typed.casefold() not in ("y", "yes", "n", "no"):
        raise answers.BadAnswer("Type yes or no.")
    return typed.casefold().startswith("y")


def _parse_title(typed: str) -> str:
    """A title that can be shown; raises BadAnswer."""
    title = typed.strip()
    if not title or len(title) > 60 or not is_readable(title):
        raise answers.BadAnswer("A title must have 1 to 60 visible characters.")
    return title


def _path(typed: str) -> str:
    """The file to write, in a folder that exists; raises BadAnswer."""
    path = os.path.expanduser(typed if typed.endswith(SUFFIX) else typed + SUFFIX)
    folder = os.path.dirname(path) or os.curdir
    if not is_readable(path) or not os.path.isdir(folder):
        raise answers.BadAnswer(f"Cannot write {shown(path, 100)}.", "Name another file.")
    return path


def _free(path: str) -> str:
    """A similar name that no file has yet."""
    stem = path.removesuffix(SUFFIX)
    numbered = (f"{stem}-{number}{SUFFIX}" for number in count(2))
    return next(name for name in numbered if not os.path.lexists(name))
