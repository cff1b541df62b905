"""``ninefold list``: the games and the variants of their rules."""

import argparse

from ninefold import books
from ninefold.cli.common import print_json
from ninefold.line.wrap import wrap


def run(options: argparse.Namespace) -> int:
    """List every book."""
    loaded = books.load_all()
    if options.json:
        print_json([_as_data(book) for book in loaded], indent=2)
        return 0
    for book in loaded:
        print(wrap(f"{book.id}\n    {book.summary} Numbers: {_pool(book)}."))
        for name, reading in book.readings.items() if len(book.readings) > 1 else ():
            mark = " (default)" if name == book.reading else ""
            print(wrap(f"    --reading {name}{mark}: {reading.summary}"))
    return 0


def _pool(book: books.Book) -> str:
    pool = book.game.pool
    whole = pool == tuple(range(pool[0], pool[-1] + 1))
    return f"{pool[0]} to {pool[-1]}" if whole else " ".join(map(str, pool))


def _as_data(book: books.Book) -> dict[str, object]:
    return {
        "id": book.id,
        "title": book.title,
        "summary": book.summary,
        "pool": book.game.pool,
        "sets": len(book.game.sets),
        "reading": book.reading,
        "readings": {name: reading.summary for name, reading in book.readings.items()},
    }
