"""``ninefold list``, ``rules`` and ``check``: the games, and the errors of a rule book."""

import argparse
import os
import sys
from collections import Counter

from ninefold import books
from ninefold.books.check import Report, as_data, examine, examine_text
from ninefold.books.describe import pool_of
from ninefold.books.faults import MAX_FAULTS, Fault, Place
from ninefold.books.safety import shown
from ninefold.books.sources import MAX_BYTES, decode, is_path, read_source, read_text
from ninefold.cli.common import load_book, pick, print_answer
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.text import listed
from ninefold.line.rules import rules_text

STDIN = "-"


def run_list(options: argparse.Namespace) -> None:
    """List every book, with the variants of its rules."""
    data, lines = [], list[str]()
    for book in books.load_all():
        readings = {name: reading.summary for name, reading in book.readings.items()}
        lines += [book.id, f"    {book.summary} Numbers: {pool_of(book.game)}."]
        for name, summary in readings.items() if len(readings) > 1 else ():
            mark = " (default)" if name == book.reading else ""
            lines.append(f"    --reading {name}{mark}: {summary}")
        about = pick(book, "id", "title", "summary")
        size = {"pool": book.game.pool, "sets": len(book.game.sets)}
        data.append({**about, **size, "reading": book.reading, "readings": readings})
    print_answer(options, data, "\n".join(lines))


def run_rules(options: argparse.Namespace) -> None:
    """Print the rules of one game."""
    print(rules_text(load_book(options)), end="")


def run_check(options: argparse.Namespace) -> int:
    """Check one file: exit code 0 if it is a valid rule book, 1 if it has errors."""
    if options.schema:
        from ninefold.books.schema import format_schema

        print(format_schema(), end="")
        return 0
    if options.file is None:
        raise NinefoldError("usage", "Name a FILE to check, or - for standard input.")
    report = _report(options.file)
    print_answer(options, as_data(report), "\n".join(_lines(report)))
    return int(bool(report.faults))


def _report(file: str) -> Report:
    """The report on a file, or on standard input."""
    name = "standard input" if file == STDIN else shown(file, 200)
    if file != STDIN and not is_path(file) and not os.path.exists(file):
        return examine(read_source(books.load_book(file).id))
    if file == STDIN:
        text = decode(sys.stdin.buffer.read(MAX_BYTES + 1), "on standard input")
    else:
        text = read_text(file)
    path = "./book.toml" if file == STDIN else file if is_path(file) else os.path.join(".", file)
    return examine_text(text, path)._replace(name=name)


def _lines(report: Report) -> list[str]:
    """What the book is or how many errors it has, then each error and warning."""
    lines = []
    many = len(report.faults)
    if many:
        lines.append(f"{report.name}: {many} error{'s' * (many > 1)}")
    elif report.book:
        lines += [f"{report.name}: {report.book.title} ({report.book.id})", *_facts(report)]
    lines += [f"  {_line(fault)}" for fault in report.faults[:MAX_FAULTS]]
    if many > MAX_FAULTS:
        lines.append(f"  and {many - MAX_FAULTS} more")
    return [*lines, *(f"  warning: {_line(warning)}" for warning in report.warnings)]


def _line(fault: Fault) -> str:
    """A fault in one line, starting with its place, which includes the column."""
    place = fault.place or Place("")
    column = f"column {place.column}" if place.column else ""
    where = ", ".join(filter(None, (str(place), column)))
    return str(fault._replace(place=Place(where)))


def _facts(report: Report) -> list[str]:
    """The size of the game, in a few lines."""
    facts: dict[str, list[str]] = {}
    for reading, book in report.books.items():
        fact = f"{len(book.game.pool)} numbers ({pool_of(book.game)}), {_sets(book.game)}"
        facts.setdefault(fact, []).append(reading)
    if len(report.books) == 1:
        return [f"  {fact}" for fact in facts]
    return [f"  {fact}; readings: {', '.join(readings)}" for fact, readings in facts.items()]


def _sets(game: Game) -> str:
    """How many sets there are of each pattern; totals of whole hands have none to count."""
    own = [pattern.label for pattern in game.whole if not pattern.is_shared]
    shared = [pattern.label for pattern in game.whole if pattern.is_shared]
    looks = [f"{listed(own)} counts the whole hand"] if own else []
    looks += [f"{listed(shared)} counts both hands together"] if shared else []
    whole = "; ".join(looks)
    lost = len(game.losses.sets)
    losing = f"{lost} losing set" + "s" * (lost != 1) if lost else ""
    labels = [pattern.label for pattern in game.rules.wins if not pattern.is_whole_hand]
    if not labels:
        none = whole or "no winning sets" + ": the ending decides" * bool(game.rules.ending)
        return "; ".join(filter(None, (none, losing)))
    counts = Counter(found.label for patterns in game.patterns.values() for found in patterns)
    many = f"{len(game.sets)} winning set" + "s" * (len(game.sets) != 1)
    kinds = ", ".join(f"{label} {counts[label]}" for label in dict.fromkeys(labels))
    return "; ".join(filter(None, (f"{many} ({kinds})", whole, losing)))
