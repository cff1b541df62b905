"""The offer to review what was just played, made where it is in nobody's way."""

from collections.abc import Sequence
from typing import NamedTuple

from ninefold.books import Book
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome
from ninefold.line.console import Console
from ninefold.line.note import note
from ninefold.players import HUMAN
from ninefold.record.format import Header


class Played(NamedTuple):
    """A game that was played to its end; ``record`` is the name of its record, if it has one."""

    header: Header
    moves: tuple[Move, ...]
    outcome: Outcome
    record: str | None


def offer_review(console: Console, book: Book, games: Sequence[Played]) -> bool:
    """Offer people at a terminal a review of each game; False if they left instead of answering.

    Enter goes on. Raises KeyboardInterrupt on Ctrl-C.
    """
    from ninefold.coach.known import largest_known
    from ninefold.solver import is_small

    games = [game for game in games if game.moves]
    if not games:
        return True
    if not is_small(book.game):
        told = "This game is too large to be known, so there is no review."
        note(f"{told} {largest_known(book.game)}")
        return True
    if HUMAN not in (games[0].header.seat1, games[0].header.seat2):
        _remind(games[-1])
        return True
    try:
        while (game := _ask(console, games)) is not None:
            _show(console, book, game)
            if len(games) == 1:
                return True
    except EOFError:
        return False
    _remind(games[-1])
    return True


def _remind(game: Played) -> None:
    if game.record is not None:
        note(f"To review it later: ninefold review {game.record}")


def _ask(console: Console, games: Sequence[Played]) -> Played | None:
    """The game chosen; None for no."""
    if len(games) == 1:
        return games[0] if _yes(console, games[0]) else None
    numbers = {str(game.header.round): game for game in games}
    first, last = games[0].header.round, games[-1].header.round
    while True:
        text = console.ask(f"\nReview a game? [{first}-{last}, Enter: none]: ").strip()
        if text in numbers:
            return numbers[text]
        if text.casefold() in ("", "n", "no", "q", "quit"):
            return None
        console.show(f"Type a number from {first} to {last}, or Enter to go on.\n", "refusal")


def _yes(console: Console, game: Played) -> bool:
    which = "this game" if game.header.match is None else f"game {game.header.round}"
    while True:
        text = console.ask(f"\nReview {which}? [y/N]: ").strip().casefold()
        if text in ("y", "yes", "", "n", "no", "q", "quit"):
            return text.startswith("y")
        console.show("Type y for a review, or Enter to go on.\n", "refusal")


def _show(console: Console, book: Book, game: Played) -> None:
    from ninefold.coach.report import report
    from ninefold.coach.review import review_game

    header = game.header
    judged = review_game(book.game, game.moves, header.first, game.outcome)
    console.show("\n" + report(judged, (header.player1, header.player2)))
