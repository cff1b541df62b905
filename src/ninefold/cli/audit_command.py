"""``ninefold audit``: what a rule book claims, and what is so."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from ninefold import books
from ninefold.audit import Report, audit
from ninefold.cli.patience import PATIENCE
from ninefold.line.note import note


def run(options: argparse.Namespace) -> int:
    """Audit a book and print the report, or write it into a file; 1 if something is false."""
    changes = tuple(options.set)
    book = books.load(options.game, options.reading, changes)
    if options.output:
        from ninefold.cli.whole_file import book_files, check_writable

        check_writable(options.output, book_files(options.game))
    with _progress() as stage:
        report = audit(
            book,
            all_readings=options.all_readings,
            load=lambda reading: books.load(options.game, reading, changes),
            tell=stage.append,
            seed=options.seed,
            seconds=options.time_budget,
        )
    written = _written(report, "json" if options.json else options.format, options.output)
    if options.output:
        from ninefold.cli.whole_file import whole_file

        with whole_file(options.output) as file:
            file.write(written.encode())
    else:
        sys.stdout.write(written)
    return int(report.is_false)


def _written(report: Report, kind: str, output: str | None) -> str:
    """The report in the form asked for."""
    if kind == "json":
        import json

        from ninefold.audit.data import as_data

        return json.dumps(as_data(report)) + "\n"
    from ninefold.audit.document import documents

    if kind == "markdown":
        from ninefold.audit.markdown import markdown

        return markdown(documents(report))
    if kind == "html":
        from ninefold.audit.html import html

        return html(documents(report), report)
    from ninefold.audit.text import WIDTH, text

    return text(documents(report), WIDTH if output else _width())


def _width() -> int:
    from shutil import get_terminal_size

    return min(get_terminal_size().columns, 80) - 1


@contextmanager
def _progress() -> Iterator[list[str]]:
    """A list for the stages of the work; the last of them is told to whoever waits."""
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
