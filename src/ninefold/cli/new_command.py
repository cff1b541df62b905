"""``ninefold new``: ask a few questions, and write a rule-book file that plays at once."""

import argparse
import os
import shlex
from collections.abc import Mapping
from itertools import count
from typing import Any

from ninefold import books
from ninefold.books.answers import BadAnswer
from ninefold.books.book import title_of
from ninefold.books.describe import summary_of
from ninefold.books.fields import attribute
from ninefold.books.language import RULES
from ninefold.books.new_file import Draft, format_book
from ninefold.books.questions import SPECIAL, Interview, Question, yes_no
from ninefold.books.safety import is_readable, shown
from ninefold.books.sources import (
    SUFFIX,
    Source,
    is_path,
    merge_chain,
    read_chain,
    read_source,
)
from ninefold.cli.common import whole_file
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.line.console import Console, open_console
from ninefold.line.wrap import note, wrap

SCHEMA = "rulebook.schema.json"


def run_new(options: argparse.Namespace) -> int:
    """Ask, write the file, and say what to do next; raises NinefoldError."""
    console = None if options.yes else open_console()
    try:
        path, replace, draft = _ask(console, options)
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
    print(wrap(f"  ninefold play {name}     play it (--p2 level:3 against the computer)"))
    print(wrap(f"  ninefold check {name}    list every error, after a change"))
    print(wrap(f"  ninefold solve {name}    find out who wins, and how"))
    print(wrap(f"  ninefold audit {name}    find out whether it is fair and every rule can matter"))
    for warning in examine(read_source(path)).warnings:
        note(f"warning: {warning.path}: {warning.problem}")


def _ask(console: Console | None, options: argparse.Namespace) -> tuple[str, bool, Draft]:
    """The file to write, whether an existing one may be replaced, and what to write."""
    path, replace = options.file, options.overwrite
    if path:
        path, replace = _ask_file(console, path, "", replace)
    parent: Mapping[str, Any] = {}
    extends: str | None = options.extends
    if extends is not None:
        extends = extends if is_path(extends) else books.find_id(extends)
        child = Source(path or "", os.path.realpath(path or ""), "", {"extends": extends})
        parent = merge_chain(read_chain(child)[1:])
    title = title_of(books.stem_of(path)) if path else "My Game"
    interview = Interview(title, _given(options), extends, parent)
    while True:
        question = interview.question
        if not path and (question is None or question.id != "title"):
            title = options.title or interview.answered[0][1]
            path, replace = _ask_file(console, None, books.stem_of(title) + SUFFIX, replace)
        if question is None:
            break
        interview.accept(*_put(console, question))
    assert interview.draft is not None, "there is no question left"
    return path, replace, interview.draft


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """What the command line says about the book, by the names of the fields."""
    named = {name: getattr(options, attribute(name), None) for name in ("title", *RULES)}
    unset = {name for name, value in named.items() if value is False and name in SPECIAL}
    return {name: value for name, value in named.items() if value is not None and name not in unset}


def _put(console: Console | None, question: Question) -> tuple[str, Any]:
    """One answer as it was typed, and what it means; without a console, what is proposed."""

    def parse(typed: str) -> tuple[str, Any]:
        answer = typed or question.proposal
        return answer, question.parse(answer)

    if console is None:
        return parse("")
    if question.choices:
        console.show_menu(question.text, question.choices.values())
    return console.ask_until(f"{question.prompt or question.text} [{question.proposal}]: ", parse)


def _ask_file(
    console: Console | None, given: str | None, proposal: str, overwrite: bool
) -> tuple[str, bool]:
    """The file to write, and whether to replace it if it exists; raises NinefoldError."""
    while True:
        if given is not None:
            path = _path(given)
        else:
            _, path = _put(console, Question("file", "Which file should it be?", proposal, _path))
        if overwrite or not os.path.lexists(path):
            return path, overwrite
        if console is None:
            advice = "Name another file, or add --overwrite."
            raise NinefoldError("exists", f"{path} already exists.", advice)
        if _put(console, yes_no("replace", f"{path} already exists. Replace it?"))[1]:
            return path, True
        given, proposal = None, _free(path)


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
