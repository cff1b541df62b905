"""``ninefold play``: seat the players, toss the coin, play."""

import argparse
import os

from ninefold import books
from ninefold.books import Book
from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console, open_console
from ninefold.line.series import Series, now
from ninefold.players import Chance, make
from ninefold.record.store import Store
from ninefold.record.text import Header


def run(options: argparse.Namespace) -> int:
    """Play one game or a match."""
    book = books.load(options.game, options.reading)
    if options.max_games and not options.wins:
        raise NinefoldError("usage", "--max-games needs a match: add --wins N.")
    if options.on_timeout and not options.time_limit:
        raise NinefoldError("usage", "--on-timeout needs a clock: add --time-limit SECONDS.")
    if options.name1.casefold() == options.name2.casefold():
        raise NinefoldError("usage", "The two names must differ.")
    for kind in (options.p1, options.p2):
        make(kind)
    console = open_console()
    seed = fresh_seed() if options.seed is None else options.seed
    header = Header(
        game=book.id,
        reading=book.reading,
        rules=book.game.fingerprint,
        date=now(),
        player1=options.name1,
        player2=options.name2,
        seat1=options.p1,
        seat2=options.p2,
        first=toss(options.first, seed),
        time_limit=options.time_limit,
        on_timeout=options.on_timeout or book.on_timeout,
        seed=seed,
        wins=options.wins,
        max_games=options.max_games,
    )
    return play(console, book, header, options.first == "random", options.no_record)


def play(
    console: Console, book: Book, header: Header, tossed: bool, no_record: bool = False
) -> int:
    """Announce the coin toss, if there was one, and play; the exit code."""
    if tossed:
        starter = header.player1 if header.first == 1 else header.player2
        console.show(f"Coin toss: {starter} goes first.\n\n")
    return Series(console, None if no_record else Store(), book).begin(header)


def toss(first: str, seed: int) -> int:
    """Who moves first: as asked, or by a coin that the seed decides."""
    return Chance(seed).draw((1, 2), -1) if first == "random" else int(first)


def fresh_seed() -> int:
    """A seed nobody chose."""
    return int.from_bytes(os.urandom(4), "big")
