"""A record judged again, move by move: nothing in it is taken on trust."""

import os
from collections.abc import Iterator

from ninefold import books
from ninefold.books import Book
from ninefold.core.errors import NinefoldError
from ninefold.record.errors import RecordError
from ninefold.record.format import RESULTS
from ninefold.record.parse import Record
from ninefold.record.seats import seat_referee
from ninefold.record.store import Store
from ninefold.referee import Referee
from ninefold.referee.events import Event


class Replay:
    """A record, its book, and a referee that has seen as much of it as ``steps`` has shown.

    Raises RecordError if the book is unknown or its rules have changed.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        header = record.header
        try:
            self.book = _book_of(record)
            self.referee = seat_referee(header, self.book)
        except NinefoldError as error:
            raise RecordError(record.source, 0, error.message) from None
        if self.book.game.fingerprint != header.rules:
            raise RecordError(
                record.source,
                0,
                f"the rules of {header.file or header.game} ({header.reading}) have changed since "
                f"this game was recorded (then {header.rules}, now {self.book.game.fingerprint})",
            )

    def steps(self) -> Iterator[list[Event]]:
        """The events of each recorded fact in turn; raises RecordError at an impossible one."""
        source = self.record.source
        last = 0
        for fact, line, _ in self.record.entries:
            last = line
            try:
                yield self.referee.replay(fact)
            except NinefoldError as error:
                raise RecordError(source, line, f"impossible: {error.reason}") from None
        self._check_result(last)

    def run(self) -> Referee:
        """The referee after everything recorded; raises RecordError."""
        for _ in self.steps():
            pass
        return self.referee

    def _check_result(self, line: int) -> None:
        outcome, result = self.referee.outcome, self.record.result
        if outcome is None and self.record.finished:
            raise RecordError(
                self.record.source, line, f"the result is {result}, but the game is not over"
            )
        if outcome is not None and self.record.finished and RESULTS[outcome.winner] != result:
            raise RecordError(
                self.record.source,
                line,
                f"the result is {result}, but the moves say {RESULTS[outcome.winner]}",
            )


def _book_of(record: Record) -> Book:
    """The book a game was played by; raises NinefoldError.

    For a game from a file, that is the copy kept with the record or among the user's own games.
    Only without a copy is the file itself opened, which may have changed since.
    """
    header = record.header
    if header.book is None:
        return books.load(header.game, header.reading, header.all_changes)
    own = Store()
    for store in (Store(record.folder) if record.folder else own, own):
        copy = store.read_book(header.book)
        if copy is not None:
            named = header.file or header.game
            return books.load_copy(copy, named, header.reading, header.all_changes)
    if header.file is None or not os.path.exists(header.file):
        told = f"the rule book of this game is gone: neither {header.file or 'its file'} is there"
        raise NinefoldError("book-gone", f"{told} nor the copy {own.book_path(header.book)}")
    return books.load(header.file, header.reading, header.all_changes)
