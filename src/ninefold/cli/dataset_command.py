"""``ninefold dataset``: every position of a game with its exact value."""

import argparse
import os
import shlex
import sys
from typing import BinaryIO

from ninefold.books import Book
from ninefold.cli.common import Progress, load_book, print_json
from ninefold.cli.files import check_writable, files_of, whole_file
from ninefold.core.errors import NinefoldError
from ninefold.datasets.card import Counts, about, as_data, card
from ninefold.datasets.formats import FORMATS, require_parquet, write_csv, write_parquet
from ninefold.datasets.rows import Rows


def run(options: argparse.Namespace) -> int:
    """Write the rows, and a data card next to the file; raises NinefoldError."""
    book = load_book(options)
    kind = _format(options)
    if options.output is None:
        if options.json:
            raise NinefoldError("usage", "--json needs a file.", "Name one with --output.")
        write_csv(Rows(book.game, report=Progress().tell), sys.stdout.buffer)
        return 0
    beside = f"{options.output}.md"
    for path in (options.output, beside):
        check_writable(path, files_of(options.game))
    counts = Counts()
    with whole_file(options.output) as file:
        _write(book, counts, kind, file)
    name = os.path.basename(options.output)
    text = card(book, counts, name, _digest(options.output), _command(options, book, name))
    with whole_file(beside) as file:
        file.write(text.encode(errors="replace"))  # a file name may not be valid text
    _report(options, book, counts, beside)
    return 0


def _format(options: argparse.Namespace) -> str:
    """The requested format, or the extension of the file."""
    suffix = os.path.splitext(options.output or "rows.csv")[1].removeprefix(".").casefold()
    kind: str = options.format or suffix
    if kind not in FORMATS:
        raise NinefoldError(
            "format",
            f"The format of {options.output} is unknown.",
            "Add --format csv or --format parquet.",
        )
    if kind == "parquet":
        if options.output is None:
            raise NinefoldError("usage", "Parquet needs a file.", "Name it with --output.")
        require_parquet()
    return kind


def _write(book: Book, counts: Counts, kind: str, file: BinaryIO) -> None:
    source = Rows(book.game, report=Progress().tell)
    rows = counts.watch(source)
    if kind == "csv":
        write_csv(rows, file)
    else:
        width = len(source.layout.planes) * len(book.game.pool)
        write_parquet(rows, file, width, about(book))


def _digest(path: str) -> str:
    from hashlib import file_digest

    with open(path, "rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _command(options: argparse.Namespace, book: Book, name: str) -> str:
    """The command that repeats it, without the folders of this machine."""
    game = f"./{os.path.basename(book.file)}" if book.file else book.id
    words = ["ninefold", "dataset", game, "--reading", book.reading]
    for change in book.changes:
        words += ["--set", change]
    words += ["--format", options.format] if options.format else []
    return shlex.join([*words, "--output", name])


def _report(options: argparse.Namespace, book: Book, counts: Counts, beside: str) -> None:
    if options.json:
        print_json({**as_data(book, counts), "file": options.output, "card": beside})
        return
    print(f"{options.output}: {counts.rows:,} rows\n{beside}: data card")
