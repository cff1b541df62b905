"""``ninefold new``: a few questions, and a rule-book file that plays at once."""

import argparse
import os
from collections.abc import Mapping
from typing import Any

from ninefold import books
from ninefold.books import Book
from ninefold.books.describe import summary_of, title_of
from ninefold.books.draft import Draft, format_book
from ninefold.books.sources import SUFFIX, is_path, merge_chain, read_chain, read_source
from ninefold.books.starter import LIMITS, Answers, check_answers, numbers_of
from ninefold.cli.new_questions import Questions, Target, parse_title
from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console, open_console
from ninefold.line.wrap import note, wrap

SCHEMA = "rulebook.schema.json"


def run(options: argparse.Namespace) -> int:
    """Ask, write the file, and say how to go on; raises NinefoldError."""
    console = None if options.yes else open_console()
    try:
        target, text, book = _compose(options, console)
        _write(target.path, text, target.replace)
    except EOFError:
        note("Nothing was written.")
        return 0 if console and console.interactive else 2
    except KeyboardInterrupt:
        note("Nothing was written.")
        raise
    _print_next(target.path, book)
    _warn(target.path)
    return 0


def _print_next(path: str, book: Book) -> None:
    """What it is, and what can be done with it."""
    from ninefold.solver import is_small

    name = _named(path)
    player = "level:3" if is_small(book.game) else "greedy"
    print(wrap(f"{path}: {summary_of(book.game)}\n"))
    print(wrap(f"  ninefold play {name}     play it (--p2 {player} against the computer)"))
    print(wrap(f"  ninefold check {name}    what is wrong with it, after a change"))
    print(wrap(f"  ninefold solve {name}    who wins, and by which moves"))
    print(wrap(f"  ninefold audit {name}    whether it is fair, and every rule alive"))


def _warn(path: str) -> None:
    """Say what is legal, but hardly meant."""
    from ninefold.books.check import examine

    name = path if is_path(path) else os.path.join(os.curdir, path)
    for warning in examine(read_source(name)).warnings:
        note(f"warning: {warning.path}: {warning.expected}")


def _named(path: str) -> str:
    """The file as a command names it."""
    import shlex

    return shlex.quote(path)


def _compose(options: argparse.Namespace, console: Console | None) -> tuple[Target, str, Book]:
    """Where to write what, and the book it is."""
    ask = Questions(console)
    target = ask.file(options.file, "", options.overwrite) if options.file else None
    stem = books.stem_of(target.path) if target else "my-game"
    title = ask.text("What is the game called?", options.title, title_of(stem), parse_title)
    target = target or ask.file(None, books.stem_of(title) + SUFFIX, options.overwrite)
    parent = _parent(options.extends, target.path)
    pool = ask.pool(options.pool, parent)
    numbers = numbers_of(pool or (parent or {}).get("rules", {}).get("pool", "1-9"))
    chosen = ask.wins(options.wins, parent, numbers)
    dropped = _dropped(parent, chosen or {})
    wins = None if chosen is None else dropped | chosen
    misere = ask.misere(options.misere, chosen, parent)
    ending = ask.ending(options.ending, parent, numbers)
    limits = ask.limits(_given_limits(options), parent, pool)
    answers = Answers(title, pool, wins, misere, ending, options.extends, limits)
    book = check_answers(answers, parent or {})
    folder = os.path.dirname(target.path) or os.curdir
    schema = f"./{SCHEMA}" if os.path.isfile(os.path.join(folder, SCHEMA)) else None
    draft = Draft(answers, book, parent or {})
    text = format_book(draft, books.stem_of(target.path), _named(target.path), schema)
    return target, text, book


def _given_limits(options: argparse.Namespace) -> str | None:
    """The limits that flags name, as they are typed; None if none does."""
    given = {name: getattr(options, name.replace("-", "_")) for name in LIMITS}
    words = [
        name if value is True else f"{name}={value}"
        for name, value in given.items()
        if value not in (None, False)
    ]
    return " ".join(words) or None


def _parent(extends: str | None, path: str) -> Mapping[str, Any] | None:
    """The book to start from, with what it inherits itself; raises NinefoldError."""
    if extends is None:
        return None
    if not is_path(extends) and extends not in books.names():
        books.load(extends)  # says which games there are
    folder = os.path.dirname(path)
    name = os.path.join(folder or os.curdir, extends) if is_path(extends) else extends
    if os.path.isabs(extends):
        raise NinefoldError("usage", "--extends needs a path relative to the new file.")
    return merge_chain(read_chain(read_source(name), books.names()))


def _dropped(parent: Mapping[str, Any] | None, wins: Mapping[str, object]) -> dict[str, Any]:
    """The families of the book it starts from that are not wanted any more."""
    inherited = (parent or {}).get("rules", {}).get("wins", {})
    return {family: False for family in inherited if family not in wins}


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
