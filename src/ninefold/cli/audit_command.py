"""``ninefold audit``: put the claims of a rule book to the test."""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from ninefold import books
from ninefold.audit import Report, audit
from ninefold.cli.patience import PATIENCE
from ninefold.line.note import note

_SUFFIXES = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
}


def run(options: argparse.Namespace) -> int:
    """Audit a book and print the report, or write it into a file; 1 if something is false."""
    changes = tuple(options.set)
    kind = _format(options)
    book = books.load(options.game, options.reading, changes)
    if options.output:
        from ninefold.cli.whole_file import check_writable, files_of

        check_writable(options.output, files_of(options.game))
    with _progress() as stage:
        report = audit(
            book,
            all_readings=options.all_readings,
            load=lambda reading: books.load(options.game, reading, changes),
            tell=stage.append,
            seed=options.seed,
            seconds=options.time_budget,
        )
    written = _written(report, kind, options.output)
    if options.output:
        from ninefold.cli.whole_file import whole_file

        with whole_file(options.output) as file:
            file.write(written.encode())
    else:
        sys.stdout.write(written)
    return int(report.is_false)


def _format(options: argparse.Namespace) -> str:
    """The format asked for, or the one that the name of the file ends with; else text."""
    suffix = os.path.splitext(options.output or "")[1].casefold()
    return "json" if options.json else options.format or _SUFFIXES.get(suffix, "text")


def _written(report: Report, kind: str, output: str | None) -> str:
    """The report in the form asked for."""
    if kind == "json":
        import json

        from ninefold.audit.pages.data import as_data

        return json.dumps(as_data(report)) + "\n"
    from ninefold.audit.pages.document import documents

    if kind == "markdown":
        from ninefold.audit.pages.markdown import markdown

        return markdown(documents(report))
    if kind == "html":
        from ninefold.audit.pages.html import html

        return html(documents(report), report)
    from ninefold.audit.pages.text import WIDTH, text

    return text(documents(report), WIDTH if output else _width())


def _width() -> int:
    from shutil import get_terminal_size

    return min(get_terminal_size().columns, 80) - 1


@contextmanager
def _progress() -> Iterator[list[str]]:
    """A list for the stages of the work; the latest is printed for whoever waits."""
    stages: list[str] = []
    over = Event()

    def tell() -> None:
        told = 0
        while not over.wait(PATIENCE):
            if len(stages) > told:
                told = len(stages)
                note(f"{stages[-1]} ...")

    thread = Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield stages
    finally:
        over.set()
        thread.join()
