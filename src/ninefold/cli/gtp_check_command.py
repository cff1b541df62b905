"""``ninefold gtp-check``: check a program that speaks the Go Text Protocol, and say what to fix."""

import argparse
from collections.abc import Iterator

from ninefold import books
from ninefold.cli.common import load_book, print_json
from ninefold.core.errors import NinefoldError
from ninefold.core.text import shorten
from ninefold.gtp.check import Result, examine
from ninefold.line.wrap import wrap
from ninefold.players import PROGRAM
from ninefold.players.process import find_program
from ninefold.players.program import split_command

_STATUS = {"ok": "ok", "failed": "FAILED", "skipped": "skipped"}
MAX_SHOWN = 400


def run(options: argparse.Namespace) -> int:
    """Check one program; the exit code is 1 if it failed a check."""
    arguments = split_command(options.program.removeprefix(PROGRAM))
    find_program(arguments)
    found = examine(arguments, _books(options), options.time_limit, options.seed)
    results = [*found] if options.json else [*_shown(found)]
    if options.json:
        print_json([result._asdict() for result in results], indent=2)
    else:
        counts = [sum(result.status == status for result in results) for status in _STATUS]
        total = f"{len(results)} checks: {counts[0]} ok, {counts[1]} failed, {counts[2]} skipped."
        print(wrap(f"\n{total}"))
    return int(any(result.status == "failed" for result in results))


def _books(options: argparse.Namespace) -> list[books.Book]:
    if options.game:
        return [load_book(options)]
    if options.reading or options.set:
        raise NinefoldError("usage", "--reading and --set need a game: add --game GAME.")
    return [books.load_book(book.id, name) for book in books.load_all() for name in book.readings]


def _shown(results: Iterator[Result]) -> Iterator[Result]:
    """Each result, printed as soon as it is known."""
    for result in results:
        why = f" ({result.advice})" if result.status == "skipped" else ""
        print(wrap(f"{_STATUS[result.status]:8} {result.check}{why}"), flush=True)
        if result.status == "failed":
            for name in ("sent", "received", "expected"):
                print(wrap(f"         {name + ':':10}{_safe(getattr(result, name))}"))
            print(wrap(f"         {'to fix:':10}{result.advice}"), flush=True)
        yield result


def _safe(text: str) -> str:
    """What was sent or received, on one line."""
    return shorten(text.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r"), MAX_SHOWN)
