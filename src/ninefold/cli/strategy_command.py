"""``ninefold strategy``: a complete strategy on a card, checked before it is shown."""

import argparse

from ninefold import books
from ninefold.coach.card import as_data, markdown, text
from ninefold.coach.strategy import strategy_for
from ninefold.coach.verify import verify_card
from ninefold.line.wrap import wrap


def run(options: argparse.Namespace) -> int:
    """Print the card for the position after the moves given; raises NinefoldError."""
    book = books.load(options.game, options.reading, tuple(options.set))
    card = strategy_for(book.game.play(options.moves, options.first), options.player)
    proof = verify_card(card)
    title = f"{book.title} ({'; '.join((book.reading, *book.changes))})"
    if options.moves.strip():
        title += f" after {options.moves.strip()}"
    if options.json:
        import json

        print(json.dumps({"game": book.id, "reading": book.reading, **as_data(card, proof)}))
    elif options.format == "markdown":
        print(markdown(card, title, proof), end="")
    else:
        print(wrap(text(card, title, proof)), end="")
    return 0
