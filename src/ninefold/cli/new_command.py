"""``ninefold new``: ask a few questions, and write a rule-book file that plays at once."""

import argparse
import os
from collections.abc import Mapping
from typing import Any

from ninefold import books
from ninefold.books import Book
from ninefold.books.answers import SPECIAL, Answers, check_answers, numbers_of
from ninefold.books.book import title_of
from ninefold.books.describe import summary_of
from ninefold.books.fields import FLAG
from ninefold.books.language import RULES
from ninefold.books.new_file import Draft, format_book
from ninefold.books.sources import SUFFIX, is_path, merge_chain, read_chain, read_source
from ninefold.cli.new_questions import Questions, Target, parse_title
from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console, open_console
from ninefold.line.wrap import note, wrap

SCHEMA = "rulebook.schema.json"


def run_new(options: argparse.Namespace) -> int:
    """Ask, write the file, and say what to do next; raises NinefoldError."""
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
    """Print what the book is, and the commands to try next."""
    from ninefold.solver import is_small

    name = _named(path)
    player = "level:3" if is_small(book.game) else "greedy"
    print(wrap(f"{path}: {summary_of(book.game)}\n"))
    print(wrap(f"  ninefold play {name}     play it (--p2 {player} against the computer)"))
    print(wrap(f"  ninefold check {name}    list every error, after a change"))
    print(wrap(f"  ninefold solve {name}    find out who wins, and how"))
    print(wrap(f"  ninefold audit {name}    find out whether it is fair and every rule can matter"))


def _warn(path: str) -> None:
    """Print a warning for what is legal but probably unintended."""
    from ninefold.books.check import examine

    name = path if is_path(path) else os.path.join(os.curdir, path)
    for warning in examine(read_source(name)).warnings:
        note(f"warning: {warning.path}: {warning.problem}")


def _named(path: str) -> str:
    """The file as it is typed in a command."""
    import shlex

    return shlex.quote(path)


def _compose(options: argparse.Namespace, console: Console | None) -> tuple[Target, str, Book]:
    """The file to write, its text, and the book it is."""
    ask = Questions(console)
    target = ask.file(options.file, "", options.overwrite) if options.file else None
    stem = books.stem_of(target.path) if target else "my-game"
    title = ask.text("What is the game called?", options.title, title_of(stem), parse_title)
    target = target or ask.file(None, books.stem_of(title) + SUFFIX, options.overwrite)
    parent = _parent(options.extends, target.path)
    answers = Answers(title, _ask_rules(ask, options, parent), options.extends)
    book = check_answers(answers, parent or {})
    folder = os.path.dirname(target.path) or os.curdir
    schema = f"./{SCHEMA}" if os.path.isfile(os.path.join(folder, SCHEMA)) else None
    draft = Draft(answers, book, parent or {})
    text = format_book(draft, books.stem_of(target.path), _named(target.path), schema)
    return target, text, book


def _ask_rules(
    ask: Questions, options: argparse.Namespace, parent: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The rules that were asked for or given, as the file says them."""
    pool = ask.pool(options.pool, parent)
    inherited = (parent or {}).get("rules", {})
    numbers = numbers_of(pool or inherited.get("pool", "1-9"))
    wins = ask.wins(options.wins, parent, numbers)
    rules: dict[str, Any] = {"pool": pool, "wins": wins}
    if wins is not None:  # families that are not named any more are removed
        dropped = {name: False for name in inherited.get("wins", {}) if name not in wins}
        rules["wins"] = dropped | wins
    for field in RULES:
        if field.type is FLAG and field.question:
            given = getattr(options, field.attribute, None)
            rules[field.name] = ask.flag(field, given, parent is None and bool(wins)) or None
    rules["ending"] = ask.ending(options.ending, parent, numbers)
    rules |= ask.special(_given_special(options), parent, pool)
    return {name: value for name, value in rules.items() if value is not None}


def _given_special(options: argparse.Namespace) -> str | None:
    """The special rules that flags name, as they are typed; None if there are none."""
    given = {name: getattr(options, field.attribute, None) for name, field in SPECIAL.items()}
    words = [
        name if value is True else f"{name}={value}"
        for name, value in given.items()
        if value not in (None, False)
    ]
    return " ".join(words) or None


def _parent(extends: str | None, path: str) -> Mapping[str, Any] | None:
    """The book it extends, with everything that inherits; raises NinefoldError."""
    if extends is None:
        return None
    if not is_path(extends) and extends not in books.names():
        books.load_book(extends)  # raises an error that lists the games
    folder = os.path.dirname(path)
    name = os.path.join(folder or os.curdir, extends) if is_path(extends) else extends
    if os.path.isabs(extends):
        raise NinefoldError("usage", "--extends needs a path relative to the new file.")
    return merge_chain(read_chain(read_source(name), books.names()))


def _write(path: str, text: str, replace: bool) -> None:
    """Write the whole file or nothing; raises NinefoldError."""
    draft = f"{path}.{os.getpid()}.new"
    try:
        with open(draft, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if replace:
            os.replace(draft, path)
        else:
            os.link(draft, path)  # fails if the file has appeared meanwhile
            os.unlink(draft)
    except OSError as error:
        if os.path.exists(draft):
            os.unlink(draft)
        why = error.strerror or str(error)
        raise NinefoldError("unwritable", f"Cannot write {path}: {why}.") from None
