"""The rules of a book as text, wrapped to the terminal."""

import shutil
import textwrap

from ninefold.books import Book

_MISERE = "Misère: completing a set loses instead of wins. All other rules stay the same."


def rules_text(book: Book) -> str:
    """The title, the rules, this reading and the other ones, and remarks about the book."""
    width = max(20, min(shutil.get_terminal_size().columns, 80) - 1)
    parts = [book.text]
    if not book.generated:
        parts += [_MISERE] * book.game.rules.misere + _turns(book)
    if book.changes:
        parts.append("Changed here: " + "; ".join(book.changes))
    if len(book.readings) > 1:
        chosen = book.readings[book.reading]
        parts += [f"Reading: {book.reading}", chosen.text or chosen.summary, "Other readings:"]
        parts += [
            f"--reading {name}: {reading.summary}"
            for name, reading in book.readings.items()
            if name != book.reading
        ]
    if book.notes:
        parts += ["Remarks", book.notes]
    blocks = "\n\n".join(parts).split("\n\n")
    wrapped = [textwrap.fill(block, width) for block in blocks]
    return "\n\n".join([f"{book.title} ({book.id})", *wrapped]) + "\n"


def _turns(book: Book) -> list[str]:
    """A sentence for each rule by which a turn is not simply one pick of any number."""
    rules, sentences = book.game.rules, list[str]()
    if rules.opening:
        numbers = " ".join(map(str, rules.opening))
        one_of = "one of " * (len(rules.opening) > 1)
        sentences.append(f"Opening: the first number of the game must be {one_of}{numbers}.")
    if rules.picks_per_turn > 1:
        sentences.append(f"In a turn you take {rules.picks_per_turn} numbers, one after another.")
    if rules.pie:
        sentences.append(
            "Pie rule: the second player may answer the first turn with swap. The players swap "
            "hands, and the first player moves next."
        )
    if rules.passing:
        sentences.append(
            "You may pass your turn, or the rest of it. The game ends when two turns in a row are "
            "passed without taking a number."
        )
    return sentences
