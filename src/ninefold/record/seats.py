"""From the tags of a record to the referee of its game."""

from ninefold.books import Book
from ninefold.players import Chance, is_program, make
from ninefold.record.format import Header
from ninefold.referee import Referee


def seat_referee(header: Header, book: Book) -> Referee:
    """The referee for a game with these seats, this clock and this chance."""
    return Referee(
        book.game,
        first=header.first,
        humans=(make(header.seat1) is None, make(header.seat2) is None),
        programs=(is_program(header.seat1), is_program(header.seat2)),
        limit=header.time_limit,
        on_timeout=header.on_timeout,
        draw=Chance(header.seed, header.round).draw,
    )
