"""Offers people a review of the games they have just played."""

from collections.abc import Sequence
from typing import NamedTuple

from ninefold.books import Book
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome
from ninefold.line.console import Console
from ninefold.line.wrap import note
from ninefold.players import HUMAN
from ninefold.referee.settings import GameSettings


class Played(NamedTuple):
    """A finished game; ``record`` is the name of its record, if it has one."""

    settings: GameSettings
    moves: tuple[Move, ...]
    outcome: Outcome
    record: str | None


def offer_review(console: Console, book: Book, games: Sequence[Played]) -> bool:
    """Offer people at a terminal a review of each game; False if they left with Ctrl-D.

    Enter skips the review. Raises KeyboardInterrupt on Ctrl-C.
    """
    from ninefold.coach.hint import too_large
    from ninefold.solver import is_small

    games = [game for game in games if game.moves]
    if not games:
        return True
    if not is_small(book.game):
        note(f"There is no review. {too_large(book.game)}")
        return True
    if HUMAN not in games[0].settings.seats:
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
    numbers = {str(game.settings.round): game for game in games}
    first, last = games[0].settings.round, games[-1].settings.round
    while True:
        text = console.ask(f"\nReview a game? [{first}-{last}, Enter: none]: ").strip()
        if text in numbers:
            return numbers[text]
        if text.casefold() in ("", "n", "no", "q", "quit"):
            return None
        console.show(
            f"Type a number from {first} to {last}, or press Enter to continue.\n", "refusal"
        )


def _yes(console: Console, game: Played) -> bool:
    which = "this game" if game.settings.match is None else f"game {game.settings.round}"
    while True:
        text = console.ask(f"\nReview {which}? [y/N]: ").strip().casefold()
        if text in ("y", "yes", "", "n", "no", "q", "quit"):
            return text.startswith("y")
        console.show("Type y for a review, or press Enter to continue.\n", "refusal")


def _show(console: Console, book: Book, game: Played) -> None:
    from ninefold.coach.review import report, review_game

    judged = review_game(book.game, game.moves, game.settings.first, game.outcome)
    console.show("\n" + report(judged, game.settings.players))
