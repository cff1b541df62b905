"""``ninefold check``: list every error of a rule-book file."""

import argparse
import os

from ninefold.books import names
from ninefold.books.check import Report, examine
from ninefold.books.faults import MAX_FAULTS, BookError, Fault, Place
from ninefold.books.safety import shown
from ninefold.books.sources import MAX_BYTES, Source, decode, is_path, parse, read_source, read_text
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.line.wrap import wrap

STDIN = "-"


def run(options: argparse.Namespace) -> int:
    """Check one file: exit code 0 if it is a valid rule book, 1 if it has errors."""
    if options.schema:
        from ninefold.books.schema import format_schema

        print(format_schema(), end="")
        return 0
    if options.file is None:
        raise NinefoldError("usage", "Name a FILE to check, or - for standard input.")
    report = _report(options.file)
    if options.json:
        import json

        print(json.dumps(_as_data(report), indent=2))
    else:
        print(wrap(_text(report)), end="")
    return int(bool(report.faults))


def _report(file: str) -> Report:
    """The report on a file, or on standard input."""
    name = "standard input" if file == STDIN else shown(file, 200)
    if file in names() and not os.path.exists(file):
        return examine(read_source(file))
    text = _read_stdin() if file == STDIN else read_text(file)
    try:
        data = parse(text, name)
    except BookError as error:
        return Report(name, [*error.faults], [], {})
    # The path sets the default id and the folder of the files it extends.
    path = "./book.toml" if file == STDIN else file if is_path(file) else os.path.join(".", file)
    report = examine(Source(path, os.path.realpath(path), text, data))
    return report._replace(name=name)


def _read_stdin() -> str:
    data = b""
    while len(data) <= MAX_BYTES and (chunk := os.read(0, MAX_BYTES)):
        data += chunk
    return decode(data[: MAX_BYTES + 1], "on standard input")


def _text(report: Report) -> str:
    lines = []
    if report.faults:
        count = len(report.faults)
        lines.append(f"{report.name}: {count} error{'s' * (count > 1)}")
    elif report.book:
        lines += [f"{report.name}: {report.book.title} ({report.book.id})", *_facts(report)]
    shown_faults = [*map(_line, report.faults[:MAX_FAULTS])]
    if len(report.faults) > MAX_FAULTS:
        shown_faults.append(f"and {len(report.faults) - MAX_FAULTS} more")
    lines += [f"  {line}" for line in shown_faults]
    lines += [f"  warning: {_line(warning)}" for warning in report.warnings]
    return "".join(f"{line}\n" for line in lines)


def _line(fault: Fault) -> str:
    """A fault in one line, starting with its place."""
    place = fault.place or Place("")
    column = f"column {place.column}" if place.column else ""
    where = ", ".join(filter(None, (str(place), column)))
    reading = f"reading {fault.reading}: " if fault.reading else ""
    found = f"; found {fault.found}" if fault.found else ""
    hint = f" ({fault.hint})" if fault.hint else ""
    text = f"{reading}{fault.path}: {fault.problem}{found}{hint}"
    return f"{where}: {text}" if where else text


def _facts(report: Report) -> list[str]:
    """The size of the game, in a few lines."""
    from ninefold.books.describe import pool_of

    facts: dict[str, list[str]] = {}
    for reading, book in report.books.items():
        fact = f"{len(book.game.pool)} numbers ({pool_of(book.game)}), {_sets(book.game)}"
        facts.setdefault(fact, []).append(reading)
    if len(report.books) == 1:
        return [f"  {fact}" for fact in facts]
    return [f"  {fact}; readings: {', '.join(readings)}" for fact, readings in facts.items()]


def _sets(game: Game) -> str:
    """How many sets there are of each pattern; whole hands cannot be counted."""
    whole = " and ".join(pattern.label for pattern in game.whole)
    whole = f"{whole} looks at the whole hand" if whole else ""
    counts = {pattern.label: 0 for pattern in game.rules.wins if not pattern.is_whole_hand}
    if not counts:
        return whole or "no winning sets: the ending decides"
    for patterns in game.patterns.values():
        for pattern in patterns:
            counts[pattern.label] += 1
    many = f"{len(game.sets)} winning set" + "s" * (len(game.sets) != 1)
    kinds = ", ".join(f"{name} {count}" for name, count in counts.items())
    return "; ".join(filter(None, (f"{many} ({kinds})", whole)))


def _as_data(report: Report) -> dict[str, object]:
    return {
        "file": report.name,
        "valid": not report.faults,
        "faults": [*map(_fault_data, report.faults)],
        "warnings": [*map(_fault_data, report.warnings)],
        "book": _book_data(report),
    }


def _fault_data(fault: Fault) -> dict[str, object]:
    place = fault.place
    return {
        "path": fault.path,
        "line": place.line or None if place else None,
        "column": place.column or None if place else None,
        "file": place.file or None if place else None,
        "reading": fault.reading or None,
        "expected": fault.problem,
        "found": fault.found or None,
        "hint": fault.hint or None,
    }


def _book_data(report: Report) -> dict[str, object] | None:
    book = report.book
    if book is None:
        return None
    return {
        "id": book.id,
        "title": book.title,
        "summary": book.summary,
        "reading": book.reading,
        "readings": {
            name: {
                "pool": read.game.pool,
                "sets": len(read.game.sets),
                "whole_hand": [pattern.label for pattern in read.game.whole],
            }
            for name, read in report.books.items()
        },
    }
