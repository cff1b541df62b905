"""``ninefold play``, and the menu of ``ninefold`` alone: a game or a match."""

import argparse
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TypeVar

from ninefold import books
from ninefold.cli.common import load_book, pick
from ninefold.cli.parser import build_parser
from ninefold.core.errors import NinefoldError
from ninefold.line.console import YES_OR_NO, Console, open_console
from ninefold.line.series import Series
from ninefold.line.wrap import note
from ninefold.record.store import Store
from ninefold.session import Session, new_settings

T = TypeVar("T")
_SEATS: Mapping[str, list[str]] = {
    "Two people at this keyboard": [],
    "You are Player 1 against the computer": ["--name2", "Computer", "--p2"],
    "The computer is Player 1, you are Player 2": ["--name1", "Computer", "--p1"],
}
_STRENGTHS = {
    "Level 1: it takes a win it can see": "level:1",
    "Level 2: it also blocks": "level:2",
    "Level 3: it sees double threats": "level:3",
    "Level 4: it thinks three turns ahead": "level:4",
    "Level 5: it never gives a win away": "level:5",
    "Perfect: it also lays traps": "perfect",
}
_STARTERS = {"Player 1": "1", "Player 2": "2", "Toss a coin": "random"}


def run_play(options: argparse.Namespace) -> None:
    """Play one game or a match."""
    _play(options, open_console())


def _play(options: argparse.Namespace, console: Console) -> bool:
    """Play what the options say; whether the players left before the end."""
    session = new_session(options)
    if options.first == "random":
        settings = session.settings
        console.show(f"Coin toss: {settings.players[settings.first - 1]} goes first.\n\n")
    return Series(console, session).play()


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
        **pick(options, "time_limit", "wins", "max_games", "on_timeout"),
    )
    return Session(book, settings, None if options.no_record else Store(), warn)


def _check(options: argparse.Namespace) -> None:
    """Refuse options that contradict each other; raises NinefoldError."""
    if options.max_games and not options.wins:
        raise NinefoldError("usage", "--max-games needs a match: add --wins N.")
    if options.on_timeout and not options.time_limit:
        raise NinefoldError("usage", "--on-timeout needs a clock: add --time-limit SECONDS.")
    if options.name1.casefold() == options.name2.casefold():
        raise NinefoldError("usage", "The two names must differ.")


def run_menu() -> None:
    """Ask what to play, play it, and offer a rematch; Ctrl-C and Ctrl-D leave at any point."""
    console = open_console()
    console.show("Ninefold: claim numbers, complete a set, win.\n")
    again, advice = "\nPlay again? [y/n]: ", "Type y to play again, or n to leave."
    with suppress(EOFError):
        options = build_parser("play").parse_args(_ask_what_to_play(console))
        playing = True
        while playing:
            console.show("\n")
            left = _play(options, console)
            playing = not left and console.choose(again, YES_OR_NO, advice)


def _ask_what_to_play(console: Console) -> list[str]:
    """The arguments of ``ninefold play`` that the answers stand for."""
    games = {f"{book.title}: {book.summary}": book for book in books.load_all()}
    book = _choose(console, "Which game?", games)
    arguments = ["play", book.id]
    if len(book.readings) > 1:
        readings = {f"{name}: {reading.summary}": name for name, reading in book.readings.items()}
        arguments += ["--reading", _choose(console, "Which rules?", readings)]
    if seats := _choose(console, "Who plays?", _SEATS):
        arguments += [*seats, _choose(console, "How strong is it?", _STRENGTHS)]
    return [*arguments, "--first", _choose(console, "Who starts?", _STARTERS)]


def _choose(console: Console, question: str, options: Mapping[str, T]) -> T:
    """What the chosen option stands for; Enter takes the first."""
    console.show_menu(question, options)
    answers = {str(number): option for number, option in enumerate(options.values(), 1)}
    last = len(options)
    advice = f"Type a number from 1 to {last}, or Enter for 1."
    return console.choose(f"1-{last} [1]: ", {"": answers["1"], **answers}, advice)
