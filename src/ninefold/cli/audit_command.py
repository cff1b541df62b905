"""``ninefold audit``: test what a rule book claims."""

import argparse
import os
import sys

from ninefold import books
from ninefold.audit import Report, audit
from ninefold.cli.common import load_book, patience

_SUFFIXES = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
}


def run(options: argparse.Namespace) -> int:
    """Audit a book and print the report, or write it to a file; 1 if something is false."""
    kind, book = _format(options), load_book(options)
    if options.output:
        from ninefold.cli.files import check_writable, files_of

        check_writable(options.output, files_of(options.game))
    with patience() as stages:
        report = audit(
            book,
            all_readings=options.all_readings,
            load=lambda reading: books.load_book(options.game, reading, tuple(options.set)),
            tell=stages.append,
            seed=options.seed,
            seconds=options.time_budget,
        )
    written = _written(report, kind, options.output)
    if options.output:
        from ninefold.cli.files import whole_file

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
    """The report in the requested format."""
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
