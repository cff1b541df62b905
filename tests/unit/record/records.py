"""A game on record, for the tests of records."""

from typing import Any

import pytest

from ninefold import books
from ninefold.books import Book
from ninefold.record.replay import Replay
from ninefold.record.text import RecordError, format_settings, parse_record
from ninefold.referee.settings import GameSettings


def settings_of(book: Book, /, **tags: Any) -> GameSettings:
    """The settings of a game of this book between two people, with some of them changed."""
    settings = GameSettings(
        game=book.id,
        reading=book.reading,
        rules=book.game.fingerprint,
        date="2026-01-02T03:04:05Z",
        player1="Ann",
        player2="Bob",
        seat1="human",
        seat2="human",
        first=1,
        time_limit=None,
        on_timeout="lose",
        seed=1,
    )
    return settings._replace(**tags)


SETTINGS = settings_of(
    books.load_book("sequence-capture"), player1='Ann "the \\ Great"', seat2="random", seed=42
)

GAME = "1. 5\n2. 6\n3. 4\n4. 7\n5. 3\n6. 8\n"
WON = "7. 2\n{consecutive; 2 3 4 5} 1-0\n"


def record_text(moves: str, **tags: object) -> bytes:
    """A record with these settings, with some tags changed, and these lines of moves."""
    return (format_settings(SETTINGS._replace(**tags)) + moves).encode()  # type: ignore[arg-type]


def replay(moves: str, **tags: object) -> Replay:
    """The record with these moves, replayed to its end."""
    made = Replay(parse_record(record_text(moves, **tags), "test"))
    made.run()
    return made


def refusal(moves: str, **tags: object) -> str:
    """Why a record with these moves is refused."""
    with pytest.raises(RecordError) as caught:
        replay(moves, **tags)
    return caught.value.message
