"""Positions as a browser shows them: the board of each, and lines of play step by step."""

from collections.abc import Iterator, Sequence
from typing import Any, TypedDict

from ninefold.board_words import names_seen
from ninefold.books import Book
from ninefold.coach.words import describe_turn, you_and_they
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import LOST, Move, parse_move
from ninefold.narration import View
from ninefold.referee import Referee
from ninefold.referee.events import Moved, Refused
from ninefold.session import new_settings
from ninefold.solver import is_small
from ninefold.web.server.choices import choice_of
from ninefold.web.server.view import (
    Json,
    about_book,
    board_view,
    heading_of,
    lasting_view,
    own_view,
)
from ninefold.web.server.work.given import BookSpec, load_spec
from ninefold.web.server.work.worker import Progress

NAMES, OPPONENTS = ("Player 1", "Player 2"), ("Opponent", "Opponent")
# More is not a line of play that somebody looks at.
MOST_FRAMES = 200


class Frame(TypedDict):
    """One step of a line: what was just done (nothing at the start), and the board after it."""

    text: str
    view: dict[str, Any]


def referee_at(book: Book, moves: Sequence[str], first: int) -> Referee:
    """The referee after these moves in the notation of records; raises NinefoldError."""
    if first not in (1, 2):
        raise NinefoldError("unreadable", "The player who goes first must be 1 or 2.")
    # With a clock, because a turn of a recorded game may have been lost on it.
    clock = {"time_limit": 1.0, "on_timeout": "lose-turn"}
    referee = Referee(book.game, new_settings(book, seed=0, first=first, **clock))
    for move in map(parse_move, moves):
        _make(referee, move)
    return referee


def view_of(book: Book, referee: Referee, reader: int = 0) -> Json:
    """The board, and what the player to act can do; the player in the seat of the reader is you."""
    words = View(book, NAMES, (True, True))
    seen = View(book, OPPONENTS, (True, True)) if reader else words
    return {
        **lasting_view(book, referee.settings),
        **board_view(words, referee),
        **own_view(seen, referee, reader),
        "controls": own_view(seen, referee, referee.position.turn)["controls"],
        "names": names_seen(seen.names, reader or None),
    }


def about(book: BookSpec, progress: Progress = lambda _: None) -> Json:  # noqa: ARG001
    """What does not change while somebody looks at positions of a book; raises NinefoldError."""
    found = load_spec(book)
    return {
        "title": heading_of(found),
        **about_book(found),
        "book": choice_of(found),
        "solved": is_small(found.game),
    }


def show_line(
    book: BookSpec,
    moves: Sequence[str] = (),
    line: Sequence[str] = (),
    first: int = 1,
    progress: Progress = lambda _: None,  # noqa: ARG001 - every job has it
) -> list[Frame]:
    """The position after these moves, and then after each move of a line; raises NinefoldError.

    The reader is the player to act before the line.
    """
    loaded = load_spec(book)
    referee = referee_at(loaded, moves, first)
    return [*_frames(loaded, referee, [*map(parse_move, line[:MOST_FRAMES])])]


def _frames(book: Book, referee: Referee, line: Sequence[Move]) -> Iterator[Frame]:
    reader = referee.position.turn
    names = you_and_they(reader)
    yield {"text": "", "view": view_of(book, referee, reader)}
    for move in line:
        text = describe_turn(names[referee.position.turn - 1], [move])
        _make(referee, move)
        yield {"text": text, "view": view_of(book, referee, reader)}


def _make(referee: Referee, move: Move) -> None:
    turn = referee.position.turn
    if move is LOST:
        referee.replay(Moved(turn, LOST, "timeout"))
    elif isinstance(event := referee.move(turn, move, 0.0)[0], Refused):
        raise event.error
