"""The rules of a book as text."""

from ninefold.books import Book


def rules_of(book: Book) -> str:
    """The rules as they are played, the other variants, and remarks about the book."""
    chosen = book.readings[book.reading]
    several = len(book.readings) > 1
    parts = [book.text]
    if book.changes:
        parts = [f"Changed here: {'; '.join(book.changes)}", book.text]
    elif several:
        parts.append(f"Rules variant: {book.reading}\n{chosen.text or chosen.summary}")
    if several:
        others = [
            f"{name}: {reading.summary}"
            for name, reading in book.readings.items()
            if name != book.reading
        ]
        parts.append("Other variants:\n" + "\n".join(others))
    if book.notes and not book.changes:
        parts.append(f"Remarks\n{book.notes}")
    return "\n\n".join(parts)
