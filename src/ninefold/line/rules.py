"""The rules of a book as text, wrapped to the terminal."""

import shutil
import textwrap

from ninefold.books import Book

_MISERE = "Misère: completing a set loses instead of wins. All other rules stay the same."


def rules_text(book: Book) -> str:
    """The title, the rules, this reading and the other ones, and remarks about the book."""
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
        parts.append(_wrap(f"Reading: {book.reading}\n\n{chosen.text or chosen.summary}", width))
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


def _wrap(text: str, width: int) -> str:
    return "\n\n".join(textwrap.fill(block, width) for block in text.split("\n\n"))
