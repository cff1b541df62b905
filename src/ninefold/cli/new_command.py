"""``ninefold new``: ask a few questions, and write a rule-book file that plays at once."""

import argparse
import os
from collections.abc import Mapping
from shlex import quote
from typing import Any

from ninefold import books
from ninefold.books import Book
from ninefold.books.answers import SPECIAL, numbers_of, parse_pool
from ninefold.books.book import title_of
from ninefold.books.check import examine
from ninefold.books.describe import summary_of
from ninefold.books.fields import FLAG
from ninefold.books.language import RULES
from ninefold.books.new_file import Draft, format_book
from ninefold.books.sources import SUFFIX, Source, merge_chain, read_chain, read_source
from ninefold.cli.files import whole_file
from ninefold.cli.new_questions import QUESTIONS, Questions, Target, parse_title, parse_yes
from ninefold.line.console import Console, open_console
from ninefold.line.wrap import note, wrap

SCHEMA = "rulebook.schema.json"


def run(options: argparse.Namespace) -> int:
    """Ask, write the file, and say what to do next; raises NinefoldError."""
    console = None if options.yes else open_console()
    try:
        target, text, book = _compose(options, console)
        with whole_file(target.path, target.replace) as file:
            file.write(text.encode())
    except EOFError:
        note("Nothing was written.")
        return 0 if console and console.interactive else 2
    except KeyboardInterrupt:
        note("Nothing was written.")
        raise
    _print_next(target.path, book)
    for warning in examine(read_source(target.path)).warnings:
        note(f"warning: {warning.path}: {warning.problem}")
    return 0


def _print_next(path: str, book: Book) -> None:
    """Print what the book is, and the commands to try next."""
    from ninefold.solver import is_small

    name = quote(path)
    player = "level:3" if is_small(book.game) else "greedy"
    print(wrap(f"{path}: {summary_of(book.game)}\n"))
    print(wrap(f"  ninefold play {name}     play it (--p2 {player} against the computer)"))
    print(wrap(f"  ninefold check {name}    list every error, after a change"))
    print(wrap(f"  ninefold solve {name}    find out who wins, and how"))
    print(wrap(f"  ninefold audit {name}    find out whether it is fair and every rule can matter"))


def _compose(options: argparse.Namespace, console: Console | None) -> tuple[Target, str, Book]:
    """The file to write, its text, and the book it is."""
    ask = Questions(console)
    target = ask.file(options.file, "", options.overwrite) if options.file else None
    stem = books.stem_of(target.path) if target else "my-game"
    title = ask.text("What is the game called?", options.title, title_of(stem), parse_title)
    target = target or ask.file(None, books.stem_of(title) + SUFFIX, options.overwrite)
    parent = _parent(options.extends, target.path)
    draft = Draft(title, _ask_rules(ask, options, parent), options.extends, parent)
    folder = os.path.dirname(target.path) or os.curdir
    schema = f"./{SCHEMA}" if os.path.isfile(os.path.join(folder, SCHEMA)) else None
    text = format_book(draft, books.stem_of(target.path), quote(target.path), schema)
    return target, text, draft.book


def _ask_rules(
    ask: Questions, options: argparse.Namespace, parent: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The rules that were asked for or given, as the file says them."""
    rules: dict[str, Any] = {}
    inherited = (parent or {}).get("rules", {})
    special = _given_special(options)
    # With a parent, what is not given is inherited.
    if parent is None or options.pool is not None:
        rules["pool"] = ask.text(QUESTIONS["pool"], options.pool, "1-9", parse_pool)
    pool = rules.get("pool")
    numbers = numbers_of(pool or inherited.get("pool", "1-9"))
    if parent is None or options.wins is not None:
        wins = ask.wins(options.wins, numbers)
        # Families that are not named any more are removed.
        dropped = {name: False for name in inherited.get("wins", {}) if name not in wins}
        rules["wins"] = dropped | wins
    for field in RULES:
        if field.type is FLAG and field.question:
            given = getattr(options, field.attribute, None)
            if given is None and parent is None and rules["wins"]:
                given = ask.text(field.question, None, "no", parse_yes)
            rules |= {field.name: True} if given else {}
    if parent is None or options.ending is not None:
        rules["ending"] = ask.ending(options.ending, numbers)
    if parent is None or special is not None:
        rules |= ask.special(special, pool)
    return rules


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
    child = Source(path, os.path.realpath(path), "", {"extends": extends})
    return merge_chain(read_chain(child)[1:])
