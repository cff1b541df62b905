"""``ninefold audit``: test what a rule book claims."""

import argparse
import json
import sys
from shutil import get_terminal_size

from ninefold import books
from ninefold.audit import Report, audit
from ninefold.audit.pages.data import as_data
from ninefold.audit.pages.document import documents
from ninefold.audit.pages.html import html
from ninefold.cli.common import check_writable, format_of, load_book, whole_file
from ninefold.core.errors import NinefoldError
from ninefold.line.wrap import note, patience
from ninefold.pages.markdown import markdown
from ninefold.pages.text import WIDTH, text

_KINDS = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".txt": "text",
    "": "text",
}


def run_audit(options: argparse.Namespace) -> int:
    """Audit a book and print the report, or write it to a file; 1 if something is false."""
    book = load_book(options)
    replaced = check_writable(options.output, book) if options.output else ""
    if options.all_readings and options.reading:
        raise NinefoldError("usage", "Choose --reading or --all-readings, not both.")
    advice = "Add --format, or give it a name that ends in .html, .md, .json or .txt."
    kind = "json" if options.json else format_of(options, _KINDS, advice)
    with patience() as say:
        report = audit(
            book,
            all_readings=options.all_readings,
            load=lambda reading: books.load_book(options.game, reading, tuple(options.set)),
            tell=lambda stage: say(f"{stage} ..."),
            seed=options.seed,
            seconds=options.time_budget,
        )
    written = _written(report, kind, options.output)
    if options.output:
        with whole_file(options.output) as file:
            file.write(written.encode())
        note(f"{options.output}: report{replaced}")
    else:
        sys.stdout.write(written)
    return int(report.is_false)


def _written(report: Report, kind: str, output: str | None) -> str:
    """The report in the requested format."""
    if kind == "json":
        return json.dumps(as_data(report)) + "\n"
    pages = documents(report)
    if kind == "markdown":
        return markdown(pages)
    if kind == "html":
        return html(pages, report)
    return text(pages, WIDTH if output else min(get_terminal_size().columns, WIDTH) - 1)
