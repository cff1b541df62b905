"""Offers people a review of the games they have just played."""

from collections.abc import Sequence
from typing import NamedTuple

from ninefold.books import Book
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome
from ninefold.line.console import YES_OR_NO, Console
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
    """Offer people at a terminal a review of each game; whether they left with Ctrl-D.

    Enter skips the review. Raises KeyboardInterrupt on Ctrl-C.
    """
    from ninefold.coach.hint import too_large
    from ninefold.coach.review import report, review_game
    from ninefold.solver import is_small

    games = [game for game in games if game.moves]
    if not games:
        return False
    if not is_small(book.game):
        note(f"There is no review. {too_large(book.game)}")
        return False
    try:
        while HUMAN in games[0].settings.seats and (game := _ask(console, games)) is not None:
            judged = review_game(book.game, game.moves, game.settings.first, game.outcome)
            console.show("\n" + report(judged, game.settings.players))
            if len(games) == 1:
                return False
    except EOFError:
        return True
    if games[-1].record is not None:
        note(f"To review it later: ninefold review {games[-1].record}")
    return False


def _ask(console: Console, games: Sequence[Played]) -> Played | None:
    """The game chosen; None for no."""
    first, last = games[0].settings, games[-1].settings
    if len(games) == 1:
        which = "this game" if first.match is None else f"game {first.round}"
        advice = "Type y for a review, or press Enter to continue."
        wanted = console.choose(f"\nReview {which}? [y/N]: ", {"": False, **YES_OR_NO}, advice)
        return games[0] if wanted else None
    answers: dict[str, Played | None] = {str(game.settings.round): game for game in games}
    answers |= dict.fromkeys(["", *(word for word, yes in YES_OR_NO.items() if not yes)])
    span = f"{first.round}-{last.round}"
    advice = f"Type a number from {first.round} to {last.round}, or press Enter to continue."
    return console.choose(f"\nReview a game? [{span}, Enter: none]: ", answers, advice)
