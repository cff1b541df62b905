"""``ninefold page``: write a game as one HTML file that plays it."""

import argparse

from ninefold.cli.common import check_writable, load_book, whole_file
from ninefold.line.wrap import note, patience
from ninefold.web.page.document import page


def run_page(options: argparse.Namespace) -> None:
    """Write the page of a game; raises NinefoldError if the game is too large."""
    book = load_book(options)
    replaced = check_writable(options.output, book)
    with patience() as say:
        written = page(book, lambda stage: say(f"{stage} ...")).encode()
    with whole_file(options.output) as file:
        file.write(written)
    note(f"{options.output}: {len(written) / 1000:,.0f} KB{replaced}")
