"""``ninefold play``, and the menu of ``ninefold`` alone: a game or a match."""

import argparse
from collections.abc import Callable
from contextlib import suppress

from ninefold.cli.common import load_book, pick
from ninefold.core.errors import NinefoldError
from ninefold.invocation import command
from ninefold.line.console import open_console
from ninefold.line.menu import begin_chosen, run, show_toss
from ninefold.line.series import Series
from ninefold.line.wrap import note
from ninefold.new_game import check_names
from ninefold.record.store import Store
from ninefold.session import Session, new_settings


def run_play(options: argparse.Namespace) -> None:
    """Play one game or a match; without a game, ask for it."""
    console = open_console(**pick(options, "accessible", "countdown"))
    if options.game is not None:
        session = new_session(options)
        if options.first == "random":
            show_toss(console, session)
        Series(console, session).play()
        return
    if not console.interactive:
        advice = f"To list the games: {command('list')}"
        raise NinefoldError("usage", "Name a game to play.", advice)
    with suppress(EOFError):
        Series(console, begin_chosen(console)).play()


def new_session(options: argparse.Namespace, warn: Callable[[str], None] = note) -> Session:
    """The game or match that the options say, ready to begin; raises NinefoldError."""
    _check(options)
    book = load_book(options)
    settings = new_settings(
        book,
        options.seed,
        player1=options.name1,
        player2=options.name2,
        seat1=options.p1,
        seat2=options.p2,
        first=options.first if options.first == "random" else int(options.first),
        **pick(options, "time_limit", "wins", "max_games", "on_timeout", "game_time", "increment"),
    )
    return Session(book, settings, None if options.no_record else Store(), warn)


def _check(options: argparse.Namespace) -> None:
    """Refuse options that contradict each other; raises NinefoldError."""
    if options.max_games and not options.wins:
        raise NinefoldError("usage", "--max-games needs a match: add --wins N.")
    if options.on_timeout and not options.time_limit:
        raise NinefoldError("usage", "--on-timeout needs a clock: add --time-limit SECONDS.")
    if options.increment is not None and not options.game_time:
        raise NinefoldError("usage", "--increment needs a clock: add --game-time SECONDS.")
    check_names(options.name1, options.name2)


def run_menu(options: argparse.Namespace) -> None:
    """Ask what to play, play it, and offer a rematch; Ctrl-C and Ctrl-D leave at any point."""
    run(open_console(**pick(options, "accessible", "countdown")))
