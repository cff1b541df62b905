"""``ninefold dataset`` and ``tables``: every position of a game, as rows and as arrays."""

import argparse
import os
import shlex
import sys
from hashlib import file_digest

from ninefold.books import Book
from ninefold.cli import common
from ninefold.core.errors import NinefoldError
from ninefold.datasets.card import Counts, about, as_data, card
from ninefold.datasets.formats import FORMATS, write_csv, write_parquet
from ninefold.datasets.rows import Rows
from ninefold.line.wrap import patience
from ninefold.require import require_package


def run_dataset(options: argparse.Namespace) -> None:
    """Write the rows, and a data card next to the file; raises NinefoldError."""
    book, output = common.load_book(options), options.output
    kind = _format(options)
    if output is None:
        if options.json:
            raise NinefoldError("usage", "--json needs a file.", "Name one with --output.")
        with patience() as say:
            write_csv(Rows(book.game, report=say), sys.stdout.buffer)
        return
    beside = f"{output}.md"
    replaced = [common.check_writable(path, book) for path in (output, beside)]
    counts = Counts()
    with common.whole_file(output) as file, patience() as say:
        rows = Rows(book.game, report=say)
        if kind == "csv":
            write_csv(counts.watch(rows), file)
        else:
            width = len(rows.layout.planes) * len(book.game.pool)
            write_parquet(counts.watch(rows), file, width, about(book))
    with open(output, "rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    name = os.path.basename(output)
    text = card(book, counts, name, digest, _command(options, book, name))
    with common.whole_file(beside) as file:
        file.write(text.encode(errors="replace"))  # a file name may not be valid text
    data = {**as_data(book, counts), "file": output, "card": beside}
    written = f"{output}: {counts.rows:,} rows{replaced[0]}\n{beside}: data card{replaced[1]}"
    common.print_answer(options, data, written, indent=None)


def run_tables(options: argparse.Namespace) -> None:
    """Write the state table as a NumPy archive; raises NinefoldError."""
    require_package("numpy", "gym")
    book, output = common.load_book(options), options.output
    replaced = common.check_writable(output, book)
    with common.whole_file(output) as file, patience("Listing all states ..."):
        import numpy

        from ninefold.state_table import state_table_for

        arrays = state_table_for(book.game).arrays()
        numpy.savez_compressed(file, **arrays)
    states, actions = arrays["legal"].shape
    data = {"file": output, "states": states, "actions": actions}
    text = f"{output}: {states:,} states, {actions} actions{replaced}"
    common.print_answer(options, data, text, indent=None)


def _format(options: argparse.Namespace) -> str:
    """The requested format, or the extension of the file."""
    endings = {f".{name}": name for name in FORMATS}
    if options.output is None:
        endings[""] = "csv"
    kind = common.format_of(options, endings, "Add --format csv or --format parquet.")
    if kind == "parquet":
        if options.output is None:
            raise NinefoldError("usage", "Parquet needs a file.", "Name it with --output.")
        require_package("pyarrow", "parquet")
    return kind


def _command(options: argparse.Namespace, book: Book, name: str) -> str:
    """The command that repeats it, without the folders of this machine."""
    game = f"./{os.path.basename(book.file)}" if book.file else book.id
    changes = [word for change in book.changes for word in ("--set", change)]
    words = ["ninefold", "dataset", game, "--reading", book.reading, *changes]
    words += ["--format", options.format] if options.format else []
    return shlex.join([*words, "--output", name])
