"""``ninefold strategy``: a complete strategy as a card, checked before it is shown."""

import argparse

from ninefold.cli.common import load_position, patience, print_json
from ninefold.coach.card import as_data, markdown, text
from ninefold.coach.strategy import strategy_for
from ninefold.coach.verify import verify_card
from ninefold.core.moves import split_moves
from ninefold.line.wrap import wrap


def run(options: argparse.Namespace) -> int:
    """Print the card for the position after ``--moves``; raises NinefoldError."""
    book, position = load_position(options)
    with patience("Working out the card"):
        card = strategy_for(position, options.player)
        proof = verify_card(card)
    moves = " ".join(split_moves(options.moves))
    title = f"{book.label} after {moves}" if moves else book.label
    if options.json:
        which = {"game": book.id, "reading": book.reading, "changes": book.changes}
        print_json({**which, **as_data(card, proof)})
    elif options.format == "markdown":
        print(markdown(card, title, proof), end="")
    else:
        print(wrap(text(card, title, proof)), end="")
    return 0
