"""``ninefold gtp``: Ninefold as an engine over the Go Text Protocol."""

import argparse
import os

from ninefold import books
from ninefold.gtp.engine import serve
from ninefold.gtp.session import Session


def run(options: argparse.Namespace) -> int:
    """Serve one controller on standard input and output."""
    game = books.load(options.game, options.reading, tuple(options.set)).game
    seed = int.from_bytes(os.urandom(4), "big") if options.seed is None else options.seed
    serve(Session(game, options.player, seed))
    return 0
