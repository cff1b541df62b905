"""``ninefold rules``: a game explained."""

import argparse

from ninefold import books
from ninefold.line.rules import rules_text


def run(options: argparse.Namespace) -> int:
    """Print the rules of one book in one reading."""
    print(rules_text(books.load(options.game, options.reading, tuple(options.set))), end="")
    return 0
