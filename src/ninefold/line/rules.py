"""The rules of a book as text, wrapped to the terminal."""

import shutil
import textwrap

from ninefold.books import Book
from ninefold.books.describe import rules_of


def rules_text(book: Book) -> str:
    """The title, and everything there is to say about the rules of the book."""
    width = max(20, min(shutil.get_terminal_size().columns, 80) - 1)
    wrapped = [textwrap.fill(part.text, width) for part in rules_of(book, "--reading ")]
    return "\n\n".join([f"{book.title} ({book.id})", *wrapped]) + "\n"
