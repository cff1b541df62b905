"""Games as rows of the database, and how lists show them without loading them."""

from functools import lru_cache
from typing import Any

from ninefold import books
from ninefold.board_words import isolated, names_seen, winner_text
from ninefold.books import Book
from ninefold.core.errors import Illegal
from ninefold.core.outcome import Outcome
from ninefold.players import HUMAN
from ninefold.record.text import parse_record
from ninefold.referee.settings import GameSettings
from ninefold.web.server.choices import Times, clock_text, match_text
from ninefold.web.server.identity import is_bot
from ninefold.web.server.store import GameRow
from ninefold.web.server.view import Json, heading_of


@lru_cache(maxsize=1024)
def read_settings(text: str) -> GameSettings:
    """The settings of a game, as a row keeps them."""
    return parse_record(text.encode(), "a stored game").settings


def read_book(settings: GameSettings) -> Book:
    """The built-in book of a game; raises NinefoldError if it has changed."""
    book = books.load_book(settings.game, settings.reading)
    check_rules(book, settings)
    return book


def check_rules(book: Book, settings: GameSettings) -> None:
    """Raises NinefoldError if the rules of a game are no longer those of its book."""
    if book.game.fingerprint != settings.rules:
        raise Illegal("rules-changed", "The rules have changed since this game was played.")


def bots_of(row: GameRow) -> list[int]:
    """The seats of bots."""
    return [seat for seat, who in enumerate((row.who1, row.who2), 1) if who and is_bot(who)]


def ended_for(row: GameRow, who: str) -> Json:
    """How a finished game ended for a player, in a list."""
    seat = 1 if who == row.who1 else 2
    one, two = map(isolated, read_settings(row.settings).players)
    text = winner_text(Outcome(row.winner or None, ""), names_seen((one, two), seat))
    return {"you": seat, "turn": 0, "winner": row.winner, "status": text}


def summary_of(row: GameRow, settings: GameSettings) -> Json:
    """A game in a list."""
    summary: dict[str, Any] = {
        "id": row.id,
        "state": row.state,
        "title": row.title or heading_of(read_book(settings)),
        "names": list(settings.players),
        "computers": [kind for kind in settings.seats if kind != HUMAN],
        "bots": bots_of(row),
        "first": settings.first,
        "wins": row.wins,
        "created": row.created,
    }
    times = Times(settings.time_limit, settings.game_time, settings.increment)
    clock, length = clock_text(times), match_text(row.wins)
    terms = [] if times == Times() else [clock]
    terms += [length] if row.wins is not None else []
    return {**summary, **times._asdict(), "clock": clock, "length": length, "terms": terms}
