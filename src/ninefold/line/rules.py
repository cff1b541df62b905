"""The rules of a book as text, wrapped to the terminal."""

import shutil
import textwrap

from ninefold.books import Book

_MISERE = "Misère: a set loses instead. Whoever completes one first has lost; the rest stands."


def rules_text(book: Book) -> str:
    """Title, rules, the reading in force and the other ones, and remarks about the book."""
    width = max(20, min(shutil.get_terminal_size().columns, 80) - 1)
    parts = [f"{book.title} ({book.id})", _wrap(book.text, width)]
    if book.game.rules.misere and not book.generated:
        parts.append(_wrap(_MISERE, width))
    if not book.generated:
        parts += [_wrap(sentence, width) for sentence in _turns(book)]
    if book.changes:
        parts.append(_wrap("Changed here: " + "; ".join(book.changes), width))
    if len(book.readings) > 1:
        chosen = book.readings[book.reading]
        told = chosen.text or chosen.summary
        parts.append(_wrap(f"Reading: {book.reading}\n\n{told}", width))
        others = [
            f"--reading {name}: {reading.summary}"
            for name, reading in book.readings.items()
            if name != book.reading
        ]
        parts.append(_wrap("Other readings:\n\n" + "\n\n".join(others), width))
    if book.notes:
        parts.append(_wrap(f"Remarks\n\n{book.notes}", width))
    return "\n\n".join(parts) + "\n"


def _turns(book: Book) -> list[str]:
    """A sentence for each rule that makes a turn something else than one pick of any number."""
    rules, told = book.game.rules, list[str]()
    if rules.opening:
        numbers = " ".join(map(str, rules.opening))
        one_of = "one of " * (len(rules.opening) > 1)
        told.append(f"Opening: the very first number is {one_of}{numbers}.")
    if rules.picks_per_turn > 1:
        told.append(f"A turn takes {rules.picks_per_turn} numbers, one after the other.")
    if rules.pie:
        told.append(
            "Pie rule: whoever moves second may answer the turn of the first number with swap. The "
            "hands change owners, and the other player goes on."
        )
    if rules.passing:
        told.append(
            "A turn, or the rest of it, may be passed. Two turns in a row that were passed without "
            "a number end the game."
        )
    return told


def _wrap(text: str, width: int) -> str:
    return "\n\n".join(textwrap.fill(block, width) for block in text.split("\n\n"))
