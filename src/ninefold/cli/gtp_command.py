"""``ninefold gtp``: run as an engine over the Go Text Protocol."""

import argparse
import sys

from ninefold.cli.common import input_lines, load_book, seed_of
from ninefold.gtp.session import MAX_LINE, Session


def run(options: argparse.Namespace) -> int:
    """Answer every command on standard input at once, until quit or the end of the input."""
    session = Session(load_book(options).game, options.player, seed_of(options))
    for lines in input_lines(MAX_LINE):
        for line in lines:
            sys.stdout.write(session.answer(line))
            sys.stdout.flush()
            if session.over:
                return 0
    return 0
