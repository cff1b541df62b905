"""``ninefold strategy``: a complete strategy on a card, checked before it is shown."""

import argparse

from ninefold import books
from ninefold.cli.patience import patience
from ninefold.coach.card import as_data, markdown, text
from ninefold.coach.strategy import strategy_for
from ninefold.coach.verify import verify_card
from ninefold.core.moves import split_moves
from ninefold.line.wrap import wrap


def run(options: argparse.Namespace) -> int:
    """Print the card for the position after the moves given; raises NinefoldError."""
    book = books.load(options.game, options.reading, tuple(options.set))
    position = book.game.play(options.moves, options.first)
    with patience("Working out the card ..."):
        card = strategy_for(position, options.player)
        proof = verify_card(card)
    moves = " ".join(split_moves(options.moves))
    title = f"{book.label} after {moves}" if moves else book.label
    if options.json:
        import json

        which = {"game": book.id, "reading": book.reading, "changes": book.changes}
        print(json.dumps({**which, **as_data(card, proof)}))
    elif options.format == "markdown":
        print(markdown(card, title, proof), end="")
    else:
        print(wrap(text(card, title, proof)), end="")
    return 0
