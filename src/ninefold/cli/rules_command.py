"""``ninefold rules``: explain a game."""

import argparse

from ninefold.cli.common import load_book
from ninefold.line.rules import rules_text


def run(options: argparse.Namespace) -> int:
    """Print the rules of one game."""
    print(rules_text(load_book(options)), end="")
    return 0
