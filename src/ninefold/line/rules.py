"""The rules of a book as text, wrapped to the terminal."""

import shutil
import textwrap

from ninefold.books import Book


def rules_text(book: Book) -> str:
    """The title, the rules as they are played, the other readings, and remarks about the book."""
    width = max(20, min(shutil.get_terminal_size().columns, 80) - 1)
    several, chosen = len(book.readings) > 1, book.readings[book.reading]
    about = [f"Reading: {book.reading}", chosen.text or chosen.summary] * several
    if book.changes:
        # The words of the reading are about the rules before the changes, like the remarks.
        reading = f" (reading: {book.reading})" * several
        about = [f"Changed here: {'; '.join(book.changes)}{reading}", "The rules as played:"]
    parts = [*about, book.text] if book.generated else [book.text, *about]
    if several:
        parts.append("Other readings:")
        parts += [
            f"--reading {name}: {reading.summary}"
            for name, reading in book.readings.items()
            if name != book.reading
        ]
    if book.notes and not book.changes:
        parts += ["Remarks", book.notes]
    blocks = "\n\n".join(parts).split("\n\n")
    wrapped = [textwrap.fill(block, width) for block in blocks]
    return "\n\n".join([f"{book.title} ({book.id})", *wrapped]) + "\n"
