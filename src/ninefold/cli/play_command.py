"""``ninefold play``: play a game or a match."""

import argparse

from ninefold.books.safety import is_readable
from ninefold.cli.common import load_book, seed_of
from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console, open_console
from ninefold.line.series import Series, timestamp
from ninefold.players import Chance
from ninefold.record.store import Store
from ninefold.referee.settings import GameSettings


def run(options: argparse.Namespace) -> int:
    """Play one game or a match; the exit code."""
    return play(options, None)[0]


def play(options: argparse.Namespace, console: Console | None) -> tuple[int, bool]:
    """Play what the options say; the exit code, and whether the players left before the end."""
    _check(options)
    book = load_book(options)
    seed = seed_of(options)
    tossed = options.first == "random"
    settings = GameSettings(
        game=book.id,
        reading=book.reading,
        rules=book.game.fingerprint,
        date=timestamp(),
        player1=options.name1,
        player2=options.name2,
        seat1=options.p1,
        seat2=options.p2,
        first=Chance(seed).draw((1, 2), -1) if tossed else int(options.first),
        time_limit=options.time_limit,
        on_timeout=options.on_timeout or book.on_timeout,
        seed=seed,
        wins=options.wins,
        max_games=options.max_games,
        changes="; ".join(options.set) or None,
        file=book.file if book.file and is_readable(book.file) else None,
        book=book.digest,
    )
    console = console or open_console()
    series = Series(console, None if options.no_record else Store(), book)
    series.seat(settings)  # an unknown player is refused before anything is shown
    if tossed:
        console.show(f"Coin toss: {settings.players[settings.first - 1]} goes first.\n\n")
    return series.begin(settings), series.left


def _check(options: argparse.Namespace) -> None:
    """Refuse options that contradict each other; raises NinefoldError."""
    if options.max_games and not options.wins:
        raise NinefoldError("usage", "--max-games needs a match: add --wins N.")
    if options.on_timeout and not options.time_limit:
        raise NinefoldError("usage", "--on-timeout needs a clock: add --time-limit SECONDS.")
    if options.name1.casefold() == options.name2.casefold():
        raise NinefoldError("usage", "The two names must differ.")
